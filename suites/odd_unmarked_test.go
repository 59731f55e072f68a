package suites

import (
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

// Sockets are a kind of objects without free text that lie in a folder. Their one text names a theme, and no operation
// makes a theme.
type sockets struct {
	fault string // of the store; empty for none
	held  map[string]map[string]any
	given int
}

// join adds the operations on sockets to the reference adapter.
func (s *sockets) join(a *adapter.Adapter) wire.Target {
	s.given, s.held = 1, map[string]map[string]any{"socket_1": {"socket_id": "socket_1", "folder_id": "folder_1", "plug": "round", "power": 4.5, "theme": "dark"}}
	folder := adapter.Parameter{Name: "folder_id", Type: "string", Required: true, Description: "Identifier of the folder in which the socket lies"}
	key := adapter.Parameter{Name: "socket_id", Type: "string", Required: true, Description: "Identifier of the socket, which the adapter gives"}
	plug := adapter.Parameter{Name: "plug", Type: "string", Required: true, Enum: []string{"round", "flat", "square"}, Description: "Shape of the plug"}
	power := adapter.Parameter{Name: "power", Type: "number", Minimum: adapter.Ref(1), Maximum: adapter.Ref(400), Description: "Highest power in kilowatts"}
	theme := adapter.Parameter{Name: "theme", Type: "string", Pattern: "^[a-z][a-z0-9-]{2,60}$", Description: "Theme of the front, one that is known"}
	fields := []adapter.Parameter{plug, power, theme}
	fields[0].Required = false
	a.Types = append(a.Types,
		adapter.TypeInfo{Name: "Socket", Kind: "object", Description: "A socket within a folder", Fields: []adapter.Parameter{key, folder, plug, power, theme}},
		adapter.TypeInfo{Name: "SocketInput", Kind: "object", Description: "Fields of a socket that can be changed", Fields: fields},
		adapter.TypeInfo{Name: "SocketList", Kind: "object", Description: "The sockets of a folder", Fields: []adapter.Parameter{{Name: "items", Type: "Socket[]", Required: true, Description: "The sockets, oldest first"}}})
	plug.Required = true
	operation := offering(a, "The first one")
	one := map[string]any{"socket_id": "socket_1"}
	operation("create_socket", "CREATE", "Create a socket in a folder", "Socket", map[string]any{"folder_id": "folder_1", "plug": "flat", "power": 11, "theme": "dark"}, s.create, folder, plug, power, theme)
	operation("get_socket", "READ", "Show one socket", "Socket", one, s.get, key)
	operation("list_sockets", "READ", "List the sockets of one folder", "SocketList", map[string]any{"folder_id": "folder_1"}, s.list, folder)
	operation("update_socket", "UPDATE", "Change fields of a socket; null removes a field", "Socket", map[string]any{"socket_id": "socket_1", "input": map[string]any{"power": 22}}, s.update, key,
		adapter.Parameter{Name: "input", Type: "SocketInput", Required: true, Description: "Fields to change; what is absent stays as it is"})
	operation("delete_socket", "DELETE", "Delete a socket for good", "Deletion", one, s.remove, key)
	at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "delete_folder" })
	plain := a.Operations[at].Run
	a.Operations[at].Run = func(t adapter.Task) adapter.Envelope {
		if n := len(s.in(t.Text("folder_id"))); n > 0 {
			return adapter.Failure("CONFLICT_FOLDER_NOT_EMPTY", fmt.Sprintf("The folder still holds %d sockets; delete them with delete_socket first", n), map[string]any{"sockets": n})
		}
		return plain(t)
	}
	return inProcess(a)
}

// in returns the sockets of a folder, oldest first.
func (s *sockets) in(folder string) (all []any) {
	for n := range s.given + 1 {
		if held := s.held[fmt.Sprint("socket_", n)]; held != nil && held["folder_id"] == folder {
			all = append(all, maps.Clone(held))
		}
	}
	return all
}

// known refuses a theme that nobody knows.
func (s *sockets) known(fields map[string]any) adapter.Envelope {
	if theme, _ := fields["theme"].(string); theme != "" && !slices.Contains([]string{"dark", "light"}, theme) {
		return adapter.Absent("theme", theme)
	}
	return nil
}

func (s *sockets) create(t adapter.Task) adapter.Envelope {
	if t.Store.Folders[t.Text("folder_id")] == nil {
		return adapter.Absent("folder", t.Text("folder_id"))
	}
	if problem := s.known(t.Params); problem != nil {
		return problem
	}
	s.given++
	id := fmt.Sprint("socket_", s.given)
	s.held[id] = maps.Clone(t.Params)
	s.held[id]["socket_id"] = id
	return adapter.Success(maps.Clone(s.held[id]))
}

func (s *sockets) get(t adapter.Task) adapter.Envelope {
	if held := s.held[t.Text("socket_id")]; held != nil {
		return adapter.Success(maps.Clone(held))
	}
	return adapter.Absent("socket", t.Text("socket_id"))
}

func (s *sockets) list(t adapter.Task) adapter.Envelope {
	if t.Store.Folders[t.Text("folder_id")] == nil {
		return adapter.Absent("folder", t.Text("folder_id"))
	}
	return adapter.Success(map[string]any{"items": append([]any{}, s.in(t.Text("folder_id"))...)})
}

func (s *sockets) update(t adapter.Task) adapter.Envelope {
	id, input := t.Text("socket_id"), adapter.Object(t.Params["input"])
	if s.held[id] == nil {
		return adapter.Absent("socket", id)
	}
	if problem := s.known(input); problem != nil {
		if s.fault == "the rest of a refused change is kept" {
			rest := maps.Clone(input)
			delete(rest, "theme")
			s.held[id] = adapter.Merge(s.held[id], rest)
		}
		return problem
	}
	changed := adapter.Merge(s.held[id], input)
	if s.fault != "changes are lost" {
		s.held[id] = changed
	}
	return adapter.Success(maps.Clone(changed))
}

func (s *sockets) remove(t adapter.Task) adapter.Envelope {
	id := t.Text("socket_id")
	if s.held[id] == nil {
		return adapter.Absent("socket", id)
	}
	if s.fault != "removals are lost" {
		delete(s.held, id)
	}
	return adapter.Success(map[string]any{"socket_id": id, "deleted": true})
}

// Objects of which no text carries the mark of the run are made in a folder of the run, judged and removed.
func TestObjectsWithoutFreeText(t *testing.T) {
	portion.InTurn(t)
	for i, c := range []struct{ fault, found string }{
		{},
		{"the rest of a refused change is kept", "OPS-5.1-02 update_socket"},
		{"removals are lost", "AQL-8.1-06 delete_socket"},
		{"changes are lost", "AQL-4.5.1-01 update_socket"},
	} {
		if !portion.OneOf(i, 4) {
			continue
		}
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			s := &sockets{fault: c.fault}
			r := judgedAs(t, stand.Config{Mode: "all"}, s.join, plan.Selection{Checks: All()}, fixtures.Hints{})
			r.accusesOf(t, c.found)
			if c.fault != "removals are lost" && len(s.held) != 1 {
				t.Errorf("%d sockets are left, want that of others alone", len(s.held))
			}
			if of := s.held["socket_1"]; of["plug"] != "round" || of["theme"] != "dark" {
				t.Errorf("the socket of others is %v", of)
			}
		})
	}
}
