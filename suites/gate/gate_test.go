package gate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// operation is a listed operation with parameters such as "id*:string".
func operation(name, category string, parameters ...string) probes.Operation {
	o := probes.Operation{Name: name, Category: category, Tool: "mcp_aql_" + strings.ToLower(category)}
	for _, p := range parameters {
		name, kind, _ := strings.Cut(p, ":")
		needed := strings.HasSuffix(name, "*")
		name = strings.TrimSuffix(name, "*")
		o.Parameters = append(o.Parameters, probes.Parameter{Name: name, Type: kind, Required: needed, Raw: probes.ValueOf(map[string]any{"name": name, "type": kind, "required": needed})})
	}
	return o
}

// described is an operation with a record.
func described(o probes.Operation, record string) probes.Operation {
	o.Details, _ = probes.ParseValue([]byte(record))
	return o
}

// versioned is an operation whose last parameter is described with the member that shows a version.
func versioned(o probes.Operation) probes.Operation {
	o.Parameters[len(o.Parameters)-1].Raw = value(`{"description":"The revision that _version shows"}`)
	return o
}

var everything = Permissions{Create: true, Update: true, Delete: true}

func rulesOf(may Permissions, operations ...probes.Operation) *Rules {
	return NewRules(&probes.Adapter{Conn: "main", Operations: operations}, may, fixtures.Hints{})
}

