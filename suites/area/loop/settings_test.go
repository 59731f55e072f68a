package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
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
