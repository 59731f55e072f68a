package suites

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Where one note changes after each update and another now and then, no effect of a write on others can be told
// from what they do. The update is barred after some requests, and nothing accuses it.
func TestWritesBesideRestlessOthersAreBarred(t *testing.T) {
	updates, reads, written := 0, 0, false
	restless := func(a *adapter.Adapter) wire.Target {
		a.Hooks = seam.Both(a.Hooks, adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			op, _ := c.OperationNamed(c.Operation())
			change := func(id string) {
				note := maps.Clone(c.Store.Notes[id])
				note["title"] = fmt.Sprintf("Title %d", reads)
				c.Store.Notes[id] = note
			}
			switch reads++; {
			case written:
				change("note_1")
			case reads%7 == 0:
				change("note_2")
			}
			written = op.Category == "UPDATE"
			if written && c.Params()["input"] != nil {
				updates++
			}
			return next(c)
		}})
		return inProcess(a)
	}
	r := judgedAs(t, stand.Config{Mode: "all"}, restless, plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-*"}}, fixtures.Hints{})
	barred := false
	for _, f := range r.Findings {
		barred = barred || f.Verdict == reports.NotProven && strings.Contains(f.Got, "not ours")
		if f.Verdict == reports.Fail || f.Verdict == reports.Pass && strings.HasPrefix(f.Requirement, "AQL-4.5.1-") && f.Subject == "update_note" {
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
	if !barred || updates > 12 {
		t.Errorf("barred: %v, after %d updates", barred, updates)
	}
}
