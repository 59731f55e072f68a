package suites

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// Bounds on the removal of our own objects, also after an interrupt.
const (
	cleanupTime = 10 * time.Second
	cleanupEach = 50 * time.Millisecond // more for each object
	sweepCalls  = 20                    // more objects' worth for looking whether something is left
)

// Takes of the questions that clean up. The run has none below zero, so no earlier
// answer is taken for the new one.
const (
	removeTake = -1 - iota
	removeAgainTake
	sweepTake // and all below
)

// A Leftover is an object of ours that could not be removed.
type Leftover struct {
	What string // the operation that made it and why it is still there
	Call string // the call that would remove it; empty when none is known

	tried probes.Probe // the call that was refused
}

// String says what is left, and how to remove it.
func (l Leftover) String() string {
	if l.Call == "" {
		return "left behind: " + l.What
	}
	return fmt.Sprintf("left behind: %s; remove it with %s", l.What, l.Call)
}

// CleanUp removes what the run created, the last first: every object that a
// CREATE operation reported, also through a tool that should not have taken it,
// and every listed object that carries our mark. It works on after ctx is done,
// for a bounded time, because an interrupted run must leave nothing behind either.
func (p *Plan) CleanUp(ctx context.Context, e *probes.Engine) []Leftover {
	e.Bar(p.denied) // what the run made goes, however little may be written, but never through what the author denies
	var left []Leftover
	for _, f := range p.Faces {
		record := e.Record()
		made := f.made(record)
		time := cleanupTime + time.Duration(len(made)+sweepCalls)*(cleanupEach+e.Interval())
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time)
		c := cleaner{Face: f, asker: e, ctx: ctx, removed: removals(f, record)}
		for _, o := range made {
			op, _ := f.Operation(o.Probe.Operation())
			c.remove(op, o.Data(), o.Sent.Seq)
		}
		for _, m := range f.madeInBatches(record) {
			c.remove(m.op, m.data, m.since)
		}
		c.endAgents(record)
		c.endExecutions(record)
		if f.May.Delete {
			c.sweep()
			c.retry()
		}
		cancel()
		left = append(left, c.left...)
	}
	return left
}

// made lists the successful CREATE answers, the last first.
func (f *Face) made(record probes.Record) []probes.Observation {
	var made []probes.Observation
	for o := range record.All() {
		if f.asked(o) && f.category(o.Probe.Operation()) == "CREATE" && !slices.Contains(reserved, o.Probe.Operation()) && o.Succeeded() {
			made = append(made, o)
		}
	}
	slices.SortFunc(made, func(x, y probes.Observation) int { return y.Sent.Seq - x.Sent.Seq })
	return made
}

// removals returns when each request of a DELETE succeeded last in the run.
func removals(f *Face, record probes.Record) map[string]int {
	when := map[string]int{}
	for o := range record.All() {
		if f.asked(o) && f.category(o.Probe.Operation()) == "DELETE" && o.Succeeded() {
			call := string(o.Probe.Arguments())
			when[call] = max(when[call], o.Sent.Seq)
		}
	}
	return when
}

// A cleaner removes the objects that a run made on one face.
type cleaner struct {
	*Face
	asker   probes.Asker
	ctx     context.Context // the time it has
	removed map[string]int  // what the run has removed itself, and when
	left    []Leftover
}

// ask asks with little patience: an adapter that went mute must not hold up the
// end of the run.
func (c *cleaner) ask(p probes.Probe) probes.Observation {
	p.Within = 2 * time.Second
	return c.asker.Ask(c.ctx, p)
}

// remove removes the object that an operation made or a listing showed. since is
// when that was; what the run removed after that is gone.
func (c *cleaner) remove(made probes.Operation, data probes.Value, since int) {
	call, why := c.removal(made, data)
	switch {
	case call.Tool == "":
		c.leave(Leftover{What: fmt.Sprintf("made by %s: %s", made.Name, clip(data.String()))})
		return
	case why != "":
		c.leave(Leftover{What: fmt.Sprintf("made by %s, and not removed for this: %s", made.Name, why), Call: call.String()})
		return
	case c.removed[string(call.Arguments())] > since:
		return
	}
	if answer := c.confirmed(call.Anew(removeTake)); !gone(answer) {
		c.leave(Leftover{What: fmt.Sprintf("made by %s (%s)", made.Name, answer.Brief()), Call: call.String(), tried: call})
	}
}

// gone reports whether a removal leaves nothing behind.
func gone(removal probes.Observation) bool {
	return removal.Succeeded() || strings.HasPrefix(removal.Code(), "NOT_FOUND")
}

// retry tries once more to remove what is left: what stood in the way may be gone,
// as the last note of a folder that must be empty.
func (c *cleaner) retry() {
	c.left = slices.DeleteFunc(c.left, func(l Leftover) bool {
		return l.tried.Tool != "" && gone(c.confirmed(l.tried.Anew(removeAgainTake)))
	})
}

// leave notes a leftover once.
func (c *cleaner) leave(l Leftover) {
	if l.Call == "" || !slices.ContainsFunc(c.left, func(x Leftover) bool { return x.Call == l.Call }) {
		c.left = append(c.left, l)
	}
}

// removal returns the DELETE call for what an operation made, identified by the
// data it answered; with the reason when it must not be called.
func (f *Face) removal(made probes.Operation, data probes.Value) (call probes.Probe, why string) {
	for _, d := range f.Operations {
		if d.Category != "DELETE" || !f.plays(theRemover, d.Name, made.Name) {
			continue
		}
		params, ok := f.removalParams(d, made, data)
		if !ok {
			continue
		}
		allowed, reason := f.Callable(d)
		if allowed {
			return f.Request(d, params), ""
		}
		if call.Tool == "" {
			call, why = f.Request(d, params), reason
		}
	}
	return call, why
}

func (f *Face) removalParams(d, made probes.Operation, data probes.Value) (params map[string]any, ok bool) {
	params = map[string]any{}
	for _, p := range d.Parameters {
		if !p.Required {
			continue
		}
		if id := f.identifier(data, made, d, p); !id.Is(probes.Absent) {
			params[p.Name] = id.Go()
		} else if vs := f.Gen.Values(d, p); len(vs) > 0 && !probes.IsReference(d, p) {
			params[p.Name] = vs[0].Go()
		} else {
			return nil, false
		}
	}
	return params, true
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
