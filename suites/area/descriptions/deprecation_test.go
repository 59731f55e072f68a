package descriptions

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An exception is noted in a sentence, in any number, or in a member of a record. The list of values is no note.
func TestExceptionsAreNoted(t *testing.T) {
	value := func(text string) probes.Value { v, _ := probes.ParseValue([]byte(text)); return v }
	for _, c := range []struct {
		par, details string
		want         bool
	}{
		{`{"enum":["box","label"],"default":"label"}`, `{"parameters":["label"],"examples":["label"]}`, false},
		{`{"enum":["box","label"],"description":"Labels have no notes."}`, `{}`, true},
		{`{"enum":["box","label"],"not_for":["label"]}`, `{}`, true},
		{`{"enum":["box","label"]}`, `{"description":"Lists notes, but not those of a label."}`, true},
		{`{"enum":["box","label"]}`, `{"not_applicable_to":["label"]}`, true},
		{`{"enum":["box","label"],"description":"What is labelled"}`, `{}`, false},
	} {
		s := model.Subject{Op: probes.Operation{Name: "list_notes", Details: value(c.details)}, Par: probes.Parameter{Name: "element_type", Raw: value(c.par)}}
		if got := excepted(s, probes.ValueOf("label")); got != c.want {
			t.Errorf("%s %s: noted %v", c.par, c.details, got)
		}
	}
}
