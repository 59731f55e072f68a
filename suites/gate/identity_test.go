package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

func value(text string) probes.Value {
	v, _ := probes.ParseValue([]byte(text))
	return v
}

func success(data string) probes.Observation {
	return probes.Classify(probes.Call("main", "t", "get_note", map[string]any{}), wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + data + `}}}`)}})
}

// An identifier that the client chose identifies the object where the answer does not tell it. An
// identifier that the answer tells is read there.
func TestIdentityOfWhatTheClientNamed(t *testing.T) {
	note := Kind{Key: []string{"slug"}, Views: []probes.Operation{operation("get_note", "READ", "slug*:string")}}
	for _, c := range []struct{ params, data, want string }{
		{`{"slug":"a","title":"t"}`, `{"done":true}`, `{"slug":"a"}`},
		{`{"slug":"a","title":"t"}`, `{"note":{"slug":"a"}}`, ""},
		{`{"title":"t"}`, `{"done":true}`, ""},
	} {
		if got := note.untold(value(c.params), value(c.data)); got != c.want {
			t.Errorf("%s answered by %s: %q, want %q", c.params, c.data, got, c.want)
		}
	}
	made := success(`{"done":true}`)
	made.Identity = `{"slug":"b"}`
	if told := Told(note, made); len(told) != 1 || !told[0][0].Equal(probes.ValueOf("b")) {
		t.Errorf("the identity tells %v", told)
	}
}

