package suites

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The stateful phase plays with objects of our own: it makes, changes, looks,
// removes, and compares what it is shown with what the rules make of it.

var statefulOperators = []operator{
	{"set each field", "a field was set and looked at", onStages(setEachField)},
	{"merge into an object", "an object was merged into a stored one", onStages(mergeObjects)},
	{"replace a list", "a list took the place of another", onStages(replaceLists)},
	{"remove by null", "a field was set to null", onStages(removeByNull)},
	{"use after removal", "an object was used after it was removed", onStages(useAfterRemoval)},
	{"two of a kind", "two objects stood side by side", onStages(twoOfAKind)},
	{"same name twice", "a second object was made under the same name", onStages(sameNameTwice)},
}

var randomOperators = []operator{
	{"life of an object", "an object was changed again and again", onStages(lifeOfAnObject)},
}

func onStages(make func(st stage, r *rand.Rand, n int) []Script) func(*Face, *rand.Rand, int) []Script {
	return func(f *Face, r *rand.Rand, n int) []Script {
		var all []Script
		for _, st := range f.arena {
			all = append(all, make(*st, r, n)...)
		}
		return all
	}
}

// settable are the fields that an update can set to a value we can make.
func (st stage) settable(up specimen, r *rand.Rand) []probes.Parameter {
	return slices.DeleteFunc(slices.Clone(up.fields), func(p probes.Parameter) bool {
		_, ok := st.fieldValue(r, p)
		return !ok || !st.fits[up.Name+"."+p.Name]
	})
}

// full is an object with a value in every field that can be set.
func (st stage) full(r *rand.Rand) map[string]any {
	fields := map[string]any{}
	for _, p := range st.maker.Op.Parameters {
		if v, ok := st.fieldValue(r, p); ok && st.fits[st.maker.Name+"."+p.Name] {
			fields[p.Name] = v
		}
	}
	return fields
}

func setEachField(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			values := []any{}
			if enum := st.EnumOf(p); len(enum) > 0 && len(enum) <= 24 {
				for _, v := range enum {
					values = append(values, v.Go())
				}
			} else {
				v, _ := st.fieldValue(r, p)
				values = append(values, v)
			}
			for _, v := range values {
				steps := []Step{st.create(st.full(r)), up.set(0, map[string]any{p.Name: v}), st.look(0)}
				all = append(all, Script{Steps: steps})
			}
		}
	}
	return all
}

// storedTree is what the object of mergeObjects holds before the update.
func storedTree() map[string]any {
	return map[string]any{
		"keep": "amber", "leaf": "birch", "list": []any{"birch", "cedar"}, "rows": []any{map[string]any{"id": int64(1), "a": int64(1), "b": int64(2)}},
		"one": map[string]any{
			"keep": "delta", "leaf": "delta", "list": []any{"ember"},
			"two": map[string]any{
				"keep": "fjord", "leaf": "ember", "list": []any{"grove"},
				"three": map[string]any{"keep": "heath", "leaf": "grove", "list": []any{"inlet"}},
			},
		},
	}
}

// mergeObjects sets, adds and removes one key at each depth of a stored object.
func mergeObjects(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			if v, _ := st.fieldValue(r, p); !isObject(v) {
				continue
			}
			for depth := range 4 {
				for _, change := range []map[string]any{
					{"leaf": "jetty"}, {"fresh": "knoll"}, {"leaf": nil}, {"list": []any{"larch"}}, {"list": []any{"larch", "marsh", "north"}},
					{"list": []any{}}, {"leaf": int64(0)}, {"leaf": false}, {"fresh": map[string]any{"deep": "ocean"}}, {},
					{"rows": []any{map[string]any{"id": int64(1), "a": int64(9)}}},
				} {
					input := map[string]any{p.Name: buried(depth, change)}
					all = append(all, Script{Steps: []Step{st.create(map[string]any{p.Name: storedTree()}), up.set(0, input), st.look(0)}})
				}
			}
		}
	}
	return all
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// buried puts a change at a depth of the stored tree.
func buried(depth int, change map[string]any) map[string]any {
	for i := depth - 1; i >= 0; i-- {
		change = map[string]any{[]string{"one", "two", "three"}[i]: change}
	}
	return change
}

func replaceLists(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			if v, _ := st.fieldValue(r, p); !isList(v) {
				continue
			}
			for _, to := range [][]any{{}, {"amber"}, {"amber", "birch"}, {"north", "ocean", "pearl"}, {"amber", "birch", "cedar", "delta", "ember"}} {
				create := st.create(map[string]any{p.Name: []any{"amber", "birch", "cedar"}})
				all = append(all, Script{Steps: []Step{create, up.set(0, map[string]any{p.Name: to}), st.look(0)}})
			}
		}
	}
	return all
}

func isList(v any) bool { _, ok := v.([]any); return ok }

// removeByNull removes each field that the object can do without, and sets it
// again.
func removeByNull(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			if p.Required || slices.ContainsFunc(st.maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name && q.Required }) {
				continue
			}
			v, _ := st.fieldValue(r, p)
			steps := []Step{
				st.create(st.full(r)), up.set(0, map[string]any{p.Name: nil}), st.look(0), up.set(0, map[string]any{p.Name: v}), st.look(0),
			}
			all = append(all, Script{Steps: steps})
		}
	}
	return all
}

func useAfterRemoval(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, rm := range st.remove {
		create := st.create(st.full(r))
		all = append(all,
			Script{Steps: []Step{create, st.look(0), rm.drop(0), st.look(0)}},
			Script{Steps: []Step{create, st.look(0), rm.drop(0), rm.drop(0), st.look(0)}},
			Script{Steps: []Step{create, rm.drop(0), create, rm.drop(2), st.look(2)}})
		for _, up := range st.update {
			for _, p := range st.settable(up, r)[:min(1, len(st.settable(up, r)))] {
				v, _ := st.fieldValue(r, p)
				set := up.set(0, map[string]any{p.Name: v})
				all = append(all,
					Script{Steps: []Step{create, set, rm.drop(0), st.look(0)}},
					Script{Steps: []Step{create, rm.drop(0), st.look(0), set, st.look(0)}})
			}
		}
	}
	return all
}

func twoOfAKind(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	pair := []Step{st.create(st.full(r)), st.create(st.full(r))}
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			v, _ := st.fieldValue(r, p)
			for of := range 2 {
				all = append(all, Script{Steps: append(slices.Clone(pair), up.set(of, map[string]any{p.Name: v}), st.look(1-of), st.look(of))})
			}
		}
	}
	for _, rm := range st.remove {
		for of := range 2 {
			all = append(all, Script{Steps: append(slices.Clone(pair), rm.drop(of), st.look(1-of))})
		}
	}
	return all
}

func sameNameTwice(st stage, r *rand.Rand, _ int) []Script {
	again := st.create(st.full(r))
	again.Of = 0
	return []Script{{Steps: []Step{st.create(st.full(r)), again, st.look(0)}}}
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
				if r.IntN(len(fields)) < 2 {
					input[p.Name], _ = st.fieldValue(r, p)
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
