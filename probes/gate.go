package probes

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Gate says what may be sent to one face.
type Gate interface {
	// Enter is asked before a probe is sent. A probe that there is a reason against is not
	// sent: it becomes an Unasked observation with that reason. Otherwise leave is told what
	// became of it, before anybody else is. It returns the identity of a new object that the
	// answer does not tell.
	Enter(ctx context.Context, p Probe) (leave func(Observation) (identity string), why string)
	// Again reports whether a probe that met an error which may pass may be sent once more, and
	// whether it writes.
	Again(first Observation) (may, writes bool)
}

// pass asks what the gate lets through. Nothing else sends.
func (e *Engine) pass(ctx context.Context, p Probe) Observation {
	if e.recalled != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "not in the transcript"}
	}
	face, _, _ := strings.Cut(p.Conn, "/")
	e.mu.Lock()
	bar, gate, why := e.bar, e.gates[face], e.keptBack(p)
	e.mu.Unlock()
	if why != "" { // before the gate prepares a write
		return Observation{Probe: p, Outcome: Unasked, Exit: why}
	}
	if bar != nil {
		if why := bar(p); why != "" {
			return Observation{Probe: p, Outcome: Unasked, Exit: why}
		}
	}
	if gate == nil {
		gate = introspection{}
	}
	first := e.through(ctx, gate, p)
	if p.AtOnce || p.Frame != nil || p.Beside() || first.MayPass() == "" || first.Unanswered() && e.vain.Load() >= maxVain {
		return first
	}
	may, writes := gate.Again(first)
	if first.HungUp() {
		return e.afterHangUp(ctx, gate, first, may && !writes)
	}
	if !may {
		return first
	}
	opens := e.opens(p.Conn)
	again := e.through(ctx, gate, p)
	if again.MayPass() != "" && e.cured.Load() > 0 { // errors of this adapter do pass
		again = e.through(ctx, gate, p)
	}
	if again.Unanswered() {
		e.vain.Add(1)
	}
	if opens != e.opens(p.Conn) {
		return first // another process has answered
	}
	if again.Lost() || again.MayPass() != "" || again.Deferred() {
		return first
	}
	e.cured.Add(1)
	if writes && again.alreadyDone() {
		again = first
	}
	again.Cured = first.MayPass()
	return again
}

// ErrorsMayPass reports whether an error of this adapter has passed so far, or may have: a record is not in
// the order of the run.
func (e *Engine) ErrorsMayPass() bool { return e.recalled != nil || e.cured.Load() > 0 }

// afterHangUp follows a request that met a closed connection. It sends the request once more where
// that is safe, and a ping otherwise. Both use a new connection. If nobody is there, the adapter has
// ended at the first request.
func (e *Engine) afterHangUp(ctx context.Context, gate Gate, first Observation, again bool) Observation {
	var next Observation
	if again {
		next = e.through(ctx, gate, first.Probe)
	} else {
		next = e.through(ctx, introspection{}, Request(first.Probe.Conn, "ping", nil))
	}
	switch {
	case next.Outcome == Gone && next.Sent.Dir != wire.Sent:
		first.Exit, first.Late = next.Exit, false
		return first
	case again:
		return next
	}
	return first
}

// maxVain is how many requests without an answer are sent once more in vain: an adapter that
// hangs would cost the run each wait twice.
const maxVain = 2

func (e *Engine) through(ctx context.Context, gate Gate, p Probe) Observation {
	leave, why := gate.Enter(ctx, p)
	if why != "" {
		return Observation{Probe: p, Outcome: Unasked, Exit: why}
	}
	o := e.ask(ctx, p)
	o.Identity = leave(o)
	return o
}

// introspection is the gate where there is none: it lets through what finds out what an
// adapter is.
type introspection struct{}

func (introspection) Enter(_ context.Context, p Probe) (func(Observation) string, string) {
	call := p.Frame != nil || p.Raw() != nil && p.Method == "" || p.Method == "tools/call"
	if call || p.Method == "" && p.Operation() != "introspect" {
		return nil, "nothing but introspection is sent where no gate was set"
	}
	return func(Observation) string { return "" }, ""
}

func (introspection) Again(Observation) (may, writes bool) { return true, false }

// A load has more exchanges than a record should hold. What is asked under a context of Passing is
// sent through the gate like everything else, and forgotten; Keep adds single ones to the record.

type passingKey struct{}

// Aside is the time that the gate took for requests of its own around one that passes. It is no
// part of what the adapter took to answer.
type Aside struct{ nanoseconds atomic.Int64 }

// Time returns the sum so far.
func (a *Aside) Time() time.Duration { return time.Duration(a.nanoseconds.Load()) }

// Passing returns a context under which requests leave no trace in the record.
func Passing(ctx context.Context) (context.Context, *Aside) {
	a := &Aside{}
	return context.WithValue(ctx, passingKey{}, a), a
}

func passing(ctx context.Context) *Aside {
	a, _ := ctx.Value(passingKey{}).(*Aside)
	return a
}

// passBy asks without keeping anything.
func (e *Engine) passBy(ctx context.Context, p Probe, beside *Aside) Observation {
	began := time.Now()
	o := e.pass(ctx, p)
	o.Exit = string(e.rec.Mask([]byte(o.Exit)))
	e.rec.Forget(o.Sent.Size + o.Received.Size)
	if p.Number < 0 { // the gate asks
		beside.nanoseconds.Add(int64(time.Since(began)))
	}
	return o
}