// An identifier may stand in an object of its own. Two different values identify nothing.
func TestNestedIdentifier(t *testing.T) {
	note := Kind{Key: []string{"note_id"}, Views: []probes.Operation{operation("get_note", "READ", "note_id*:integer")}}
	for row, want := range map[string]string{
		`{"reference":{"note_id":7},"title":"t"}`:              "7",
		`{"note_id":7,"parent":{"note_id":8}}`:                 "7",
		`{"left":{"note_id":7},"right":{"note_id":8}}`:         "",
		`{"left":{"note_id":7},"right":{"note_id":7},"x":"y"}`: "7",
	} {
		if got := string(identifierOf(value(row), note, "note_id").Raw()); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}

// The mark may stand in an object that the creation takes. An object that shows ours beside its own fields is no proof.
func TestMarksInFieldsOfAnObject(t *testing.T) {
	boat := Kind{Make: operation("create_boat", "CREATE", "name*:string", "owner*:object"), Key: []string{"boat_id"}, Views: []probes.Operation{operation("get_boat", "READ", "boat_id*:integer")}}
	key, fields := []probes.Value{probes.ValueOf(7)}, map[string][]string{"name": {"aqlc-1"}}
	for data, want := range map[string]bool{
		`{"boat":{"id":7,"name":"a","owner":{"name":"aqlc-1"}}}`:    true,
		`{"boat":{"id":7,"name":"a","owner":{"name":"theirs"}}}`:    false,
		`{"boat":{"id":8,"name":"a","owner":{"name":"aqlc-1"}}}`:    false,
		`{"berth":{"id":7,"name":"a","latest":{"name":"aqlc-1"}}}`:  false,
		`{"berth":{"id":7,"name":"a","owner":[{"name":"aqlc-1"}]}}`: false,
	} {
		if got := Shows(success(data), boat, key, fields); got != want {
			t.Errorf("%s: %v, want %v", data, got, want)
		}
	}
}

// The types tell under which name the objects hold an identifier that the reads take under another name.
func TestIdentifierUnderAnotherName(t *testing.T) {
	for record, want := range map[string]string{
		`{"fields":[{"name":"key","type":"string","pattern":"^N-[0-9]+$"},{"name":"title","type":"string"}]}`:                                                `"N-7"`,
		`{"fields":[{"name":"key","type":"string","pattern":"^N-[0-9]+$"},{"name":"copy_of","type":"string","pattern":"^N-[0-9]+$"}]}`:                       "",
		`{"fields":[{"name":"key","type":"integer","pattern":"^N-[0-9]+$"}]}`:                                                                                "",
		`{"fields":[{"name":"key","type":"string","pattern":"^N-[0-9]+$"},{"name":"note","type":"string"}]}`:                                                 "",
		`{"fields":[{"name":"key","type":"string","description":"Key of the note"},{"name":"title","type":"string","description":"The title of the note"}]}`: `"N-7"`,
	} {
		get, remove := operation("get_note", "READ", "note*:string"), operation("delete_note", "DELETE", "note*:string")
		get.Details = value(`{"returns":{"name":"Note","kind":"object"}}`)
		get.Parameters[0].Raw = value(`{"name":"note","type":"string","required":true,"pattern":"^N-[0-9]+$","description":"Key of the note"}`)
		made := operation("create_note", "CREATE", "title*:string")
		r := NewRules(&probes.Adapter{Conn: "main", Operations: []probes.Operation{get, remove, made}, Types: []probes.Type{{Name: "Note", Kind: "object", Details: value(record)}}}, everything, fixtures.Hints{})
		k, ok := r.Kind("create_note")
		if !ok {
			t.Fatal("no kind")
		}
		if got := string(identifierOf(value(`{"key":"N-7","title":"t"}`), k, "note").Raw()); got != want {
			t.Errorf("%s: %q, want %q", record, got, want)
		}
	}
}

// A read shows a listed row if both tell the same of the same object. An object that has the
// identifier alone may be any object.
func TestShowsRow(t *testing.T) {
	note := Kind{Key: []string{"note_id"}, Views: []probes.Operation{operation("get_note", "READ", "note_id*:integer")}}
	row := value(`{"note_id":7,"title":"t"}`)
	for data, want := range map[string]bool{
		`{"note_id":7,"title":"t","body":"b"}`: true,
		`{"note":{"note_id":7,"title":"t"}}`:   true,
		`{"note_id":7,"title":"another"}`:      false,
		`{"note_id":8,"title":"t"}`:            false,
		`{"note_id":7}`:                        false,
	} {
		if got := ShowsRow(success(data), note, []probes.Value{probes.ValueOf(7)}, row); got != want {
			t.Errorf("%s shows the row: %v, want %v", data, got, want)
		}
	}
	line := value(`{"note_id":7,"changed":"2026-01-02","line":1,"text":"t"}`)
	if ShowsRow(success(`{"note_id":7,"changed":"2026-01-02","title":"n"}`), note, []probes.Value{probes.ValueOf(7)}, line) {
		t.Error("a line of a note is taken for the note, because both have its number and one date")
	}
}

// An object that keeps its identifier apart from the rest has it, whatever another part of it holds under that name.
func TestIdentifierBesideAnother(t *testing.T) {
	k := Kind{Key: []string{"number"}, Make: operation("create_note", "CREATE", "title*:string"), Views: []probes.Operation{operation("get_note", "READ", "number*:string")}}
	fields := map[string][]string{"title": {"aqlc-12345678-1"}}
	for data, want := range map[string]bool{
		`{"reference":{"number":"n_1"},"title":"aqlc-12345678-1"}`:                      true,
		`{"reference":{"number":"n_1"},"title":"aqlc-12345678-1","extra":{"number":7}}`: true,
		`{"reference":{"number":"n_2"},"title":"aqlc-12345678-1","extra":{"number":7}}`: false,
		`{"reference":{"number":"n_1"},"title":"another","extra":{"number":7}}`:         false,
	} {
		if got := Shows(success(data), k, []probes.Value{probes.ValueOf("n_1")}, fields); got != want {
			t.Errorf("%s is shown as ours: %v, want %v", data, got, want)
		}
	}
}

// A list may hold the only text that tells whose an object is.
func TestListedMarks(t *testing.T) {
	made := value(`{"genus":"Aa","names":["aqlc-12345678-1","other"]}`)
	fields := MarkedIn(made, "12345678")
	for row, want := range map[string]bool{
		`{"genus":"Aa","names":["first","aqlc-12345678-1"]}`: true,
		`{"genus":"Aa","names":["aqlc-12345678-2"]}`:         false,
		`{"genus":"Aa","names":[]}`:                          false,
		`{"genus":"Aa","names":"aqlc-12345678-1"}`:           true,
		`{"genus":"Aa"}`: false,
	} {
		if Marks(value(row), fields) != want || marksAll(value(row), fields) != want {
			t.Errorf("%s: marked %v, wanted %v", row, !want, want)
		}
	}
	if !AddChanges(fields, value(`{"input":{"names":["third"]}}`)) || !Marks(value(`{"names":["third"]}`), fields) {
		t.Error("the texts of an updated list are not known")
	}
	if titled := MarkedIn(value(`{"title":"aqlc-12345678","names":["aqlc-12345678"]}`), "12345678"); len(titled) != 1 {
		t.Errorf("a list counts beside a text: %v", titled)
	}
}

// The elements of a list may be edges or wrappers. An object with other members is no wrapper.
func TestRowsAreUnwrapped(t *testing.T) {
	for data, want := range map[string]string{
		`{"edges":[{"cursor":"c","node":{"id":1}}]}`: `{"id":1}`,
		`[{"note":{"id":1}}]`:                        `{"id":1}`,
		`{"items":[{"id":1,"note":{"id":2}}]}`:       `{"id":1,"note":{"id":2}}`,
	} {
		if got := Rows(value(data)); len(got) != 1 || string(got[0].Raw()) != want {
			t.Errorf("%s: rows %v, want %s", data, got, want)
		}
	}
}

// An answer may name the identifier otherwise than the read does. A read by it proves it. What is proven nowhere and is
// on no page is made a few times and no more.
func TestReceiptsTellIdentifiers(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		tells  bool
	}{
		"a receipt":         {`{"hecho_en":"2026-03-09","clave":"KEY"}`, true},
		"nothing":           {`{"hecho_en":"2026-03-09"}`, false},
		"a key of somebody": {`{"clave":"c1","otra":7}`, false},
		"a hidden key":      {`{"clave":"c0"}`, false}, // no page shows it
	} {
		made := map[string]string{"c0": "Eva", "c1": "Ana", "c2": "Luis"}
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such chart"}}`
			row := func(key string) string { return fmt.Sprintf(`{"historia":%q,"title":%q}`, key, made[key]) }
			key := probes.ValueOf(p.Params()["historia"]).Text()
			_, there := made[key]
			switch {
			case p.Operation() == "create_chart":
				key = fmt.Sprint("c", len(made))
				made[key] = probes.ValueOf(p.Params()["title"]).Text()
				envelope = `{"success":true,"data":` + strings.ReplaceAll(c.answer, "KEY", key) + `}`
				if len(made) == 4 { // the first one is found
					envelope = `{"success":true,"data":{"historia":"` + key + `"}}`
				}
			case p.Operation() == "list_charts":
				envelope = `{"success":true,"data":[` + row("c1") + "," + row("c2") + `]}`
			case there && p.Operation() == "get_chart":
				envelope = `{"success":true,"data":` + row(key) + `}`
			case there && p.Operation() == "delete_chart":
				delete(made, key)
				envelope = `{"success":true,"data":{}}`
			}
			return enveloped(p, envelope)
		})
		list := operation("list_charts", "READ", "cuantas:integer")
		list.Parameters[0].Raw = value(`{"default":2,"maximum":2}`)
		g := learned(store, operation("create_chart", "CREATE", "title*:string"), operation("get_chart", "READ", "historia*:string"),
			list, operation("delete_chart", "DELETE", "historia*:string"))
		g.unlisted["create_chart"] = true // the listing is not waited for
		passed := 0
		for i := range 2 * mostUnfound {
			p := probes.Call("main", "mcp_aql_create", "create_chart", map[string]any{"title": fmt.Sprintf("aqlc-k3f9x2ab-%d", i)})
			if leave, why := g.Enter(t.Context(), p); why == "" {
				passed++
				leave(store(p))
			}
		}
		left := g.CleanUp(t.Context())
		if others := made["c0"] + made["c1"] + made["c2"]; others != "EvaAnaLuis" {
			t.Errorf("%s: charts of others are %s", name, others)
		}
		if c.tells && (passed != 2*mostUnfound || len(left) > 0 || len(made) != 3) || !c.tells && (passed != mostUnfound+1 || len(left) != mostUnfound) {
			t.Errorf("%s: %d made, %d left behind, %d there", name, passed, len(left), len(made))
		}
	}
}
