package model

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Scalar is one scalar value from an answer. A later request may need it as an identifier.
type Scalar struct {
	op    string
	noun  string
	key   string
	depth int
	Value probes.Value
	Own   bool // from the answer to a CREATE of the run
}

// maxScalars bounds the scalars that are kept of one answer.
const maxScalars = 200

// maxRepairs bounds the attempts to build a request that the operation accepts.
const maxRepairs = 5

// findKnownGood looks for a working request of each operation, in order of dependency: reads
// without references, creations, reads with references, then changes and removals of own or absent
// objects.
func (f *Adapter) findKnownGood(ctx context.Context, ask probes.Asker) {
	for _, round := range []struct {
		category   string
		references bool
	}{{"READ", false}, {"CREATE", false}, {"CREATE", true}, {"READ", true}} {
		if round.category == "READ" && !round.references {
			probes.Ahead(ctx, ask, f.bareReads())
		}
		for _, o := range f.Operations {
			if o.Category == round.category && f.NeedsReference(o) == round.references && o.Name != "introspect" {
				f.KnownGood[o.Name] = f.inside(ctx, ask, o, f.knownGood(ctx, ask, o))
			}
		}
		if round.category == "READ" && !round.references {
			f.learnListings(ctx, ask)
			f.learnCheckDigits()
		}
		if round.category == "CREATE" && round.references {
			f.retryWaiting(ctx, ask)
			f.prepareParents(ctx, ask)
		}
	}
	f.retryReads(ctx, ask)
	f.findFuller(ctx, ask)
	f.findAbsent(ctx, ask)
	for _, o := range f.Operations {
		if o.Name != "introspect" && (o.Category == "UPDATE" || o.Category == "DELETE" || o.Category == "EXECUTE") {
			f.KnownGood[o.Name] = f.knownGoodChange(ctx, ask, o)
		}
	}
}

// mostDeep bounds how often the waiting creations are tried again: an inspection lies in a machine, and the machine in a depot.
const mostDeep = 3

// retryWaiting tries the waiting creations again until no more of them succeeds.
func (f *Adapter) retryWaiting(ctx context.Context, ask probes.Asker) {
	for more, n := true, 0; more && n < mostDeep; n++ {
		more = false
		for _, o := range f.Operations {
			if f.waits[o.Name] != nil && f.KnownGood[o.Name].State != Proven {
				f.KnownGood[o.Name] = f.inside(ctx, ask, o, f.knownGood(ctx, ask, o))
				more = more || f.KnownGood[o.Name].State == Proven
			}
		}
	}
}

// NeedsReference reports whether a required parameter takes a reference.
func (f *Adapter) NeedsReference(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(o, p) })
}

// bareReads are the first requests of the READ operations that require no parameter.
func (f *Adapter) bareReads() (all []probes.Probe) {
	for _, o := range f.Operations {
		if may, _ := f.Callable(o); may && o.Category == "READ" && o.Name != "introspect" && !f.requires(o) {
			all = append(all, f.Request(o, map[string]any{}))
		}
	}
	return all
}

// Request returns a call of the operation on the tool that is documented for it.
func (f *Adapter) Request(o probes.Operation, params map[string]any) probes.Probe {
	return probes.Call(f.Conn, o.Tool, o.Name, params)
}

func (f *Adapter) knownGood(ctx context.Context, ask probes.Asker, o probes.Operation) KnownGood {
	if ok, why := f.Callable(o); !ok {
		return KnownGood{State: NotPermitted, Why: why}
	}
	if b, ok := f.knownRead(ctx, ask, o); ok {
		return b
	}
	values := map[string][]probes.Value{}
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		values[p.Name] = f.valuesFor(o, p)
	}
	f.ownReferences(ctx, ask, o, values)
	for _, p := range o.Parameters {
		if known, required := values[p.Name]; required && len(known) == 0 {
			return KnownGood{State: NoneKnown, Why: "no value for the parameter " + p.Name, NeedsSamples: o.Name}
		}
	}
	chosen, tried := map[string]int{}, map[string]bool{}
	var last KnownGood
	for n, told := 0, 0; n < maxRepairs+told; n++ {
		params := map[string]any{}
		for name, candidates := range values {
			params[name] = candidates[chosen[name]].Go()
		}
		probe := f.Request(o, f.marked(o, params, f.Gen.Marker("")))
		now := f.classify(ctx, ask, o, probe, ask.Ask(ctx, probe))
		if now.State == NotPermitted && f.evades(o, now, last, values, chosen, tried) {
			told++
			continue
		}
		if now.State == NotPermitted && last.State != "" {
			return last // its answer says more than a request that may not be sent
		}
		last = now
		if last.Existing {
			return f.made(ctx, ask, o, last)
		}
		switch {
		case last.State == Proven:
			f.learnHolder(o, values, chosen, tried)
			return last
		case f.waitsForHolder(o, last, values):
			return last
		case told < maxTold && f.tryHolders(o, last, values, chosen, tried):
			told++
		case told < maxTold && f.leavesOut(o, last, values, chosen):
			told++
		case told < maxTold && f.completes(o, last.Reply, values, chosen):
			told++
		case told < maxTold && f.repair(o, last.Reply, values, chosen):
			told++
		case !f.nextCandidate(o, last.Reply, values, chosen):
			return last
		}
	}
	return last
}

// evades chooses other values where the gate does not permit a request.
func (f *Adapter) evades(o probes.Operation, now, last KnownGood, values map[string][]probes.Value, chosen map[string]int, tried map[string]bool) bool {
	return f.wantsMark(o, now.Why) || f.nextFree(o, now.Why, values, chosen) || f.tryHolders(o, now, values, chosen, tried) ||
		last.Reply.Refused() && f.changesPartner(o, now.Why, values, chosen, tried)
}

// showsNobody reports whether a read of one object answers that there is none without a refusal.
// Such an answer proves nothing about the request, and another one once the object is made.
func (f *Adapter) showsNobody(o probes.Operation, reply probes.Observation) bool {
	return reply.Succeeded() && o.Category == "READ" && f.NeedsReference(o) && reply.Data().Is(probes.Null)
}

// classify derives the state of a request from its answer.
func (f *Adapter) classify(ctx context.Context, ask probes.Asker, o probes.Operation, p probes.Probe, reply probes.Observation) KnownGood {
	b := KnownGood{Probe: p, Reply: reply, State: NoneKnown, Why: reply.Brief(), NeedsSamples: o.Name}
	switch {
	case f.showsNobody(o, reply):
		b.Why = "success with null, which shows no object"
	case reply.Succeeded():
		b.State, b.Why, b.NeedsSamples = Proven, "", ""
		f.collectScalars(o, reply)
		if o.Category == "CREATE" {
			b.Existing = f.learnKey(ctx, ask, o, reply)
		}
	case reply.Outcome == probes.Unasked:
		b.State, b.Why = NotPermitted, reply.Exit
	case reply.Deferred():
		b.State, b.NeedsSamples = Blocked, ""
	}
	return b
}

// Unsent is the ruling where a request was not sent: why, and the flag that has it sent.
func Unsent(o probes.Observation) ruling.Ruling {
	return ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), gate.Reason(o.Exit)).Mend(gate.Unlock(o.Exit))
}
