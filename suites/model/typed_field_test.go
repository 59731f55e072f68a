package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// fieldObject is a test object of rooms with one field, as it is made and as it is changed.
func fieldObject(made, changed string) TestObject {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
	field := func(record string) probes.Parameter {
		raw, _ := probes.ParseValue([]byte(record))
		return probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw}
	}
	maker := f.Operations[0]
	maker.Parameters = append(maker.Parameters, field(made))
	return TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]}, Maker: Subject{Adapter: f, Name: "create_room", Op: maker},
		Fields: []probes.Parameter{field(changed)}}
}

// Where an object is made whole, an update may give it one member. The object is made with all that it must have.
func TestTypedFieldsAreMadeWhole(t *testing.T) {
	obj := fieldObject(
		`{"name":"place","type":"object","fields":[{"name":"line","type":"string","required":true},{"name":"more","type":"string"},{"name":"town","type":"string","required":true}]}`,
		`{"name":"place","type":"object","fields":[{"name":"line","type":"string"},{"name":"town","type":"string"},{"name":"more","type":"string"}]}`)
	typed, ok := obj.TypedField()
	if !ok || typed.Changed.Name != "line" || typed.Kept.Name != "more" || typed.Made["line"] == nil || typed.Made["town"] == nil || typed.Made["more"] != nil {
		t.Errorf("%t: %q and %q, made as %v", ok, typed.Changed.Name, typed.Kept.Name, typed.Made)
	}
}

// An object within the object is the other member where no scalar is.
func TestTypedFieldsWithAnObjectWithin(t *testing.T) {
	record := `{"name":"facts","type":"object","fields":[{"name":"weight","type":"integer"},{"name":"size","type":"object","fields":[{"name":"height","type":"integer"}]}]}`
	typed, ok := fieldObject(record, record).TypedField()
	if !ok || typed.Kept.Name != "size" || !typed.Also.At("height").Is(probes.Number) {
		t.Errorf("%t: %q with %s", ok, typed.Kept.Name, typed.Also)
	}
}

// The entries of a map are such members, under names that its keys may have. What may be anything is no such map.
func TestTypedFieldsAreMapsToo(t *testing.T) {
	for record, want := range map[string]string{
		`{"name":"labels","type":"object","additionalProperties":{"type":"string","maxLength":64},"propertyNames":{"pattern":"^[a-z]+$"}}`: "alpha",
		`{"name":"env","type":"object","propertyNames":{"type":"string","pattern":"^[A-Z_]+$"},"additionalProperties":{"type":"string"}}`:  "ALPHA",
		`{"name":"traits","type":"object","values":{"type":"string","maxLength":60}}`:                                                      "alpha",
		`{"name":"sizes","type":"object","additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^[0-9]+$"}}`:                 "",
		`{"name":"facts","type":"object","additionalProperties":true}`:                                                                     "",
		`{"name":"facts","type":"object","default":{"type":"any"}}`:                                                                        "",
	} {
		typed, ok := fieldObject(record, record).TypedField()
		if ok != (want != "") || typed.Changed.Name != want || ok && (typed.Made[want] == nil || typed.Kept.Name == want) {
			t.Errorf("%s: %t, %q and %q, made as %v", record, ok, typed.Changed.Name, typed.Kept.Name, typed.Made)
		}
	}
}

// A pattern that asks for a letter anywhere leaves a text free; one of letters alone does not.
func TestOpenPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{`\\S`: true, `[a-z]`: true, `^[a-z0-9-]+$`: false, `^.{1,9}$`: false} {
		record := `{"name":"title","type":"string","pattern":"` + pattern + `"}`
		obj := fieldObject(record, record)
		if _, ok := obj.TextField(); ok != want {
			t.Errorf("%s: %t", pattern, ok)
		}
	}
}

// Two objects of one name differ in a number where no text is free, in an optional one before one that is demanded.
func TestRivalsDifferInANumber(t *testing.T) {
	obj := fieldObject(`{"name":"seats","type":"integer","required":true,"minimum":1}`, `{"name":"seats","type":"integer","minimum":1}`)
	obj.Maker.Op.Parameters[len(obj.Maker.Op.Parameters)-1].Required = true
	name, first, second, ok := obj.RivalField()
	if !ok || name != "seats" || first.Equal(second) || !first.Is(probes.Number) {
		t.Errorf("%t: %q %s %s", ok, name, first, second)
	}
}

// Where the record of a member allows null, null removes that one and no other.
func TestMembersThatNullRemoves(t *testing.T) {
	for members, want := range map[string]string{
		`{"name":"line","type":"string"},{"name":"town","type":"string"},{"name":"more","type":"string | null"}`:               "more",
		`{"name":"more","type":"string","nullable":true},{"name":"line","type":"string"},{"name":"town","type":"string"}`:      "more",
		`{"name":"line","type":"string"},{"name":"town","type":"string"}`:                                                      "town",
		`{"name":"line","type":"string | null"},{"name":"town","type":"string","nullable":true},{"name":"no","type":"string"}`: "line",
	} {
		record := `{"name":"place","type":"object","fields":[` + members + `]}`
		if typed, ok := fieldObject(record, record).TypedField(); !ok || typed.Kept.Name != want || typed.Changed.Name == want {
			t.Errorf("%s: %t, %q is removed, %q changed", members, ok, typed.Kept.Name, typed.Changed.Name)
		}
	}
	record := `{"name":"note","type":"string"}`
	obj := fieldObject(record, record)
	for _, field := range []string{`{"name":"more","type":"string"}`, `{"name":"hint","type":"string | null"}`} {
		raw, _ := probes.ParseValue([]byte(field))
		obj.Fields = append(obj.Fields, probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw})
	}
	if spare, ok := obj.SpareField(); !ok || spare.Name != "hint" {
		t.Errorf("%t: %q is the spare text", ok, spare.Name)
	}
}

// A list of one documented form is tried by two values of it; a list of any texts plays a part of its own.
func TestTypedLists(t *testing.T) {
	for record, want := range map[string]string{
		`{"name":"contacts","type":"array","items":{"type":"string","pattern":"^[a-z]{3}@x$"}}`: "contacts",
		`{"name":"tags","type":"array","items":{"type":"string"}}`:                              "",
		`{"name":"meta","type":"object","fields":[{"name":"holds","type":"array<string>"}]}`:    "meta.holds",
		`{"name":"days","type":"array","readOnly":true,"items":{"type":"integer"}}`:             "",
	} {
		var got []string
		for _, l := range fieldObject(record, record).TypedLists() {
			got = append(got, strings.Join(l.Path, "."))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", record, got)
		}
	}
}

// Where no field is free, a change gives a member of an object another value.
func TestMembersAreValidChanges(t *testing.T) {
	record := `{"name":"spec","type":"object","required":true,"fields":[{"name":"tier","type":"string","enum":["a","b"]},{"name":"zone","type":"string","pattern":"^[A-Z]{3}$"}]}`
	field, value, ok := fieldObject(record, record).ValidChange("mark")
	if members, _ := value.(map[string]any); !ok || field.Name != "spec" || len(members) != 1 {
		t.Errorf("%t: %q gets %v", ok, field.Name, value)
	}
}
