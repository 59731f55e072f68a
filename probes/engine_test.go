package probes

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// mortal is an MCP server that dies of its first question after the handshake.
func mortal(context.Context) (io.WriteCloser, io.Reader, error) {
	fromUs, toServer := io.Pipe()
	fromServer, toUs := io.Pipe()
	go func() {
		defer fromUs.Close()
		defer toUs.Close()
		lines := bufio.NewScanner(fromUs)
		for lines.Scan() {
			var r struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == nil {
				continue
			}
			if r.Method != "initialize" {
				return
			}
			fmt.Fprintf(toUs, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"mortal","version":"1"}}}`+"\n", r.ID)
		}
	}()
	return toServer, fromServer, nil
}

// Questions that are asked at once of a server that dies of each keep to the connection
// that they were given, whoever opens the next. The race detector is the judge.
func TestDyingServerIsReopenedBesideQuestions(t *testing.T) {
	for range 50 {
		e := NewEngine(wire.NewRecorder(), 5*time.Second, 8)
		if err := e.Open(t.Context(), "main", wire.Target{Pipe: mortal, Grace: time.Second}); err != nil {
			t.Fatal(err)
		}
		lost := make([]Observation, 20)
		tasks := make([]Task, len(lost))
		for i := range tasks {
			tasks[i].Do = func(ctx context.Context) { lost[i] = e.Ask(ctx, Request("main", "ping", nil).Numbered(i)) }
		}
		e.Run(t.Context(), tasks)
		e.Close()
		for _, o := range lost {
			if o.Outcome != Gone {
				t.Fatalf("a question to a dead server is %s (%s), want gone", o.Outcome, o.Exit)
			}
		}
	}
}

// What goes wrong beside is the caller's trouble, once all the rest is done.
func TestSideBySide(t *testing.T) {
	var done [40]bool
	defer func() {
		if r := recover(); r != "the thirteenth" {
			t.Errorf("the caller hears of %v", r)
		}
		for i, was := range done {
			if !was {
				t.Errorf("%d was left out", i)
			}
		}
	}()
	SideBySide(len(done), 3, func(i int) {
		done[i] = true
		if i == 13 {
			panic("the thirteenth")
		}
	})
}

// forgetful is an adapter that fails the first call and refuses the second one with a code.
func forgetful(code string) func(context.Context) (io.WriteCloser, io.Reader, error) {
	return func(context.Context) (io.WriteCloser, io.Reader, error) {
		fromUs, toServer := io.Pipe()
		fromServer, toUs := io.Pipe()
		go func() {
			defer fromUs.Close()
			defer toUs.Close()
			calls := 0
			for lines := bufio.NewScanner(fromUs); lines.Scan(); {
				var r struct {
					ID     json.RawMessage `json:"id"`
					Method string          `json:"method"`
				}
				if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == nil {
					continue
				}
				result := `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"forgetful","version":"1"}}`
				if r.Method == "tools/call" {
					calls++
					told := "INTERNAL_ERROR"
					if calls > 1 {
						told = code
					}
					result = fmt.Sprintf(`{"isError":true,"content":[],"structuredContent":{"success":false,"error":{"code":%q,"message":"no"}}}`, told)
				}
				fmt.Fprintf(toUs, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, result)
			}
		}()
		return toServer, fromServer, nil
	}
}

// writing lets a call through that writes, and lets it be sent again.
type writing struct{}

func (writing) Enter(context.Context, Probe) (func(Observation) string, string) {
	return func(Observation) string { return "" }, ""
}
func (writing) Again(Observation) (may, writes bool) { return true, true }

// A write that met an error may have been done. A refusal of the second request that this explains
// is no answer to the first, and a token may have been used up.
func TestRefusalOfWhatWasDoneIsNoAnswer(t *testing.T) {
	for code, counts := range map[string]bool{
		"TOKEN_ALREADY_USED": false, "TOKEN_INVALID": false, "CONFLICT_DUPLICATE": false, "NOT_FOUND_RESOURCE": false,
		"VALIDATION_MISSING_PARAM": true,
	} {
		e := NewEngine(wire.NewRecorder(), 5*time.Second, 1)
		if err := e.Open(t.Context(), "main", wire.Target{Pipe: forgetful(code), Grace: time.Second}); err != nil {
			t.Fatal(err)
		}
		e.Guard("main", writing{})
		o := e.Ask(t.Context(), Call("main", "mcp_aql_delete", "empty_folder", map[string]any{"folder_id": "1"}))
		e.Close()
		if got := o.Code() == code; got != counts || o.Cured == "" {
			t.Errorf("%s after an error that passed: the answer is %s, cured %q", code, o.Code(), o.Cured)
		}
	}
}

// A server that closes a kept connection says nothing of the request: a READ is sent on a new one,
// and of a write nobody knows.
func TestKeptConnectionIsClosed(t *testing.T) {
	for name, gate := range map[string]Gate{"reads": introspection{}, "writes": writing{}} {
		t.Run(name, func(t *testing.T) {
			type first struct{}
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.Unmarshal(body, &m)
				if r.Context().Value(first{}).(*atomic.Bool).Swap(true) && m.Method == "tools/call" {
					panic(http.ErrAbortHandler)
				}
				result := `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"short","version":"1"}}`
				if m.Method == "tools/call" {
					result = `{"content":[],"structuredContent":{"success":true,"data":{}}}`
				}
				w.Header().Set("Content-Type", "application/json")
				if m.ID == nil {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}))
			server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
				return context.WithValue(ctx, first{}, new(atomic.Bool))
			}
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			defer server.Close()
			e := NewEngine(wire.NewRecorder(), 5*time.Second, 1)
			if err := e.Open(t.Context(), "main", wire.Target{URL: server.URL, Grace: time.Second}); err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			e.Guard("main", gate)
			for i := range 3 {
				o := e.Ask(t.Context(), Call("main", "mcp_aql_read", "introspect", map[string]any{"query": "operations", "n": i}))
				unknown := name == "writes" && i == 0
				if o.HungUp() != unknown || o.Late != unknown || o.Succeeded() == unknown || o.Cured != "" {
					t.Errorf("call %d: %s, late %v, cured %q", i, o.Brief(), o.Late, o.Cured)
				}
			}
		})
	}
}
