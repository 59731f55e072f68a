package check

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// What a text for fields looks like may be told by values or an example. Otherwise a refusal of a guess tells nothing.
func TestFormOfFieldsIsUntold(t *testing.T) {
	const text = `{"name":"fields","type":"string"}`
	for _, c := range []struct {
		record, example string
		want            bool
	}{
		{record: text, want: true},
		{record: text, example: `{"operation":"get_dish","params":{"fields":"title,owner"}}`},
		{record: text, example: `{"operation":"get_dish","params":{}}`, want: true},
		{record: `{"name":"fields","type":"string","example":"title,owner"}`},
		{record: `{"name":"fields","type":"string","enum":["brief","minimal"]}`},
		{record: `{"name":"fields","type":"string | string[]"}`},
	} {
		op := probes.Operation{Name: "get_dish"}
		raw, _ := probes.ParseValue([]byte(c.record))
		op.Parameters = []probes.Parameter{{Name: "fields", Type: raw.At("type").Text(), Raw: raw}}
		if c.example != "" {
			op.Details, _ = probes.ParseValue([]byte(`{"examples":[{"request":` + c.example + `}]}`))
		}
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Name: op.Name, Op: op}
		if got := UntoldFields(s); got != c.want {
			t.Errorf("%s %s: untold %v", c.record, c.example, got)
		}
	}
}
