package generated

import (
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The stateful phase creates, updates, reads and deletes test objects, and compares the reads with
// the expected states.

var statefulOperators = []operator{
	{"set each field", "a field was set and looked at", forEachKind(setEachField)},
	{"merge into an object", "an object was merged into a stored one", forEachKind(mergeObjects)},
	{"merge into documented members", "a member of an object was set or removed", forEachKind(mergeMembers)},
	{"replace a list", "a list took the place of another", forEachKind(replaceLists)},
	{"remove by null", "a field was set to null", forEachKind(removeByNull)},
	{"use after removal", "an object was used after it was removed", forEachKind(useAfterRemoval)},
	{"two of a kind", "two objects stood side by side", forEachKind(twoObjects)},
	{"same name twice", "a second object was made under the same name", forEachKind(sameNameTwice)},
}

func forEachKind(make func(kind model.ObjectKind, r *rand.Rand, n int) []model.Script) func(*model.Adapter, *rand.Rand, int) []model.Script {
	return func(f *model.Adapter, r *rand.Rand, n int) []model.Script {
		var all []model.Script
		for _, kind := range f.ObjectKinds {
			all = append(all, make(*kind, r, n)...)
		}
		return all
	}
}

// settable are the fields that an update can set to a generated value.
func settable(kind model.ObjectKind, up model.TestObject, r *rand.Rand) []probes.Parameter {
	return slices.DeleteFunc(slices.Clone(up.Fields), func(p probes.Parameter) bool {
		_, ok := kind.FieldValue(r, p)
		return !ok || !kind.Accepted[up.Name+"."+p.Name]
	})
}

func setEachField(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, up := range kind.Updaters {
		var turns [][]model.Step
		for _, p := range settable(kind, up, r) {
			values := []any{}
			if enum := kind.EnumOf(p); len(enum) > 0 && len(enum) <= 24 {
				for _, v := range enum {
					values = append(values, v.Go())
				}
			} else {
				v, _ := kind.FieldValue(r, p)
				values = append(values, v)
			}
			for _, v := range values {
				turns = append(turns, []model.Step{up.UpdateStep(0, map[string]any{p.Name: v}), kind.ReadStep(0)})
			}
		}
		all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(kind.AllFields(r))}, turns)...)
	}
	return all
}

// initialObject is the value of the object field before the updates of mergeObjects.
func initialObject() map[string]any {
	return map[string]any{
		"keep": "amber", "leaf": "birch", "list": []any{"birch", "cedar"}, "rows": []any{map[string]any{"id": model.ElementID, "a": int64(1), "b": int64(2)}},
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

// mergeObjects sets, adds and removes one key at each depth of a stored object. It starts at the
// deepest level, because a change may replace everything below it.
func mergeObjects(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, up := range kind.Updaters {
		for _, p := range settable(kind, up, r) {
			if v, _ := kind.FieldValue(r, p); !isObject(v) || len(kind.Members(p)) > 0 {
				continue
			}
			all = append(all, sameNamedKeys(kind, up, p, r)...)
			for _, change := range []map[string]any{
				{"leaf": "jetty"}, {"fresh": "knoll"}, {"leaf": nil}, {"list": []any{"larch"}}, {"list": []any{"larch", "marsh", "north"}},
				{"list": []any{}}, {"leaf": int64(0)}, {"leaf": false}, {"fresh": map[string]any{"deep": "ocean"}}, {},
				{"rows": []any{map[string]any{"id": model.ElementID, "a": int64(9)}}}, {"pair": []any{map[string]any{"a": int64(9)}, map[string]any{"c": int64(9)}}},
				{"leaf": ""}, {"leaf": true}, {"truth": false}, {"flag": true}, {"one": "river"}, {"two": "river"}, {"three": "river"},
			} {
				var turns [][]model.Step
				for depth := range 4 {
					turns = append(turns, []model.Step{up.UpdateStep(0, map[string]any{p.Name: nestAt(3-depth, change)}), kind.ReadStep(0)})
				}
				all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(map[string]any{p.Name: initialObject()})}, turns)...)
			}
		}
	}
	return all
}

