package generated

import (
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The examples phase sends the documented examples, complete and with one optional parameter
// omitted.

var exampleOperators = []operator{
	{"as published", "a request that the documentation shows", publishedExamples},
	{"one parameter less", "a request that the documentation shows, without one optional parameter", examplesWithoutOptional},
}

// publishedCalls returns the calls in the examples of an operation. A creation gets its own mark
// where the known-good call has one.
func publishedCalls(f *model.Adapter, o probes.Operation) []model.Step {
	plain, ok := knownGoodStep(f, o)
	if !ok {
		return nil
	}
	var all []model.Step
	for _, e := range o.Details.At("examples").Items() {
		if !e.At("request", "params").Is(probes.Object) {
			continue
		}
		call := model.Step{Operation: o.Name, Params: map[string]any{}, MadeBy: model.NoObject}
		for _, m := range e.At("request", "params").Members() {
			v := model.Native(m.Value)
			if own, given := plain.Params[m.Name]; given && (model.HoldsMark(own) || isReference(f, o, m.Name)) {
				v = own
			}
			call = withParameter(call, m.Name, v)
		}
		all = append(all, call)
	}
	return all
}

// isReference reports whether the parameter identifies an existing object.
func isReference(f *model.Adapter, o probes.Operation, name string) bool {
	for _, p := range o.Parameters {
		if p.Name == name {
			return probes.IsReference(o, p)
		}
	}
	return false
}

func publishedExamples(f *model.Adapter, _ *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		for _, call := range publishedCalls(f, o) {
			all = append(all, model.Script{Steps: []model.Step{call}})
		}
	}
	return all
}

func examplesWithoutOptional(f *model.Adapter, _ *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		for _, call := range publishedCalls(f, o) {
			for _, p := range o.Parameters {
				if _, given := call.Params[p.Name]; given && !p.Required {
					all = append(all, model.Script{Steps: []model.Step{withoutParameter(call, p.Name)}})
				}
			}
		}
	}
	return all
}
