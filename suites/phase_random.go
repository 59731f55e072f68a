package suites

import (
	"maps"
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
)

// The random phase combines: parameters that nobody thought of sending together,
// and long lives of one object.

var randomOperators = []operator{
	{"documented call", "a call with some of the documented parameters", documentedCalls},
	{"undocumented in company", "a parameter that is not documented among some that are", undocumentedInCompany},
	{"life of an object", "an object was changed again and again", onStages(lifeOfAnObject)},
}

// anyCall is the plain call of an operation with about half of its optional
// parameters, each with a value of its domain.
func (f *Face) anyCall(r *rand.Rand, o probes.Operation, plain Step) Step {
	call := plain
	for _, p := range o.Parameters {
		_, given := call.Params[p.Name]
		if given || r.IntN(2) == 0 || waiting.MatchString(p.Name) || p.Raw.At("sensitive").True() || probes.IsReference(o, p) {
			continue
		}
		d, err := f.Gen.Domain(p)
		if err != nil {
			continue
		}
		if values, err := d.Values(r, 4); err == nil && len(values) > 0 {
			call = call.with(p.Name, native(values[r.IntN(len(values))]))
		}
	}
	return call
}

func documentedCalls(f *Face, r *rand.Rand, n int) []Script {
	var all []Script
	for _, o := range f.Operations {
		plain, ok := f.plainCall(o)
		for range n {
			if !ok {
				break
			}
			if call := f.anyCall(r, o, plain); len(call.Params) > len(plain.Params) {
				all = append(all, Script{Steps: []Step{call}})
			}
		}
	}
	return all
}

func undocumentedInCompany(f *Face, r *rand.Rand, n int) []Script {
	var all []Script
	for _, o := range f.Operations {
		plain, ok := f.plainCall(o)
		for range n {
			if !ok {
				break
			}
			call := f.anyCall(r, o, plain)
			all = append(all, Script{Steps: []Step{call.with("aqlx_extra_"+f.Nonce, "1")}})
		}
	}
	return all
}

// lifeOfAnObject changes an object many times, several fields at once, and now and
// then looks, refuses to behave, or removes it.
func lifeOfAnObject(st stage, r *rand.Rand, n int) []Script {
	var all []Script
	if len(st.update) == 0 {
		return nil
	}
	for range n {
		steps := []Step{st.create(st.full(r))}
		for range r.IntN(5) + 1 {
			up := st.update[r.IntN(len(st.update))]
			input := map[string]any{}
			fields := st.settable(up, r)
			for _, p := range fields {
				switch n := r.IntN(max(2*len(fields), 1)); {
				case n < 6:
					input[p.Name], _ = st.fieldValue(r, p)
				case n == 6 && st.removable(p):
					input[p.Name] = nil
				}
			}
			if len(input) == 0 {
				continue
			}
			steps = append(steps, up.set(0, maps.Clone(input)))
			if r.IntN(2) == 0 {
				steps = append(steps, st.look(0))
			}
		}
		steps = append(steps, st.look(0))
		if len(st.remove) > 0 {
			steps = append(steps, st.remove[0].drop(0), st.look(0))
		}
		all = append(all, Script{Steps: steps})
	}
	return all
}
