package suites

import (
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// The negative phase sends requests that the documentation rules out: a name too
// many, a name misspelt, a name missing, beside every optional parameter in turn,
// because a guard is often forgotten on one path alone.

var negativeOperators = []operator{
	{"malformed call", "a name that is not documented, misspelt or missing", malformedCalls},
	{"refused change", "an update with one valid and one invalid field", refusedChanges},
}

// malformedCalls sends each way to get the names of a call wrong, in the plain call
// and beside each optional parameter; misspelling once is enough.
func malformedCalls(f *Face, _ *rand.Rand, _ int) []Script {
	var all []Script
	for _, o := range f.Operations {
		plain, ok := f.plainCall(o)
		if !ok {
			continue
		}
		for i, call := range append([]Step{plain}, f.company(o, plain)...) {
			for _, c := range f.Gen.Requests(o, call.Params, generate.Unasked) {
				if c.Valid || i > 0 && c.Operator == "misspelt-name" {
					continue
				}
				bad := call
				bad.Params, _ = native(c.Params).(map[string]any)
				all = append(all, Script{Steps: []Step{bad}, Sentence: o.Name + " " + c.Sentence})
			}
		}
	}
	return all
}

// company returns the plain call with each optional parameter set to a value of
// the plain kind.
func (f *Face) company(o probes.Operation, plain Step) []Step {
	var all []Step
	for _, p := range o.Parameters {
		if _, given := plain.Params[p.Name]; given || p.Required || waiting.MatchString(p.Name) || p.Raw.At("sensitive").True() {
			continue
		}
		if values := f.Gen.Values(o, p); len(values) > 0 && !probes.IsReference(o, p) {
			for _, v := range values[:min(len(values), 2)] {
				all = append(all, plain.with(p.Name, native(v)))
			}
		}
	}
	return all
}

// refusedChanges sets a field that may be set together with one that may not, and
// looks whether the first one was set all the same.
func refusedChanges(f *Face, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, st := range f.arena {
		for _, up := range st.update {
			for _, good := range st.settable(up, r) {
				valid := func() map[string]any {
					v, _ := st.fieldValue(r, good)
					return map[string]any{good.Name: v}
				}
				var turns [][]Step
				for _, bad := range up.fields {
					worst, ok := f.worst(bad)
					if !ok || bad.Name == good.Name || !up.declared {
						continue
					}
					input := valid()
					input[bad.Name] = native(worst.value)
					turns = append(turns, []Step{up.set(0, input), st.look(0)})
				}
				extra, within := "aqlx_extra_"+f.Nonce, valid()
				within[extra] = "1"
				turns = append(turns, []Step{up.set(0, valid()).with(extra, "1"), st.look(0)}, []Step{up.set(0, within), st.look(0)})
				all = append(all, onSame([]Step{st.create(st.full(r))}, turns)...)
			}
		}
		for _, rm := range st.remove {
			for _, drop := range append([]Step{rm.drop(0)}, f.company(rm.Op, rm.drop(0))...) {
				all = append(all, Script{Steps: []Step{st.create(nil), drop.with("aqlx_extra_"+f.Nonce, "1"), st.look(0)}})
			}
		}
		all = append(all, st.refusedCreations(r)...)
	}
	return all
}

// refusedCreations makes objects with one value too bad to be taken, and looks for
// them in the listing all the same: once for all bad values of a parameter, as
// listings are long, unless the listing must be asked for the very one.
func (st *stage) refusedCreations(r *rand.Rand) []Script {
	views := st.maker.views(markToken)
	if len(views) == 0 {
		return nil
	}
	params, _ := native(views[0].Params()).(map[string]any)
	list := Step{Operation: views[0].Operation(), Params: params, Of: 0}
	var all []Script
	for _, p := range st.maker.Op.Parameters {
		create := st.create(nil)
		if holdsMark(create.Params[p.Name]) {
			continue
		}
		var refused []Step
		for _, c := range st.edges(p) {
			if why, _ := st.flaw(p, c.value); len(why) > 0 && !why[0].mild {
				refused = append(refused, create.with(p.Name, native(c.value)))
			}
		}
		if holdsMark(list.Params) {
			for _, one := range refused {
				all = append(all, Script{Steps: []Step{one, list}})
			}
		} else if len(refused) > 0 {
			list.Of = onNothing
			all = append(all, Script{Steps: append(refused, list)})
		}
	}
	return all
}

// worst returns a value that no lenient reader takes for a value of the parameter.
func (f *Face) worst(p probes.Parameter) (edgeCase, bool) {
	cases := f.edges(p)
	i := slices.IndexFunc(cases, func(c edgeCase) bool {
		why, _ := f.flaw(p, c.value)
		return len(why) > 0 && !why[0].mild && why[0].owner != ""
	})
	if i < 0 {
		return edgeCase{}, false
	}
	return cases[i], true
}
