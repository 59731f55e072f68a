package generated

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The random phase sends random combinations of parameters, and long sequences of updates of one
// object.

var randomOperators = []operator{
	{"documented call", "a call with some of the documented parameters", documentedCalls},
	{"undocumented in company", "a parameter that is not documented among some that are", undocumentedParameter},
	{"life of an object", "an object was changed again and again", forEachKind(objectLifecycles)},
}

// oftenEnough is how often the same names are drawn together before another call with them is left out: where an operation has few
// parameters, most of the draws repeat each other.
const oftenEnough = 2

// A draw counts which names have come together.
type draw map[string]int

// fresh reports whether up to three of the names, or none of none, have come together less than oftenEnough times, and counts them.
func (d draw) fresh(names ...string) (fresh bool) {
	names = slices.Sorted(slices.Values(names))
	count := func(together ...string) {
		key := strings.Join(together, "\n")
		fresh = fresh || d[key] < oftenEnough
		d[key]++
	}
	if len(names) == 0 {
		count()
	}
	for i, a := range names {
		count(a)
		for j, b := range names[i+1:] {
			count(a, b)
			for _, c := range names[i+j+2:] {
				count(a, b, c)
			}
		}
	}
	return fresh
}

// randomCall is the plain call with about half of the optional parameters, each with a value of its
// domain.
func randomCall(f *model.Adapter, r *rand.Rand, o probes.Operation, plain model.Step) model.Step {
	call := plain
	call.Params = maps.Clone(plain.Params)
	for _, p := range o.Parameters {
		_, given := call.Params[p.Name]
		if given || r.IntN(2) == 0 || check.WaitPattern.MatchString(p.Name) || p.Raw.At("sensitive").True() || probes.IsReference(o, p) {
			continue
		}
		d, err := f.Gen.Domain(p)
		if err != nil {
			continue
		}
		if values, err := d.Values(r, 4); err == nil && len(values) > 0 {
			if call.Params == nil {
				call.Params = map[string]any{}
			}
			call.Params[p.Name] = model.Native(values[r.IntN(len(values))])
		}
	}
	return call
}

func documentedCalls(f *model.Adapter, r *rand.Rand, n int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		plain, ok := knownGoodStep(f, o)
		drawn := draw{}
		for range n {
			if !ok {
				break
			}
			if call := randomCall(f, r, o, plain); len(call.Params) > len(plain.Params) && drawn.fresh(slices.Collect(maps.Keys(call.Params))...) {
				all = append(all, model.Script{Steps: []model.Step{call}})
			}
		}
	}
	return all
}

func undocumentedParameter(f *model.Adapter, r *rand.Rand, n int) []model.Script {
	var all []model.Script
	for _, o := range f.Operations {
		plain, ok := knownGoodStep(f, o)
		drawn := draw{}
		for range n {
			if !ok {
				break
			}
			if call := randomCall(f, r, o, plain); drawn.fresh(slices.Collect(maps.Keys(call.Params))...) {
				all = append(all, model.Script{Steps: []model.Step{withParameter(call, "aqlx_extra_"+f.Nonce, "1")}})
			}
		}
	}
	return all
}

// objectLifecycles updates an object many times, several fields at once, with occasional reads, and
// deletes it at the end.
func objectLifecycles(kind model.ObjectKind, r *rand.Rand, n int) []model.Script {
	var all []model.Script
	if len(kind.Updaters) == 0 {
		return nil
	}
	drawn := draw{}
	for range n {
		steps := []model.Step{kind.CreateStep(kind.AllFields(r))}
		var before []string
		fresh := false
		for range r.IntN(5) + 1 {
			up := kind.Updaters[r.IntN(len(kind.Updaters))]
			input := map[string]any{}
			fields := settable(kind, up, r)
			for _, p := range fields {
				switch n := r.IntN(max(2*len(fields), 1)); {
				case n < 6:
					input[p.Name], _ = kind.FieldValue(r, p)
				case n == 6 && removable(kind, p):
					input[p.Name] = nil
				}
			}
			if len(input) == 0 {
				continue
			}
			steps = append(steps, up.UpdateStep(0, maps.Clone(input)))
			names := changes(up, input)
			fresh = drawn.fresh(names...) || fresh
			fresh = drawn.follow(before, names) || fresh
			before = names
			if r.IntN(2) == 0 {
				steps = append(steps, kind.ReadStep(0))
			}
		}
		if !fresh {
			continue
		}
		steps = append(steps, kind.ReadStep(0))
		if len(kind.Removers) > 0 {
			steps = append(steps, kind.Removers[0].DeleteStep(0), kind.ReadStep(0))
		}
		all = append(all, model.Script{Steps: steps})
	}
	return all
}

// changes names what an update does to each field: it sets or removes it.
func changes(up model.TestObject, input map[string]any) (names []string) {
	for name, v := range input {
		if v == nil {
			name = "no " + name
		}
		names = append(names, up.Name+" "+name)
	}
	return names
}

// follow reports whether a change has come after one of the update before less than oftenEnough times, and counts it.
func (d draw) follow(before, after []string) (fresh bool) {
	for _, a := range before {
		for _, b := range after {
			key := a + " then " + b
			fresh = fresh || d[key] < oftenEnough
			d[key]++
		}
	}
	return fresh
}
