package encoding

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// An encoding beside the content of a file says nothing of the name of the file.
func TestEncodingSpeaksOfTheContent(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-4.7.4-01")
	for data, want := range map[string]reports.Verdict{
		`{"name":"readme.md","path":"docs/readme.md","content":"SGVsbG8gV29ybGQ=","encoding":"base64"}`:       reports.Pass,
		`{"file_name":"readme.md","file_id":"f1","file_content":"SGVsbG8gV29ybGQ=","file_encoding":"base64"}`: reports.Pass,
		`{"metadata":"a-b","profile":"none!","content":"SGVsbG8gV29ybGQ=","encoding":"base64"}`:               reports.Pass,
		`{"name":"readme.md","content":"SGVsbG8gV29ybGQ","encoding":"base64"}`:                                reports.Fail,
		`{"file_name":"readme.md","file_content":"_-8=","file_encoding":"base64"}`:                            reports.Fail,
		`{"rawContent":"_-8=","encoding":"base64"}`:                                                           reports.Fail,
		`{"logo":"_-8=","logo_encoding":"base64"}`:                                                            reports.Fail,
		`{"name":"readme.md","content":"Hello!","encoding":"utf-8"}`:                                          reports.NotApplicable,
	} {
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":%s}}}`, data)
		o := probes.Classify(probes.Call("main", "read", "get_file", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(answer)}})
		if got := watch.Ambient.Watch(checktest.LivenessAdapter(), o); got.Verdict != want {
			t.Errorf("%s: got %s, want %s", data, got.Verdict, want)
		}
	}
}
