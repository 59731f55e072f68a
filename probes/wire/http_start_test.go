package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aql-conform/aql-conform/probes/wire"
)

func TestHTTPStartErrors(t *testing.T) {
	status := func(code int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, code) })
	}
	silent := served(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	silent.StartTimeout = 100 * time.Millisecond
	nobody := httptest.NewServer(status(200, ""))
	nobody.Close()
	for _, tt := range []struct {
		name   string
		target wire.Target
		stage  string
		text   string
	}{
		{"nobody", wire.Target{URL: nobody.URL}, "connect", "connection refused"},
		{"no url", wire.Target{URL: "localhost:80"}, "connect", "want http://"},
		{"401", served(t, status(401, "who are you")), "handshake", "HTTP 401 Unauthorized"},
		{"404", served(t, status(404, "no such page")), "handshake", "HTTP 404 Not Found"},
		{"405", served(t, status(405, "no")), "handshake", "GET answered with HTTP 405"},
		{"500", served(t, status(500, "oops")), "handshake", "HTTP 500 Internal Server Error"},
		{"page", served(t, status(200, "<html>")), "handshake", "no JSON-RPC"},
		{"silent", silent, "handshake", "no answer to initialize within 100ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wire.Open(t.Context(), tt.target, "test", wire.NewRecorder())
			var e *wire.StartError
			if !errors.As(err, &e) || e.Stage != tt.stage || !strings.Contains(e.Error(), tt.text) {
				t.Fatalf("got %#v (%v), want %s: %s", err, err, tt.stage, tt.text)
			}
		})
	}
}

func TestOddHTTPHellos(t *testing.T) {
	for name := range hellos {
		if strings.HasPrefix(name, "modern") {
			continue // TestOldAskedOfAModernServer
		}
		t.Run(name, func(t *testing.T) {
			inner := rogueHTTP(func(w http.ResponseWriter, _ *http.Request, id, _ string) {
				_, _ = io.WriteString(w, strings.ReplaceAll(fine, "ID", id))
			})
			c, rec := open(t, served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !strings.Contains(string(body), `"initialize"`) {
					r.Body = io.NopCloser(strings.NewReader(string(body)))
					inner(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Mcp-Session-Id", "s-1")
				lines := strings.Split(hellos[name], "\n")
				_, _ = io.WriteString(w, strings.ReplaceAll(lines[len(lines)-1], "ID", "1"))
			})))
			h := c.Hello()
			hasResult := !strings.Contains(hellos[name], `"error"`) && name != "hello-batch"
			if (h.Result() != nil) != hasResult || h.Asked.Seq == 0 || h.Answer.Seq == 0 {
				t.Errorf("hello: %+v", h)
			}
			want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, `"content":[]`)
			if hasResult && !strings.Contains(sent(rec), "notifications/initialized") {
				t.Errorf("initialized was not sent; sdk error %q", h.SDKError)
			}
		})
	}
}

func TestLegacy(t *testing.T) {
	s := healthy()
	c, rec := open(t, served(t, mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)))
	if h := c.Hello(); h.Revision == "" || h.SDKError != "" || h.Result() == nil {
		t.Errorf("hello: %+v", h)
	}
	var wg sync.WaitGroup
	ctx := soon(t)
	for i := range 32 {
		wg.Go(func() {
			text := fmt.Sprintf("n%d.", i)
			want(t, c.Ask(ctx, "tools/call", echo(text)), wire.Answered, text)
		})
	}
	wg.Wait()
	if r := c.Throw(ctx, []byte(`{"jsonrpc":`)); r.Class != wire.Rejected || r.Status != 400 {
		t.Errorf("broken frame: %+v", r)
	}
	if s := c.Strays(); len(s) != 0 {
		t.Errorf("strays: %+v", s)
	}
	if !strings.Contains(sent(rec), "notifications/initialized") {
		t.Error("initialized was not sent")
	}
	_ = c.Close()
	if c.Alive() {
		t.Error("alive after close")
	}
}

func TestLegacyEndpointElsewhere(t *testing.T) {
	target := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "event: endpoint\ndata: http://elsewhere.invalid/messages\n\n")
	}))
	_, err := wire.Open(t.Context(), target, "test", wire.NewRecorder())
	if err == nil || !strings.Contains(err.Error(), "names no endpoint") {
		t.Errorf("got %v", err)
	}
}

func TestLegacyRefusesInitialize(t *testing.T) {
	target := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && r.URL.Path == "/mcp":
			w.WriteHeader(http.StatusNotFound)
		case r.Method != http.MethodGet:
			http.Error(w, "who are you", http.StatusUnauthorized)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprint(w, "event: endpoint\ndata: /messages?id=1\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}))
	_, err := wire.Open(t.Context(), target, "test", wire.NewRecorder())
	var e *wire.StartError
	if !errors.As(err, &e) || e.Stage != "handshake" || !strings.Contains(e.Error(), "401") {
		t.Errorf("got %v", err)
	}
}
