package probes

import (
	"context"
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// pauseMethod marks a probe that waits and asks nothing.
const pauseMethod = "$pause"

// Pause returns the probe that lets time pass before a script goes on: until
// something has expired, or before a state is looked at once more.
func Pause(conn string, d time.Duration, step string) Probe {
	return Request(conn, pauseMethod, map[string]any{"milliseconds": d.Milliseconds()}).Anew(step)
}

// Waits says how pauses are made: none longer than most, and each by wait, which
// returns when the time has passed or ctx has ended.
func (e *Engine) Waits(most time.Duration, wait func(ctx context.Context, d time.Duration)) {
	e.longest, e.wait = most, wait
}

// Sleep is how time passes outside of tests.
func Sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (e *Engine) pause(ctx context.Context, p Probe) Observation {
	asked, _ := ParseValue(p.Raw())
	ms, _ := asked.At("milliseconds").Float()
	d := time.Duration(ms) * time.Millisecond
	if d > e.longest {
		return Observation{Probe: p, Outcome: Unasked, Exit: fmt.Sprintf("a wait of %s, longer than %s", d, e.longest)}
	}
	e.wait(ctx, d)
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)}, Elapsed: d})
}

// Beside reports whether the probe asks the adapter nothing: it is a pause, the end
// of a connection, a command of the author, or it listens.
func (p Probe) Beside() bool {
	return p.Method == pauseMethod || p.Method == leaveMethod || p.Method == heardMethod || p.CommandName() != ""
}
