package wire_test

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// TestMain turns the test binary into the fake adapter that roleEnv names, so
// that no test needs a program beside it.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleEnv); role != "" {
		play(role)
		return
	}
	goleak.VerifyTestMain(m)
}

// soon is a context for what must happen in a moment.
func soon(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// A record keeps what a recorder is told.
type record struct {
	mu  sync.Mutex
	all []wire.Frame
}

func (r *record) add(f wire.Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, f)
}

// Frames returns the record so far.
func (r *record) Frames() []wire.Frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// open connects to a target and closes the connection when the test ends.
func open(t testing.TB, target wire.Target) (wire.Conn, *record) {
	t.Helper()
	rec, recorder := &record{}, wire.NewRecorder()
	recorder.OnFrame(rec.add)
	c, err := wire.Open(soon(t), target, "test", recorder)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, rec
}

// healthy is a go-sdk server with one tool that echoes its arguments.
func healthy() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "healthy", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
	return s
}

// piped serves a go-sdk server inside this process.
func piped(s *mcp.Server) wire.Target {
	return wire.Target{Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		go func() {
			_ = s.Run(ctx, &mcp.IOTransport{Reader: inR, Writer: outW})
			_ = outW.Close()
		}()
		return inW, outR, nil
	}}
}

func echo(text string) []byte {
	return []byte(`{"name":"echo","arguments":{"say":"` + text + `"}}`)
}

// want fails unless the reply is of the class and its data contains the text.
func want(t testing.TB, r wire.Reply, class wire.Class, text string) {
	t.Helper()
	if r.Class != class || !strings.Contains(string(r.Received.Data), text) {
		t.Errorf("got %s %d %q (exit %q), want %s with %q", r.Class, r.Status, r.Received.Data, r.Exit, class, text)
	}
}

// sent joins all that we sent.
func sent(rec *record) string {
	var b strings.Builder
	for _, f := range rec.Frames() {
		if f.Dir == wire.Sent {
			b.Write(f.Data)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// notes joins the notes of all events of a record.
func notes(rec *record) string {
	var b strings.Builder
	for _, f := range rec.Frames() {
		if f.Dir == wire.Event {
			b.WriteString(f.Note + "\n")
		}
	}
	return b.String()
}
