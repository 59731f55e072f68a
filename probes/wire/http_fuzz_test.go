package wire_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// Whatever bytes come back over HTTP, connecting ends: it fails in one line, or the connection answers
// and closes in time.
func FuzzHTTP(f *testing.F) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: "
	for _, s := range []string{
		ok + "application/json\r\nMcp-Session-Id: a\r\n\r\n" + `{"jsonrpc":"2.0","id":"aql-1","result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`,
		ok + "text/event-stream\r\n\r\nid: 1\nretry: 1\nevent: endpoint\ndata: /messages\n\n",
		"HTTP/1.1 429 Slow\r\nRetry-After: 99999999999\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 307 T\r\nLocation: //[::1/\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/9 x", "",
		ok + "application/json\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\nfffffffff\r\n{",
	} {
		f.Add([]byte(s))
	}
	listener, err := (&net.ListenConfig{}).Listen(f.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	answers := make(chan []byte, 1)
	answers <- nil
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(time.Second))
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					answer := <-answers
					answers <- answer
					_, _ = c.Write(answer)
				}
			}()
		}
	}()
	f.Cleanup(func() { listener.Close() })
	f.Fuzz(func(t *testing.T, answer []byte) {
		<-answers
		answers <- answer
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		target := wire.Target{URL: "http://" + listener.Addr().String() + "/mcp", StartTimeout: 100 * time.Millisecond, Grace: 100 * time.Millisecond}
		conn, err := wire.Open(ctx, target, "main", wire.NewRecorder())
		if err == nil {
			conn.Close()
		} else if strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("an error of two lines: %q", err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}
