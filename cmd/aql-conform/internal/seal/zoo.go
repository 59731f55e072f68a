package seal

import (
	"math/rand/v2"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// Stranger is the adapter of that seed, with so many faults planted.
func Stranger(seed uint64, faults int) mutation.Stranger {
	d := adapter.Zoo(seed)
	s := mutation.Stranger{
		Seed: seed, Engine: "go", Announced: d.Announced(), Healthy: described(d, adapter.Fault{}, false),
		With: func(habits []string) mutation.Mutant {
			return described(adapter.Described(seed, habitsOf(habits)), adapter.Fault{}, false)
		},
	}
	if text := d.String(); text != "" {
		s.Habits = strings.Split(text, "\n")
	}
	for _, f := range drawn(d, faults) {
		s.Faults = append(s.Faults, mutation.Planted{Default: described(d, f, false), Hinted: described(d, f, true)})
	}
	return s
}

func habitsOf(lines []string) map[string]string {
	habits := map[string]string{}
	for _, line := range lines {
		axis, habit, _ := strings.Cut(line, ": ")
		habits[axis] = habit
	}
	return habits
}

// drawn draws faults that ordinary checks find over stdio, in another order for each seed.
func drawn(d adapter.Description, n int) []adapter.Fault {
	all := adapter.Faults()
	var some []adapter.Fault
	for _, i := range rand.New(rand.NewPCG(d.Seed, 0x6661756c74)).Perm(len(all)) { //nolint:gosec // nothing here is a secret
		if f := all[i]; len(some) < n && f.Phase == "" && f.Transport != "http" && d.Fits(f) {
			some = append(some, f)
		}
	}
	return some
}

// described is the adapter of a description with a fault.
func described(d adapter.Description, f adapter.Fault, hinted bool) mutation.Mutant {
	var hints fixtures.Hints
	var err error
	if hinted {
		hints, err = fixtures.Say(d.HintsFile(f), d.Hints(f))
	}
	m := mutation.Mutant{Requirement: f.ID, Fault: f.Variant, Also: f.Also, Transport: "stdio", Hints: hints}
	cfg := adapter.Config{Mode: f.Mode, Profile: f.Profile, Description: d}
	if f.ID != "" {
		cfg.Fault = f.ID + "." + f.Variant
	}
	m.Start = func() (mutation.TestServer, error) {
		if err != nil {
			return mutation.TestServer{}, err
		}
		return begun(cfg, false)
	}
	return m
}

// Withheld reports whether a seed is kept for the count at the end.
func Withheld(seed uint64) bool { return adapter.Withheld(seed) }
