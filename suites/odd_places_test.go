package suites

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// benches is a kind of objects that lie in houses, which nobody can make. The client chooses the number
// of a bench, and the code of its house has a pattern that the mark of a run does not fit.
type benches struct {
	stay  bool // nothing removes a bench
	given bool // the adapter gives the number, and no number twice
	fault string
	held  map[string]map[string]any // by house and number
	made  int
}

// join adds the operations on benches to the reference adapter.
func (s *benches) join(a *adapter.Adapter) wire.Target {
	s.held = map[string]map[string]any{"NW 3": {"house_code": "NW", "bench_no": 3, "notes": "Not of the run"}}
	house := adapter.Parameter{Name: "house_code", Type: "string", Required: true, Pattern: "^[A-Z]{2,3}$", Description: "Code of the house in which the bench stands"}
	number := adapter.Parameter{Name: "bench_no", Type: "integer", Required: true, Minimum: adapter.Ref(1), Maximum: adapter.Ref(999), Description: "Number of the bench in its house"}
	notes := adapter.Parameter{Name: "notes", Type: "string", MaxLength: adapter.Ref(400), Description: "What is to be known about the bench"}
	a.Types = append(a.Types,
		adapter.TypeInfo{Name: "House", Kind: "object", Description: "A house", Fields: []adapter.Parameter{house}},
		adapter.TypeInfo{Name: "HouseList", Kind: "object", Description: "All houses", Fields: []adapter.Parameter{{Name: "items", Type: "House[]", Required: true, Description: "The houses, by code"}}},
		adapter.TypeInfo{Name: "Bench", Kind: "object", Description: "A bench in a house", Fields: []adapter.Parameter{house, number, notes}},
		adapter.TypeInfo{Name: "BenchInput", Kind: "object", Description: "Fields of a bench that can be changed", Fields: []adapter.Parameter{notes}})
	operation := offering(a, "On a house")
	one := func(n string, more map[string]any) map[string]any {
		in := map[string]any{"house_code": "NW", "bench_no": json.Number(n)}
		maps.Copy(in, more)
		return in
	}
	operation("list_houses", "READ", "List all houses", "HouseList", map[string]any{}, func(adapter.Task) adapter.Envelope {
		return adapter.Success(map[string]any{"items": []any{map[string]any{"house_code": "NW"}, map[string]any{"house_code": "SE"}}})
	})
	operation("get_bench", "READ", "Get one bench", "Bench", one("3", nil), s.get, house, number)
	if s.given {
		operation("create_bench", "CREATE", "Create a bench in a house", "Bench", map[string]any{"house_code": "NW", "notes": "Oak"}, s.create, house, notes)
	} else {
		operation("create_bench", "CREATE", "Create a bench in a house", "Bench", one("9", map[string]any{"notes": "Oak"}), s.create, house, number, notes)
	}
	operation("update_bench", "UPDATE", "Change fields of a bench; null removes a field", "Bench", one("3", map[string]any{"input": map[string]any{"notes": "Elm"}}), s.update, house, number,
		adapter.Parameter{Name: "input", Type: "BenchInput", Required: true, Description: "Fields to change; what is absent stays as it is"})
	if !s.stay {
		operation("delete_bench", "DELETE", "Delete a bench for good", "Deletion", one("3", nil), s.remove, house, number)
	}
	return inProcess(a)
}

func benchKey(t adapter.Task) string {
	return fmt.Sprintf("%s %d", t.Text("house_code"), adapter.Integer(t.Params["bench_no"]))
}

func (s *benches) get(t adapter.Task) adapter.Envelope {
	if b := s.held[benchKey(t)]; b != nil {
		return adapter.Success(maps.Clone(b))
	}
	return adapter.Absent("bench", benchKey(t))
}

func (s *benches) create(t adapter.Task) adapter.Envelope {
	if s.given {
		t.Params = maps.Clone(t.Params)
		t.Params["bench_no"] = json.Number(fmt.Sprint(10 + s.made))
	}
	switch h := t.Text("house_code"); {
	case h != "NW" && h != "SE":
		return adapter.Absent("house", h)
	case s.held[benchKey(t)] != nil:
		return adapter.Failure("CONFLICT_ALREADY_EXISTS", "The house has a bench of that number; choose another one", map[string]any{"bench_no": t.Params["bench_no"]})
	}
	s.made++
	s.held[benchKey(t)] = maps.Clone(t.Params)
	return adapter.Success(maps.Clone(t.Params))
}

func (s *benches) update(t adapter.Task) adapter.Envelope {
	b := s.held[benchKey(t)]
	if b == nil {
		return adapter.Absent("bench", benchKey(t))
	}
	changed := adapter.Merge(b, adapter.Object(t.Params["input"]))
	if s.fault == "" {
		s.held[benchKey(t)] = changed
	}
	return adapter.Success(maps.Clone(changed))
}

func (s *benches) remove(t adapter.Task) adapter.Envelope {
	if s.held[benchKey(t)] == nil {
		return adapter.Absent("bench", benchKey(t))
	}
	delete(s.held, benchKey(t))
	return adapter.Success(map[string]any{"deleted": true})
}

// What lies in an object of others is made with the permission of that creation alone, and then its whole
// life is judged: the house is one that is there, and the number of the bench is new.
func TestPlacesThatNobodyMakes(t *testing.T) {
	portion.InTurn(t)
	for i, c := range []struct {
		name    string
		s       benches
		allowed bool
		lived   bool
		found   string
	}{
		{name: "without permission"},
		{name: "with permission", allowed: true, lived: true},
		{name: "changes are lost", s: benches{fault: "changes are lost"}, allowed: true, found: "AQL-4.5.1-01 update_bench"},
		{name: "given numbers, without permission", s: benches{given: true}},
		{name: "given numbers", s: benches{given: true}, allowed: true, lived: true},
		{name: "given numbers, changes are lost", s: benches{given: true, fault: "changes are lost"}, allowed: true, found: "AQL-4.5.1-01 update_bench"},
		{name: "nothing removes", s: benches{stay: true}, allowed: true, lived: true},
		{name: "nothing removes, changes are lost", s: benches{stay: true, fault: "changes are lost"}, allowed: true, found: "AQL-4.5.1-01 update_bench"},
	} {
		if !portion.OneOf(i, 6) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var told fixtures.Hints
			if c.allowed {
				told.Permissions.Operations = map[string]string{"create_bench": "allow"}
			}
			r := judgedAs(t, stand.Config{Mode: "all"}, c.s.join, plan.Selection{Checks: All()}, told)
			r.accusesOf(t, c.found)
			if reach := r.reach(); c.lived == (len(reach.NotLived) > 0) && c.found == "" {
				t.Errorf("%s: %s", reach, unlived(reach))
			}
			marked := func(b map[string]any) bool { return strings.Contains(fmt.Sprint(b["notes"]), "aqlc-") }
			if left := slices.ContainsFunc(slices.Collect(maps.Values(c.s.held)), marked); (c.s.made > 0) != c.allowed || left != (c.s.stay && c.allowed) {
				t.Errorf("%d made; left with the mark of the run: %t", c.s.made, left)
			}
			if c.s.given && len(c.s.held) != 1 {
				t.Errorf("left in the houses of others: %v", c.s.held)
			}
			if b := c.s.held["NW 3"]; !strings.HasPrefix(fmt.Sprint(b["notes"]), "Not of") {
				t.Errorf("a bench of others is %v", b)
			}
		})
	}
}
