package update

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A number is sent as a text for fields that take numbers alone, and without values of their own.
func TestNumbersAreSentAsTexts(t *testing.T) {
	record := func(text string) probes.Parameter {
		raw, _ := probes.ParseValue([]byte(text))
		return probes.Parameter{Name: raw.At("name").Text(), Type: raw.At("type").Text(), Raw: raw}
	}
	update := probes.Operation{Name: "update_vat", Category: "UPDATE"}
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{update}}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	for text, want := range map[string]bool{
		`{"name":"temperature","type":"number","minimum":-5,"maximum":40}`: true,
		`{"name":"litres","type":"integer"}`:                               true,
		`{"name":"litres","type":"integer","readOnly":true}`:               false,
		`{"name":"litres","type":"integer","enum":[1,2]}`:                  false,
		`{"name":"litres","type":"integer | string"}`:                      false,
		`{"name":"label","type":"string"}`:                                 false,
	} {
		sp := model.TestObject{Subject: model.Subject{Adapter: f, Name: update.Name, Op: update}, Fields: []probes.Parameter{record(text)}}
		all := quotedNumbers(sp)
		if len(all) > 0 != want {
			t.Errorf("%s: %v", text, all)
		}
		for _, w := range all {
			if v, ok := w.value.(string); !ok || w.mistyped || sp.Misfit(w.field, probes.ValueOf(v)) == "" {
				t.Errorf("%s: sends %v", text, w.value)
			}
		}
	}
}
