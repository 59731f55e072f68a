package suites

import (
	"os"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/bearer"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// targetAt is how the engine reaches what is behind a door. AQL_CONFORM_MCP_VERSION names another
// revision than the newest.
func targetAt(d adapter.Door) wire.Target {
	return wire.Target{URL: d.URL, Bearer: bearer.Issued(d.Token), Pipe: d.Pipe, Revision: os.Getenv("AQL_CONFORM_MCP_VERSION"), StartTimeout: 5 * time.Second, Grace: time.Second}
}

// inProcess serves a reference adapter over a pipe, framed as on stdio.
func inProcess(a *adapter.Adapter) wire.Target {
	return targetAt(a.Door())
}

// standing begins a reference adapter with what stands beside a real one; reached says
// how the engine gets to the adapter itself.
func standing(t testing.TB, cfg stand.Config, reached func(*adapter.Adapter) wire.Target) (*adapter.Adapter, mutation.TestServer) {
	t.Helper()
	beside, err := stand.NewStand(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { beside.Close(); beside = nil }) // testing keeps the function until all siblings have ended
	main := reached(beside.Adapter)
	launch := func(to func(overHTTP bool) (adapter.Door, error)) wire.Target {
		door, err := to(main.URL != "")
		if err != nil {
			t.Fatal(err)
		}
		return targetAt(door)
	}
	return beside.Adapter, mutation.TestServer{
		Main: main, Restarted: launch(beside.Restarted), Limited: launch(beside.Limited),
		Command: beside.Command, Wait: beside.Wait, Close: beside.Close,
	}
}

// hintsFor returns what the author of the faulty adapter would tell: some faults
// show only to a checker that was told something. For the optional features that is
// the bundled file; the hints of the fault come on top of it.
func hintsFor(t testing.TB, fault seam.Fault) fixtures.Hints {
	t.Helper()
	hints, err := fixtures.Say(fault.HintsFile(), fault.Hints)
	if err != nil {
		t.Fatal(err)
	}
	return hints
}
