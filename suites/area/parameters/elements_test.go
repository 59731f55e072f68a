package parameters

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter that looks only whether each element is an object takes an element whose field breaks its record.
func TestFieldsOfElementsAreValidated(t *testing.T) {
	field := func(name, kind string, more ...any) map[string]any {
		f := map[string]any{"name": name, "type": kind, "required": true}
		for i := 0; i < len(more); i += 2 {
			f[more[i].(string)] = more[i+1]
		}
		return f
	}
	where := probes.ValueOf(map[string]any{"name": "where", "type": "array", "items": map[string]any{"type": "object", "properties": map[string]any{
		"op": field("op", "string", "enum", []any{"eq", "ne"}), "value": field("value", "any"), "shelf_id": field("shelf_id", "string")}}})
	condition := map[string]any{"op": "eq", "value": 1, "shelf_id": "S-1"}
	example := map[string]any{"request": map[string]any{"operation": "find_plants", "params": map[string]any{"where": []any{condition, condition}}}}
	op := probes.Operation{Name: "find_plants", Category: "READ", Tool: "mcp_aql_read", Details: probes.ValueOf(map[string]any{"examples": []any{example}}),
		Parameters: []probes.Parameter{{Name: "where", Type: "array", Raw: where}}}
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{op}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}, KnownGood: map[string]model.KnownGood{
		op.Name: {State: model.Proven, Probe: probes.Call("main", op.Tool, op.Name, nil)}}}
	s := model.Subject{Adapter: f, Name: op.Name, Op: op, Par: op.Parameters[0]}
	judge := checktest.JudgeOf(t, Checks, "CMP-ARRAY-01")
	const taken, refused, absent = `{"success":true,"data":[]}`, `{"success":false,"error":{"code":"VALIDATION_INVALID_VALUE","message":"no"}}`, `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no"}}`
	for name, c := range map[string]struct {
		answer func(last probes.Value) string
		want   reports.Verdict
	}{
		"checked": {func(probes.Value) string { return refused }, reports.Pass},
		"op unchecked": {func(last probes.Value) string {
			return pick(strings.Contains(last.At("op").Text(), "aqlx_"), taken, refused)
		}, reports.Fail},
		"op may be missing": {func(last probes.Value) string { return pick(last.Is(probes.Object) && !last.Has("op"), taken, refused) }, reports.Fail},
		"op of any type":    {func(last probes.Value) string { return pick(last.At("op").Is(probes.Object), taken, refused) }, reports.Fail},
		"shelf looked up":   {func(last probes.Value) string { return pick(last.At("shelf_id").Is(probes.Object), absent, refused) }, reports.NotProven},
	} {
		var got probes.Answers
		for _, p := range arrayElementsAreValidated.Ask(s) {
			answer, items := taken, model.ValueIn(p, "where").Items()
			if len(items) > 0 && p.Step != "array: documented element" {
				answer = c.answer(items[len(items)-1])
			}
			got = append(got, checktest.AnswerWithEnvelope(t, p, answer))
		}
		if r := judge(s, got); r.Verdict != c.want {
			t.Errorf("%s: %s %v %s, want %s", name, r.Verdict, r.Want, r.Got, c.want)
		}
	}
}

func pick(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}
