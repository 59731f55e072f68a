package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// desk is an adapter whose comments lie in tickets and have no READ of their own. Its lists show two
// comments a page.
func desk() []probes.Operation {
	return []probes.Operation{
		operation("create_ticket", "CREATE", "subject*:string"), operation("get_ticket", "READ", "ticket_id*:string"),
		operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"),
		operation("create_comment", "CREATE", "ticket_id*:string", "text*:string"), operation("list_comments", "READ", "ticket_id*:string", "offset:integer"),
		operation("update_comment", "UPDATE", "ticket_id*:string", "number*:integer", "input*:object"),
		operation("delete_comment", "DELETE", "ticket_id*:string", "number*:integer"),
	}
}

// A store is what the desk holds. Every request passes the gate first.
type store struct {
	gate     *Gate
	tickets  []string         // subjects; the key is the place
	comments map[int][]string // by ticket; the number is the place, and a removed one is empty
	writes   []string         // in the order in which they were carried out
	keeps    bool             // the comments of a ticket that was removed are listed on
}

func (s *store) Ask(ctx context.Context, p probes.Probe) probes.Observation {
	leave, why := s.gate.Enter(ctx, p)
	if why != "" {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: why}
	}
	params := probes.ValueOf(p.Params())
	data, code := s.answer(p.Operation(), params)
	envelope := map[string]any{"success": code == "", "data": data}
	if code != "" {
		envelope = map[string]any{"success": false, "error": map[string]any{"code": code, "message": "no"}}
	}
	text, _ := json.Marshal(envelope)
	o := probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":%s}}`, text)}})
	o.Identity = leave(o)
	return o
}

func (s *store) answer(operation string, params probes.Value) (data any, code string) {
	ticket, number := -1, 0
	_, _ = fmt.Sscanf(params.At("ticket_id").Text(), "T-%d", &ticket)
	_, _ = fmt.Sscan(params.At("number").String(), &number)
	if params.Has("ticket_id") && !(s.keeps && operation == "list_comments") && (ticket < 0 || ticket >= len(s.tickets) || s.tickets[ticket] == "") {
		return nil, "NOT_FOUND_RESOURCE"
	}
	if params.Has("number") && (number < 1 || number > len(s.comments[ticket]) || s.comments[ticket][number-1] == "") {
		return nil, "NOT_FOUND_RESOURCE"
	}
	if !strings.HasPrefix(operation, "get") && !strings.HasPrefix(operation, "list") {
		s.writes = append(s.writes, fmt.Sprintf("%s T-%d %d", operation, ticket, number))
	}
	shown := func(n int) map[string]any {
		return map[string]any{"ticket_id": fmt.Sprintf("T-%d", n), "subject": s.tickets[n]}
	}
	switch operation {
	case "create_ticket":
		s.tickets = append(s.tickets, params.At("subject").Text())
		return shown(len(s.tickets) - 1), ""
	case "get_ticket":
		return shown(ticket), ""
	case "delete_ticket":
		s.tickets[ticket] = ""
	case "list_tickets":
		var rows []any
		for n, subject := range s.tickets {
			if subject != "" {
				rows = append(rows, shown(n))
			}
		}
		return rows, ""
	case "create_comment":
		s.comments[ticket] = append(s.comments[ticket], params.At("text").Text())
		return map[string]any{"number": len(s.comments[ticket])}, ""
	case "delete_comment":
		s.comments[ticket][number-1] = ""
	case "list_comments":
		rows := []any{}
		for i, text := range s.comments[ticket] {
			if text != "" && !strings.HasSuffix(text, "hidden") {
				rows = append(rows, map[string]any{"number": i + 1, "text": text})
			}
		}
		at, _ := params.At("offset").Float()
		rows = rows[min(int(at), len(rows)):]
		return rows[:min(2, len(rows))], ""
	}
	return map[string]any{}, ""
}

