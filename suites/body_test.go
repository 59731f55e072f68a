package suites

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A creation that takes the new object in one parameter is lived like another. The life of its
// objects shows what is rotten.
func TestObjectsOfOneParameterAreLived(t *testing.T) {
	for i, key := range []string{"counter with a prefix", "chosen by the client", "parent and number", "integer"} {
		if !portion.OneOf(i, 4) {
			continue
		}
		for fault, id := range map[string]string{
			"": "", "AQL-4.5.1-08.null-stored-as-text": "AQL-4.5.1-08", "AQL-8.1-06.delete-does-nothing": "AQL-8.1-06", "AQL-4.5.1-08.null-skipped": "AQL-4.5.1-08",
		} {
			t.Run(key+"/"+fault, func(t *testing.T) {
				t.Parallel()
				habits := habits.Described(0, map[string]string{"create takes": "an input object", "key": key})
				r := judged(t, stand.Config{Description: habits, Mode: "all", Fault: fault}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-*", "AQL-8.1-*"}})
				if got := r.reach(); fault == "" && len(got.NotLived) > 0 {
					t.Errorf("not lived: %s", unlived(got))
				}
				found := id == ""
				for _, f := range r.Findings {
					found = found || f.Verdict == reports.Fail && f.Requirement == id
					if f.Verdict == reports.Fail && f.Requirement != id {
						t.Errorf("%s: %s, got %s", f.Requirement, f.Want, f.Got)
					}
				}
				if !found {
					t.Errorf("%s is not found", fault)
				}
			})
		}
	}
}

// A key that the client chooses has to be absent before the creation. A creation with such a key
// is no request with a fault, and it would use up a key whose absence was observed.
func TestAChosenKeyIsNoAbsentParent(t *testing.T) {
	habits := habits.Described(0, map[string]string{"key": "chosen by the client"})
	r := judged(t, stand.Config{Description: habits, Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"OPS-5.1-02"}})
	parents := 0
	for o := range r.Record.All() {
		if strings.HasPrefix(o.Probe.Step, "creation under an absent parent: attempt") {
			parents++
			if id, _ := o.Probe.Params()["note_id"].(string); strings.HasSuffix(id, "-absent") {
				t.Errorf("a creation with the absent key %s", id)
			}
		}
	}
	if parents == 0 {
		t.Error("no creation was tried under an absent parent")
	}
}
