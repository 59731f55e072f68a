package probes

import (
	"context"
	"strings"
)

// A Gate says what may be sent to one face.
type Gate interface {
	// Enter is asked before a probe is sent. A probe that there is a reason against is not
	// sent: it becomes an Unasked observation with that reason. Otherwise leave is told what
	// became of it, before anybody else is. It returns the identity of a new object that the
	// answer does not tell.
	Enter(ctx context.Context, p Probe) (leave func(Observation) (identity string), why string)
	// Again reports whether a probe that met a transient error may be sent once more.
	Again(p Probe) bool
}

// pass asks what the gate lets through. Nothing else sends.
func (e *Engine) pass(ctx context.Context, p Probe) Observation {
	if e.recalled != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "not in the transcript"}
	}
	face, _, _ := strings.Cut(p.Conn, "/")
	e.mu.Lock()
	bar, gate := e.bar, e.gates[face]
	e.mu.Unlock()
	if bar != nil {
		if why := bar(p); why != "" {
			return Observation{Probe: p, Outcome: Unasked, Exit: why}
		}
	}
	if gate == nil {
		gate = introspection{}
	}
	first := e.through(ctx, gate, p)
	if p.AtOnce || p.Frame != nil || first.Transient() == "" || !gate.Again(p) {
		return first
	}
	again := e.through(ctx, gate, p)
	if again.Outcome == Unasked || again.Transient() != "" {
		return first
	}
	again.Cured = first.Transient()
	return again
}

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

func (introspection) Again(Probe) bool { return true }
