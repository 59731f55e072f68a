package levels

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A capability that an adapter says it does not have is no extension.
func TestExtensions(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{"batch":true,"execution_safety_loop":"disabled"}`:  "",
		`{"execution_safety_loop":"enforcing","magic":true}`: "execution_safety_loop magic",
		`{"magic":false}`: "",
	} {
		frame := wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1","result":{"structuredContent":{"success":true,"data":{"_protocol":{"capabilities":` + capabilities + `}}}}}`)}
		_, got := extensions(probes.Classify(probes.Call("main", "aql", "introspect", nil), wire.Reply{Class: wire.Answered, Received: frame}))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", capabilities, got, want)
		}
	}
}
