package suites

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A leaf is one scalar that an operation answered, kept because a later request
// may need it as identifier.
type leaf struct {
	op    string
	noun  string
	key   string
	depth int
	value probes.Value
	own   bool // the answer of a CREATE of ours
}

// maxLeaves bounds what is kept of one answer; a listing of a thousand items
// teaches no more than its first few.
const maxLeaves = 200

// maxRepairs bounds the attempts to build a request the operation accepts.
const maxRepairs = 5

// findBaselines looks for a request of each operation that works, starting from
// what needs nothing: reads without references, our own objects, reads with
// references, then changes and removals of what is ours or proven absent.
func (f *Face) findBaselines(ctx context.Context, ask probes.Asker) {
	for _, round := range []struct {
		category   string
		references bool
	}{{"READ", false}, {"CREATE", false}, {"CREATE", true}, {"READ", true}} {
		for _, o := range f.Operations {
			if o.Category == round.category && f.needsReference(o) == round.references && o.Name != "introspect" {
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

func (f *Face) needsReference(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(o, p) })
}

// Request returns the call of an operation with the params given, on the tool
// that is documented for it.
func (f *Face) Request(o probes.Operation, params map[string]any) probes.Probe {
	return probes.Call(f.Conn, o.Tool, o.Name, params)
}

func (f *Face) baseline(ctx context.Context, ask probes.Asker, o probes.Operation) Baseline {
	if ok, why := f.Callable(o); !ok {
		return Baseline{State: Barred, Why: why}
	}
	values := map[string][]probes.Value{}
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		values[p.Name] = f.valuesFor(o, p)
		if len(values[p.Name]) == 0 {
			return Baseline{State: None, Why: "no value for the parameter " + p.Name, Lacks: o.Name}
		}
	}
	chosen := map[string]int{}
	var last Baseline
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
func (f *Face) settle(ctx context.Context, ask probes.Asker, o probes.Operation, p probes.Probe, reply probes.Observation) Baseline {
	b := Baseline{Probe: p, Reply: reply, State: None, Why: reply.Brief(), Lacks: o.Name}
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

// nextChoice moves on to the next value of the parameter the refusal blames, or
// of any parameter that has one left.
func (f *Face) nextChoice(reply probes.Observation, values map[string][]probes.Value, chosen map[string]int) bool {
	if !reply.Refused() || reply.Deferred() {
		return false
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(blame(reply, y)-blame(reply, x), strings.Compare(x, y))
	})
	for _, name := range names {
		if chosen[name]+1 < len(values[name]) {
			chosen[name]++
			return true
		}
	}
	return false
}

func blame(reply probes.Observation, name string) int {
	switch {
	case reply.Details().At("param_name").Text() == name:
		return 2
	case reply.Mentions(name):
		return 1
	}
	return 0
}

// gather keeps the scalars of a success answer as material for later requests.
func (f *Face) gather(o probes.Operation, reply probes.Observation) {
	before := len(f.pool)
	var walk func(v probes.Value, key, noun string, depth int)
	walk = func(v probes.Value, key, noun string, depth int) {
		if len(f.pool)-before > maxLeaves || depth > 5 {
			return
		}
		switch v.Kind() {
		case probes.String, probes.Number:
			f.pool = append(f.pool, leaf{o.Name, noun, key, depth, v, o.Category == "CREATE"})
		case probes.Object:
			for _, m := range v.Members() {
				walk(m.Value, m.Name, noun, depth+1)
			}
		case probes.Array:
			for i, item := range v.Items() {
				if i < 3 {
					walk(item, key, noun, depth+1)
				}
			}
		}
	}
	walk(reply.Data(), "", Noun(o.Name), 0)
}

// harvest returns values that earlier answers gave for a parameter, the most
// likely first and our own objects before those of others.
func (f *Face) harvest(o probes.Operation, p probes.Parameter) []probes.Value {
	type scored struct {
		leaf
		score int
	}
	var found []scored
	for _, l := range f.pool {
		if s := affinity(o, p, l); s >= 4 {
			found = append(found, scored{l, s})
		}
	}
	slices.SortStableFunc(found, func(x, y scored) int { return y.score - x.score })
	var values []probes.Value
	for _, s := range found {
		values = append(values, s.value)
	}
	return values[:min(len(values), 4)]
}

// affinity scores how well an earlier value fits a parameter by its name, the
// noun of the operations and the place it stood in.
func affinity(o probes.Operation, p probes.Parameter, l leaf) int {
	generic := slices.Contains([]string{"id", "name", "key", "slug", "uuid"}, p.Name)
	score := 0
	switch {
	case p.Name == l.key && !generic:
		score = 6
	case p.Name == l.noun+"_"+l.key, p.Name == l.noun+"_id" && slices.Contains([]string{"id", "_id", "uuid", "key"}, l.key):
		score = 5
	case generic && l.key == p.Name && l.noun == Noun(o.Name):
		score = 5
	case generic && l.key == l.noun+"_"+p.Name && l.noun == Noun(o.Name):
		score = 5
	}
	if score > 0 && l.own {
		score++
	}
	if l.depth > 4 {
		score--
	}
	return score
}

// findAbsent asks each READ with one identifier for something that cannot exist;
// only what such a READ reports as not found counts as absent.
func (f *Face) findAbsent(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		b := f.Baselines[o.Name]
		if o.Category != "READ" || b.State != Proven {
			continue
		}
		for _, p := range o.Parameters {
			if !p.Required || !probes.IsReference(o, p) {
				continue
			}
			like := valueIn(b.Probe, p.Name)
			absent := f.Gen.AbsentIdentifier(p, like)
			if absent.Is(probes.Absent) {
				continue
			}
			reply := ask.Ask(ctx, b.Probe.With(p.Name, absent.Go()))
			if reply.Refused() && strings.HasPrefix(reply.Code(), "NOT_FOUND") {
				f.Absent[absentKey(o, p)] = absent
			}
		}
	}
}

// valueIn returns a parameter of a probe as it goes over the wire.
func valueIn(p probes.Probe, name string) probes.Value {
	if params := p.Params(); params != nil {
		if v, given := params[name]; given {
			return probes.ValueOf(v)
		}
		return probes.Value{}
	}
	v, _ := probes.ParseValue(p.Arguments())
	return v.At("params", name)
}

// absentKey joins a parameter to the kind of thing it identifies: note_id means
// the same for every operation, id only for operations on one noun.
func absentKey(o probes.Operation, p probes.Parameter) string {
	if slices.Contains([]string{"id", "name", "key", "slug", "uuid", "handle"}, p.Name) {
		return Noun(o.Name) + "." + p.Name
	}
	return p.Name
}

// changeBaseline builds the request of an operation that changes or removes:
// with an identifier proven absent, so that nothing can be harmed, and every
// other required parameter valid.
func (f *Face) changeBaseline(ctx context.Context, ask probes.Asker, o probes.Operation) Baseline {
	if ok, why := f.Callable(o); !ok {
		return Baseline{State: Barred, Why: why}
	}
	params, absent := map[string]any{}, false
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		if v, ok := f.Absent[absentKey(o, p)]; ok && probes.IsReference(o, p) {
			params[p.Name], absent = v.Go(), true
			continue
		}
		v := f.changeValue(o, p)
		if v.Is(probes.Absent) {
			b := Baseline{State: None, Why: "no value for the parameter " + p.Name}
			if !probes.IsReference(o, p) {
				b.Lacks = o.Name
			}
			return b
		}
		params[p.Name] = v.Go()
	}
	if !absent && o.Category != "EXECUTE" {
		return Baseline{State: None, Why: "no identifier that a READ has reported as not found"}
	}
	probe := f.Request(o, params)
	b := f.settle(ctx, ask, o, probe, ask.Ask(ctx, probe))
	if strings.HasPrefix(b.Reply.Code(), "NOT_FOUND_RESOURCE") || strings.HasPrefix(b.Reply.Code(), "NOT_FOUND") && b.Reply.Code() != "NOT_FOUND_OPERATION" {
		b.State, b.Why, b.Lacks = Missing, "", ""
	}
	return b
}

