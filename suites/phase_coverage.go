package suites

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The coverage phase visits the edges of what is documented: each bound at, below
// and above, each value of an enum, each kind where another is documented. One
// value is changed at a time, in a request that is known to work.

var coverageOperators = []operator{
	{"parameter", "one parameter at an edge of what is documented", coverParameters},
	{"updated field", "one field of an update at an edge of what is documented", coverFields},
}

// maxWaiting is the largest value that is sent for a parameter that says how long
// to wait, in whatever unit.
const maxWaiting = 1

// plainCall is the step that sends the operation's proven request; ok is false for
// an operation that changes or removes what we did not make.
func (f *Face) plainCall(o probes.Operation) (st Step, ok bool) {
	b := f.Baselines[o.Name]
	allowed, _ := f.Callable(o)
	if b.State != Proven || !allowed || o.Category != "READ" && o.Category != "CREATE" || o.Name == "introspect" {
		return Step{}, false
	}
	if i := slices.IndexFunc(f.arena, func(st *stage) bool { return st.maker.Name == o.Name }); i >= 0 {
		return f.arena[i].create(nil), true
	}
	params, _ := native(b.Probe.Params()).(map[string]any)
	if params == nil {
		params = map[string]any{}
	}
	return Step{Operation: o.Name, Params: params, Of: onNothing}, true
}

// with returns the step with another value of one parameter.
func (st Step) with(name string, v any) Step {
	params := map[string]any{}
	maps.Copy(params, st.Params)
	params[name] = v
	st.Params = params
	return st
}

// without returns the step without one parameter.
func (st Step) without(name string) Step {
	st.Params = maps.Clone(st.Params)
	delete(st.Params, name)
	return st
}

func coverParameters(f *Face, _ *rand.Rand, _ int) []Script {
	var all []Script
	for _, o := range f.Operations {
		call, ok := f.plainCall(o)
		if !ok {
			continue
		}
		for _, p := range o.Parameters {
			for _, c := range f.edges(p) {
				all = append(all, Script{Steps: []Step{call.with(p.Name, native(c.value))}, Sentence: c.sentence})
			}
		}
	}
	return all
}

// An edgeCase is a value worth sending and what is special about it.
type edgeCase struct {
	value    probes.Value
	sentence string
}

// edges lists the cases of a parameter that may be sent without harm.
func (f *Face) edges(p probes.Parameter) []edgeCase {
	d, err := f.Gen.Domain(p)
	if err != nil || p.Raw.At("sensitive").True() {
		return nil
	}
	all := f.corners(p)
	for _, c := range d.Edges() {
		if n, ok := c.Value.Float(); ok && n > maxWaiting && waiting.MatchString(p.Name) {
			continue
		}
		all = append(all, edgeCase{c.Value, c.Sentence})
	}
	return all
}

func coverFields(f *Face, _ *rand.Rand, _ int) []Script {
	var all []Script
	for _, st := range f.arena {
		for _, up := range st.update {
			if !up.declared {
				continue
			}
			for _, p := range up.fields {
				var turns [][]Step
				for _, c := range f.edges(p) {
					set := up.set(0, map[string]any{p.Name: native(c.value)})
					set.Sentence = "input." + c.sentence
					turns = append(turns, []Step{set, st.look(0)})
				}
				all = append(all, onSame([]Step{st.create(nil)}, turns)...)
			}
		}
	}
	return all
}
