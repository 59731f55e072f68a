package wire_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An adapter inside this process reads a break where it is left without a word, and
// the end of its input where it is left in order.
func TestAnAbruptEndIsNoEndOfInput(t *testing.T) {
	for name, leave := range map[string]func(wire.Conn){
		"orderly": func(c wire.Conn) { _ = c.Close() },
		"abrupt":  func(c wire.Conn) { c.Abort() },
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 1)
			target := piped(healthy())
			open := target.Pipe
			target.Pipe = func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
				in, out, err := open(ctx)
				read, write := io.Pipe()
				go func() {
					lines := bufio.NewReader(read)
					_, err := io.Copy(in, lines)
					ended <- err
					_ = in.Close()
				}()
				return write, out, err
			}
			c, err := wire.Open(soon(t), target, "test", wire.NewRecorder())
			if err != nil {
				t.Fatal(err)
			}
			leave(c)
			if err := <-ended; (err != nil) != (name == "abrupt") {
				t.Errorf("the adapter reads %v", err)
			}
			if c.Alive() {
				t.Error("the connection is alive")
			}
		})
	}
}

// Over HTTP an orderly end is a DELETE, an abrupt one is silence; a server that does
// not let a session end is heard.
func TestTheEndOfAnHTTPSession(t *testing.T) {
	var mu sync.Mutex
	var methods []string
	refuse := false
	s := healthy()
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	target := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		methods = append(methods, r.Method)
		no := refuse && r.Method == http.MethodDelete
		mu.Unlock()
		if no {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { // what was left to the server
		for left := range s.Sessions() {
			_ = left.Close()
		}
	})
	deleted := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(strings.Join(methods, " "), http.MethodDelete)
	}
	c, _ := open(t, target)
	c.Abort()
	if deleted() {
		t.Error("an abrupt end sends a DELETE")
	}
	c, _ = open(t, target)
	if err := c.Close(); err != nil || !deleted() {
		t.Errorf("an orderly end: %v, DELETE sent: %t", err, deleted())
	}
	mu.Lock()
	refuse = true
	mu.Unlock()
	c, _ = open(t, target)
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "405") {
		t.Errorf("a server that keeps the session: %v", err)
	}
}

// The server is told the name that the target asks for.
func TestAClientNameOfItsOwn(t *testing.T) {
	target := piped(healthy())
	target.Client = "somebody"
	_, rec := open(t, target)
	if !strings.Contains(sent(rec), `"name":"somebody"`) {
		t.Errorf("sent %s", sent(rec))
	}
}
