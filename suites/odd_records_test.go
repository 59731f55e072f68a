package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// accused lists what a run of the requirements finds at fault with an adapter that something stands in front of.
func accused(t *testing.T, run string, asked func(call map[string]any), answered func(call, e map[string]any)) (all []string) {
	t.Helper()
	r := judgedAs(t, stand.Config{Mode: "all"}, inFront(asked, answered), plan.Selection{Checks: All(), Run: strings.Fields(run)}, hintsFor(t, seam.Fault{}))
	for _, f := range r.Findings {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			all = append(all, string(f.Verdict)+" "+f.Requirement+" "+f.Subject+": "+f.Got)
		}
	}
	return all
}

// No record of a parameter can say how many elements a list wants. A list that always has two elements
// is published as a default of two, and one of them alone is no such list.
func TestListsOfAFixedLengthAreTakenWhole(t *testing.T) {
	asked := func(call map[string]any) {
		if params, ok := objectAt(call, "params"); ok {
			if tags, given := params["tags"].([]any); given && call["operation"] == "create_note" && len(tags) != 2 {
				params["priority"] = 99 // refused for its value
			}
		}
	}
	answered := func(call, e map[string]any) {
		if op, ok := objectAt(e, "data", "operation"); ok && op["name"] == "create_note" {
			eachObject(op["parameters"], func(p map[string]any) {
				if p["name"] == "tags" {
					p["default"] = []any{"from", "to"}
				}
			})
			eachObject(op["examples"], func(m map[string]any) { delete(m, "tags") })
		}
		if fault, ok := objectAt(e, "error"); ok && strings.Contains(asJSON(fault), "priority") {
			e["error"] = map[string]any{"code": "VALIDATION_CONSTRAINT_VIOLATION", "message": "tags wants two values",
				"details": map[string]any{"param_name": "tags", "operation": "create_note"}}
		}
	}
	if found := accused(t, "INT-3.4.1-06 CMP-ARRAY-01", asked, answered); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
}

// What stands beside the items of a page is no part of it, and an answer may repeat what was asked.
func TestPagesMayHoldMoreThanItems(t *testing.T) {
	for name, answered := range map[string]func(call, e map[string]any){
		"facets": func(call, e map[string]any) {
			if data, ok := objectAt(e, "data"); ok && data["items"] != nil {
				data["facets"] = slices.Repeat([]any{"travel", "home"}, 300)
			}
		},
		"echo": func(call, e map[string]any) {
			if data, ok := objectAt(e, "data"); ok && data["items"] != nil {
				data["asked"] = call["params"]
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if found := accused(t, "OPS-5.4-09 OPS-5.4-05 OPS-4.4.3-15", nil, answered); len(found) > 0 {
				t.Error(strings.Join(found, "\n"))
			}
		})
	}
}
