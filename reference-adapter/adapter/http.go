package adapter

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// firstStateless is the first revision of MCP without sessions.
const firstStateless = "2026-07-28"

// Handler serves streamable HTTP at whatever path it is mounted on, with sessions and without.
// Answers are plain JSON bodies, one per request.
func (a *Adapter) Handler() http.Handler {
	options := mcp.StreamableHTTPOptions{JSONResponse: true, MaxRequestBodyBytes: maxFrame}
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return a.server(&Session{}) }, &options)
	options.Stateless = true
	everybody := a.server(&Session{}) // without sessions nobody is told from anybody else
	stateless := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return everybody }, &options)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-a.dead:
			panic(http.ErrAbortHandler) // as a process that ended: the connection breaks
		default:
		}
		server := sessions
		if r.Header.Get("Mcp-Protocol-Version") >= firstStateless {
			server = stateless
		}
		if r.Method != http.MethodPost {
			server.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFrame))
		if err != nil {
			http.Error(w, fmt.Sprintf("the message is longer than %d bytes", maxFrame), http.StatusRequestEntityTooLarge)
			return
		}
		reply := &reply{header: w.Header(), status: http.StatusOK}
		messages, alive := a.Through(body, func(message []byte) []byte {
			r.Body = io.NopCloser(bytes.NewReader(message))
			r.ContentLength = int64(len(message))
			server.ServeHTTP(reply, r)
			return reply.body.Bytes()
		})
		if !alive {
			a.dying.Do(func() { close(a.dead) })
			panic(http.ErrAbortHandler)
		}
		reply.send(w, messages, isRequest(body))
	})
	if a.Hooks.Served != nil {
		return a.Hooks.Served(handler)
	}
	return handler
}

// reply holds back one HTTP answer so that a fault can rewrite its message.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *reply) Header() http.Header            { return r.header }
func (r *reply) WriteHeader(status int)         { r.status = status }
func (r *reply) Write(part []byte) (int, error) { return r.body.Write(part) }

func (r *reply) send(w http.ResponseWriter, messages [][]byte, asked bool) {
	r.header.Del("Content-Length")
	switch {
	case len(messages) == 1:
		if r.body.Len() == 0 { // the MCP server had no part in it
			r.status = http.StatusOK
			r.header.Set("Content-Type", "application/json")
		}
		w.WriteHeader(r.status)
		_, _ = w.Write(messages[0]) // a client that left is no concern of ours
		return
	case len(messages) == 0 && !asked:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	// One JSON body holds one message; none or two need an event stream.
	r.header.Set("Content-Type", "text/event-stream")
	w.WriteHeader(r.status)
	for _, message := range messages {
		_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", message)
	}
}
