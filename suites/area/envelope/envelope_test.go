package envelope

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
)

// One answer has one truth; but a member success inside the data of a domain is
// no second envelope, wherever the data is repeated.
func TestOneAnswerHasOneTruth(t *testing.T) {
	for name, c := range map[string]struct {
		text, structured string
		want             reports.Verdict
	}{
		"twins":                        {`{"success":true,"data":1}`, `{"success":true,"data":1}`, reports.Pass},
		"twins that differ in data":    {`{"success":true,"data":1}`, `{"success":true,"data":2}`, reports.Pass},
		"success beside failure":       {`{"success":true,"data":1}`, `{"success":false,"error":{"code":"X"}}`, reports.Fail},
		"failure beside success":       {`{"success":false,"error":{"code":"X"}}`, `{"success":true,"data":null}`, reports.Fail},
		"structured data alone":        {`{"success":true,"data":{"success":false,"job":1}}`, `{"success":false,"job":1}`, reports.Pass},
		"text of the data alone":       {`{"success":false,"job":1}`, `{"success":true,"data":{"success":false,"job":1}}`, reports.Pass},
		"a stranger that has success":  {`{"success":false,"job":1}`, `{"success":true,"data":2}`, reports.NotProven},
		"a stranger that has error":    {`{"error":"none"}`, `{"success":true,"data":2}`, reports.Pass},
		"success in words on one side": {`{"success":"no"}`, `{"success":false,"error":{"code":"X"}}`, reports.Pass},
	} {
		t.Run(name, func(t *testing.T) {
			item := string(probes.ValueOf(c.text).Raw())
			answer := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + item + `}],"structuredContent":` + c.structured + `}}`
			o := probes.Classify(probes.Call("main", "mcp_aql", "list_notes", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(answer)}})
			if got := discriminated(nil, o); got.Verdict != c.want {
				t.Errorf("ruled %s (%s), want %s", got.Verdict, got.Got, c.want)
			}
		})
	}
}
