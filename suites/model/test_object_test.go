package model

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// The reference adapter shows changes at once, so tests need not wait.
func init() { SettleTime = 0 }

// A name inside input is a text like any other, unless the update finds the object by it.
func TestNameInsideInputIsAField(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	for identifier, want := range map[string]bool{"room_id": true, "name": false} {
		obj := TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]}, Maker: Subject{Adapter: f, Name: "create_room", Op: f.Operations[0]},
			IDs: map[string][]string{identifier: {"id"}}, Fields: []probes.Parameter{{Name: "name", Type: "string"}}}
		if p, ok := obj.TextField(); ok != want {
			t.Errorf("where %s identifies, the text is %q", identifier, p.Name)
		}
	}
}

// Null removes a member, so it is no value that a script may set.
func TestMembersAreNeverSetToNull(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
	obj := TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]}}
	for _, record := range []map[string]any{
		{"name": "zip", "type": "string", "pattern": "^[0-9]{5}$"}, {"name": "floor", "type": "integer", "minimum": 1, "maximum": 9}, {"name": "open", "type": "boolean"},
		{"name": "kind", "type": "string", "enum": []any{"small", "large"}}, {"name": "zip", "type": "string", "pattern": "^[0-9]{5}$", "nullable": true},
	} {
		raw := probes.ValueOf(record)
		values := obj.memberValues(probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw})
		if len(values) != 2 || values[0].Is(probes.Null) || values[1].Is(probes.Null) {
			t.Errorf("%s: %v", raw, values)
		}
	}
}

// An answer may write the names of fields in another style than input does, and those of their members.
func TestFieldsInAnotherStyle(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input")
	field := func(record string) probes.Parameter {
		raw, _ := probes.ParseValue([]byte(record))
		return probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw}
	}
	obj := TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]},
		Fields: []probes.Parameter{field(`{"name":"due_day","type":"string"}`), field(`{"name":"site_plan","type":"object","fields":[{"name":"floor_no","type":"integer"}]}`)}}
	for data, want := range map[string]string{
		`{"room":{"id":1,"dueDay":"x"}}`:                              `{"due_day":"x","id":1,}`,
		`{"room":{"id":1,"dueDay":"x","due_day":"y"}}`:                `{"dueDay":"x","due_day":"y","id":1,}`,
		`{"room":{"due_day":"x","sitePlan":{"floorNo":2,"other":1}}}`: `{"due_day":"x","site_plan":{"floor_no":2,"other":1,},}`,
	} {
		raw, _ := probes.ParseValue([]byte(data))
		if got := obj.FindIn(raw).Canonical(nil); got != want {
			t.Errorf("%s: got %s, want %s", data, got, want)
		}
	}
}

// A pattern that is there for blanks at the ends leaves a text free; another one does not.
func TestTextOfAPatternIsFreeWhereItTakesAll(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room title", "UPDATE update_room room_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
	for pattern, want := range map[string]bool{`^\\S(.*\\S)?$`: true, `\\S`: true, `^[a-z0-9-]+$`: false, `^[^<>]*$`: false} {
		raw, _ := probes.ParseValue([]byte(`{"name":"title","type":"string","pattern":"` + pattern + `"}`))
		obj := TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]}, Maker: Subject{Adapter: f, Name: "create_room", Op: f.Operations[0]},
			Fields: []probes.Parameter{{Name: "title", Type: "string", Raw: raw}}}
		if _, ok := obj.TextField(); ok != want {
			t.Errorf("%s: free %v", pattern, ok)
		}
	}
}

// Two updates of one kind have objects and requests of their own; one of another kind, and a removal, count by themselves.
func TestOperationsOnAKindAreApart(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_box title", "UPDATE update_box box_id input", "UPDATE modify_box box_id input",
		"DELETE delete_box box_id", "CREATE create_shelf title", "UPDATE modify_shelf shelf_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	maker := func(i int) Subject { return Subject{Adapter: f, Name: f.Operations[i].Name, Op: f.Operations[i]} }
	f.KnownGood = map[string]KnownGood{"create_box": {State: Proven, Probe: probes.Call("main", "aql", "create_box", map[string]any{"title": f.Gen.Marker("")})}}
	texts := map[string]bool{}
	for i, apart := range map[int]int{1: 0, 2: numbersApart, 3: 0, 5: 0} {
		of := 0
		if i == 5 {
			of = 4
		}
		obj := TestObject{Subject: maker(i), Maker: maker(of)}
		if got := obj.apart(); got != apart {
			t.Errorf("%s is %d apart, want %d", obj.Op.Name, got, apart)
		}
		if creation, _ := obj.Create("merge: created", nil); of == 0 {
			text := ValueIn(creation, "title").Text()
			texts[text] = true
			if text != obj.ShownMark("merge") {
				t.Errorf("%s makes %s and looks for %s", obj.Op.Name, text, obj.ShownMark("merge"))
			}
		}
	}
	if len(texts) != 2 {
		t.Errorf("the scripts make %v", texts)
	}
}

// Where the mark lies in a list alone, what scripts write into the list keeps it.
func TestListsKeepTheOnlyMark(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_vat code labels note", "UPDATE update_vat code input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	list, _ := probes.ParseValue([]byte(`{"name":"labels","type":"array","items":{"type":"string"}}`))
	obj := TestObject{Subject: Subject{Adapter: f, Name: "update_vat", Op: f.Operations[1]}, Maker: Subject{Adapter: f, Name: "create_vat", Op: f.Operations[0]},
		Fields: []probes.Parameter{{Name: "labels", Type: "array", Raw: list}}}
	for note, want := range map[string]int{"": 2, f.Gen.Marker(""): 1} {
		params := map[string]any{"code": "VAT-07", "labels": []any{f.Gen.Marker("")}, "note": note}
		f.KnownGood = map[string]KnownGood{"create_vat": {State: Proven, Probe: probes.Call("main", "aql", "create_vat", params)}}
		if got := obj.Elements("merge", "x"); len(got) != want || got[want-1] != "x" || obj.KnownByList() != (want == 2) {
			t.Errorf("with the note %q: %v", note, got)
		}
	}
}

// A type may hold itself in many fields: a part of what it could hold is looked at.
func TestDeclaredObjectsOfATypeThatHoldsItself(t *testing.T) {
	fields := []any{map[string]any{"name": "title", "type": "string"}}
	for i := range 40 {
		fields = append(fields, map[string]any{"name": fmt.Sprint("part", i), "type": "Part"})
	}
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_part title", "UPDATE update_part part_id input")
	f.Types = []probes.Type{{Name: "Part", Kind: "object", Details: probes.ValueOf(map[string]any{"fields": fields})}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
	obj := TestObject{Subject: Subject{Adapter: f, Name: "update_part", Op: f.Operations[1]}, Fields: []probes.Parameter{{Name: "root", Type: "Part"}}}
	all := obj.DeclaredObjects()
	if len(all) != mostDeclared || len(all[len(all)-1].Path) != deepestDeclared {
		t.Errorf("%d objects, the last one %v", len(all), all[len(all)-1].Path)
	}
}
