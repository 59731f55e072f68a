package suites

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Where a document contradicts itself, the document is at fault, and nothing else: no value fits
// the bounds that it names, so nobody can tell what the handler should take.
func TestContradictionIsOneRow(t *testing.T) {
	portion.Long(t)
	for _, pair := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}} {
		t.Run(pair[0], func(t *testing.T) {
			t.Parallel()
			swapped := inFront(nil, func(_, e map[string]any) {
				eachObject(e, func(m map[string]any) {
					if low, high := m[pair[0]], m[pair[1]]; low != nil && high != nil {
						m[pair[0]], m[pair[1]] = high, low
					}
				})
			})
			r := judgedAs(t, stand.Config{Mode: "all"}, swapped, plan.Selection{Checks: All()}, hintsFor(t, seam.Fault{}))
			blamed := 0
			for _, f := range r.Findings {
				switch {
				case f.Verdict != reports.Fail && f.Verdict != reports.Warn:
				case f.Requirement == "INT-3.4-15":
					blamed++
				default:
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
			}
			if blamed == 0 {
				t.Error("the contradiction is not found")
			}
		})
	}
}

// Examples may name what exists at the moment. That introspection changes in nothing else is no
// change of it.
func TestLiveExamplesAreNoChange(t *testing.T) {
	var asked atomic.Int32
	live := inFront(nil, func(call, e map[string]any) {
		record, ok := objectAt(e, "data", "operation")
		if !ok || call["operation"] != "introspect" {
			return
		}
		eachObject(record["examples"], func(m map[string]any) {
			if _, there := m["note_id"]; there {
				m["note_id"] = fmt.Sprintf("note_%d", asked.Add(1)%4+1)
			}
		})
	})
	ids := "INT-7.3-02 INT-7.3-04 INT-7.3-05 AQL-7.3-06"
	r := judgedAs(t, stand.Config{Mode: "all"}, live, plan.Selection{Checks: All(), Run: strings.Fields(ids)}, hintsFor(t, seam.Fault{}))
	for _, f := range r.Findings {
		if f.Verdict != reports.Pass && f.Verdict != reports.Skipped && strings.Contains(ids, f.Requirement) {
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
}

// Operations document, section 3.4: _meta is no extension that an author has to document.
func TestMetadataIsNoExtension(t *testing.T) {
	hints := hintsFor(t, seam.Fault{})
	hints.Attest.Extensions = "no"
	cfg := stand.Config{Mode: "all", Description: habits.Described(0, map[string]string{"metadata": "in each answer"})}
	r := judgedAs(t, cfg, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-10.2-03"}}, hints)
	for _, f := range r.Findings {
		if f.Verdict == reports.Warn || f.Verdict == reports.Fail {
			t.Errorf("%s %s: want %s, got %s", f.Verdict, f.Requirement, f.Want, f.Got)
		}
	}
}

// What is found, and how it is mended, fits what was answered.
func TestFixesFitWhatWasAnswered(t *testing.T) {
	listing := func(change func(data map[string]any)) func(call, e map[string]any) {
		return func(call, e map[string]any) {
			if data, ok := objectAt(e, "data"); ok && data["operations"] != nil {
				change(data)
			}
		}
	}
	record := func(change func(op map[string]any)) func(call, e map[string]any) {
		return func(call, e map[string]any) {
			if op, ok := objectAt(e, "data", "operation"); ok && op["name"] == "introspect" {
				change(op)
			}
		}
	}
	for name, c := range map[string]struct {
		run      string
		answered func(call, e map[string]any)
		says     string // in got or in the fix
	}{
		"another key": {"AQL-7.3-01", listing(func(data map[string]any) {
			data["commands"] = data["operations"]
			delete(data, "operations")
		}), "move the array from data.commands to data.operations"},
		"entries by another name": {"AQL-7.3-01", listing(func(data map[string]any) {
			for _, entry := range data["operations"].([]any) {
				entry := entry.(map[string]any)
				entry["title"] = entry["name"]
				delete(entry, "name")
			}
		}), "give each entry its name in the member name"},
		"name by another key": {"OPS-9.2-01", record(func(op map[string]any) {
			for _, p := range op["parameters"].([]any) {
				if p := p.(map[string]any); p["name"] == "name" {
					p["name"] = "element_name"
				}
			}
		}), "query, element_name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judgedAs(t, stand.Config{Mode: "all"}, inFront(nil, c.answered), plan.Selection{Checks: All(), Run: []string{c.run}}, hintsFor(t, seam.Fault{}))
			for _, f := range r.Findings {
				if f.Requirement == c.run && f.Verdict == reports.Fail && strings.Contains(f.Got+" "+f.Fix, c.says) {
					return
				}
			}
			t.Errorf("nothing says %q", c.says)
		})
	}
}

// Where no endpoint and no category is documented, that is what is wrong. No tool is a wrong one for
// such an operation, and none of them is known to read.
func TestMissingPlaceIsTheRoot(t *testing.T) {
	placeless := inFront(nil, func(call, e map[string]any) {
		if call["operation"] == "introspect" {
			eachObject(e, func(m map[string]any) {
				delete(m, "mcpTool")
				delete(m, "endpoint")
				delete(m, "semantic_category")
			})
		}
	})
	ids := "AQL-6.1-01 AQL-10.1-05 AQL-6.2-03 AQL-10.1-10 OPS-4.2-06"
	r := judgedAs(t, stand.Config{Mode: "all"}, placeless, plan.Selection{Checks: All(), Run: strings.Fields(ids)}, hintsFor(t, seam.Fault{}))
	roots := 0
	for _, f := range r.Findings {
		switch {
		case f.Verdict != reports.Fail && f.Verdict != reports.Warn || f.Requirement == "INT-4.1.1-10":
		case f.Requirement == "AQL-6.1-01" || f.Requirement == "AQL-10.1-05":
			roots++
		default:
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
	if roots == 0 {
		t.Error("what is missing is not found")
	}
}
