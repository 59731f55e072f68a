package seal

import (
	"cmp"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/bearer"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// healthyAdapters break nothing, and offer what the faults are faults of.
func healthyAdapters() []mutation.Mutant {
	var all []mutation.Mutant
	for _, transport := range []string{"stdio", "http"} {
		all = append(all, Mutant(seam.Fault{Transport: transport, Variant: "usual features"}))
	}
	guarded := Mutant(seam.Fault{Transport: "http", Authorization: true, Variant: "behind authorization"})
	return append(all, guarded, Mutant(seam.Fault{Features: "all", Variant: "all features"}))
}

// mutants are the faults of the reference adapter, one adapter each.
func mutants() []mutation.Mutant {
	var all []mutation.Mutant
	for _, f := range faults.All() {
		all = append(all, Mutant(f))
	}
	return all
}

// Mutant is an adapter that has the fault.
func Mutant(f seam.Fault) mutation.Mutant {
	hints, err := fixtures.Say(f.HintsFile(), f.Hints)
	m := mutation.Mutant{
		Requirement: f.ID, Fault: f.Variant, Also: f.Also, Phase: f.Phase, Transport: cmp.Or(f.Transport, "stdio"), Hints: hints,
	}
	cfg := stand.Config{Mode: cmp.Or(f.Mode, "all"), Profile: f.Profile, Authorization: f.Authorization}
	if f.ID != "" {
		cfg.Fault = f.ID + "." + f.Variant
	} else {
		cfg.Features = f.Features
	}
	m.Start = func() (mutation.TestServer, error) {
		if err != nil {
			return mutation.TestServer{}, err
		}
		server, _, err := begun(cfg, m.Transport == "http")
		return server, err
	}
	return m
}

// begun is an adapter in this process, with what stands beside a real one.
func begun(cfg stand.Config, overHTTP bool) (mutation.TestServer, *stand.Stand, error) {
	beside, err := stand.NewStand(cfg)
	if err != nil {
		return mutation.TestServer{}, nil, err
	}
	stand := mutation.TestServer{Command: beside.Command, Wait: beside.Wait, Effects: beside.Effects, Close: beside.Close}
	for _, way := range []struct {
		to   *wire.Target
		open func(overHTTP bool) (adapter.Door, error)
	}{{&stand.Main, beside.Main}, {&stand.Restarted, beside.Restarted}, {&stand.Limited, beside.Limited}} {
		door, err := way.open(overHTTP)
		if err != nil {
			beside.Close()
			return mutation.TestServer{}, nil, err
		}
		*way.to = wire.Target{URL: door.URL, Bearer: bearer.Issued(door.Token), Pipe: door.Pipe, StartTimeout: 5 * time.Second, Grace: time.Second}
	}
	return stand, beside, nil
}

// Examples are an adapter that breaks the requirement, and the same one without its
// fault; ok is false where none breaks it in a way that ordinary checks find.
func Examples(id string) (breaking, kept mutation.Mutant, ok bool) {
	i := slices.IndexFunc(faults.All(), func(f seam.Fault) bool { return f.ID == id && f.Phase == "" })
	if i < 0 {
		return breaking, kept, false
	}
	f := faults.All()[i]
	healthy := seam.Fault{Mode: f.Mode, Profile: f.Profile, Transport: f.Transport, Authorization: f.Authorization, Hints: f.Hints}
	if f.Features != "" {
		healthy.Features = "all"
	}
	return Mutant(f), Mutant(healthy), true
}
