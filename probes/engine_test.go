package probes

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
