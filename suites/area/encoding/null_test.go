package encoding

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The first listing may be older than the objects of the run. The meaning of null may stand in any text of the
// parameter or the operation.
func TestNullSemantics(t *testing.T) {
	all, old, archived := []any{"a", "b", "c", "d"}, []any{"a", "b", "c"}, []any{"c"}
	for _, c := range []struct {
		why               string
		first, null       []any
		parameter, detail map[string]any
		want              reports.Verdict
	}{
		{"undocumented", all, archived, nil, nil, reports.Warn},
		{"an old listing", old, archived, nil, nil, reports.Warn},
		{"no meaning", all, all, nil, nil, reports.NotApplicable},
		{"no meaning, an old listing", old, all, nil, nil, reports.NotApplicable},
		{"in the description", all, archived, map[string]any{"description": "State; null lists archived notes"}, nil, reports.Pass},
		{"in another language", all, archived, map[string]any{"description": "Estado; nulo da las archivadas"}, nil, reports.Pass},
		{"in a member", all, archived, map[string]any{"null_semantics": "lists archived notes"}, nil, reports.Pass},
		{"in the operation", all, archived, nil, map[string]any{"description": "List the notes; status null gives the archived ones"}, reports.Pass},
		{"in another word of the operation", all, archived, nil, map[string]any{"description": "List the notes that are not annulled"}, reports.Warn},
		{"nullable alone", all, archived, map[string]any{"nullable": true, "description": "State"}, nil, reports.Warn},
	} {
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Op: probes.Operation{Details: probes.ValueOf(c.detail)}, Par: probes.Parameter{Name: "status", Raw: probes.ValueOf(c.parameter)}}
		s.Hints = fixtures.Hints{}
		said := func(step string, items []any) probes.Observation {
			return checktest.AnswerWithData(probes.Call("main", "t", "list_notes", nil).Anew(step), map[string]any{"items": items})
		}
		got := probes.Answers{said("plain", c.first), said("null value: null", c.null), said("null value: left out again", all),
			said("null value: null again", c.null), said("null value: left out at last", all), said("null value: null at last", c.null)}
		if r := checktest.JudgeOf(t, Checks, "AQL-4.7.6-03")(s, got); r.Verdict != c.want {
			t.Errorf("%s: ruled %s (%s, %s), want %s", c.why, r.Verdict, r.Want, r.Got, c.want)
		}
	}
}
