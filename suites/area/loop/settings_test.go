package loop

import (
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A record that never came may hold the word that is missed everywhere else.
func TestMissingWordsNeedAllRecords(t *testing.T) {
	known := probes.ValueOf(map[string]any{"name": "execute_agent"})
	for _, c := range []struct {
		why    string
		record probes.Value
		want   reports.Verdict
	}{
		{"all records, none of which has it", known, reports.Warn},
		{"a record that was lost", probes.Value{}, reports.NotProven},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "execute_agent", Details: c.record}}}}
		if got := checktest.JudgeOf(t, Checks, "AQL-8.7.4-02")(model.Subject{Adapter: f}, nil); got.Verdict != c.want {
			t.Errorf("%s: ruled %s (want %s, got %s), want %s", c.why, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}

// A capability that is false says that there is no loop, unless operations of one are listed.
func TestFalseSaysThatThereIsNoLoop(t *testing.T) {
	for _, c := range []struct {
		value    any
		listed   bool
		is, none bool
	}{
		{false, false, false, true}, {false, true, true, false}, {"disabled", false, true, true}, {"enforcing", false, true, false},
	} {
		data := map[string]any{"_protocol": map[string]any{"capabilities": map[string]any{"execution_safety_loop": c.value}}}
		f := &model.Adapter{Adapter: &probes.Adapter{Listed: checktest.AnswerWithData(probes.Call("main", "aql", "introspect", nil), data)}}
		if c.listed {
			f.Operations = []probes.Operation{{Name: "record_execution_step"}}
		}
		if is, none := check.LoopPresent(f), check.LoopIsOff(f); is != c.is || none != c.none {
			t.Errorf("%v, with operations %v: present %v, off %v", c.value, c.listed, is, none)
		}
	}
}

// The settings may have other names. Their values tell what they are, where the author names a value; where he does not,
// a default or a pattern leaves open what it is of.
func TestEvaluatorSettingsMayHaveOtherNames(t *testing.T) {
	known := fixtures.Safety{StepLimit: 10, DenyHint: "rm -rf build"}
	for _, c := range []struct {
		start, protocol string
		hints           fixtures.Safety
		want            reports.Verdict
	}{
		{`{"parameters":[{"name":"max_actions","type":"integer","default":10}]}`, `{}`, known, reports.Pass},
		{`{"parameters":[{"name":"max_actions","type":"integer","default":10}]}`, `{}`, fixtures.Safety{}, reports.NotProven},
		{`{"parameters":[{"name":"timeout","type":"integer","default":30}]}`, `{}`, known, reports.NotProven},
		{`{"parameters":[{"name":"quiet","type":"boolean","default":false}],"examples":[{"default":10}]}`, `{}`, known, reports.Warn},
		{`{}`, `{"extensions":{"evaluator":"stops at rm -rf*"}}`, known, reports.Pass},
		{`{}`, `{"extensions":{"evaluator":"stops at rm -rf*"}}`, fixtures.Safety{}, reports.NotProven},
		{`{"description":"Start an agent, **at once**"}`, `{}`, fixtures.Safety{}, reports.Warn},
	} {
		start, _ := probes.ParseValue([]byte(c.start))
		protocol, _ := probes.ParseValue([]byte(c.protocol))
		f := &model.Adapter{Hints: fixtures.Hints{Safety: c.hints}, Adapter: &probes.Adapter{Protocol: protocol, Operations: []probes.Operation{{Name: "execute_agent", Details: start}},
			Listed: checktest.AnswerWithData(probes.Call("main", "aql", "introspect", nil), map[string]any{"_protocol": json.RawMessage(c.protocol)})}}
		if got := checktest.JudgeOf(t, Checks, "AQL-8.7.4-02")(model.Subject{Adapter: f}, nil); got.Verdict != c.want {
			t.Errorf("%s %s: ruled %s (want %s, got %s), want %s", c.start, c.protocol, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}
