package model

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// RulesOut reports whether the adapter has no field of the kinds in path, the second within the first: every
// documented field of input is of another type, and an object as a READ shows it has none either. Where a
// type is open or unknown, nothing is ruled out.
func (obj TestObject) RulesOut(shown probes.Value, path ...string) bool {
	hinted := obj.hintedField("object") + obj.hintedField("list")
	if obj.Adapter == nil || !obj.Declared || len(obj.Fields) == 0 || hinted != "" || !shown.Is(probes.Object) || holds(shown, path) {
		return false
	}
	return !slices.ContainsFunc(obj.Fields, func(p probes.Parameter) bool { return obj.mayHold(p, path) })
}

// mayHold reports whether the documents leave it open that a field has a value of the kinds in path.
func (obj TestObject) mayHold(p probes.Parameter, path []string) bool {
	kinds, ok := obj.Kinds(p.Type)
	if !ok || len(kinds) == 0 {
		return true
	}
	if !slices.Contains(kinds, path[0]) {
		return false
	}
	if len(path) == 1 {
		return true
	}
	within := obj.Adapter.Fields(p)
	if path[0] == "array" {
		within = nil
		if items := p.Raw.At("items"); items.At("type").Is(probes.String) {
			within = []probes.Parameter{{Type: items.At("type").Text(), Raw: items}}
		}
	}
	return len(within) == 0 || slices.ContainsFunc(within, func(m probes.Parameter) bool { return obj.mayHold(m, path[1:]) })
}

// holds reports whether a value has a member or an item of the kinds in path.
func holds(v probes.Value, path []string) bool {
	if len(path) == 0 {
		return true
	}
	kind := map[string]probes.Kind{"object": probes.Object, "array": probes.Array}[path[0]]
	below := v.Items()
	for _, m := range v.Members() {
		below = append(below, m.Value)
	}
	return slices.ContainsFunc(below, func(w probes.Value) bool { return w.Is(kind) && holds(w, path[1:]) })
}

// ReachesOut reports whether a value of a field may mean an effect beyond the store, by its name or by that of the field.
func ReachesOut(p probes.Parameter, v probes.Value) bool {
	return v.True() && gate.Reaches(p, v) || gate.ReachesOut(v.Text())
}

// DefaultOf is the default that the operation that creates the object, or the update, documents for a field.
func (obj TestObject) DefaultOf(field string) probes.Value {
	for _, p := range slices.Concat(obj.Maker.Op.Parameters, obj.Fields) {
		if p.Name == field && p.Raw.Has("default") {
			return p.Raw.At("default")
		}
	}
	return probes.Value{}
}
