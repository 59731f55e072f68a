package classification

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Others may remove something between the reads of a pair. A listing that is at fault differs in each pair.
func TestReadsAreRepeatedInPairs(t *testing.T) {
	f := checktest.LivenessAdapter()
	f.Rules = gate.NewRules(f.Adapter, gate.Permissions{}, fixtures.Hints{})
	s := model.Subject{Adapter: f, Name: "get_note", Op: f.Operations[0]}
	for name, c := range map[string]struct {
		pairs []bool // which of them differ
		want  reports.Verdict
	}{
		"equal":            {[]bool{false}, reports.Pass},
		"one pair differs": {[]bool{true, false}, reports.NotProven},
		"three differ":     {[]bool{true, true, true, false}, reports.NotProven},
		"all differ":       {[]bool{true, true, true, true}, reports.Fail},
	} {
		read := func(n int, ids ...any) probes.Observation {
			var items []any
			for _, id := range ids {
				items = append(items, map[string]any{"id": id})
			}
			return checktest.AnswerWithData(s.ValidCall().Anew(probes.Nth("safe repetition: read", n)), items)
		}
		got := probes.Answers{checktest.AnswerWithData(s.ValidCall(), []any{})}
		for i, differs := range c.pairs {
			got = append(got, read(2*i, "a", "b"), read(2*i+1, "a", "b"))
			if differs {
				got[len(got)-1] = read(2*i+1, "a")
			}
		}
		if r := readCanBeRepeatedSafely.Judge(s, got); r.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, r.Verdict, r.Got, c.want)
		}
	}
}
