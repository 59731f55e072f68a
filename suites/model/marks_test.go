package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A creation whose texts have patterns carries the mark inside of one, another one for each object, and is
// known by the whole text.
func TestMarkInsideOfAText(t *testing.T) {
	parameter := func(name, pattern string, required bool) probes.Parameter {
		return probes.Parameter{Name: name, Type: "string", Required: required, Raw: probes.ValueOf(map[string]any{"name": name, "type": "string", "pattern": pattern, "required": required})}
	}
	o := probes.Operation{Name: "add_seed", Category: "CREATE", Parameters: []probes.Parameter{parameter("code", "^[A-Z]{2}-[0-9]{3}$", true), parameter("taxon", "^[A-Z][a-z]+ [a-z]+( .+)?$", true)}}
	f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}, KnownGood: map[string]KnownGood{}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	plain := map[string]any{"code": "AA-000", "taxon": "Aa aa"}
	if got := f.addMark(o, plain, "aqlc-k3f9x2ab"); got["taxon"] != "Aa aa" {
		t.Errorf("a script would be mended: %v", got)
	}
	p := probes.Call("main", "mcp_aql_create", o.Name, f.marked(o, plain, "aqlc-k3f9x2ab"))
	f.KnownGood[o.Name] = KnownGood{State: Proven, Probe: p}
	s := Subject{Adapter: f, Name: o.Name, Op: o}
	text := s.mark(7)
	if text == "" || text != s.Marked("aqlc-k3f9x2ab-7") || f.Misfit(o.Parameters[1], probes.ValueOf(text)) != "" {
		t.Errorf("the seventh object has the text %q, known by %q", text, s.Marked("aqlc-k3f9x2ab-7"))
	}
	row := probes.ValueOf(map[string]any{"seeds": []any{map[string]any{"taxon": text}}})
	if !f.OfRun(row) || len(ItemsWith(row, s.Marked("aqlc-k3f9x2ab-7"))) != 1 || len(ItemsWith(row, s.Marked("aqlc-k3f9x2ab-8"))) != 0 {
		t.Error("the object is not found in a listing")
	}
	if f.OfRun(probes.ValueOf(map[string]any{"event": "made aqlc-k3f9x2ab"})) {
		t.Error("a row that speaks of the object is taken for it")
	}
}

// A creation whose texts have no room for the mark carries the letters of the run, in the case of the examples, and others for each
// object.
func TestLettersInAShortText(t *testing.T) {
	f := documented(Permissions{Create: true, Delete: true}, fixtures.Hints{}, "CREATE add_tank label purpose", "READ get_tank tank_id", "DELETE delete_tank tank_id")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	o := f.Operations[0]
	o.Parameters[0].Raw = probes.ValueOf(map[string]any{"type": "string", "maxLength": 12, "pattern": "^[A-Za-z0-9 ]+$"})
	o.Parameters[1].Raw = probes.ValueOf(map[string]any{"type": "string", "enum": []any{"brite"}})
	o.Details = probes.ValueOf(map[string]any{"examples": []any{map[string]any{"request": map[string]any{"params": map[string]any{"label": "FV9"}}}}})
	f.Operations[0] = o
	if plain := map[string]any{"label": "aa", "purpose": "brite"}; f.marked(o, plain, f.Gen.Marker(""))["label"] != "aa" {
		t.Error("a text is replaced that nobody asks for")
	}
	f.needsMark = map[string]bool{}
	if !f.wantsMark(o, gate.Unmarked) {
		t.Fatal("no text takes the letters")
	}
	params := f.marked(o, map[string]any{"label": "aa", "purpose": "brite"}, f.Gen.Marker(""))
	label := probes.ValueOf(params["label"])
	if !strings.Contains(label.Text(), "ABCD1234") || f.Misfit(o.Parameters[0], label) != "" {
		t.Fatalf("made with %s", label)
	}
	s := Subject{Adapter: f, Name: o.Name, Op: o}
	one, other := s.anew(o.Parameters[0], label, 1), s.anew(o.Parameters[0], label, 1234567)
	if one.Equal(other) || one.Equal(label) || f.Misfit(o.Parameters[0], one) != "" || f.Misfit(o.Parameters[0], other) != "" {
		t.Errorf("later ones are made with %s and %s", one, other)
	}
}

// A creation that takes no free text but in a list carries the mark in the list, another one for each object.
func TestMarkInAList(t *testing.T) {
	words := probes.Parameter{Name: "names", Type: "array", Raw: probes.ValueOf(map[string]any{"name": "names", "type": "array", "items": map[string]any{"type": "string"}})}
	code := probes.Parameter{Name: "code", Type: "string", Required: true, Raw: probes.ValueOf(map[string]any{"name": "code", "type": "string", "pattern": "^[A-Z]{3}$"})}
	o := probes.Operation{Name: "add_seed", Category: "CREATE", Parameters: []probes.Parameter{code, words}}
	f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}, KnownGood: map[string]KnownGood{}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	p := probes.Call("main", "mcp_aql_create", o.Name, f.marked(o, map[string]any{"code": "AAA"}, "aqlc-k3f9x2ab"))
	f.KnownGood[o.Name] = KnownGood{State: Proven, Probe: p}
	s := Subject{Adapter: f, Name: o.Name, Op: o}
	if got := s.mark(7); got != "aqlc-k3f9x2ab-7" {
		t.Errorf("the seventh object has the mark %q", got)
	}
	listing := probes.ValueOf(map[string]any{"seeds": []any{
		map[string]any{"code": "AAA", "names": []any{"x", "aqlc-k3f9x2ab-7"}}, map[string]any{"code": "AAB", "names": []any{"of aqlc-k3f9x2ab-7"}},
	}})
	if got := ItemsWith(listing, "aqlc-k3f9x2ab-7"); len(got) != 1 || got[0].At("code").Text() != "AAA" {
		t.Errorf("a listing shows %v with that mark", got)
	}
}

// What a creation demands inside of an object stays in it where a script gives the object other members.
func TestDemandedMembersStay(t *testing.T) {
	raw, _ := probes.ParseValue([]byte(`{"name":"about","type":"object","properties":[{"name":"title","type":"string","required":true},{"name":"note","type":"string"},{"name":"tags","type":"array"}]}`))
	f := &Adapter{Adapter: &probes.Adapter{}}
	p := probes.Parameter{Name: "about", Type: "object", Raw: raw}
	for _, c := range []struct {
		given, v any
		want     string
	}{
		{map[string]any{"title": "x", "note": "y"}, map[string]any{"tags": []any{"a"}}, `{"tags":["a"],"title":"x"}`},
		{map[string]any{"title": "x"}, map[string]any{"title": "z"}, `{"title":"z"}`},
		{nil, map[string]any{"tags": []any{}}, `{"tags":[]}`},
		{map[string]any{"title": "x"}, "text", `"text"`},
	} {
		if got := string(probes.ValueOf(f.keepNeeded(p, c.given, c.v)).Raw()); got != c.want {
			t.Errorf("%v in %v: %s, want %s", c.v, c.given, got, c.want)
		}
	}
}
