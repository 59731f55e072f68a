package probes

import (
	"strings"
	"testing"
)

// A parameter, and a field, has the primitive and the limits of the scalar type that it names. A scalar type that tells neither stays a name.
func TestScalarTypesAreUnfolded(t *testing.T) {
	value := func(text string) Value { v, _ := ParseValue([]byte(text)); return v }
	typed := func(details string) Type {
		v := value(details)
		return Type{Name: v.At("name").Text(), Kind: "scalar", Details: v}
	}
	a := &Adapter{Types: []Type{
		typed(`{"name":"SiteCode","kind":"scalar","description":"string","base":"string","maxLength":5,"pattern":"^[A-Z]{3}[0-9]$"}`),
		typed(`{"name":"Ttl","kind":"scalar","primitive":"integer","minimum":60}`),
		typed(`{"name":"Code","kind":"scalar","pattern":"^x"}`),
		typed(`{"name":"Moment","kind":"scalar","description":"a time"}`),
		typed(`{"name":"Cents","kind":"scalar","stored_as":"integer","example":"12.50"}`),
		typed(`{"name":"Ratio","kind":"scalar","base":"number","examples":[0.5,1]}`),
		typed(`{"name":"Either","kind":"scalar","a":"string","b":"integer"}`),
		{Name: "Ref", Kind: "object", Details: value(`{"fields":[{"name":"site","type":"SiteCode"},{"name":"tags","type":"array","items":{"type":"Code"}}]}`)},
	}}
	for record, want := range map[string]string{
		`{"name":"site","type":"SiteCode","required":true}`:       `{"maxLength":5,"name":"site","pattern":"^[A-Z]{3}[0-9]$","required":true,"type":"string"}`,
		`{"name":"site","type":"SiteCode","maxLength":4}`:         `{"maxLength":4,"name":"site","pattern":"^[A-Z]{3}[0-9]$","type":"string"}`,
		`{"name":"ttl","type":"Ttl"}`:                             `{"minimum":60,"name":"ttl","type":"integer"}`,
		`{"name":"codes","type":"array","items":{"type":"Code"}}`: `{"items":{"pattern":"^x","type":"string"},"name":"codes","type":"array"}`,
		`{"name":"price","type":"Cents"}`:                         `{"name":"price","type":"Cents"}`,
		`{"name":"ratio","type":"Ratio"}`:                         `{"examples":[0.5,1],"name":"ratio","type":"number"}`,
		`{"name":"at","type":"Moment"}`:                           `{"name":"at","type":"Moment"}`,
		`{"name":"either","type":"Either"}`:                       `{"name":"either","type":"Either"}`,
		`{"name":"ref","type":"Ref"}`:                             `{"name":"ref","type":"Ref"}`,
	} {
		p := parameter("x", value(record))
		a.Operations = []Operation{{Name: "create_site", Parameters: []Parameter{p}}}
		a.unfoldScalars()
		if got := a.Operations[0].Parameters[0]; !got.Raw.Equal(value(want)) || got.Type != value(want).At("type").Text() {
			t.Errorf("%s: got %s of type %s, want %s", record, got.Raw, got.Type, want)
		}
	}
	ref := a.Fields(Parameter{Name: "ref", Type: "Ref"})
	if len(ref) != 2 || ref[0].Type != "string" || !ref[0].Raw.Has("pattern") || !strings.Contains(ref[1].Raw.String(), `"^x"`) {
		t.Errorf("the fields are %v", ref)
	}
}
