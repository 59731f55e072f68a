package model

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// An invoice belongs to a customer, whose name has the mark of the run as well. A new invoice keeps
// that name and carries the mark in another text.
func TestNewObjectKeepsTheNameOfItsParent(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE create_invoice customer number reference", "READ get_invoice customer number")
	f.Operations[0].Parameters[2].Required = false
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.parents = map[string]bool{}
	mark := f.Gen.Marker("")
	valid := probes.Call("main", "aql", "create_invoice", map[string]any{"customer": mark, "number": mark})
	f.KnownGood = map[string]KnownGood{"create_invoice": {Probe: valid, State: Proven}}
	s := Subject{Adapter: f, Name: "create_invoice", Op: f.Operations[0]}
	if got := strings.Join(s.renewed("step"), " "); got != "customer number" {
		t.Errorf("renewed %q", got)
	}
	f.parents["create_invoice.customer"] = true
	fresh := s.FreshCall("step")
	if ValueIn(fresh, "customer").Text() != mark || !strings.HasPrefix(ValueIn(fresh, "number").Text(), mark+"-") {
		t.Errorf("got %v", fresh.Params())
	}
	f.KnownGood["create_invoice"] = KnownGood{Probe: valid.With("number", 7), State: Proven}
	if reference := ValueIn(s.FreshCall("step"), "reference").Text(); !strings.HasPrefix(reference, mark+"-") {
		t.Errorf("no mark of its own in %v", s.FreshCall("step").Params())
	}
}

// A slot names its show inside of its body. A new slot keeps that name, and has a mark of its own: in the body, or
// beside it.
func TestNewObjectKeepsAReferenceInItsBody(t *testing.T) {
	for fields, marked := range map[string][]string{
		`[{"name":"show","type":"string"},{"name":"note","type":"string"}]`: {"spec", "note"},
		`[{"name":"show","type":"string"}]`:                                 {"note"},
	} {
		f := documented(Permissions{Create: true, Delete: true}, fixtures.Hints{}, "CREATE create_slot hour", "READ get_slot hour", "DELETE delete_slot hour")
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
		f.parents = map[string]bool{}
		hour, _ := probes.ParseValue([]byte(`{"type":"integer","required":true}`))
		f.Operations[0].Parameters[0].Type, f.Operations[0].Parameters[0].Raw = "integer", hour
		raw, _ := probes.ParseValue([]byte(`{"type":"object","required":true,"fields":` + fields + `}`))
		f.Operations[0].Parameters = append(f.Operations[0].Parameters, probes.Parameter{Name: "spec", Type: "object", Required: true, Raw: raw}, probes.Parameter{Name: "note", Type: "string"})
		mark, spec := f.Gen.Marker(""), map[string]any{}
		for _, field := range raw.At("fields").Items() {
			spec[field.At("name").Text()] = mark
		}
		valid := probes.Call("main", "aql", "create_slot", map[string]any{"hour": 900000001, "spec": spec})
		f.KnownGood = map[string]KnownGood{"create_slot": {Probe: valid, State: Proven}}
		f.findParents(t.Context(), replying(func(params map[string]any) string {
			if probes.ValueOf(params).At("spec", "show").Text() == mark {
				return `{"success":true,"data":{"hour":"x"}}`
			}
			return `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such show"}}`
		}))
		fresh := probes.ValueOf(Subject{Adapter: f, Name: "create_slot", Op: f.Operations[0]}.FreshCall("step").Params())
		if !f.parents["create_slot.spec.show"] || fresh.At("spec", "show").Text() != mark || !strings.HasPrefix(fresh.At(marked...).Text(), mark+"-") {
			t.Errorf("%s: parents %v, a new slot %s", fields, f.parents, fresh)
		}
	}
}

// replying answers requests by what it returns for their parameters.
type replying func(params map[string]any) (envelope string)

