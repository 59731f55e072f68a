package generated

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The coverage phase sends the boundaries of the documentation: each bound at, below and above,
// each enum value, each wrong type. It changes one value at a time in a known-good request.

var coverageOperators = []operator{
	{"parameter", "one parameter at an edge of what is documented", coverParameters},
	{"updated field", "one field of an update at an edge of what is documented", coverFields},
}

// maxWaitValue is the largest value for a parameter that specifies a wait, in any unit.
const maxWaitValue = 1

// knownGoodStep is the step with the operation's known-good request. ok is false for an operation
// that may change foreign objects.
func knownGoodStep(f *model.Adapter, o probes.Operation) (step model.Step, ok bool) {
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
		call, ok := knownGoodStep(f, o)
		if !ok {
			continue
		}
		for _, p := range o.Parameters {
			for _, c := range edgeCases(f, p, o.Category != "READ" || probes.IsReference(o, p)) {
				all = append(all, model.Script{Steps: []model.Step{withParameter(call, p.Name, model.Native(c.value))}, Description: c.description})
			}
		}
	}
	return all
}

// An edgeCase is a value with a description of what is special about it.
type edgeCase struct {
	value       probes.Value
	description string
}

// edgeCases lists the edge cases of a parameter that are safe to send. kept tells that the value is stored, or looked up
// as it is stored.
func edgeCases(f *model.Adapter, p probes.Parameter, kept bool) []edgeCase {
	d, err := f.Gen.Domain(p)
	if err != nil || p.Raw.At("sensitive").True() {
		return nil
	}
	all := cornerCases(f, p, kept)
	for _, c := range d.Edges() {
		if n, ok := c.Value.Float(); ok && n > maxWaitValue && check.WaitPattern.MatchString(p.Name) {
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
				for _, c := range edgeCases(f, p, true) {
					set := up.UpdateStep(0, map[string]any{p.Name: model.Native(c.value)})
					set.Description = "input." + c.description
					turns = append(turns, []model.Step{set, kind.ReadStep(0)})
				}
				all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(nil)}, turns)...)
			}
		}
	}
	return all
}
