package routing

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// A removal that a wrong tool answers as its own tool does has reached its handler, if the adapter tells of the endpoint
// where a READ of what does not exist is misrouted. An adapter that looks for the object first in each operation
// tells nothing.
func TestHandledAtAWrongTool(t *testing.T) {
	const absent, endpoint = "NOT_FOUND_RESOURCE", "VALIDATION_ENDPOINT_MISMATCH"
	for name, c := range map[string]struct {
		own, misrouted, read, readMisrouted string
		want                                bool
	}{
		"one operation overlooks the endpoint": {absent, absent, absent, endpoint, true},
		"each operation looks first":           {absent, absent, absent, absent, false},
		"the endpoint is named":                {absent, endpoint, absent, endpoint, false},
		"the rate is limited":                  {absent, absent, absent, "RATE_LIMIT_EXCEEDED", false},
		"nothing is known of a READ":           {absent, absent, endpoint, endpoint, false},
	} {
		refused := func(tool, operation, step, code string) probes.Observation {
			call := probes.Call("main", tool, operation, map[string]any{"key": "a"}).As(step)
			return checktest.AnswerWithEnvelope(t, call, `{"success":false,"error":{"code":"`+code+`","message":"no"}}`)
		}
		got := probes.Answers{
			refused("remove", "delete_loan", "", c.own), refused("read", "delete_loan", probes.Nth(misrouted, 0), c.misrouted),
			refused("read", "get_loan", absentAtHome, c.read), refused("remove", "get_loan", absentMisrouted, c.readMisrouted),
		}
		if is := handled(got, got[1]); is != c.want {
			t.Errorf("%s: %t", name, is)
		}
	}
}