// What may be called by default is what can be taken back.
func TestCallable(t *testing.T) {
	note := []probes.Operation{operation("get_note", "READ", "note_id*:string"), operation("delete_note", "DELETE", "note_id*:string")}
	mail := []probes.Operation{operation("get_email", "READ", "email_id*:string"), operation("delete_email", "DELETE", "email_id*:string")}
	for _, c := range []struct {
		subject probes.Operation
		beside  []probes.Operation
		want    string // part of the reason; empty where it is called
	}{
		{operation("create_note", "CREATE", "title*:string"), note, ""},
		{operation("create_note", "CREATE", "title*:string"), note[:1], "could not be removed again"},
		{operation("create_note", "CREATE", "title*:string"), note[1:], "could not be removed again"},
		{operation("create_note", "CREATE", "title*:string"), append([]probes.Operation{described(operation("delete_note", "DELETE", "note_id*:string"), `{"dangerous":true}`)}, note[:1]...), "marked by the adapter as dangerous true; --allow delete:delete_note "},
		{operation("create_note", "CREATE", "title*:string"), append([]probes.Operation{described(operation("delete_note", "DELETE", "note_id*:string"), `{"description":"Delete a note and email its owner"}`)}, note[:1]...), "only delete_note removes what create_note makes, and it is not called: its description says that it acts outside of the data of the adapter; --allow delete:delete_note "},
		{operation("createNote", "CREATE", "title*:string"), []probes.Operation{operation("getNote", "READ", "noteId*:string"), operation("deleteAllNotes", "DELETE"), operation("deleteUser", "DELETE", "userId*:string"), operation("deleteArchive", "DELETE")}, "could not be removed again"},
		{operation("noteCreate", "CREATE", "title*:string"), []probes.Operation{operation("noteGet", "READ", "id*:integer"), operation("noteDelete", "DELETE", "id*:integer")}, ""},
		{operation("notes.create", "CREATE", "title*:string"), []probes.Operation{operation("notes.get", "READ", "id*:integer"), operation("notes.delete", "DELETE", "id*:integer")}, ""},
		{operation("notiz_erstellen", "CREATE", "titel*:string"), []probes.Operation{operation("notiz_lesen", "READ", "notiz_id*:integer"), operation("notiz_loeschen", "DELETE", "notiz_id*:integer")}, ""},
		{operation("luo_muistio", "CREATE", "otsikko*:string"), []probes.Operation{operation("hae_muistio", "READ", "tunnus*:integer"), operation("poista_muistio", "DELETE", "tunnus*:integer")}, ""},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Open a new ticket"}`), note, ""},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Open a new, empty drawer."}`), note, ""},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Open a position"}`), note, "its description says"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Issue a new deploy token; the secret is answered only here."}`), note, ""},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Issue a badge"}`), note, "its description says"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Issue a token refund"}`), note, "its description says"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Issue an API key and send it to the owner"}`), note, "its description says"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Issue a key for the door"}`), note, "its description says"},
		{described(operation("erstelle_notiz", "CREATE", "titel*:string"), `{"description":"Plant eine Notiz im Status entwurf."}`), []probes.Operation{operation("lies_notiz", "READ", "notiz*:string"), operation("loesche_notiz", "DELETE", "notiz*:string")}, ""},
		{operation("enrol_note", "CREATE", "title*:string"), note, ""},
		{operation("enrol_note", "CREATE", "title*:string"), append([]probes.Operation{operation("create_note", "CREATE", "title*:string")}, note...), "acts on one that exists"},
		{operation("lend_note", "CREATE", "title*:string"), note, "acts on one that exists"},
		{operation("lend_note", "CREATE", "note_id*:string", "reader*:string"), note, ""},
		{operation("send_email", "CREATE", "to*:string"), mail, "acts outside"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"description":"Creates a note and sends it to every subscriber"}`), note, "its description says"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"permissions":{"destructive":true}}`), note, "marked by the adapter"},
		{described(operation("create_note", "CREATE", "title*:string"), `{"permissions":{"destructive":false,"readOnly":false}}`), note, ""},
		{operation("delete_items", "DELETE", "filter:object", "status*:string", "days*:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "item_id:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "ids*:integer[]"), []probes.Operation{operation("get_item", "READ", "ids*:integer[]")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "item_id*:integer", "older_than_days*:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "item_id*:integer", "if_match*:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, ""},
		{versioned(operation("delete_item", "DELETE", "item_id*:integer", "revision_seen*:integer")), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, ""},
		{versioned(operation("delete_item", "DELETE", "item_id*:integer", "older_than*:integer")), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "item_id*:integer", "match*:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "shelf*:string", "number*:integer"), []probes.Operation{operation("get_item", "READ", "shelf*:string", "number*:integer")}, ""},
		{operation("remove_item", "DELETE", "show*:string", "item*:string"), []probes.Operation{operation("get_item", "READ", "item*:string"), operation("get_show", "READ", "show*:string")}, "one object by a complete identifier"},
		{operation("delete_item", "DELETE", "number*:integer"), []probes.Operation{operation("get_item", "READ", "shelf*:string", "number*:integer")}, "one object by a complete identifier"},
		{described(operation("delete_item", "DELETE", "item_id*:integer"), `{"danger_level":"dangerous"}`), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "marked by the adapter as danger_level"},
		{described(operation("delete_item", "DELETE", "item_id*:integer"), `{"permissions":{"destructive":true},"requires_confirmation":true}`), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, ""},
		{operation("purge_item", "DELETE", "item_id*:integer"), []probes.Operation{operation("get_item", "READ", "item_id*:integer")}, "dangerous (purge)"},
		{operation("purgeCache", "READ"), nil, "promises an effect"},
		{operation("admin.purge", "READ"), nil, "promises an effect"},
		{operation("get_and_delete", "READ", "id*:integer"), nil, "promises an effect"},
		{described(operation("get_report", "READ"), `{"dangerous":"true"}`), nil, `marked by the adapter as dangerous "true"`},
		{described(operation("get_report", "READ"), `{"permissions":{"readOnly":false}}`), nil, "marked by the adapter as permissions.readOnly"},
		{described(operation("get_report", "READ"), `{"danger_level":"safe","permissions":{"readOnly":true,"destructive":false}}`), nil, ""},
		{operation("list_deleted_notes", "READ"), nil, ""},
		{operation("get_report", "READ"), []probes.Operation{operation("get_report", "CREATE")}, "more than one semantic category"},
		{operation("create_note", "CREATE", "title*:string"), append([]probes.Operation{operation("create_note", "READ")}, note...), "more than one semantic category"},
		{operation("execute_export", "EXECUTE"), nil, "permission to execute"},
		{operation("odd", "OTHER"), nil, `its semantic_category "OTHER" is none of the five`},
	} {
		ok, why := rulesOf(everything, append(slices.Clone(c.beside), c.subject)...).Callable(c.subject)
		if ok != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s beside %d others: called %v, %q; want %q", c.subject.Name, len(c.beside), ok, why, c.want)
		}
		if flag := Unlock(why); !ok && !strings.Contains(c.want, "semantic_category") && !strings.HasPrefix(flag, "--allow ") {
			t.Errorf("%s: %q names no flag", c.subject.Name, why)
		}
	}
}

// A kind that is permitted is opened and lifts nothing; a name lifts the rules of what it
// matches, of its own kind alone.
func TestWhatAPermissionLifts(t *testing.T) {
	listed := []probes.Operation{
		operation("send_email", "CREATE", "to*:string"), operation("delete_items", "DELETE", "status*:string"),
		operation("update_items", "UPDATE", "status*:string"), operation("purge_cache", "READ"), operation("execute_job", "EXECUTE"), operation("wipe_disk", "EXECUTE"),
	}
	kinds := Permissions{Create: true, Update: true, Delete: true, Execute: true}
	for named, want := range map[string]string{
		"": "execute_job", "create:send_email": "execute_job send_email", "create:*": "execute_job send_email", "delete:send_email": "execute_job",
		"delete:delete_*": "delete_items execute_job", "update:update_items": "execute_job update_items", "read:purge_cache": "execute_job purge_cache", "execute:wipe_disk": "execute_job wipe_disk",
	} {
		may := kinds
		if named != "" {
			may.Named = []string{named}
		}
		got := map[string]bool{}
		r := rulesOf(may, listed...)
		for _, o := range listed {
			if ok, _ := r.Callable(o); ok {
				got[o.Name] = true
			}
		}
		for _, o := range listed {
			if wanted := strings.Contains(" "+want+" ", " "+o.Name+" "); got[o.Name] != wanted {
				t.Errorf("--allow %s: %s is called %v, want %v", named, o.Name, got[o.Name], wanted)
			}
		}
	}
}

// An adapter that answers as it is told to.
type answering func(probes.Probe) probes.Observation

func (a answering) Ask(_ context.Context, p probes.Probe) probes.Observation { return a(p) }

// enveloped is an answer with an envelope.
func enveloped(p probes.Probe, envelope string) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":%s}}`, envelope)}})
}

