//go:build unix

package probes

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// startingLate is an MCP server that answers so many seconds after its start. It knows server/discover as
// little as most servers do, and answers it as late as all else.
func startingLate(t *testing.T, seconds string) wire.Target {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	return wire.Target{Grace: 50 * time.Millisecond, Command: []string{shell, "-c", `sleep ` + seconds + `
while read -r line; do
	id=$(printf %s "$line" | sed -n 's/.*"id":\([^,}]*\).*/\1/p')
	case $line in
	*'"method":"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"slow","version":"1"}}}';;
	*'"id":'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"unknown method"}}';;
	esac
done`}}
}

// Processes are started ahead for an adapter that is slow to start, whichever request is its first,
// and for no other.
func TestSlowStartsAreMadeAhead(t *testing.T) {
	for seconds, want := range map[string]bool{"0.5": true, "0": false} {
		e := NewEngine(wire.NewRecorder(), 10*time.Second, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if err := e.Open(ctx, "main", startingLate(t, seconds)); err != nil {
			t.Fatal(err)
		}
		e.StartAhead("main", 1)
		took := e.conns["main"].startTook()
		if seconds == "0" && took >= slowStart {
			t.Logf("the machine is busy: a start took %s", took)
			want = true
		}
		if got := e.target("main").Spares != nil; got != want {
			t.Errorf("an adapter that starts in %s s: started ahead %v", seconds, got)
		}
		cancel()
		e.Close()
	}
}