// changeValue picks a value for a parameter that identifies nothing; an UPDATE's
// input object gets one free text field where its type documents one. Section 4.5.
func (f *Face) changeValue(o probes.Operation, p probes.Parameter) probes.Value {
	if p.Name == "input" && o.Category == "UPDATE" {
		t, _ := f.Type(p.Type)
		for _, field := range t.Details.At("fields").Items() {
			plain := field.At("type").Text() == "string" && !field.Has("enum") && !field.Has("pattern") && !field.Has("format")
			if plain && field.At("name").Text() != "" {
				return probes.ValueOf(map[string]any{field.At("name").Text(): f.Gen.Marker("-u")})
			}
		}
	}
	if values := f.Gen.Values(o, p); len(values) > 0 {
		return values[0]
	}
	return probes.Value{}
}

// Usable reports whether the baseline is a request known to be valid, and how to
// tell it worked.
func (b Baseline) Usable() bool { return b.State == Proven || b.State == Missing }

// unlock names the flag that would let the operation be called, or the hint, or
// "".
func (b Baseline) unlock() string {
	if flag := gate.Unlock(b.Why); flag != "" && b.State == Barred {
		return flag
	}
	if b.Lacks != "" {
		return "samples." + b.Lacks + inHints + "values that are valid together"
	}
	return ""
}

// String says what stands for a finding's missing evidence.
func (b Baseline) String() string {
	if b.Why == "" {
		return string(b.State)
	}
	return fmt.Sprintf("%s: %s", b.State, gate.Reason(b.Why))
}