func (r replying) Ask(_ context.Context, p probes.Probe) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":%s}}`, r(p.Params()))}})
}

// shelves has creations of shelves, of which one is known.
func shelves() *Adapter {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE create_shelf aisle note", "READ get_shelf shelf_no", "DELETE delete_shelf shelf_no")
	raw, _ := probes.ParseValue([]byte(`{"name":"aisle","type":"string","required":true,"pattern":"^[A-Z]{1,2}$"}`))
	f.Operations[0].Parameters[0].Raw = raw
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.parents, f.sole = map[string]bool{}, map[string]bool{}
	f.KnownGood = map[string]KnownGood{"create_shelf": {Probe: probes.Call("main", "aql", "create_shelf", map[string]any{"aisle": "A", "note": f.Gen.Marker("")}), State: Proven}}
	return f
}

// A second shelf has to stand in another aisle, and so have all that follow. Where notes alone are in
// the way, or no value helps, nothing is learned.
func TestValuesOfOneObjectAlone(t *testing.T) {
	for name, c := range map[string]struct {
		taken func(params map[string]any) bool
		want  bool
	}{
		"one shelf in an aisle":  {func(params map[string]any) bool { return params["aisle"] == "A" }, true},
		"any number of shelves":  {func(map[string]any) bool { return false }, false},
		"one shelf and no other": {func(map[string]any) bool { return true }, false},
	} {
		f := shelves()
		f.findSole(t.Context(), replying(func(params map[string]any) string {
			if c.taken(params) {
				return `{"success":false,"error":{"code":"CONFLICT_ALREADY_EXISTS","message":"no"}}`
			}
			return `{"success":true,"data":{"shelf_no":2}}`
		}))
		s := Subject{Adapter: f, Name: "create_shelf", Op: f.Operations[0]}
		if got := f.sole["create_shelf.aisle"]; got != c.want || f.sole["create_shelf.note"] {
			t.Errorf("%s: got %v", name, f.sole)
		}
		if another := ValueIn(s.FreshCall("step"), "aisle").Text() != "A"; another != c.want {
			t.Errorf("%s: %v", name, s.FreshCall("step").Params())
		}
	}
}

// A conflict may hide that a shelf names another object as well, which a new text does not find.
func TestValuesOfOneObjectBesideAReference(t *testing.T) {
	f := shelves()
	mark := f.Gen.Marker("")
	f.findSole(t.Context(), replying(func(params map[string]any) string {
		switch {
		case params["aisle"] == "A":
			return `{"success":false,"error":{"code":"CONFLICT_ALREADY_EXISTS","message":"no"}}`
		case params["note"] != mark:
			return `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no"}}`
		}
		return `{"success":true,"data":{"shelf_no":2}}`
	}))
	fresh := Subject{Adapter: f, Name: "create_shelf", Op: f.Operations[0]}.FreshCall("step")
	if !f.sole["create_shelf.aisle"] || ValueIn(fresh, "aisle").Text() == "A" || ValueIn(fresh, "note").Text() != mark {
		t.Errorf("sole %v, parents %v, a new shelf %v", f.sole, f.parents, fresh.Params())
	}
}

