package generated

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
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
func plainCall(f *model.Adapter, o probes.Operation) (step model.Step, ok bool) {
	b := f.KnownGood[o.Name]
	allowed, _ := f.Callable(o)
	if b.State != model.Proven || !allowed || o.Category != "READ" && o.Category != "CREATE" || o.Name == "introspect" {
		return model.Step{}, false
	}
	if i := slices.IndexFunc(f.ObjectKinds, func(kind *model.ObjectKind) bool { return kind.Maker.Name == o.Name }); i >= 0 {
		return f.ObjectKinds[i].CreateStep(nil), true
	}
	params, _ := model.Native(b.Probe.Params()).(map[string]any)
	if params == nil {
		params = map[string]any{}
	}
	return model.Step{Operation: o.Name, Params: params, MadeBy: model.NoObject}, true
}

// withParameter returns the step with another value of one parameter.
func withParameter(step model.Step, name string, v any) model.Step {
	params := map[string]any{}
	maps.Copy(params, step.Params)
	params[name] = v
	step.Params = params
	return step
}

// withoutParameter returns the step without one parameter.
func withoutParameter(step model.Step, name string) model.Step {
	step.Params = maps.Clone(step.Params)
	delete(step.Params, name)
	return step
}

func coverParameters(f *model.Adapter, _ *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		call, ok := plainCall(f, o)
		if !ok {
			continue
		}
		for _, p := range o.Parameters {
			for _, c := range edges(f, p) {
				all = append(all, model.Script{Steps: []model.Step{withParameter(call, p.Name, model.Native(c.value))}, Description: c.sentence})
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
func edges(f *model.Adapter, p probes.Parameter) []edgeCase {
	d, err := f.Gen.Domain(p)
	if err != nil || p.Raw.At("sensitive").True() {
		return nil
	}
	all := corners(f, p)
	for _, c := range d.Edges() {
		if n, ok := c.Value.Float(); ok && n > maxWaiting && check.WaitPattern.MatchString(p.Name) {
			continue
		}
		all = append(all, edgeCase{c.Value, c.Sentence})
	}
	return all
}

func coverFields(f *model.Adapter, _ *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, kind := range f.ObjectKinds {
		for _, up := range kind.Updaters {
			if !up.Declared {
				continue
			}
			for _, p := range up.Fields {
				var turns [][]model.Step
				for _, c := range edges(f, p) {
					set := up.UpdateStep(0, map[string]any{p.Name: model.Native(c.value)})
					set.Description = "input." + c.sentence
					turns = append(turns, []model.Step{set, kind.ReadStep(0)})
				}
				all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(nil)}, turns)...)
			}
		}
	}
	return all
}
