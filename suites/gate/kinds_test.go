package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A parameter takes the identifier of a kind if it is named after the kind, or if it
// relates two objects of the kind.
func TestGoesBy(t *testing.T) {
	team := Kind{Key: []string{"id"}, Views: []probes.Operation{operation("get_team", "READ", "id*:integer")}}
	for _, c := range []struct {
		op, parameter string
		want          bool
	}{
		{"create_person", "team_id", true}, {"createPerson", "homeTeamId", true}, {"create_person", "team", true}, {"create_person", "teams", true},
		{"create_team", "parent_id", true}, {"create_team", "owner", false}, {"create_team", "person_id", false},
		{"update_team", "id", true}, {"update_person", "id", false}, {"create_person", "parent", false}, {"create_person", "steam_id", false},
	} {
		if got := team.goesBy(c.op, c.parameter); got != c.want {
			t.Errorf("%s %s names a team: %v, want %v", c.op, c.parameter, got, c.want)
		}
	}
	// What a key is called is the matter of each adapter: klant_nr is the number of a klant.
	klant := Kind{Key: []string{"klant_nr"}, Views: []probes.Operation{operation("get_klant", "READ", "klant_nr*:integer")}}
	for parameter, want := range map[string]bool{"klant_nr": true, "klantNr": true, "pakket_nr": false, "nr": false} {
		if got := klant.goesBy("create_order", parameter); got != want {
			t.Errorf("%s names a klant: %v", parameter, got)
		}
	}
}

// A value names nothing if the read of the very kind that the parameter is named after says so. What the
// read of a kind with a shorter name says proves nothing.
func TestUnused(t *testing.T) {
	g := New(answering(func(p probes.Probe) probes.Observation {
		text := `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no"}}}}`
		return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(text)}})
	}), "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
	r := rulesOf(everything, operation("create_group", "CREATE", "name*:string"), operation("get_group", "READ", "group_id*:string"), operation("delete_group", "DELETE", "group_id*:string"))
	for name, want := range map[string]bool{"group_id": true, "groupId": true, "groups": true, "user_group_id": false, "person_id": false} {
		if got := g.unused(t.Context(), r, "main", probes.ValueOf("g7"), "create_rota", name); got != want {
			t.Errorf("%s names nothing: %v, want %v", name, got, want)
		}
	}
}

// After the adapter refused to remove two objects, the run makes no third. A temporary
// refusal does not count. A conflict counts where many objects are there.
func TestRefusedRemovalsEndCreation(t *testing.T) {
	for code, want := range map[string]bool{"PERMISSION_DENIED": true, "CONFLICT_STATE": false, "CONFIRMATION_REQUIRED": false, "RATE_LIMIT_EXCEEDED": false} {
		g := New(answering(nil), "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		k := Kind{Key: []string{"id"}, Remove: operation("delete_note", "DELETE", "id*:integer")}
		refuse := func(id int) {
			o := &object{conn: "main", kind: k, key: []probes.Value{probes.ValueOf(id)}}
			call, _ := o.removal()
			text := `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"` + code + `","message":"no"}}}}`
			answer := probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(text)}})
			g.learnRemoval(&asked{call: callsIn(call)[0], op: k.Remove, listed: true, object: o}, answer, false)
		}
		refuse(1)
		if why := g.removalRefused(k); why != "" {
			t.Errorf("%s: one refusal ends creation: %s", code, why)
		}
		refuse(2)
		if why := g.removalRefused(k); (why != "") != want {
			t.Errorf("%s: %q after two refusals", code, why)
		}
		for range maxHeldObjects { // of which none could be removed
			g.made.add(&object{conn: "main", kind: k, op: k.Make.Name})
		}
		want = want || code == "CONFLICT_STATE"
		if why := g.removalRefused(k); (why != "") != want {
			t.Errorf("%s: %q with many objects", code, why)
		}
	}
}

