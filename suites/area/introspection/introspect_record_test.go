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

// A name that its own record forbids is no valid lookup; an enum of the names that exist forbids the others by itself.
func TestForbiddenNamesAreNotLookedUp(t *testing.T) {
	for _, c := range []struct {
		record map[string]any
		name   string
		want   bool
	}{
		{map[string]any{"pattern": "^[A-Za-z][A-Za-z0-9_]*$"}, "__proto__", true},
		{map[string]any{"pattern": "^[A-Za-z][A-Za-z0-9_]*$"}, "constructor", false},
		{map[string]any{"maxLength": 8}, "constructor", true},
		{map[string]any{"enum": []any{"list_notes"}}, "constructor", false},
		{nil, "__proto__", false},
	} {
		name := probes.Parameter{Name: "name", Type: "string", Raw: probes.ValueOf(c.record)}
		a := &probes.Adapter{Operations: []probes.Operation{{Name: "introspect", Parameters: []probes.Parameter{name}}}}
		if got := forbidden(model.Subject{Adapter: &model.Adapter{Adapter: a}}, c.name); got != c.want {
			t.Errorf("%s by %v: %v", c.name, c.record, got)
		}
	}
}
