package suites

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A remarks is a kind of objects that lie in a folder. Its number tells a remark from others of the
// same folder, and no READ shows one alone.
type remarks struct {
	slots  int    // places in a folder, which the client chooses; 0 where the adapter gives numbers
	fault  string // of the store; empty for none
	held   map[string]map[int]map[string]any
	given  map[string]int // the last number of a folder
	placed string         // what the number is called
}

// join adds the operations on remarks to the reference adapter.
func (s *remarks) join(a *adapter.Adapter) wire.Target {
	s.held, s.given, s.placed = map[string]map[int]map[string]any{"folder_1": {1: {"folder_id": "folder_1", "text": "Not of the run"}}}, map[string]int{"folder_1": 1}, "number"
	if s.slots > 0 {
		s.placed = "slot"
	}
	s.held["folder_1"][1][s.placed] = 1
	folder := adapter.Parameter{Name: "folder_id", Type: "string", Required: true, Description: "Identifier of the folder in which the remark lies"}
	place := adapter.Parameter{Name: s.placed, Type: "integer", Required: true, Minimum: adapter.Ref(1), Description: "Tells the remark from others of its folder"}
	if s.slots > 0 {
		place.Maximum = adapter.Ref(s.slots)
	}
	text := adapter.Parameter{Name: "text", Type: "string", Required: true, MinLength: adapter.Ref(1), MaxLength: adapter.Ref(400), Description: "What is remarked, one line or more"}
	color := adapter.Parameter{Name: "color", Type: "string", MaxLength: adapter.Ref(80), Description: "Color of the paper that the remark is on"}
	changed := text
	changed.Required = false
	made := []adapter.Parameter{folder, text, color}
	if s.slots > 0 {
		made = append(made, place)
	}
	a.Types = append(a.Types,
		adapter.TypeInfo{Name: "Remark", Kind: "object", Description: "A remark within a folder", Fields: []adapter.Parameter{folder, place, text, color}},
		adapter.TypeInfo{Name: "RemarkInput", Kind: "object", Description: "Fields of a remark that can be changed", Fields: []adapter.Parameter{changed, color}},
		adapter.TypeInfo{Name: "RemarkList", Kind: "object", Description: "The remarks of a folder", Fields: []adapter.Parameter{{Name: "items", Type: "Remark[]", Required: true, Description: "The remarks, lowest first"}}})
	one := func() map[string]any { return map[string]any{"folder_id": "folder_1", s.placed: json.Number("1")} }
	add := one()
	delete(add, "number")
	add["text"] = "Call back"
	if s.slots > 0 {
		add["slot"] = json.Number("2")
	}
	change := one()
	change["input"] = map[string]any{"text": "Call again"}
	operation := offering(a, "On the first folder")
	operation("create_remark", "CREATE", "Create a remark in a folder", "Remark", add, s.create, made...)
	operation("list_remarks", "READ", "List the remarks of one folder", "RemarkList", map[string]any{"folder_id": "folder_1"}, s.list, folder)
	operation("update_remark", "UPDATE", "Change fields of a remark; null removes a field", "Remark", change, s.update, folder, place,
		adapter.Parameter{Name: "input", Type: "RemarkInput", Required: true, Description: "Fields to change; what is absent stays as it is"})
	operation("delete_remark", "DELETE", "Delete a remark for good", "Deletion", one(), s.remove, folder, place)
	at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "delete_folder" })
	plain := a.Operations[at].Run
	a.Operations[at].Run = func(t adapter.Task) adapter.Envelope {
		if n := len(s.held[t.Text("folder_id")]); n > 0 {
			return adapter.Failure("CONFLICT_FOLDER_NOT_EMPTY", fmt.Sprintf("The folder still holds %d remarks; delete them with delete_remark first", n), map[string]any{"remarks": n})
		}
		return plain(t)
	}
	return inProcess(a)
}

