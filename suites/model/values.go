package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// nextChoice moves on to the next value of the parameter the refusal blames, or
// of any parameter that has one left.
func (f *Adapter) nextChoice(reply probes.Observation, values map[string][]probes.Value, chosen map[string]int) bool {
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
func (f *Adapter) gather(o probes.Operation, reply probes.Observation) {
	before := len(f.Pool)
	var walk func(v probes.Value, key, noun string, depth int)
	walk = func(v probes.Value, key, noun string, depth int) {
		if len(f.Pool)-before > maxLeaves || depth > 5 {
			return
		}
		switch v.Kind() {
		case probes.String, probes.Number:
			f.Pool = append(f.Pool, Leaf{o.Name, noun, key, depth, v, o.Category == "CREATE"})
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
func (f *Adapter) harvest(o probes.Operation, p probes.Parameter) []probes.Value {
	type scored struct {
		Leaf
		score int
	}
	var found []scored
	for _, l := range f.Pool {
		if s := Affinity(o, p, l); s >= 4 {
			found = append(found, scored{l, s})
		}
	}
	slices.SortStableFunc(found, func(x, y scored) int { return y.score - x.score })
	var values []probes.Value
	for _, s := range found {
		values = append(values, s.Value)
	}
	return values[:min(len(values), 4)]
}

// Affinity scores how well an earlier value fits a parameter by its name, the
// noun of the operations and the place it stood in.
func Affinity(o probes.Operation, p probes.Parameter, l Leaf) int {
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
	if score > 0 && l.Own {
		score++
	}
	if l.depth > 4 {
		score--
	}
	return score
}

// findAbsent asks each READ with one identifier for something that cannot exist;
// only what such a READ reports as not found counts as absent.
func (f *Adapter) findAbsent(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		b := f.Baselines[o.Name]
		if o.Category != "READ" || b.State != Proven {
			continue
		}
		for _, p := range o.Parameters {
			if !p.Required || !probes.IsReference(o, p) {
				continue
			}
			like := ValueIn(b.Probe, p.Name)
			absent := f.Gen.AbsentIdentifier(p, like)
			if absent.Is(probes.Absent) {
				continue
			}
			reply := ask.Ask(ctx, b.Probe.With(p.Name, absent.Go()))
			if reply.Refused() && strings.HasPrefix(reply.Code(), "NOT_FOUND") {
				f.Absent[AbsentKey(o, p)] = absent
			}
		}
	}
}

// ValueIn returns a parameter of a probe as it goes over the wire.
func ValueIn(p probes.Probe, name string) probes.Value {
	if params := p.Params(); params != nil {
		if v, given := params[name]; given {
			return probes.ValueOf(v)
		}
		return probes.Value{}
	}
	v, _ := probes.ParseValue(p.Arguments())
	return v.At("params", name)
}

// AbsentKey joins a parameter to the kind of thing it identifies: note_id means
// the same for every operation, id only for operations on one noun.
func AbsentKey(o probes.Operation, p probes.Parameter) string {
	if slices.Contains([]string{"id", "name", "key", "slug", "uuid", "handle"}, p.Name) {
		return Noun(o.Name) + "." + p.Name
	}
	return p.Name
}

// changeBaseline builds the request of an operation that changes or removes:
// with an identifier proven absent, so that nothing can be harmed, and every
// other required parameter valid.
func (f *Adapter) changeBaseline(ctx context.Context, ask probes.Asker, o probes.Operation) KnownGood {
	if ok, why := f.Callable(o); !ok {
		return KnownGood{State: Barred, Why: why}
	}
	params, absent := map[string]any{}, false
	for _, p := range o.Parameters {
		if !p.Required {
			continue
		}
		if v, ok := f.Absent[AbsentKey(o, p)]; ok && probes.IsReference(o, p) {
			params[p.Name], absent = v.Go(), true
			continue
		}
		v := f.ChangeValue(o, p)
		if v.Is(probes.Absent) {
			b := KnownGood{State: None, Why: "no value for the parameter " + p.Name}
			if !probes.IsReference(o, p) {
				b.Lacks = o.Name
			}
			return b
		}
		params[p.Name] = v.Go()
	}
	if !absent && o.Category != "EXECUTE" {
		return KnownGood{State: None, Why: "no identifier that a READ has reported as not found"}
	}
	probe := f.Request(o, params)
	b := f.settle(ctx, ask, o, probe, ask.Ask(ctx, probe))
	if strings.HasPrefix(b.Reply.Code(), "NOT_FOUND_RESOURCE") || strings.HasPrefix(b.Reply.Code(), "NOT_FOUND") && b.Reply.Code() != "NOT_FOUND_OPERATION" {
		b.State, b.Why, b.Lacks = Missing, "", ""
	}
	return b
}

// ChangeValue picks a value for a parameter that identifies nothing; an UPDATE's
// input object gets one free text field where its type documents one. Section 4.5.
func (f *Adapter) ChangeValue(o probes.Operation, p probes.Parameter) probes.Value {
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
func (b KnownGood) Usable() bool { return b.State == Proven || b.State == Missing }

// Unlock names the flag that would let the operation be called, or the hint, or
// "".
func (b KnownGood) Unlock() string {
	if flag := gate.Unlock(b.Why); flag != "" && b.State == Barred {
		return flag
	}
	if b.Lacks != "" {
		return "samples." + b.Lacks + InHints + "values that are valid together"
	}
	return ""
}

// String says what stands for a finding's missing evidence.
func (b KnownGood) String() string {
	if b.Why == "" {
		return string(b.State)
	}
	return fmt.Sprintf("%s: %s", b.State, gate.Reason(b.Why))
}
