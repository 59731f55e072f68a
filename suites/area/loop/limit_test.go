package loop

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A limit that the record of the parameter forbids shows nothing.
func TestLimitsKeepToTheRecord(t *testing.T) {
	for record, want := range map[string][]int{
		`{}`:                           {3, 6},
		`{"minimum":1,"maximum":1000}`: {3, 6},
		`{"minimum":5}`:                {5, 8},
		`{"minimum":4.5,"maximum":6}`:  {5, 6},
		`{"maximum":5}`:                {3, 5},
		`{"maximum":2}`:                {1, 2},
		`{"minimum":100}`:              {3, 6}, // nobody waits so long
	} {
		v, _ := probes.ParseValue([]byte(record))
		if got := limitsWithin(v); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", record, got, want)
		}
	}
}

// The default limit goes by any name and stands in any place. A name without a number tells none.
func TestDefaultLimitIsANumber(t *testing.T) {
	for _, c := range []struct {
		start, listing string
		want           bool
	}{
		{`{"parameters":[{"name":"max_autonomous_steps","type":"integer"}]}`, `{}`, false},
		{`{"parameters":[{"name":"max_autonomous_steps","type":"integer","minimum":1,"maximum":1000}]}`, `{}`, false},
		{`{"parameters":[{"name":"max_steps","type":"integer","default":10}]}`, `{}`, true},
		{`{"parameters":[{"name":"max_steps","type":"integer","required":true}]}`, `{}`, true},
		{`{"parameters":[{"name":"patience","type":"integer","description":"How many steps are free","default":10}]}`, `{}`, true},
		{`{"parameters":[{"name":"max_steps","type":"integer","description":"How many steps an agent may take; defaults to 10"}]}`, `{}`, true},
		{`{"description":"Starts an agent. It is paused after ten steps."}`, `{}`, true},
		{`{"description":"Starts an agent. A step limit applies."}`, `{}`, false},
		{`{"examples":[{"request":{"params":{"max_steps":5}}}]}`, `{}`, false},
		{`{}`, `{"_protocol":{"limits":{"max_steps":10}}}`, true},
		{`{}`, `{"_protocol":{"limits":{"max_array_elements":10}},"operations":[{"name":"cook","parameters":[{"name":"step","default":1}]}]}`, false},
	} {
		start, listing := probes.Operation{Name: "execute_agent"}, map[string]any{}
		start.Details, _ = probes.ParseValue([]byte(c.start))
		for _, p := range start.Details.At("parameters").Items() {
			start.Parameters = append(start.Parameters, probes.Parameter{Name: p.At("name").Text(), Type: p.At("type").Text(), Required: p.At("required").True(), Raw: p})
		}
		if err := json.Unmarshal([]byte(c.listing), &listing); err != nil {
			t.Fatal(err)
		}
		listed := checktest.AnswerWithData(probes.Call("main", "aql", "introspect", nil), listing)
		f := &model.Adapter{Adapter: &probes.Adapter{Listed: listed, Operations: []probes.Operation{start}}}
		if got := checktest.JudgeOf(t, []check.Check{defaultStepLimitIsDocumented}, "AQL-8.7.2-03")(model.Subject{Adapter: f}, nil); (got.Verdict == "PASS") != c.want {
			t.Errorf("%s, %s: %s", c.start, c.listing, got.Verdict)
		}
	}
}
