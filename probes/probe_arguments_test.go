package probes

import (
	"testing"
)

// The arguments of a call are those of its payload, in whatever order a transcript has its members.
func TestArgumentsOfARecordedCall(t *testing.T) {
	for _, payload := range []string{
		`{"arguments":{"operation":"get","params":{"id":1}},"name":"read"}`,
		`{"name":"read","arguments":{"operation":"get","params":{"id":1}}}`,
		`{"arguments":{"operation":"get","params":{"id":1}},"name":"read","_meta":{"trace":"0123456789"}}`,
		`{"arguments":{"operation":"get","params":{"id":1}},"_meta":{},"name":"read"}`,
	} {
		s := &shelf{held: &frames{payload: []byte(payload)}, call: true}
		s.kept = newExchange(s.held, true)
		p := Probe{Conn: "main", Tool: "read", told: taker(s)}
		if got, want := string(p.Arguments()), `{"operation":"get","params":{"id":1}}`; got != want {
			t.Errorf("%s: %s", payload, got)
		}
	}
}