// pass sends a request, which the gate has to let through.
func pass(t *testing.T, g *Gate, store answering, p probes.Probe) {
	t.Helper()
	leave, why := g.Enter(t.Context(), p)
	if why != "" {
		t.Fatalf("%s: %s", p, why)
	}
	leave(store(p))
}

// learned is a gate of a store that has the usual tools and some operations.
func learned(store answering, operations ...probes.Operation) *Gate {
	g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
	a := &probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", Operations: operations}
	for _, name := range []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"} {
		a.AQL, a.Tools = append(a.AQL, name), append(a.Tools, probes.Tool{Name: name})
	}
	g.Learn(a)
	return g
}

// Requests that write pass only in the forms that can hit nothing but our own.
func TestMay(t *testing.T) {
	asked := 0
	silent := answering(func(p probes.Probe) probes.Observation {
		asked++
		return probes.Observation{Probe: p, Outcome: probes.Silent}
	})
	g := New(silent, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
	a := &probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
		Tools: []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}, {Name: "wipe_database"}},
		Operations: []probes.Operation{
			operation("get_note", "READ", "note_id*:string"), operation("update_note", "UPDATE", "note_id*:string", "input*:object"),
			operation("delete_note", "DELETE", "note_id*:string"), operation("get_and_delete", "READ", "note_id*:string"),
		}}
	call := func(tool, operation string, params any) probes.Probe {
		return probes.CallWith("main", tool, map[string]any{"operation": operation, "params": params})
	}
	if _, why := g.Enter(t.Context(), call("mcp_aql_read", "get_note", map[string]any{})); why == "" {
		t.Error("an operation is called before introspection")
	}
	g.Learn(a)
	for name, c := range map[string]struct {
		probe probes.Probe
		want  string // part of the reason; empty where it passes
	}{
		"a read":                         {call("mcp_aql_read", "get_note", map[string]any{"note_id": "n1"}), ""},
		"a read with an array":           {call("mcp_aql_read", "get_note", []any{}), ""},
		"a change without identifier":    {call("mcp_aql_update", "update_note", map[string]any{"input": map[string]any{}}), "leaves the identifier out on purpose"},
		"a change with an array":         {call("mcp_aql_update", "update_note", []any{}), "leaves the identifier out on purpose"},
		"a change that tells others":     {call("mcp_aql_update", "update_note", map[string]any{"note_id": "aqlc-k3f9x2ab", "input": map[string]any{"preferences": map[string]any{"notify_members": true}}}), "may have an effect on others"},
		"a change that tells nobody":     {call("mcp_aql_update", "update_note", map[string]any{"note_id": "n1", "input": map[string]any{"assignee": "aqlc-k3f9x2ab"}}), "not proven to be ours"},
		"a change without params":        {probes.CallWith("main", "mcp_aql_update", map[string]any{"operation": "update_note"}), "leaves the identifier out on purpose"},
		"a change of a list":             {call("mcp_aql_update", "update_note", map[string]any{"note_id": []any{"n1"}}), "leaves the identifier out on purpose"},
		"a change of anything":           {call("mcp_aql_update", "update_note", map[string]any{"note_id": "n1", "input": map[string]any{}}), "not proven to be ours"},
		"a removal in other letters":     {call("mcp_aql_delete", "DeleteNote", map[string]any{"note_id": "n1"}), "not proven to be ours"},
		"a removal that is misspelt":     {call("mcp_aql_delete", "delete_notee", map[string]any{"note_id": "n1"}), "not proven to be ours"},
		"a removal at a reading tool":    {call("mcp_aql_read", "delete_note", map[string]any{"note_id": "n1"}), "not proven to be ours"},
		"a read with an effect":          {call("mcp_aql_read", "get_and_delete", map[string]any{"note_id": "n1"}), "promises an effect"},
		"a guess with an effect":         {call("mcp_aql_read", "create_user", map[string]any{}), "not listed might exist"},
		"a guess at a writing tool":      {call("mcp_aql_update", "get_secret", map[string]any{}), "does not only read"},
		"a guess at a reading tool":      {call("mcp_aql_read", "get_secret", map[string]any{}), ""},
		"a blank name":                   {call("mcp_aql_update", " ", map[string]any{}), ""},
		"a name of the language":         {call("mcp_aql_update", "constructor", map[string]any{}), ""},
		"a name of this run":             {call("mcp_aql_update", "update_aqlx_k3f9x2ab", map[string]any{}), ""},
		"a tool of another kind":         {call("wipe_database", "delete_note", map[string]any{"note_id": "n1"}), "does not speak MCP-AQL"},
		"a tool without operation":       {probes.CallWith("main", "wipe_database", map[string]any{}), "does not speak MCP-AQL"},
		"a batch with one bad entry":     {probes.CallWith("main", "mcp_aql_read", map[string]any{"operations": []any{map[string]any{"operation": "get_note", "params": map[string]any{"note_id": "n1"}}, map[string]any{"operation": "delete_note", "params": map[string]any{"note_id": "n1"}}}}), "not proven to be ours"},
		"a frame that names two":         {probes.Probe{Conn: "main/2", Frame: []byte(`{"method":"tools/call","params":{"name":"mcp_aql_read","arguments":{"operation":"get_note","operation":"delete_note","params":{"note_id":"n1"}}}}`)}, "more than one way"},
		"a frame that is no JSON":        {probes.Probe{Conn: "main/2", Frame: []byte(`{"arguments":{"operation":"delete_note","params":{"note_id":"n1"}`)}, "more than one way"},
		"an identifier in another place": {probes.CallWith("main", "mcp_aql_update", map[string]any{"operation": "update_note", "note_id": "n2", "params": map[string]any{"note_id": "aqlc-k3f9x2ab", "input": map[string]any{}}}), "another identifier stands beside it"},
		"a parameter that takes more":    {call("mcp_aql_delete", "delete_note", map[string]any{"note_id": "aqlc-k3f9x2ab", "cascade": true}), "more than one object"},
		"a parameter nobody documents":   {call("mcp_aql_delete", "delete_note", map[string]any{"note_id": "aqlc-k3f9x2ab", "purpose": 1}), "nobody documents"},
		"a parameter of the run":         {call("mcp_aql_delete", "delete_note", map[string]any{"note_id": "aqlc-k3f9x2ab", "aqlx_k3f9x2ab": 1}), "not proven to be ours"},
	} {
		leave, why := g.Enter(t.Context(), c.probe)
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
		if leave != nil {
			leave(probes.Observation{Probe: c.probe, Outcome: probes.Silent})
		}
	}
}

