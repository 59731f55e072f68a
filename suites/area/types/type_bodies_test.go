package types

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An object with free keys has no fields to list, unless an operation returns it or nothing describes it.
func TestObjectsWithFreeKeysNeedNoFields(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "INT-3.6-02")
	for _, c := range []struct {
		record, returns string
		want            reports.Verdict
	}{
		{`{"name":"Names","kind":"object","description":"Each key is a language"}`, "Room", reports.Warn},
		{`{"name":"Names","kind":"object","description":"Each key is a language"}`, "Names", reports.Fail},
		{`{"name":"Names","kind":"object"}`, "Room", reports.Fail},
		{`{"name":"Names","kind":"object","description":"Each key is a language","fields":{"en":"string"}}`, "Room", reports.Fail},
		{`{"name":"Names","kind":"object","fields":[]}`, "Room", reports.Pass},
	} {
		details, err := probes.ParseValue([]byte(c.record))
		if err != nil {
			t.Fatal(err)
		}
		op := probes.Operation{Name: "get_room", Details: probes.ValueOf(map[string]any{"returns": map[string]any{"name": c.returns}})}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}}
		if r := judge(model.Subject{Adapter: f, Name: "Names", Kind: probes.Type{Name: "Names", Kind: "object", Details: details}}, nil); r.Verdict != c.want {
			t.Errorf("%s returned by %s: %s, want %s", c.record, c.returns, r.Verdict, c.want)
		}
	}
}