// What lies in a parent of ours may be changed and removed, and nothing else.
func TestChildrenOfOurs(t *testing.T) {
	s := &store{tickets: []string{"Printer jams"}, comments: map[int][]string{0: {"Ordered rollers.", "Thanks", "Done"}}}
	s.gate = New(s, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
	s.gate.Learn(&probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Operations: desk()})
	text := map[string]any{"text": "new"}
	for i, c := range []struct {
		operation string
		params    map[string]any
		refused   string // part of the reason; empty where it is carried out or not found
	}{
		{"create_ticket", map[string]any{"subject": "aqlc-k3f9x2ab"}, ""},
		{"create_comment", map[string]any{"ticket_id": "T-0", "text": "aqlc-k3f9x2ab"}, "not ours"},
		{"create_comment", map[string]any{"ticket_id": "T-1", "text": "aqlc-k3f9x2ab-1"}, ""},
		{"create_comment", map[string]any{"ticket_id": "T-1", "text": "Thanks"}, "would not carry our mark"},
		{"create_comment", map[string]any{"ticket_id": "T-1", "text": "aqlc-k3f9x2ab-2"}, ""},
		{"create_comment", map[string]any{"ticket_id": "T-1", "text": "aqlc-k3f9x2ab-3"}, ""},
		{"update_comment", map[string]any{"ticket_id": "T-1", "number": 3, "input": text}, ""},
		{"update_comment", map[string]any{"ticket_id": "T-0", "number": 3, "input": text}, "not proven to be ours"},
		{"delete_comment", map[string]any{"ticket_id": "T-0", "number": 1}, "not proven to be ours"},
		{"delete_comment", map[string]any{"ticket_id": "T-1", "number": 7}, "the run made nothing with the number 7"},
		{"delete_comment", map[string]any{"ticket_id": "T-1", "number": 987654321}, ""},
		{"delete_comment", map[string]any{"ticket_id": "T-99", "number": 2}, ""},
		{"delete_comment", map[string]any{"ticket_id": "T-1", "number": 2}, ""},
		{"delete_comment", map[string]any{"ticket_id": "T-1", "number": 2}, ""}, // it is gone
		{"create_comment", map[string]any{"ticket_id": "T-1", "text": "aqlc-k3f9x2ab-hidden"}, ""},
	} {
		o, _ := s.gate.known().Operation(c.operation)
		got := s.Ask(t.Context(), probes.Call("main", o.Tool, o.Name, c.params).Numbered(i))
		if (got.Outcome == probes.Unasked) != (c.refused != "") || !strings.Contains(got.Exit, c.refused) {
			t.Errorf("%s %v: %q, want %q", c.operation, c.params, got.Exit, c.refused)
		}
	}
	if left := s.gate.CleanUp(t.Context()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if slices.ContainsFunc(s.writes, func(w string) bool { return strings.Contains(w, "T-0 ") }) || len(s.tickets[0]) == 0 {
		t.Errorf("a ticket of others was touched: %v", s.writes)
	}
	want := []string{"delete_comment T-1 4", "delete_comment T-1 3", "delete_comment T-1 1", "delete_ticket T-1 0"} // children first
	if n := len(s.writes); n < 4 || !slices.Equal(s.writes[n-4:], want) {
		t.Errorf("the last writes are %v, want %v", s.writes, want)
	}
}

// What has no read of its own and lay in an object of ours went with it, if the reads say so. What lies in an
// object of others, or is still listed, is left and named.
func TestChildrenGoWithTheirParent(t *testing.T) {
	noRemoval := slices.DeleteFunc(desk(), func(o probes.Operation) bool { return o.Name == "update_comment" || o.Name == "delete_comment" })
	for _, c := range []struct {
		what, ticket string
		without      string // an operation
		keeps        bool   // the removal of a ticket leaves its comments
		left         int
	}{
		{"in a ticket of ours", "T-1", "", false, 0},
		{"in a ticket of others", "T-0", "", false, 2},
		{"that nothing lists", "T-1", "list_comments", false, 2},
		{"that is listed without its ticket", "T-1", "", true, 2},
	} {
		s := &store{tickets: []string{"Printer jams"}, comments: map[int][]string{}, keeps: c.keeps}
		may := everything
		may.Named = []string{"create:create_comment"}
		s.gate = New(s, "main", "k3f9x2ab", may, fixtures.Hints{}, nil)
		operations := slices.DeleteFunc(slices.Clone(noRemoval), func(o probes.Operation) bool { return o.Name == c.without })
		s.gate.Learn(&probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Operations: operations})
		for i, sent := range []probes.Probe{
			probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"subject": "aqlc-k3f9x2ab"}),
			probes.Call("main", "mcp_aql_create", "create_comment", map[string]any{"ticket_id": c.ticket, "text": "aqlc-k3f9x2ab-1"}),
			probes.Call("main", "mcp_aql_create", "create_comment", map[string]any{"ticket_id": c.ticket, "text": "aqlc-k3f9x2ab-2"}),
		} {
			if got := s.Ask(t.Context(), sent.Numbered(i)); !got.Succeeded() {
				t.Fatalf("%s: %s", c.what, got.Exit)
			}
		}
		if left := s.gate.CleanUp(t.Context()); len(left) != c.left {
			t.Errorf("comments %s: %d left behind: %v, want %d", c.what, len(left), left, c.left)
		}
	}
}

// A list is taken for the view of children only where they are told apart within a parent that the
// run can make.
func TestKindsOfChildren(t *testing.T) {
	without := func(names ...string) []probes.Operation {
		return slices.DeleteFunc(desk(), func(o probes.Operation) bool { return slices.Contains(names, o.Name) })
	}
	for name, c := range map[string]struct {
		operations []probes.Operation
		want       bool
	}{
		"comments of tickets":          {desk(), true},
		"no removal of a parent":       {without("delete_ticket"), false},
		"no creation of a parent":      {without("create_ticket"), false},
		"no list of children":          {without("list_comments"), false},
		"all children of one parent":   {append(without("delete_comment"), operation("delete_comment", "DELETE", "ticket_id*:string")), false},
		"children in one state":        {append(without("delete_comment"), operation("delete_comment", "DELETE", "ticket_id*:string", "status*:string")), false},
		"several children":             {append(without("delete_comment"), operation("delete_comment", "DELETE", "ticket_id*:string", "numbers*:integer[]")), false},
		"a list that takes the number": {append(without("list_comments"), operation("list_comments", "READ", "ticket_id*:string", "number:integer")), false},
	} {
		r := rulesOf(everything, c.operations...)
		o, _ := r.Operation("create_comment")
		if ok, why := r.Callable(o); ok != c.want {
			t.Errorf("%s: called %v %q, want %v", name, ok, why, c.want)
		}
	}
}
