package suites

import (
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
		var turns [][]Step
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
				turns = append(turns, []Step{up.set(0, map[string]any{p.Name: v}), st.look(0)})
			}
		}
		all = append(all, onSame([]Step{st.create(st.full(r))}, turns)...)
	}
	return all
}

// storedTree is what the object of mergeObjects holds before the update.
func storedTree() map[string]any {
	return map[string]any{
		"keep": "amber", "leaf": "birch", "list": []any{"birch", "cedar"}, "rows": []any{map[string]any{"id": int64(1), "a": int64(1), "b": int64(2)}},
		"pair": []any{map[string]any{"a": int64(1), "b": int64(2)}, map[string]any{"a": int64(3), "b": int64(4)}},
		"flag": false, "truth": true, "none": int64(0), "blank": "", "bare": []any{}, "hollow": map[string]any{},
		"one": map[string]any{
			"keep": "delta", "leaf": "delta", "list": []any{"ember"},
			"two": map[string]any{
				"keep": "fjord", "leaf": "ember", "list": []any{"grove"},
				"three": map[string]any{"keep": "heath", "leaf": "grove", "list": []any{"inlet"}},
			},
		},
	}
}

// mergeObjects sets, adds and removes one key at each depth of a stored object, the
// deepest first, as a change may put something else in the place of what lies below it.
func mergeObjects(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			if v, _ := st.fieldValue(r, p); !isObject(v) {
				continue
			}
			all = append(all, st.namesakes(up, p, r)...)
			for _, change := range []map[string]any{
				{"leaf": "jetty"}, {"fresh": "knoll"}, {"leaf": nil}, {"list": []any{"larch"}}, {"list": []any{"larch", "marsh", "north"}},
				{"list": []any{}}, {"leaf": int64(0)}, {"leaf": false}, {"fresh": map[string]any{"deep": "ocean"}}, {},
				{"rows": []any{map[string]any{"id": int64(1), "a": int64(9)}}}, {"pair": []any{map[string]any{"a": int64(9)}, map[string]any{"c": int64(9)}}},
				{"leaf": ""}, {"leaf": true}, {"truth": false}, {"flag": true}, {"one": "river"}, {"two": "river"}, {"three": "river"},
			} {
				var turns [][]Step
				for depth := range 4 {
					turns = append(turns, []Step{up.set(0, map[string]any{p.Name: buried(3-depth, change)}), st.look(0)})
				}
				all = append(all, onSame([]Step{st.create(map[string]any{p.Name: storedTree()})}, turns)...)
			}
		}
	}
	return all
}

// namesakes sets a key inside an object together with the field that is called
// like it.
func (st stage) namesakes(up specimen, object probes.Parameter, r *rand.Rand) []Script {
	var all []Script
	for _, p := range st.settable(up, r) {
		if p.Name == object.Name {
			continue
		}
		v, _ := st.fieldValue(r, p)
		was, _ := st.fieldValue(r, p)
		is, _ := st.fieldValue(r, p) // a value of the field's kind, because names make others read it as such
		create := st.create(map[string]any{object.Name: map[string]any{p.Name: was, "keep": "birch"}})
		set := up.set(0, map[string]any{object.Name: map[string]any{p.Name: is}, p.Name: v})
		all = append(all, Script{Steps: []Step{create, set, st.look(0)}})
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
			was := []any{"amber", "birch", "cedar"}
			for _, to := range [][]any{{}, {"amber"}, {"amber", "birch"}, {"north", "ocean", "pearl"}, {"amber", "birch", "cedar", "delta", "ember"}} {
				all = append(all, Script{Steps: []Step{st.create(map[string]any{p.Name: was}), up.set(0, map[string]any{p.Name: to}), st.look(0)}})
			}
		}
	}
	return all
}

func isList(v any) bool { _, ok := v.([]any); return ok }

// removeByNull removes each field that the object can do without, sets the others, and
// then the one that is gone.
func removeByNull(st stage, r *rand.Rand, _ int) []Script {
	var all []Script
	for _, up := range st.update {
		for _, p := range st.settable(up, r) {
			if !st.removable(p) {
				continue
			}
			var turns [][]Step
			set := func(p probes.Parameter) {
				v, _ := st.fieldValue(r, p)
				turns = append(turns, []Step{up.set(0, map[string]any{p.Name: v}), st.look(0)})
			}
			for _, other := range st.settable(up, r) {
				if other.Name != p.Name {
					set(other)
				}
			}
			set(p)
			all = append(all, onSame([]Step{st.create(st.full(r)), up.set(0, map[string]any{p.Name: nil}), st.look(0)}, turns)...)
		}
	}
	return all
}

// removable reports whether an object can do without the field.
func (st stage) removable(p probes.Parameter) bool {
	needed := func(q probes.Parameter) bool { return q.Name == p.Name && q.Required }
	return !p.Required && !slices.ContainsFunc(st.maker.Op.Parameters, needed)
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
			for _, p := range st.settable(up, r) {
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
		var turns [][]Step
		for _, p := range st.settable(up, r) {
			for of := range 2 {
				v, _ := st.fieldValue(r, p)
				turns = append(turns, []Step{up.set(of, map[string]any{p.Name: v}), st.look(1 - of), st.look(of)})
				if _, two := v.(bool); !two || !st.fits[st.maker.Name+"."+p.Name] {
					continue
				}
				for _, to := range []bool{true, false} { // which neither of them holds
					off := map[string]any{p.Name: !to}
					all = append(all, Script{Steps: []Step{st.create(off), st.create(off), up.set(of, map[string]any{p.Name: to}), st.look(1 - of), st.look(of)}})
				}
			}
		}
		all = append(all, onSame(pair, turns)...)
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
