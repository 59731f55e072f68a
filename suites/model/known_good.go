package model

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A Leaf is one scalar that an operation answered, kept because a later request
// may need it as identifier.
type Leaf struct {
	op    string
	noun  string
	key   string
	depth int
	Value probes.Value
	Own   bool // the answer of a CREATE of ours
}

// maxLeaves bounds what is kept of one answer; a listing of a thousand items
// teaches no more than its first few.
const maxLeaves = 200

// maxRepairs bounds the attempts to build a request the operation accepts.
const maxRepairs = 5

// findBaselines looks for a request of each operation that works, starting from
// what needs nothing: reads without references, our own objects, reads with
// references, then changes and removals of what is ours or proven absent.
func (f *Adapter) findBaselines(ctx context.Context, ask probes.Asker) {
	for _, round := range []struct {
		category   string
		references bool
	}{{"READ", false}, {"CREATE", false}, {"CREATE", true}, {"READ", true}} {
		for _, o := range f.Operations {
			if o.Category == round.category && f.NeedsReference(o) == round.references && o.Name != "introspect" {
				f.Baselines[o.Name] = f.baseline(ctx, ask, o)
			}
		}
	}
	f.findAbsent(ctx, ask)
	for _, o := range f.Operations {
		if o.Name != "introspect" && (o.Category == "UPDATE" || o.Category == "DELETE" || o.Category == "EXECUTE") {
			f.Baselines[o.Name] = f.changeBaseline(ctx, ask, o)
		}
	}
}

func (f *Adapter) NeedsReference(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(o, p) })
}

// Request returns the call of an operation with the params given, on the tool
// that is documented for it.
func (f *Adapter) Request(o probes.Operation, params map[string]any) probes.Probe {
	return probes.Call(f.Conn, o.Tool, o.Name, params)
}

func (f *Adapter) baseline(ctx context.Context, ask probes.Asker, o probes.Operation) KnownGood {
	if ok, why := f.Callable(o); !ok {
		return KnownGood{State: Barred, Why: why}
	}
	values := map[string][]probes.Value{}
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		values[p.Name] = f.valuesFor(o, p)
		if len(values[p.Name]) == 0 {
			return KnownGood{State: None, Why: "no value for the parameter " + p.Name, Lacks: o.Name}
		}
	}
	chosen := map[string]int{}
	var last KnownGood
	for range maxRepairs {
		params := map[string]any{}
		for name, candidates := range values {
			params[name] = candidates[chosen[name]].Go()
		}
		probe := f.Request(o, params)
		last = f.settle(ctx, ask, o, probe, ask.Ask(ctx, probe))
		if last.State == Proven || !f.nextChoice(last.Reply, values, chosen) {
			return last
		}
	}
	return last
}

// settle reads what an answer makes of a baseline.
func (f *Adapter) settle(ctx context.Context, ask probes.Asker, o probes.Operation, p probes.Probe, reply probes.Observation) KnownGood {
	b := KnownGood{Probe: p, Reply: reply, State: None, Why: reply.Brief(), Lacks: o.Name}
	switch {
	case reply.Succeeded():
		b.State, b.Why, b.Lacks = Proven, "", ""
		f.gather(o, reply)
		if o.Category == "CREATE" {
			f.learnKey(ctx, ask, o, reply)
		}
	case reply.Outcome == probes.Unasked:
		b.State, b.Why = Barred, reply.Exit
	case reply.Deferred():
		b.State, b.Lacks = Blocked, ""
	}
	return b
}
