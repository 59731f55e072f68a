package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// Only documents that close every field, and an object that shows no other, rule a field out.
func TestRulesOutNeedsClosedDocuments(t *testing.T) {
	value := func(text string) probes.Value {
		v, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	field := func(typ, raw string) probes.Parameter {
		return probes.Parameter{Name: "more", Type: typ, Raw: value(raw)}
	}
	title := probes.Parameter{Name: "title", Type: "string"}
	plain := value(`{"title":"x"}`)
	for name, c := range map[string]struct {
		more  probes.Parameter
		shown probes.Value
		path  []string
		want  bool
	}{
		"only scalars":                 {field("integer", `{}`), plain, []string{"object"}, true},
		"an object":                    {field("object", `{}`), plain, []string{"object"}, false},
		"an unknown type":              {field("Thing", `{}`), plain, []string{"object"}, false},
		"any":                          {field("any", `{}`), plain, []string{"object"}, false},
		"no type":                      {field("", `{}`), plain, []string{"object"}, false},
		"shown all the same":           {field("integer", `{}`), value(`{"title":"x","care":{"light":1}}`), []string{"object"}, false},
		"nothing was shown":            {field("integer", `{}`), probes.Value{}, []string{"object"}, false},
		"closed members":               {field("object", `{"properties":{"light":{"type":"string"}}}`), plain, []string{"object", "object"}, true},
		"open members":                 {field("object", `{}`), plain, []string{"object", "object"}, false},
		"an array of texts":            {field("array", `{"items":{"type":"string"}}`), plain, []string{"array", "object"}, true},
		"an array of what nobody says": {field("array", `{}`), plain, []string{"array", "object"}, false},
	} {
		obj := TestObject{Subject: Subject{Adapter: tickets(), Name: "update_ticket"}, Declared: true, Fields: []probes.Parameter{title, c.more}}
		if got := obj.RulesOut(c.shown, c.path...); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		obj.Declared = false
		if obj.RulesOut(c.shown, c.path...) {
			t.Errorf("%s: inferred fields rule nothing out", name)
		}
	}
}
