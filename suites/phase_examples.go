package suites

import (
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
)

// The examples phase sends what the adapter itself publishes: each documented
// request, and each with one of its optional parameters left out.

var exampleOperators = []operator{
	{"as published", "a request that the documentation shows", publishedExamples},
	{"one parameter less", "a request that the documentation shows, without one optional parameter", thinnedExamples},
}

// published returns the calls that the examples of an operation show; a creation
// takes its own mark where the plain call has one.
func (f *Face) published(o probes.Operation) []Step {
	plain, ok := f.plainCall(o)
	if !ok {
		return nil
	}
	var all []Step
	for _, e := range o.Details.At("examples").Items() {
		if !e.At("request", "params").Is(probes.Object) {
			continue
		}
		call := Step{Operation: o.Name, Params: map[string]any{}, Of: onNothing}
		for _, m := range e.At("request", "params").Members() {
			v := native(m.Value)
			if own, given := plain.Params[m.Name]; given && (holdsMark(own) || f.identifying(o, m.Name)) {
				v = own
			}
			call = call.with(m.Name, v)
		}
		all = append(all, call)
	}
	return all
}

// identifying reports whether the parameter identifies something that must exist.
func (f *Face) identifying(o probes.Operation, name string) bool {
	for _, p := range o.Parameters {
		if p.Name == name {
			return probes.IsReference(o, p)
		}
	}
	return false
}

func publishedExamples(f *Face, _ *rand.Rand, _ int) []Script {
	var all []Script
	for _, o := range f.Operations {
		for _, call := range f.published(o) {
			all = append(all, Script{Steps: []Step{call}})
		}
	}
	return all
}

func thinnedExamples(f *Face, _ *rand.Rand, _ int) []Script {
	var all []Script
	for _, o := range f.Operations {
		for _, call := range f.published(o) {
			for _, p := range o.Parameters {
				if _, given := call.Params[p.Name]; given && !p.Required {
					all = append(all, Script{Steps: []Step{call.without(p.Name)}})
				}
			}
		}
	}
	return all
}
