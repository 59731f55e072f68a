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
			if other, ok := beside(kind, up, p, r); ok {
				is, _ := kind.FieldValue(r, p)
				v, _ := kind.FieldValue(r, other) // an adapter may answer without the field, and store it
				turns = append(turns, []model.Step{
					up.UpdateStep(0, map[string]any{p.Name: is}), kind.ReadStep(0),
					up.UpdateStep(0, map[string]any{p.Name: nil, other.Name: v}), kind.ReadStep(0),
				})
			}
			all = append(all, model.ScriptsOnSameObjects([]model.Step{kind.CreateStep(kind.AllFields(r)), up.UpdateStep(0, map[string]any{p.Name: nil}), kind.ReadStep(0)}, turns)...)
		}
	}
	return all
}

// beside returns another field to set beside one: one of few values, if there is one, because no two objects may have the
// same text in some fields.
func beside(kind model.ObjectKind, up model.TestObject, p probes.Parameter, r *rand.Rand) (other probes.Parameter, ok bool) {
	others := slices.DeleteFunc(settable(kind, up, r), func(q probes.Parameter) bool { return q.Name == p.Name })
	if i := slices.IndexFunc(others, func(q probes.Parameter) bool { return len(kind.EnumOf(q)) > 0 || q.Type == "boolean" }); i >= 0 {
		return others[i], true
	}
	if len(others) == 0 {
		return other, false
	}
	return others[0], true
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
