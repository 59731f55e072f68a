package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// served serves a handler over HTTP and returns the target that reaches it.
func served(t testing.TB, h http.Handler) wire.Target {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return wire.Target{URL: s.URL + "/mcp", StartTimeout: 10 * time.Second, Grace: 500 * time.Millisecond}
}

func TestHealthyHTTP(t *testing.T) {
	for name, o := range map[string]*mcp.StreamableHTTPOptions{
		"sse": {}, "json": {JSONResponse: true}, "stateless": {Stateless: true}, "stateless json": {Stateless: true, JSONResponse: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := healthy()
			c, rec := open(t, served(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o)))
			if h := c.Hello(); h.Revision != wire.DefaultRevision || h.SDKError != "" || h.Result() == nil || h.Asked.Seq == 0 || h.Answer.Seq == 0 {
				t.Errorf("hello: %+v", h)
			}
			var wg sync.WaitGroup
			ctx := soon(t)
			for i := range 128 {
				wg.Go(func() {
					text := fmt.Sprintf("n%d.", i)
					r := c.Ask(ctx, "tools/call", echo(text))
					want(t, r, wire.Answered, text)
					if r.Status != 200 || r.Elapsed <= 0 {
						t.Errorf("status %d, elapsed %v", r.Status, r.Elapsed)
					}
				})
			}
			wg.Wait()
			r := c.Throw(ctx, []byte(`{"jsonrpc":`))
			if r.Class != wire.Rejected || r.Status != 400 {
				t.Errorf("broken frame: %+v", r)
			}
			want(t, c.Ask(ctx, "tools/call", echo("alive")), wire.Answered, "alive")
			if s := c.Strays(); len(s) != 0 {
				t.Errorf("strays: %+v", s)
			}
			_ = c.Close()
			if c.Alive() {
				t.Error("alive after close")
			}
			want(t, c.Ask(ctx, "ping", nil), wire.Gone, "")
			deleted := false
			for _, f := range rec.Frames() {
				deleted = deleted || f.Note == "DELETE /mcp"
			}
			if deleted == o.Stateless {
				t.Errorf("session deleted: %v", deleted)
			}
		})
	}
}

// rogueHTTP answers as the fake adapter does, with a handler of its own for
// tools/call.
func rogueHTTP(call func(w http.ResponseWriter, r *http.Request, id, name string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_ = json.Unmarshal(body, &m) // broken frames have no method
		switch {
		case m.Method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Mcp-Session-Id", "s-1")
			_, _ = io.WriteString(w, strings.ReplaceAll(hellos[""], "ID", string(m.ID)))
		case m.Method == "tools/call":
			call(w, r, string(m.ID), m.Params.Name)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}
}

// Who is not there was asked nothing: only the request that a server died of went
// out and stayed without an answer.
func TestServerThatEnds(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(rogueHTTP(func(http.ResponseWriter, *http.Request, string, string) {
		_ = server.Listener.Close()
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	c, _ := open(t, wire.Target{URL: server.URL + "/mcp", StartTimeout: 10 * time.Second, Grace: 500 * time.Millisecond})
	if r := c.Ask(soon(t), "tools/call", call("last")); r.Class != wire.Gone || r.Sent.Dir != wire.Sent {
		t.Errorf("the last request: %+v", r)
	}
	if r := c.Ask(soon(t), "tools/call", call("late")); r.Class != wire.Gone || r.Sent.Dir != wire.Event {
		t.Errorf("a request after the end: %+v", r)
	}
}

func TestOddHTTPAnswers(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a redirect to another host was followed")
	}))
	defer elsewhere.Close()
	plain := func(status int, text string) func(http.ResponseWriter, *http.Request, string) {
		return func(w http.ResponseWriter, _ *http.Request, _ string) { http.Error(w, text, status) }
	}
	typed := func(status int, kind, text string) func(http.ResponseWriter, *http.Request, string) {
		return func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, strings.ReplaceAll(text, "ID", id))
		}
	}
	cases := map[string]struct {
		serve  func(http.ResponseWriter, *http.Request, string)
		class  wire.Class
		status int
		text   string
		strays int
	}{
		"401":            {plain(401, "who are you"), wire.Rejected, 401, "who are you", 0},
		"401 json":       {typed(401, "application/json", `{"error":"invalid_token"}`), wire.Rejected, 401, "invalid_token", 0},
		"404":            {plain(404, "gone"), wire.Rejected, 404, "gone", 0},
		"405":            {plain(405, "no"), wire.Rejected, 405, "no", 0},
		"413":            {plain(413, "too big"), wire.Rejected, 413, "too big", 0},
		"500":            {plain(500, "oops"), wire.Rejected, 500, "oops", 0},
		"202":            {typed(202, "", ""), wire.Rejected, 202, "", 0},
		"200 empty":      {typed(200, "application/json", ""), wire.Rejected, 200, "", 0},
		"200 page":       {typed(200, "text/html", "<html>"), wire.Garbled, 200, "<html>", 0},
		"200 text rpc":   {typed(200, "text/plain", fine), wire.Answered, 200, `"content"`, 0},
		"other id":       {typed(200, "application/json", `{"jsonrpc":"2.0","id":99,"result":{}}`), wire.Garbled, 200, "99", 1},
		"400 rpc":        {typed(400, "application/json", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"m"}}`), wire.Answered, 400, "-32602", 0},
		"400 rpc null":   {typed(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`), wire.Answered, 400, "-32700", 0},
		"batch":          {typed(200, "application/json", "["+fine+"]"), wire.Garbled, 200, "[{", 0},
		"sse":            {typed(200, "text/event-stream", ": hi\r\nid: 1\r\ndata:\r\n\r\nevent: message\r\ndata: "+fine+"\r\n\r\n"), wire.Answered, 200, `"content"`, 0},
		"sse two lines":  {typed(200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":ID,\"result\":{}}\n\n"), wire.Answered, 200, `"result"`, 0},
		"sse twice":      {typed(200, "text/event-stream", "data: "+fine+"\n\ndata: "+fine+"\n\n"), wire.Answered, 200, `"content"`, 1},
		"sse null error": {typed(200, "text/event-stream", "data: "+answers["null-id"]+"\n\n"), wire.Answered, 200, `-32700`, 0},
		"sse no answer":  {typed(200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n"), wire.Rejected, 200, "", 0},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, wire.Rejected, 307, "", 0},
		"slash": {func(w http.ResponseWriter, r *http.Request, id string) {
			if !strings.HasSuffix(r.URL.Path, "/") {
				http.Redirect(w, r, r.URL.Path+"/", http.StatusTemporaryRedirect)
				return
			}
			typed(200, "application/json", fine)(w, r, id)
		}, wire.Answered, 200, `"content"`, 0},
		"reset": {func(http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) }, wire.Gone, 0, "", 0},
	}
	c, _ := open(t, served(t, rogueHTTP(func(w http.ResponseWriter, r *http.Request, id, name string) {
		if r.Header.Get("Mcp-Session-Id") != "s-1" || r.Header.Get("Mcp-Protocol-Version") != "2025-06-18" {
			t.Errorf("%s: headers %v", name, r.Header)
		}
		if name == "fine" {
			typed(200, "application/json", fine)(w, r, id)
			return
		}
		cases[name].serve(w, r, id)
	})))
	for name, tt := range cases {
		before := len(c.Strays())
		r := c.Ask(soon(t), "tools/call", call(name))
		if r.Class != tt.class || r.Status != tt.status || !strings.Contains(string(r.Received.Data), tt.text) {
			t.Errorf("%s: got %s %d %q %s, want %s %d %q", name, r.Class, r.Status, r.Received.Data, r.Exit, tt.class, tt.status, tt.text)
		}
		want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
		if name != "sse twice" && len(c.Strays())-before != tt.strays {
			t.Errorf("%s: strays %+v", name, c.Strays()[before:])
		}
	}
	_ = c.Close() // the second answer of a stream may come behind the first by as much
	if got := c.Strays(); len(got) != 2 {
		t.Errorf("strays %+v", got)
	}
}

