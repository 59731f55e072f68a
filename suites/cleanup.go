package suites

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// cleanupTime bounds the removal of our own objects, also after an interrupt.
const cleanupTime = 10 * time.Second

// A Leftover is an object of ours that could not be removed.
type Leftover struct {
	What string // the operation that made it and what identifies it
	Call string // the call that would remove it; empty when none is known
}

// CleanUp removes what the run created, the last first: every object that a
// CREATE operation reported, also through a tool that should not have taken it,
// and every listed object that carries our mark. It works on after ctx is done,
// for a bounded time, because an interrupted run must leave nothing behind either.
func (p *Plan) CleanUp(ctx context.Context, e *probes.Engine) []Leftover {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
	defer cancel()
	e.Bar(nil) // what the run made goes, whatever it may not do besides
	var left []Leftover
	for _, f := range p.Faces {
		if ask := (leave{Asker: e, face: f, clean: true}); f.May.Delete {
			left = append(left, f.removeCreated(ctx, e.Record(), ask)...)
			f.sweep(ctx, ask)
		}
	}
	return left
}

// removeCreated removes what successful CREATE answers reported.
func (f *Face) removeCreated(ctx context.Context, record probes.Record, ask probes.Asker) []Leftover {
	made := slices.DeleteFunc(record.Observations, func(o probes.Observation) bool {
		return !f.asked(o) || !o.Succeeded() || f.category(o.Probe.Operation()) != "CREATE"
	})
	slices.SortFunc(made, func(x, y probes.Observation) int { return y.Sent.Seq - x.Sent.Seq })
	var left []Leftover
	for _, o := range made {
		op, _ := f.Operation(o.Probe.Operation())
		remove, ok := f.removal(op, o.Data())
		if !ok {
			left = append(left, Leftover{What: fmt.Sprintf("made by %s: %s", op.Name, clip(o.Data().String()))})
			continue
		}
		answer := ask.Ask(ctx, patient(remove.Anew(99)))
		if !answer.Succeeded() && !strings.HasPrefix(answer.Code(), "NOT_FOUND") {
			left = append(left, Leftover{What: fmt.Sprintf("made by %s (%s)", op.Name, answer.Brief()), Call: remove.String()})
		}
	}
	return left
}

// patient bounds one call of the cleanup: an adapter that went mute must not hold
// up the end of the run.
func patient(p probes.Probe) probes.Probe {
	p.Within = 2 * time.Second
	return p
}

// removal returns the DELETE call for what an operation made, identified by the
// data it answered.
func (f *Face) removal(made probes.Operation, data probes.Value) (probes.Probe, bool) {
	for _, d := range f.Operations {
		if d.Category != "DELETE" || !f.plays(theRemover, d.Name, made.Name) || f.denies(d.Name) {
			continue
		}
		params := map[string]any{}
		for _, p := range d.Parameters {
			if !p.Required {
				continue
			}
			if id := f.identifier(data, made, d, p); !id.Is(probes.Absent) {
				params[p.Name] = id.Go()
			} else if vs := f.Gen.Values(d, p); len(vs) > 0 && !probes.IsReference(d, p) {
				params[p.Name] = vs[0].Go()
			} else {
				return probes.Probe{}, false
			}
		}
		return f.Request(d, params), true
	}
	return probes.Probe{}, false
}

// identifier finds the value of a parameter in the data of a creation.
func (f *Face) identifier(data probes.Value, made, d probes.Operation, p probes.Parameter) probes.Value {
	path, ok := f.identifierPath(data, made, d, p)
	if !ok {
		return probes.Value{}
	}
	return data.At(path...)
}

// identifierPath returns the way to the value that fits the parameter best.
func identifierPath(data probes.Value, made, d probes.Operation, p probes.Parameter) ([]string, bool) {
	var best []string
	score := 0
	var walk func(v probes.Value, path []string)
	walk = func(v probes.Value, path []string) {
		if v.Is(probes.String) || v.Is(probes.Number) {
			l := leaf{op: made.Name, noun: Noun(made.Name), key: path[len(path)-1], depth: len(path), value: v}
			if s := 10*affinity(d, p, l) - len(path); s > score && s > 0 {
				best, score = path, s
			}
		}
		for _, m := range v.Members() {
			if len(path) < 4 {
				walk(m.Value, append(slices.Clone(path), m.Name))
			}
		}
	}
	if data.Is(probes.Object) {
		walk(data, nil)
	}
	return best, score > 0
}

// makerOf returns the CREATE operation whose answer identifies what d changes or
// removes, and the way to each identifier below its data.
func (f *Face) makerOf(d probes.Operation) (maker Subject, paths map[string][]string, ok bool) {
	for _, s := range eachMarked(f) {
		if s.settled != nil || !f.plays(theMaker, s.Name, d.Name) {
			continue
		}
		paths = map[string][]string{}
		for _, p := range d.Parameters {
			if !p.Required || !f.refers(d, p) {
				continue
			}
			path, found := f.identifierPath(s.Baseline().Reply.Data(), s.Op, d, p)
			if !found {
				return s, nil, false
			}
			paths[p.Name] = path
		}
		return s, paths, len(paths) > 0
	}
	return Subject{}, nil, false
}

// sweep removes listed objects that carry our mark: an operation that refused and
// worked all the same told us no identifier.
func (f *Face) sweep(ctx context.Context, ask probes.Asker) {
	mark := f.Gen.Marker("")
	for _, s := range eachListed(f) {
		if s.Op.Category != "CREATE" {
			continue
		}
		for _, view := range s.views(mark) {
			for _, item := range itemsWith(ask.Ask(ctx, patient(view.Anew(98))).Data(), mark) {
				if remove, ok := f.removal(s.Op, item); ok {
					ask.Ask(ctx, patient(remove.Anew(99)))
				}
			}
		}
	}
}

// itemsWith returns the objects of a listing that hold a text beginning with mark.
func itemsWith(data probes.Value, mark string) []probes.Value {
	if data.Is(probes.Object) && slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return strings.HasPrefix(m.Value.Text(), mark) }) {
		return []probes.Value{data}
	}
	var found []probes.Value
	for _, item := range data.Items() {
		found = append(found, itemsWith(item, mark)...)
	}
	for _, m := range data.Members() {
		found = append(found, itemsWith(m.Value, mark)...)
	}
	return found
}
