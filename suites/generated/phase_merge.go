package generated

import (
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// These scripts merge objects into stored ones, at each depth.

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
