package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// club is an adapter in which a game has two members, named after the parts that they play.
func club(description string, more ...probes.Operation) *probes.Adapter {
	record := operation("create_game", "CREATE", "white_id*:integer", "black_id*:integer")
	for i, p := range record.Parameters {
		record.Parameters[i].Raw = probes.ValueOf(map[string]any{"name": p.Name, "type": p.Type, "required": true, "description": description})
	}
	return &probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Operations: append([]probes.Operation{
		operation("create_member", "CREATE", "name*:string"), operation("get_member", "READ", "member_id*:integer"), operation("list_members", "READ"), operation("delete_member", "DELETE", "member_id*:integer"),
		record, operation("get_game", "READ", "game_id*:integer"), operation("list_games", "READ"), operation("delete_game", "DELETE", "game_id*:integer"),
	}, more...)}
}

// A reference that is named after no kind takes the members of the run, where its description names them and
// what is listed bears it out. The game is then known by its members.
func TestReferencesThatADescriptionTells(t *testing.T) {
	const theirs = `{"game_id":5,"white_id":1,"black_id":2}`
	const part = "Member with these pieces"
	change := operation("update_game", "UPDATE", "game_id*:integer", "input*:object")
	for name, c := range map[string]struct {
		club         *probes.Adapter
		rows         string // games that are listed
		white, black int
		want         string // why the game does not pass; empty where it does, and can be removed
	}{
		"two members of ours":          {club(part), theirs, 17, 18, ""},
		"the id of a member":           {club("ID of the member who moves"), theirs, 17, 18, ""},
		"a member of others":           {club(part), theirs, 17, 2, "names something that is not ours"},
		"what a member has":            {club("Locker of the member"), theirs, 17, 18, "names something that is not ours"},
		"a compound":                   {club("Member locker"), theirs, 17, 18, "names something that is not ours"},
		"a kind of a kind":             {club("Member's locker"), theirs, 17, 18, "names something that is not ours"},
		"what is listed is no member":  {club(part), `{"game_id":5,"white_id":1,"black_id":99}`, 17, 18, "names something that is not ours"},
		"nothing is listed":            {club(part), "", 17, 18, "names something that is not ours"},
		"an update gives it a new one": {club(part, change), theirs, 17, 18, "would not carry our mark"},
		"a kind of its own":            {club(part, operation("list_black", "READ")), theirs, 17, 18, "names something that is not ours"},
	} {
		made, game := 16, ""
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
			n, _ := probes.ValueOf(p.Params()).At("member_id").Float()
			switch op := p.Operation(); {
			case op == "create_member":
				made++
				envelope = fmt.Sprintf(`{"success":true,"data":{"member_id":%d}}`, made)
			case op == "get_member" && (n == 1 || n == 2 || n == 17 || n == 18):
				text := map[bool]string{true: "aqlc-k3f9x2ab", false: "ann"}[n > 2]
				envelope = fmt.Sprintf(`{"success":true,"data":{"member_id":%v,"name":%q}}`, n, text)
			case op == "list_members":
				envelope = `{"success":true,"data":[{"member_id":1,"name":"ann"},{"member_id":2,"name":"bob"}]}`
			case op == "list_games":
				envelope = `{"success":true,"data":[` + c.rows + `]}`
			case op == "create_game":
				game = fmt.Sprintf(`{"success":true,"data":{"game_id":6,"white_id":%d,"black_id":%d}}`, c.white, c.black)
				envelope = game
			case op == "get_game" && game != "" && probes.ValueOf(p.Params()).At("game_id").String() == "6":
				envelope = game
			}
			return enveloped(p, envelope)
		})
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(c.club)
		send := func(p probes.Probe) string {
			leave, why := g.Enter(t.Context(), p)
			if why == "" {
				leave(store(p))
			}
			return why
		}
		for range 2 {
			if why := send(probes.Call("main", "mcp_aql_create", "create_member", map[string]any{"name": "aqlc-k3f9x2ab"})); why != "" {
				t.Fatalf("%s: a member: %s", name, why)
			}
		}
		why := send(probes.Call("main", "mcp_aql_create", "create_game", map[string]any{"white_id": c.white, "black_id": c.black}))
		if (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
		if c.want != "" {
			continue
		}
		if why := send(probes.Call("main", "mcp_aql_delete", "delete_game", map[string]any{"game_id": 6})); why != "" {
			t.Errorf("%s: the game of ours stays: %s", name, why)
		}
		if why := send(probes.Call("main", "mcp_aql_delete", "delete_game", map[string]any{"game_id": 5})); why == "" {
			t.Errorf("%s: a game of others goes", name)
		}
	}
}

