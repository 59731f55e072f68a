package types

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// One page of the types does not show that a name is unique, but may show that it is not.
func TestTypeNamesOfOnePage(t *testing.T) {
	const first = `{"name":"Box","kind":"object"}`
	for _, c := range []struct {
		types string
		more  bool
		want  reports.Verdict
	}{
		{first, false, reports.Pass},
		{first, true, reports.NotProven},
		{first + `,{"name":"Box","kind":"scalar"}`, true, reports.Fail},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Introspect: "read"}}
		more := map[bool]string{true: "true", false: "false"}[c.more]
		o := checktest.AnswerWithEnvelope(t, f.TypesListing(), `{"success":true,"data":{"types":[`+c.types+`],"page_info":{"has_more":`+more+`}}}`)
		got := checktest.JudgeOf(t, Checks, "INT-3.5-04")(model.Subject{Adapter: f, Name: "Box", Kind: probes.Type{Name: "Box"}}, probes.Answers{o})
		if got.Verdict != c.want {
			t.Errorf("%s, more %s: %s, want %s", c.types, more, got.Verdict, c.want)
		}
	}
}
