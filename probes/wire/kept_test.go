package wire_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A server may close a kept connection at any time and need not announce it. A call that meets this
// is no call that it left unanswered, and the next one does not meet it.
func TestServerThatClosesKeptConnections(t *testing.T) {
	for _, after := range []time.Duration{0, 50 * time.Microsecond, 200 * time.Microsecond, time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			server := httptest.NewUnstartedServer(rogueHTTP(func(w http.ResponseWriter, _ *http.Request, id, _ string) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
			}))
			server.Config.ConnState = func(c net.Conn, s http.ConnState) {
				if s == http.StateIdle {
					time.AfterFunc(after, func() { _ = c.Close() })
				}
			}
			server.Start()
			defer server.Close()
			lost, kept := 0, new(wire.Keeping)
			for range 40 {
				c, _ := open(t, wire.Target{URL: server.URL + "/mcp", StartTimeout: 10 * time.Second, Grace: 500 * time.Millisecond, Kept: kept})
				for range 10 {
					switch r := c.Ask(soon(t), "tools/call", echo("x")); {
					case r.Class == wire.Gone && r.Exit == wire.HungUp:
						lost++
					case r.Class != wire.Answered:
						t.Errorf("%s, exit %q", r.Class, r.Exit)
					}
				}
				_ = c.Close()
			}
			if lost > 1 {
				t.Errorf("%d calls met a closed connection, want 1 at most", lost)
			}
		})
	}
}

// A server that ends a connection instead of answering does so on a new one as well.
func TestServerThatDropsOneCall(t *testing.T) {
	c, _ := open(t, served(t, rogueHTTP(func(w http.ResponseWriter, _ *http.Request, id, name string) {
		if name == "rotten" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
	})))
	want(t, c.Ask(soon(t), "tools/call", call("good")), wire.Answered, "")
	want(t, c.Ask(soon(t), "tools/call", call("rotten")), wire.Gone, "")
	if r := c.Ask(soon(t), "tools/call", call("rotten")); r.Class != wire.Gone || r.Exit == wire.HungUp {
		t.Errorf("the second drop: %s, exit %q", r.Class, r.Exit)
	}
}
