package suites

import (
	"maps"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// rehearsing has update_note take dry_run. A shallow copy is what a rehearsal changes if it is broken: the objects inside are those
// of the store.
func rehearsing(broken bool) func(*adapter.Adapter) wire.Target {
	return func(a *adapter.Adapter) wire.Target {
		at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "update_note" })
		o := &a.Operations[at]
		o.Parameters = append(slices.Clone(o.Parameters), adapter.Parameter{Name: "dry_run", Type: "boolean", Description: "With true: answer what the note would be, and store nothing"})
		plain := o.Run
		o.Run = func(t adapter.Task) adapter.Envelope {
			if t.Params["dry_run"] != true {
				return plain(t)
			}
			note := t.Store.Notes[t.Text("note_id")]
			if note == nil {
				return adapter.Absent("note", t.Text("note_id"))
			}
			before := maps.Clone(note)
			if inner, ok := note["metadata"].(map[string]any); ok && !broken {
				before["metadata"] = maps.Clone(inner)
			}
			answer := plain(t)
			if broken {
				if inner, ok := t.Store.Notes[t.Text("note_id")]["metadata"]; ok {
					before["metadata"] = inner
				}
			}
			t.Store.Notes[t.Text("note_id")] = before
			return answer
		}
		return inProcess(a)
	}
}

// A rehearsal of an update changes nothing, neither the fields of an object nor what stands inside of them.
func TestRehearsalsLeaveTheInsideOfObjects(t *testing.T) {
	for _, c := range []struct {
		broken bool
		found  string
	}{{false, ""}, {true, "OPS-4.4.1-10 update_note"}} {
		r := judgedAs(t, stand.Config{Mode: "all"}, rehearsing(c.broken), plan.Selection{Checks: All()}, fixtures.Hints{})
		r.accusesOf(t, c.found)
	}
}