// A loan names a copy by its barcode, which no other kind goes by. A copy of ours is lent, one of others is not. A name that
// says no more than that it is a key, or that finds something else as well, proves nothing.
func TestReferencesThatHaveTheNameOfAKey(t *testing.T) {
	for name, c := range map[string]struct {
		key   string
		copy  int
		lent  int    // the copy of the loan that is listed
		card  string // of the reader, a text; empty where a loan names none
		other []probes.Operation
		want  string // why the loan does not pass; empty where it does
	}{
		"a copy of ours":                   {"barcode", 17, 1, "", nil, ""},
		"a copy of others":                 {"barcode", 1, 1, "", nil, "names something that is not ours"},
		"a name that says no more":         {"number", 17, 1, "", nil, "names something that is not ours"},
		"a place, as is listed":            {"barcode", 17, 99, "", nil, "names something that is not ours"},
		"a copy and a reader of ours":      {"barcode", 17, 1, "R17", nil, ""},
		"a copy of ours, another's reader": {"barcode", 17, 1, "R1", nil, "names something that is not ours"},
		"another thing by it":              {"barcode", 17, 1, "", []probes.Operation{operation("get_shelf", "READ", "barcode*:integer")}, "names something that is not ours"},
	} {
		library := &probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Operations: append([]probes.Operation{
			operation("create_copy", "CREATE", "title*:string"), operation("get_copy", "READ", c.key+"*:integer"), operation("list_copies", "READ"), operation("delete_copy", "DELETE", c.key+"*:integer"),
			operation("create_loan", "CREATE", c.key+"*:integer"), operation("get_loan", "READ", "loan_id*:integer"), operation("list_loans", "READ"), operation("delete_loan", "DELETE", "loan_id*:integer"),
		}, c.other...)}
		loan := map[string]any{c.key: c.copy}
		if c.card != "" {
			library.Operations[4] = operation("create_loan", "CREATE", c.key+"*:integer", "card*:string")
			library.Operations = append(library.Operations, operation("create_reader", "CREATE", "name*:string"), operation("get_reader", "READ", "card*:string"), operation("list_readers", "READ"), operation("delete_reader", "DELETE", "card*:string"))
			loan["card"] = c.card
		}
		readers := `{"card":"R1","name":"Ann"}`
		copies := fmt.Sprintf(`{"%s":1,"title":"old"}`, c.key)
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
			n, _ := probes.ValueOf(p.Params()).At(c.key).Float()
			switch op := p.Operation(); {
			case op == "create_copy", op == "get_copy" && n == 17:
				copies = fmt.Sprintf(`{"%[1]s":1,"title":"old"},{"%[1]s":17,"title":"aqlc-k3f9x2ab"}`, c.key)
				envelope = fmt.Sprintf(`{"success":true,"data":{"%s":17,"title":"aqlc-k3f9x2ab"}}`, c.key)
			case op == "get_copy" && n == 1:
				envelope = fmt.Sprintf(`{"success":true,"data":{"%s":1,"title":"old"}}`, c.key)
			case op == "list_copies":
				envelope = `{"success":true,"data":[` + copies + `]}`
			case op == "create_reader", op == "get_reader" && probes.ValueOf(p.Params()).At("card").Text() == "R17":
				readers = `{"card":"R1","name":"Ann"},{"card":"R17","name":"aqlc-k3f9x2ab"}`
				envelope = `{"success":true,"data":{"card":"R17","name":"aqlc-k3f9x2ab"}}`
			case op == "get_reader" && probes.ValueOf(p.Params()).At("card").Text() == "R1":
				envelope = `{"success":true,"data":{"card":"R1","name":"Ann"}}`
			case op == "list_readers":
				envelope = `{"success":true,"data":[` + readers + `]}`
			case op == "list_loans":
				envelope = fmt.Sprintf(`{"success":true,"data":[{"loan_id":5,"%s":%d,"card":"R1"}]}`, c.key, c.lent)
			}
			return enveloped(p, envelope)
		})
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(library)
		made := []probes.Probe{probes.Call("main", "mcp_aql_create", "create_copy", map[string]any{"title": "aqlc-k3f9x2ab"})}
		if c.card != "" {
			made = append(made, probes.Call("main", "mcp_aql_create", "create_reader", map[string]any{"name": "aqlc-k3f9x2ab"}))
		}
		for _, p := range made {
			leave, why := g.Enter(t.Context(), p)
			if why != "" {
				t.Fatalf("%s: %s: %s", name, p.Operation(), why)
			}
			leave(store(p))
		}
		if _, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_loan", loan)); (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// A creation of which nothing is read or removed names its parents as any other.
func TestHoldersOfWhatNothingShows(t *testing.T) {
	a := &probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_delete"}, Operations: []probes.Operation{
		operation("create_shelf", "CREATE", "name*:string"), operation("get_shelf", "READ", "shelf_id*:string"), operation("list_shelves", "READ"), operation("delete_shelf", "DELETE", "shelf_id*:string"),
		operation("add_remark", "CREATE", "shelf_id*:string", "text*:string"),
	}}
	r := NewRules(a, everything, fixtures.Hints{})
	k, _ := r.Kind("add_remark")
	k.Make, _ = r.Operation("add_remark")
	if all := r.HoldersOf(k, "shelf_id"); len(all) != 1 || all[0].Make.Name != "create_shelf" {
		t.Errorf("the holders of a remark are %v", all)
	}
}

// The noun of a reference may stand behind the key: dni_propietario is the dni of a propietario.
func TestHoldersWithTheKeyBeforeTheNoun(t *testing.T) {
	a := &probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_delete"}, Operations: []probes.Operation{
		operation("registrar_propietario", "CREATE", "dni*:string", "nombre*:string"), operation("obtener_propietario", "READ", "dni*:string"),
		operation("listar_propietarios", "READ"), operation("eliminar_propietario", "DELETE", "dni*:string"),
		operation("registrar_mascota", "CREATE", "nombre*:string", "dni_propietario*:string", "dni_veterinario*:string", "propietario_dni*:string"),
		operation("obtener_mascota", "READ", "mascota_id*:string"), operation("eliminar_mascota", "DELETE", "mascota_id*:string"),
	}}
	r := NewRules(a, everything, fixtures.Hints{})
	k, _ := r.Kind("registrar_mascota")
	for name, want := range map[string]int{"dni_propietario": 1, "propietario_dni": 1, "dniPropietario": 1, "dni_veterinario": 0, "nombre_propietario": 0} {
		if all := r.HoldersOf(k, name); len(all) != want {
			t.Errorf("%s: %d holders, want %d", name, len(all), want)
		}
	}
}