// mergeMembers sets each documented member of an object alone, at each depth, and removes it.
func mergeMembers(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, up := range kind.Updaters {
		var turns [][]model.Step
		for _, p := range settable(kind, up, r) {
			if len(kind.Members(p)) == 0 || !kind.Accepted[kind.Maker.Name+"."+p.Name] {
				continue
			}
			for _, input := range oneMember(kind, r, p, 0) {
				turns = append(turns, []model.Step{up.UpdateStep(0, map[string]any{p.Name: input}), kind.ReadStep(0)})
			}
		}
		all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(kind.AllFields(r)), kind.ReadStep(0)}, turns)...)
	}
	return all
}

// oneMember returns the objects that set one member of a field, or remove an optional one.
func oneMember(kind model.ObjectKind, r *rand.Rand, p probes.Parameter, depth int) (all []map[string]any) {
	for _, m := range kind.Members(p) {
		if depth < 2 {
			for _, inner := range oneMember(kind, r, m, depth+1) {
				all = append(all, map[string]any{m.Name: inner})
			}
		}
		v, ok := kind.MemberValue(r, m, depth+1)
		if !ok {
			continue
		}
		if !isObject(v) {
			all = append(all, map[string]any{m.Name: v})
		}
		if !m.Required {
			all = append(all, map[string]any{m.Name: nil}, map[string]any{m.Name: v})
		}
	}
	return all
}

// sameNamedKeys sets a key inside an object together with the top-level field of the same name.
func sameNamedKeys(kind model.ObjectKind, up model.TestObject, object probes.Parameter, r *rand.Rand) []model.Script {
	var all []model.Script
	for _, p := range settable(kind, up, r) {
		if p.Name == object.Name {
			continue
		}
		v, _ := kind.FieldValue(r, p)
		was, _ := kind.FieldValue(r, p)
		is, _ := kind.FieldValue(r, p) // a value of the field's type, because an adapter may interpret the key by its name
		create := kind.CreateStep(map[string]any{object.Name: map[string]any{p.Name: was, "keep": "birch"}})
		set := up.UpdateStep(0, map[string]any{object.Name: map[string]any{p.Name: is}, p.Name: v})
		all = append(all, model.Script{Steps: []model.Step{create, set, kind.ReadStep(0)}})
	}
	return all
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// nestAt returns the change nested at a depth of initialObject.
func nestAt(depth int, change map[string]any) map[string]any {
	for i := depth - 1; i >= 0; i-- {
		change = map[string]any{[]string{"one", "two", "three"}[i]: change}
	}
	return change
}

func replaceLists(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, up := range kind.Updaters {
		for _, p := range settable(kind, up, r) {
			if v, _ := kind.FieldValue(r, p); !isList(v) {
				continue
			}
			was := []any{"amber", "birch", "cedar"}
			for _, to := range [][]any{{}, {"amber"}, {"amber", "birch"}, {"north", "ocean", "pearl"}, {"amber", "birch", "cedar", "delta", "ember"}} {
				all = append(all, model.Script{Steps: []model.Step{kind.CreateStep(map[string]any{p.Name: was}), up.UpdateStep(0, map[string]any{p.Name: to}), kind.ReadStep(0)}})
			}
		}
	}
	return all
}

func isList(v any) bool { _, ok := v.([]any); return ok }

// removeByNull removes each optional field, sets the others, and then sets the removed one again.
func removeByNull(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, up := range kind.Updaters {
		for _, p := range settable(kind, up, r) {
			if !removable(kind, p) {
				continue
			}
			var turns [][]model.Step
			set := func(p probes.Parameter) {
				v, _ := kind.FieldValue(r, p)
				turns = append(turns, []model.Step{up.UpdateStep(0, map[string]any{p.Name: v}), kind.ReadStep(0)})
			}
			for _, other := range settable(kind, up, r) {
				if other.Name != p.Name {
					set(other)
				}
			}
			set(p)
			all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(kind.AllFields(r)), up.UpdateStep(0, map[string]any{p.Name: nil}), kind.ReadStep(0)}, turns)...)
		}
	}
	return all
}