// Nothing in the product sends around the gate: the engine asks it in one place, and no
// gate but this one is set outside of tests.
func TestNothingPassesBesideTheGate(t *testing.T) {
	root := os.DirFS("../..")
	senders, guards := map[string]int{}, map[string]int{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules") {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "reference-adapter/") || strings.HasPrefix(name, "fixtures/") {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			selector, is := call.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			switch of, _ := selector.X.(*ast.Ident); {
			case selector.Sel.Name == "Throw", selector.Sel.Name == "Open" && of != nil && of.Name == "wire":
				senders[path.Dir(name)]++
			case selector.Sel.Name == "Ask" && of != nil && of.Name == "conn":
				senders[path.Dir(name)]++
			case selector.Sel.Name == "Guard":
				guards[name]++
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(senders) != 1 || senders["probes"] != 3 {
		t.Errorf("requests leave from %v, want the engine alone", senders)
	}
	if len(guards) != 2 || guards["suites/model/adapter.go"] != 1 || guards["suites/plan/cleanup.go"] != 1 {
		t.Errorf("gates are set in %v", guards)
	}
	sources, err := fs.Glob(root, "probes/*.go")
	entered, asked := 0, 0
	for _, name := range sources {
		source, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		entered += strings.Count(string(source), "gate.Enter(")
		asked += strings.Count(string(source), "e.ask(ctx, p)")
	}
	if err != nil || entered != 1 || asked != 1 {
		t.Errorf("the engine asks the gate in %d places, and asks the adapter in %d: %v", entered, asked, err)
	}
}