// of finds the folder of a request, and the remark that it names.
func (s *remarks) of(t adapter.Task) (in map[int]map[string]any, n int, problem adapter.Envelope) {
	id := t.Text("folder_id")
	if t.Store.Folders[id] == nil {
		return nil, 0, adapter.Absent("folder", id)
	}
	if s.held[id] == nil {
		s.held[id] = map[int]map[string]any{}
	}
	n = adapter.Integer(t.Params[s.placed])
	if (t.Operation == "update_remark" || t.Operation == "delete_remark") && s.held[id][n] == nil {
		return nil, 0, adapter.Absent("remark", fmt.Sprintf("%s/%d", id, n))
	}
	return s.held[id], n, nil
}

func (s *remarks) create(t adapter.Task) adapter.Envelope {
	in, n, problem := s.of(t)
	switch {
	case problem != nil:
		return problem
	case s.slots == 0:
		s.given[t.Text("folder_id")]++
		n = s.given[t.Text("folder_id")]
	case in[n] != nil:
		return adapter.Failure("CONFLICT_ALREADY_EXISTS", fmt.Sprintf("Slot %d is taken; choose another one", n), map[string]any{"slot": n})
	}
	in[n] = maps.Clone(t.Params)
	in[n][s.placed] = n
	return adapter.Success(maps.Clone(in[n]))
}

func (s *remarks) list(t adapter.Task) adapter.Envelope {
	in, _, problem := s.of(t)
	if problem != nil {
		return problem
	}
	items := []any{}
	for _, n := range slices.Sorted(maps.Keys(in)) {
		items = append(items, maps.Clone(in[n]))
	}
	return adapter.Success(map[string]any{"items": items})
}

func (s *remarks) update(t adapter.Task) adapter.Envelope {
	in, n, problem := s.of(t)
	if problem != nil {
		return problem
	}
	if s.fault == "the folder is overlooked" {
		number := 0
		fmt.Sscanf(t.Text("folder_id"), "folder_%d", &number)
		if before := s.held[fmt.Sprintf("folder_%d", number-1)]; number > 2 && before[n] != nil {
			in = before
		}
	}
	changed := adapter.Merge(in[n], adapter.Object(t.Params["input"]))
	if s.fault != "changes are lost" {
		in[n] = changed
	}
	return adapter.Success(maps.Clone(changed))
}

func (s *remarks) remove(t adapter.Task) adapter.Envelope {
	in, n, problem := s.of(t)
	if problem != nil {
		return problem
	}
	if s.fault != "removals are lost" {
		delete(in, n)
	}
	return adapter.Success(map[string]any{"folder_id": t.Text("folder_id"), "deleted": true})
}

// Objects that only a list of their parent shows are judged, and those in other parents are left alone.
func TestChildrenWithoutARead(t *testing.T) {
	portion.InTurn(t)
	for i, c := range []struct {
		name  string
		slots int
		fault string
		found string // requirement that the fault breaks
	}{
		{name: "numbers are given"},
		{name: "slots are chosen", slots: 16},
		{name: "changes are lost", fault: "changes are lost", found: "AQL-4.5.1-01 update_remark"},
		{name: "the folder is overlooked", slots: 16, fault: "the folder is overlooked", found: "AQL-8.1-05 update_remark"},
		{name: "removals are lost", fault: "removals are lost", found: "AQL-8.1-06 delete_remark"},
	} {
		if !portion.OneOf(i, 5) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &remarks{slots: c.slots, fault: c.fault}
			r := judgedAs(t, stand.Config{Mode: "all"}, s.join, plan.Selection{Checks: All()}, fixtures.Hints{})
			r.accusesOf(t, c.found)
			if c.fault != "removals are lost" && c.fault != "the folder is overlooked" { // what lost its mark is left
				for folder, in := range s.held {
					if len(in) != map[bool]int{true: 1}[folder == "folder_1"] {
						t.Errorf("%s holds %d remarks", folder, len(in))
					}
				}
			}
			if text := s.held["folder_1"][1]["text"]; text != "Not of the run" {
				t.Errorf("a remark of others has the text %v", text)
			}
		})
	}
}
