package suites

import (
	"maps"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// stamps is a kind of objects in folders. The client chooses the code of a stamp, which tells it from others of its
// folder.
type stamps struct {
	pattern string // of the code
	loose   string // the operation that overlooks the folder; empty for none
	held    []map[string]any
}

// join adds the operations on stamps to the reference adapter.
func (s *stamps) join(a *adapter.Adapter) wire.Target {
	s.held = []map[string]any{{"folder_id": "folder_1", "code": "OTHERS1", "notes": "Not of the run"}}
	folder := adapter.Parameter{Name: "folder_id", Type: "string", Required: true, Description: "Identifier of the folder in which the stamp lies"}
	code := adapter.Parameter{Name: "code", Type: "string", Required: true, Pattern: s.pattern, Description: "Code of the stamp in its folder"}
	notes := adapter.Parameter{Name: "notes", Type: "string", MaxLength: adapter.Ref(400), Description: "What is to be known about the stamp"}
	a.Types = append(a.Types,
		adapter.TypeInfo{Name: "Stamp", Kind: "object", Description: "A stamp in a folder", Fields: []adapter.Parameter{folder, code, notes}},
		adapter.TypeInfo{Name: "StampInput", Kind: "object", Description: "Fields of a stamp that can be changed", Fields: []adapter.Parameter{notes}})
	operation := func(name, category, does, returns string, more map[string]any, run func(t adapter.Task, at int) adapter.Envelope, parameters ...adapter.Parameter) {
		example := map[string]any{"folder_id": "folder_1", "code": "OTHERS1"}
		maps.Copy(example, more)
		t, _ := a.TypeNamed(returns)
		a.Operations = append(a.Operations, adapter.Operation{Name: name, Category: category, Description: does, Parameters: append([]adapter.Parameter{folder, code}, parameters...),
			Returns:  adapter.TypeInfo{Name: t.Name, Kind: t.Kind, Description: t.Description},
			Examples: []adapter.Example{{Description: "In the first folder", Request: adapter.Request(name, example)}},
			Run: func(t adapter.Task) adapter.Envelope {
				at := func(loose bool) int {
					return slices.IndexFunc(s.held, func(m map[string]any) bool {
						return m["code"] == t.Text("code") && (loose || m["folder_id"] == t.Text("folder_id"))
					})
				}
				i := at(false)
				if i < 0 && category != "CREATE" {
					return adapter.Absent("stamp", t.Text("code"))
				}
				if name == s.loose {
					i = at(true)
				}
				return run(t, i)
			}})
	}
	operation("create_stamp", "CREATE", "Create a stamp in a folder", "Stamp", map[string]any{"code": "NEW1"}, func(t adapter.Task, at int) adapter.Envelope {
		if at >= 0 {
			return adapter.Failure("CONFLICT_ALREADY_EXISTS", "The folder has a stamp with this code; choose another one", map[string]any{"code": t.Text("code")})
		}
		s.held = append(s.held, maps.Clone(t.Params))
		return adapter.Success(maps.Clone(t.Params))
	}, notes)
	operation("get_stamp", "READ", "Get one stamp", "Stamp", nil, func(_ adapter.Task, at int) adapter.Envelope {
		return adapter.Success(maps.Clone(s.held[at]))
	})
	operation("update_stamp", "UPDATE", "Change fields of a stamp; null removes a field", "Stamp", map[string]any{"input": map[string]any{"notes": "Blue"}}, func(t adapter.Task, at int) adapter.Envelope {
		s.held[at] = adapter.Merge(s.held[at], adapter.Object(t.Params["input"]))
		return adapter.Success(maps.Clone(s.held[at]))
	}, adapter.Parameter{Name: "input", Type: "StampInput", Required: true, Description: "Fields to change; what is absent stays as it is"})
	operation("delete_stamp", "DELETE", "Delete a stamp for good", "Deletion", nil, func(_ adapter.Task, at int) adapter.Envelope {
		s.held = slices.Delete(s.held, at, at+1)
		return adapter.Success(map[string]any{"deleted": true})
	})
	return inProcess(a)
}

// Two objects of the run have one code in two folders, also where the mark of the run fits the pattern of the code in
// another writing. So an operation that overlooks the folder is found.
func TestCodesMeanSomethingInTheirFolderAlone(t *testing.T) {
	for _, c := range []struct{ loose, found string }{{"", ""}, {"update_stamp", "AQL-8.1-05"}, {"delete_stamp", "AQL-8.1-06"}} {
		t.Run(c.loose, func(t *testing.T) {
			t.Parallel()
			s := &stamps{pattern: "^[A-Z][A-Z0-9_]{1,63}$", loose: c.loose}
			r := judgedAs(t, stand.Config{Mode: "all"}, s.join, plan.Selection{Checks: All(), Run: []string{"AQL-8.1-05", "AQL-8.1-06"}}, fixtures.Hints{})
			found := ""
			for _, f := range r.Findings {
				if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
					found = f.Requirement
				}
			}
			if found != c.found {
				t.Errorf("found %q, want %q\n%s", found, c.found, r.trace())
			}
			if len(s.held) == 0 || s.held[0]["notes"] != "Not of the run" {
				t.Errorf("the stamps are %v", s.held)
			}
		})
	}
}