// removable reports whether the field is optional.
func removable(kind model.ObjectKind, p probes.Parameter) bool {
	needed := func(q probes.Parameter) bool { return q.Name == p.Name && q.Required }
	return !p.Required && !slices.ContainsFunc(kind.Maker.Op.Parameters, needed)
}

func useAfterRemoval(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	for _, rm := range kind.Removers {
		create := kind.CreateStep(kind.AllFields(r))
		all = append(all,
			model.Script{Steps: []model.Step{create, kind.ReadStep(0), rm.DeleteStep(0), kind.ReadStep(0)}},
			model.Script{Steps: []model.Step{create, kind.ReadStep(0), rm.DeleteStep(0), rm.DeleteStep(0), kind.ReadStep(0)}},
			model.Script{Steps: []model.Step{create, rm.DeleteStep(0), create, rm.DeleteStep(2), kind.ReadStep(2)}})
		for _, up := range kind.Updaters {
			for _, p := range settable(kind, up, r) {
				v, _ := kind.FieldValue(r, p)
				set := up.UpdateStep(0, map[string]any{p.Name: v})
				all = append(all,
					model.Script{Steps: []model.Step{create, set, rm.DeleteStep(0), kind.ReadStep(0)}},
					model.Script{Steps: []model.Step{create, rm.DeleteStep(0), kind.ReadStep(0), set, kind.ReadStep(0)}})
			}
		}
	}
	return all
}

func twoObjects(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	var all []model.Script
	pair := []model.Step{kind.CreateStep(kind.AllFields(r)), kind.CreateStep(kind.AllFields(r))}
	for _, up := range kind.Updaters {
		var turns [][]model.Step
		for _, p := range settable(kind, up, r) {
			for of := range 2 {
				v, _ := kind.FieldValue(r, p)
				turns = append(turns, []model.Step{up.UpdateStep(of, map[string]any{p.Name: v}), kind.ReadStep(1 - of), kind.ReadStep(of)})
				if _, two := v.(bool); !two || !kind.Accepted[kind.Maker.Name+"."+p.Name] {
					continue
				}
				for _, to := range []bool{true, false} { // a value that neither object has
					off := map[string]any{p.Name: !to}
					all = append(all, model.Script{Steps: []model.Step{kind.CreateStep(off), kind.CreateStep(off), up.UpdateStep(of, map[string]any{p.Name: to}), kind.ReadStep(1 - of), kind.ReadStep(of)}})
				}
			}
		}
		all = append(all, model.ScriptsOnSameObjects(pair, turns)...)
		all = append(all, besideBare(kind, up, r)...)
	}
	for _, rm := range kind.Removers {
		for of := range 2 {
			all = append(all, model.Script{Steps: append(slices.Clone(pair), rm.DeleteStep(of), kind.ReadStep(1-of))})
		}
	}
	return all
}

// besideBare sets each optional field of an object that was made without, beside another such object: what both have
// by default may be one and the same thing.
func besideBare(kind model.ObjectKind, up model.TestObject, r *rand.Rand) []model.Script {
	bare := []model.Step{kind.CreateStep(nil), kind.CreateStep(nil), kind.ReadStep(0), kind.ReadStep(1)}
	var turns [][]model.Step
	for _, p := range settable(kind, up, r) {
		if !removable(kind, p) {
			continue
		}
		v, _ := kind.FieldValue(r, p)
		turns = append(turns, []model.Step{up.UpdateStep(0, map[string]any{p.Name: kind.Varying(p, v)}), kind.ReadStep(1)})
	}
	return model.ScriptsOnSameObjects(bare, turns)
}

func sameNameTwice(kind model.ObjectKind, r *rand.Rand, _ int) []model.Script {
	again := kind.CreateStep(kind.AllFields(r))
	again.MadeBy = 0
	return []model.Script{{Steps: []model.Step{kind.CreateStep(kind.AllFields(r)), kind.ReadStep(0), again, kind.ReadStep(0)}}}
}