func TestEndlessStream(t *testing.T) {
	c, _ := open(t, served(t, rogueHTTP(func(w http.ResponseWriter, r *http.Request, id, name string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, ": wait\n\n")
		if name == "answered" {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(fine, "ID", id))
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	r := c.Ask(ctx, "tools/call", call("never"))
	if r.Class != wire.Silent || r.Status != 200 {
		t.Errorf("got %+v", r)
	}
	want(t, c.Ask(soon(t), "tools/call", call("answered")), wire.Answered, "content")
	if !c.Alive() {
		t.Error("a silent server is alive")
	}
}

func TestQuestionOnAStream(t *testing.T) {
	answered := make(chan string, 2)
	c, _ := open(t, served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), "method") && len(body) > 0 {
			answered <- string(body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		rogueHTTP(func(w http.ResponseWriter, r *http.Request, id, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprint(w, `data: {"jsonrpc":"2.0","id":"s1","method":"ping"}`+"\n\n")
			w.(http.Flusher).Flush()
			select {
			case got := <-answered:
				_, _ = fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,"result":{"told":%s}}`+"\n\n", id, got)
			case <-r.Context().Done():
			}
		})(w, r)
	})))
	want(t, c.Ask(soon(t), "tools/call", call("x")), wire.Answered, `"told":{"jsonrpc":"2.0","id":"s1","result":{}}`)
}

func TestStreamIsResumed(t *testing.T) {
	id := make(chan string, 1)
	inner := rogueHTTP(func(w http.ResponseWriter, _ *http.Request, asked, _ string) {
		id <- asked
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "id: e7\nretry: 1\ndata:\n\n")
	})
	c, _ := open(t, served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			inner(w, r)
			return
		}
		if r.Header.Get("Last-Event-ID") != "e7" || r.Header.Get("Mcp-Session-Id") != "s-1" {
			t.Errorf("headers %v", r.Header)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(fine, "ID", <-id))
	})))
	want(t, c.Ask(soon(t), "tools/call", call("x")), wire.Answered, "content")
}

// A session id may be as long as the server likes. It is sent back whole, and recorded in part.
func TestLongSessionID(t *testing.T) {
	id := strings.Repeat("s", 100<<10)
	answer := rogueHTTP(func(w http.ResponseWriter, r *http.Request, n, _ string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"whole":%t}}`, n, r.Header.Get("Mcp-Session-Id") == id)
	})
	c, _ := open(t, served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rw := httptest.NewRecorder()
		answer(rw, r)
		maps.Copy(w.Header(), rw.Header())
		w.Header().Set("Mcp-Session-Id", id)
		w.WriteHeader(rw.Code)
		_, _ = w.Write(rw.Body.Bytes())
	})))
	if got := c.Hello().Session; len(got) > wire.MostOfSession+100 || !strings.HasPrefix(got, id[:wire.MostOfSession]) {
		t.Errorf("the recorded session id has %d bytes", len(got))
	}
	want(t, c.Ask(soon(t), "tools/call", echo("any")), wire.Answered, `"whole":true`)
}