// The optional field that scripts set may be that of one object alone. Then each script draws another value.
func TestOptionalFieldOfOneObjectAlone(t *testing.T) {
	for name, c := range map[string]struct {
		taken func(params map[string]any) bool
		want  bool
	}{
		"one book of an edition":   {func(params map[string]any) bool { return probes.ValueOf(params).At("isbn").Text() == "9780000000000" }, true},
		"any number of an edition": {func(map[string]any) bool { return false }, false},
		"no second book at all":    {func(map[string]any) bool { return true }, false},
	} {
		f := shelves()
		raw, _ := probes.ParseValue([]byte(`{"name":"isbn","type":"string","pattern":"^978[0-9]{10}$"}`))
		isbn := probes.Parameter{Name: "isbn", Type: "string", Raw: raw}
		f.Operations[0].Parameters = append(f.Operations[0].Parameters, isbn)
		obj := TestObject{Subject: Subject{Adapter: f}, Maker: Subject{Adapter: f, Name: "create_shelf", Op: f.Operations[0]}, Fields: []probes.Parameter{isbn}}
		if p, v, ok := obj.OptionalField(); !ok || p.Name != "isbn" || v.Text() != "9780000000000" {
			t.Fatal(p, v, ok)
		}
		f.fitSole(t.Context(), replying(func(params map[string]any) string {
			if c.taken(params) {
				return `{"success":false,"error":{"code":"CONFLICT_ALREADY_EXISTS","message":"no"}}`
			}
			return `{"success":true,"data":{"shelf_no":2}}`
		}), obj, "step")
		if got := f.sole["create_shelf.isbn"]; got != c.want {
			t.Errorf("%s: got %v", name, f.sole)
		}
		created, _ := obj.Create("script: created", map[string]any{"isbn": "9780000000000"})
		if another := ValueIn(created, "isbn").Text() != "9780000000000"; another != c.want {
			t.Errorf("%s: %v", name, created.Params())
		}
	}
}

// A twin has the text of the first object.
func TestTwinsHaveTheSameText(t *testing.T) {
	f := shelves()
	var asked []map[string]any
	f.tryTwins(t.Context(), replying(func(params map[string]any) string {
		asked = append(asked, params)
		return `{"success":true,"data":{"shelf_no":2}}`
	}))
	if len(asked) != 1 || asked[0]["note"] != f.Gen.Marker("") || len(f.parents) > 0 {
		t.Errorf("asked %v, and %v are parents", asked, f.parents)
	}
}

// What no two objects may share may be a field of an object: the only required one, which is the body, or one of two.
func TestFieldsOfOneObjectAlone(t *testing.T) {
	for id, places := range map[string][]string{"create_shelf.code": {"place"}, "create_shelf.place.code": {"place", "owner"}} {
		f := shelves()
		known := map[string]any{"aisle": "A", "note": f.Gen.Marker("")}
		for _, place := range places {
			raw, _ := probes.ParseValue([]byte(`{"name":"` + place + `","type":"object","required":true,"fields":[{"name":"kind","type":"string","enum":["in","out"]},{"name":"code","type":"string","pattern":"^[A-Z0-9]{5,15}$"}]}`))
			f.Operations[0].Parameters = append(f.Operations[0].Parameters, probes.Parameter{Name: place, Type: "object", Required: true, Raw: raw})
			known[place] = map[string]any{"kind": "in", "code": "A12345"}
		}
		f.KnownGood["create_shelf"] = KnownGood{Probe: probes.Call("main", "aql", "create_shelf", known), State: Proven}
		f.findSole(t.Context(), replying(func(params map[string]any) string {
			if probes.ValueOf(params).At("place", "code").Text() == "A12345" {
				return `{"success":false,"error":{"code":"CONFLICT_ALREADY_EXISTS","message":"no"}}`
			}
			return `{"success":true,"data":{"shelf_no":2}}`
		}))
		s := Subject{Adapter: f, Name: "create_shelf", Op: f.Operations[0]}
		a, b := ValueIn(s.FreshCall("one"), "place"), ValueIn(s.FreshCall("two: operation 1"), "place")
		if !f.sole[id] || a.At("code").Text() == "A12345" || a.At("kind").Text() != "in" || a.At("code").Equal(b.At("code")) {
			t.Errorf("%v: %v, new shelves at %s and %s", places, f.sole, a, b)
		}
		params := map[string]any{"place": map[string]any{"kind": "in", "code": "A12345"}}
		f.withKeys(s.Op, params, func(probes.Parameter, any) any { return KeyToken })
		if probes.ValueOf(params).At("place", "code").Text() != KeyToken {
			t.Errorf("%v: a script has %v", places, params)
		}
	}
}
