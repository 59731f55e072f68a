package introspection

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Whether a family reads cannot be told while the category of one of its operations is unknown, on
// whichever of several tools that is.
func TestUnknownCategoriesTellNoFamily(t *testing.T) {
	for categories, want := range map[[2]string]reports.Verdict{
		{"", "CREATE"}: reports.NotProven, {"CREATE", ""}: reports.NotProven, {"CREATE", "EXECUTE"}: reports.Fail, {"READ", "CREATE"}: reports.Pass,
	} {
		intro := probes.Operation{Name: "introspect", Category: "READ", Tool: "one"}
		a := &probes.Adapter{Conn: "main", Introspect: "one", AQL: []string{"one", "two"}, Tools: []probes.Tool{{Name: "one"}, {Name: "two"}},
			Operations: []probes.Operation{intro, {Name: "first", Category: categories[0], Tool: "one"}, {Name: "second", Category: categories[1], Tool: "two"}}}
		s := model.Subject{Adapter: &model.Adapter{Adapter: a}, Name: "introspect", Op: intro}
		var got probes.Answers
		for _, p := range introspectSitsOnReadOrientedFamily.Ask(s) {
			got = append(got, checktest.AnswerWithData(p, map[string]any{"operations": []any{}, "operation": map[string]any{"name": "introspect", "mcpTool": "one"}}))
		}
		if r := introspectSitsOnReadOrientedFamily.Judge(s, got); r.Verdict != want {
			t.Errorf("%v: ruled %s, want %s", categories, r.Verdict, want)
		}
	}
}