// A write that seemed to do harm is tried once more on an object of ours. Its kind may be made
// for that, even if nothing of it was made before.
func TestSecondTryMayHaveAnObject(t *testing.T) {
	g := New(answering(nil), "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
	update, made, other := operation("update_note", "UPDATE", "note_id*:string"), operation("create_note", "CREATE", "title*:string"), operation("create_folder", "CREATE", "name*:string")
	g.Learn(&probes.Adapter{Conn: "main", Operations: []probes.Operation{update, made, other}})
	g.wire.suspect, g.closed = "update_note", "writing stopped"
	for _, c := range []struct {
		op    probes.Operation
		again bool // the suspect did harm a second time
		want  string
	}{{update, false, ""}, {made, false, ""}, {other, false, "writing stopped"}, {update, true, "writing stopped"}, {made, true, "writing stopped"}} {
		g.wire.again = c.again
		if why := g.stopped(c.op); why != c.want {
			t.Errorf("%s, seen again %v: %q, want %q", c.op.Name, c.again, why, c.want)
		}
	}
}

// What is made with a permission by name is of a kind as well: its key is known as such, and what lay in it is not
// left behind when it goes.
func TestPermittedCreationsMakeKinds(t *testing.T) {
	r := rulesOf(Permissions{Create: true, Update: true, Delete: true, Named: []string{"create:*"}},
		operation("create_shelf", "CREATE", "name*:string"), operation("get_shelf", "READ", "shelf_id*:string"), operation("delete_shelf", "DELETE", "shelf_id*:string"))
	if k := r.kinds["create_shelf"]; k.Remove.Name != "delete_shelf" {
		t.Errorf("create_shelf makes what %q removes", k.Remove.Name)
	}
}

// A part of an identifier may be one of a few values, as the company of a debtor; the whole may not.
func TestEnumsArePartsOfIdentifiers(t *testing.T) {
	of := func(name, category string, with ...string) probes.Operation {
		o := operation(name, category, with...)
		o.Parameters[0].Raw = value(`{"name":"company","type":"string","enum":["DE","AT"]}`)
		return o
	}
	create := of("create_debtor", "CREATE", "company*:string", "title*:string")
	for name, c := range map[string]struct {
		key  []string
		want bool
	}{
		"a company and a number": {[]string{"company*:string", "debtor_no*:integer"}, true},
		"a company":              {[]string{"company*:string"}, false},
	} {
		r := rulesOf(everything, create, of("get_debtor", "READ", c.key...), of("delete_debtor", "DELETE", c.key...), operation("list_debtors", "READ"))
		if _, ok := r.Kind("create_debtor"); ok != c.want {
			t.Errorf("%s: %v", name, ok)
		}
	}
	// A read that lists what has the same identifier proves nothing.
	k := Kind{Make: create, Views: []probes.Operation{of("get_debtors", "READ", "company*:string", "week*:integer")}, Key: []string{"company", "week"}}
	listed := enveloped(probes.Probe{}, `{"success":true,"data":{"items":[{"company":"DE","week":4,"title":"aqlc-1"},{"company":"DE","week":4,"title":"Others"}]}}`)
	if Shows(listed, k, []probes.Value{probes.ValueOf("DE"), probes.ValueOf(4)}, map[string][]string{"title": {"aqlc-1"}}) {
		t.Error("a list is taken for one object")
	}
	status := func(name, category string) probes.Operation {
		o := operation(name, category, "status*:string", "debtor_no*:integer")
		o.Parameters[0].Raw = value(`{"name":"status","type":"string","enum":["open","paid"]}`)
		return o
	}
	if r := rulesOf(everything, create, status("get_debtor", "READ"), status("delete_debtor", "DELETE")); len(r.kinds) > 0 {
		t.Error("a status is taken for a part of an identifier")
	}
}

// Debtors of two companies have the same number. The run makes and removes one of a company, and leaves that of the other.
func TestOthersOfTheSameNumberStay(t *testing.T) {
	of := func(name, category string, with ...string) probes.Operation {
		o := operation(name, category, with...)
		o.Parameters[0].Raw = value(`{"name":"company","type":"string","enum":["DE","AT"]}`)
		return o
	}
	debtors := map[string]string{"AT 2": "Wien", "DE 1": "Kiel", "DE 3": "Bonn"}
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such debtor"}}`
		params := probes.ValueOf(p.Params())
		key := params.At("company").Text() + " " + params.At("debtor_no").String()
		row := func(key string) string {
			return fmt.Sprintf(`{"company":%q,"debtor_no":%s,"title":%q}`, key[:2], key[3:], debtors[key])
		}
		_, there := debtors[key]
		switch {
		case p.Operation() == "create_debtor":
			key = params.At("company").Text() + " 2"
			debtors[key] = params.At("title").Text()
			envelope = `{"success":true,"data":` + row(key) + `}`
		case p.Operation() == "list_debtors":
			var rows []string
			for _, key := range slices.Sorted(maps.Keys(debtors)) {
				rows = append(rows, row(key))
			}
			envelope = `{"success":true,"data":[` + strings.Join(rows, ",") + `]}`
		case there && p.Operation() == "get_debtor":
			envelope = `{"success":true,"data":` + row(key) + `}`
		case there && p.Operation() == "delete_debtor":
			delete(debtors, key)
			envelope = `{"success":true,"data":{}}`
		}
		return enveloped(p, envelope)
	})
	g := learned(store, of("create_debtor", "CREATE", "company*:string", "title*:string"), of("get_debtor", "READ", "company*:string", "debtor_no*:integer"),
		operation("list_debtors", "READ"), of("delete_debtor", "DELETE", "company*:string", "debtor_no*:integer"))
	pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_debtor", map[string]any{"company": "DE", "title": "aqlc-k3f9x2ab"}))
	if debtors["DE 2"] == "" {
		t.Fatal("nothing was made")
	}
	removal := func(company string, number int) probes.Probe {
		return probes.Call("main", "mcp_aql_delete", "delete_debtor", map[string]any{"company": company, "debtor_no": number})
	}
	if _, why := g.Enter(t.Context(), removal("AT", 2)); why == "" {
		t.Error("the debtor of another company may be removed")
	}
	if left := g.CleanUp(t.Context()); len(left) > 0 || len(debtors) != 3 || debtors["AT 2"] == "" {
		t.Errorf("left behind %v, there are %v", left, debtors)
	}
}
