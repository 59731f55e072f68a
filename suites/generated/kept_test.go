package generated

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter that refuses each update breaks no rule on updates, and has mended nothing.
func TestKeptNeedsRequestsThatSucceed(t *testing.T) {
	const well, invalid, conflict, missing = "", "VALIDATION_INVALID_TYPE", "CONFLICT_STATE", "NOT_FOUND_RESOURCE"
	value := func(text string) map[string]any { return map[string]any{"input": map[string]any{"title": text}} }
	null := map[string]any{"input": map[string]any{"title": nil}}
	unknown := map[string]any{"input": map[string]any{"title": "x"}, "zz": 1}
	for name, c := range map[string]struct {
		operations []string
		params     []map[string]any
		codes      []string
		accepts    bool // an update succeeded elsewhere in the run
		kept       bool
	}{
		"a valid update succeeds":                    {[]string{"create", "update"}, []map[string]any{nil, value("x")}, []string{well, well}, false, true},
		"a valid update meets a conflict":            {[]string{"create", "update"}, []map[string]any{nil, value("x")}, []string{well, conflict}, true, false},
		"a valid update is refused":                  {[]string{"create", "update"}, []map[string]any{nil, value("x")}, []string{well, invalid}, true, false},
		"the creation is refused":                    {[]string{"create"}, []map[string]any{nil}, []string{conflict}, true, false},
		"an unknown name is refused":                 {[]string{"create", "update"}, []map[string]any{nil, unknown}, []string{well, invalid}, true, true},
		"an unknown name is refused, as all updates": {[]string{"create", "update"}, []map[string]any{nil, unknown}, []string{well, invalid}, false, false},
		"an unknown name, and nothing is found":      {[]string{"create", "update"}, []map[string]any{nil, unknown}, []string{well, missing}, true, false},
		"an error that may pass":                     {[]string{"create", "update"}, []map[string]any{nil, unknown}, []string{well, "INTERNAL_ERROR"}, true, false},
		"a null is refused":                          {[]string{"create", "update"}, []map[string]any{nil, null}, []string{well, invalid}, true, true},
		"an update after the removal":                {[]string{"create", "delete", "update"}, []map[string]any{nil, nil, value("x")}, []string{well, well, missing}, true, true},
		"an update after the removal, as all":        {[]string{"create", "delete", "update"}, []map[string]any{nil, nil, value("x")}, []string{well, well, missing}, false, false},
		"an answer is missing":                       {[]string{"create", "update"}, []map[string]any{nil, value("x")}, []string{well}, true, false},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{}, KnownGood: map[string]model.KnownGood{}}
		for operation, category := range map[string]string{"create": "CREATE", "update": "UPDATE", "delete": "DELETE"} {
			o := probes.Operation{Name: operation, Category: category}
			if category == "UPDATE" {
				o.Parameters = []probes.Parameter{{Name: "input", Type: "object"}}
			}
			f.Operations = append(f.Operations, o)
		}
		f.ObjectKinds = []*model.ObjectKind{{Accepted: map[string]bool{"update.title": c.accepts}}}
		sc := model.Script{}
		var got probes.Answers
		for i, operation := range c.operations {
			sc.Steps = append(sc.Steps, model.Step{Operation: operation, Params: c.params[i], MadeBy: model.NoObject})
			if i == len(c.codes) {
				break
			}
			envelope := `{"success":true,"data":{}}`
			if c.codes[i] != well {
				envelope = fmt.Sprintf(`{"success":false,"error":{"code":%q,"message":"no"}}`, c.codes[i])
			}
			got = append(got, probes.Classify(probes.Call("main", "t", operation, c.params[i]), wire.Reply{Class: wire.Answered,
				Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}}))
		}
		if kept := Kept(f, sc, got); kept != c.kept {
			t.Errorf("%s: kept %t, want %t", name, kept, c.kept)
		}
	}
}
