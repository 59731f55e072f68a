package suites

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 4.5.1. A scalar has nothing to merge: the new value takes its place.
var _ = register(merging("AQL-4.5.1-01", "replace a scalar by the value that input gives", "scalar", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["scalar"], sp.textName()
	if r, ok := sc.done(sc.before.At(p).Text() == sp.stamp(mergeTake)); !ok {
		return r
	}
	if want := sp.stamp(mergeTake) + "-new"; sc.after.At(p).Text() != want {
		return Violates(fmt.Sprintf("%s %q", p, want), sc.after.At(p)).By(sc.look, sc.reply)
	}
	return Conforms()
}))

func (sp specimen) textName() string   { p, _ := sp.text(); return p.Name }
func (sp specimen) spareName() string  { p, _ := sp.spare(); return p.Name }
func (sp specimen) objectName() string { p, _ := sp.object(); return p.Name }
func (sp specimen) listName() string   { p, _ := sp.list(); return p.Name }

// Section 4.5.1. A key that input names is meant; that it stands in an object
// inside input does not make it less so.
var _ = register(merging("AQL-4.5.1-02", "apply nested objects of input key by key", "nested", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["nested"], sp.objectName()
	if r, ok := sc.done(sc.before.At(p, "priority").Text() == "low"); !ok {
		return blameEarlier(r, all, sp)
	}
	if got := sc.after.At(p, "priority"); got.Text() != "high" {
		return Violates(p+`.priority "high"`, got).By(sc.look, sc.reply)
	}
	return Conforms()
}))

// blameEarlier points an unproven step to the row whose defect spoilt its start.
func blameEarlier(r Ruling, all map[string]mergeScene, sp specimen) Ruling {
	if sc := all["scalar"]; sc.played && sc.reply.Succeeded() && lostOther(sp, sc) != "" {
		return r.Because("AQL-4.5.1-04")
	}
	return r
}

// lostOther returns a field of ours that a change of the text field changed too. A
// field that does not show what it was given follows rules of its own.
func lostOther(sp specimen, sc mergeScene) string {
	given := sp.initial()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if value := probes.ValueOf(given[name]); name != sp.textName() && holds(sc.before.At(name), value) && !holds(sc.after.At(name), value) {
			return name
		}
	}
	return ""
}

// holds reports whether a stored value is what was given; the members that an
// adapter adds to an object do not count.
func holds(stored, given probes.Value) bool {
	if !given.Is(probes.Object) {
		return stored.Equal(given)
	}
	return stored.Is(probes.Object) && !slices.ContainsFunc(given.Members(), func(m probes.Member) bool { return !holds(stored.At(m.Name), m.Value) })
}

// Section 4.5.1. What input does not mention is not touched: the caller may not
// even know it.
var _ = register(merging("AQL-4.5.1-03", "merge a nested object into the stored one", "nested", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["nested"], sp.objectName()
	if r, ok := sc.done(sc.before.At(p, "author").Text() == "alice"); !ok {
		return blameEarlier(r, all, sp)
	}
	if got := sc.after.At(p, "author"); got.Text() != "alice" {
		return Violates(p+`.author "alice", which input did not mention`, got).By(sc.look, sc.reply)
	}
	return Conforms()
}))

// Section 4.5.1. The same for whole fields: an update is no replacement.
var _ = register(merging("AQL-4.5.1-04", "leave fields alone that input does not mention", "scalar", func(sp specimen, all map[string]mergeScene) Ruling {
	sc := all["scalar"]
	given := sp.initial()
	others := slices.DeleteFunc(slices.Collect(maps.Keys(given)), func(name string) bool {
		return name == sp.textName() || !holds(sc.before.At(name), probes.ValueOf(given[name]))
	})
	if r, ok := sc.done(len(others) > 0); !ok {
		return r
	}
	if name := lostOther(sp, sc); name != "" {
		return Violates(name+" as it was", sc.after.At(name)).By(sc.look, sc.reply)
	}
	return Conforms()
}))

// Section 4.5.1. "Recursively" has no depth at which it ends.
var _ = register(merging("AQL-4.5.1-05", "merge at every depth", "deep", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["deep"], sp.objectName()
	if r, ok := sc.done(equalsJSON(sc.before.At(p, "a", "b"), map[string]any{"x": 1, "y": 2})); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch got := sc.after.At(p, "a", "b"); {
	case equalsJSON(got, map[string]any{"x": 9, "y": 2}):
		return Conforms()
	case nestedDefect(all, sp) != "":
		return nestedOwner(NotProven("nested objects merged", got), all, sp)
	default:
		return Violates(p+`.a.b {"x":9,"y":2}`, got).By(sc.look, sc.reply)
	}
}))

// nestedDefect returns the row that a merge of one level already breaks.
func nestedDefect(all map[string]mergeScene, sp specimen) string {
	sc, p := all["nested"], sp.objectName()
	switch {
	case !sc.played || !sc.reply.Succeeded():
		return ""
	case sc.before.At(p, "priority").Text() == "low" && sc.after.At(p, "priority").Text() != "high":
		return "AQL-4.5.1-02"
	case sc.before.At(p, "author").Text() == "alice" && sc.after.At(p, "author").Text() != "alice":
		return "AQL-4.5.1-03"
	}
	return ""
}

func nestedOwner(r Ruling, all map[string]mergeScene, sp specimen) Ruling {
	if owner := nestedDefect(all, sp); owner != "" {
		return r.Because(owner)
	}
	return r
}

// Section 4.5.1. Elements have no names to merge by; the array is one value.
var _ = register(merging("AQL-4.5.1-06", "replace arrays as a whole, also by a shorter or empty one", "array", func(sp specimen, all map[string]mergeScene) Ruling {
	one, none, p := all["array"], all["empty array"], sp.listName()
	if r, ok := one.done(equalsJSON(one.before.At(p), []any{"a", "b", "c"})); !ok {
		return Worst(blameEarlier(r, all, sp), nestedArray(sp, all))
	}
	if !equalsJSON(one.after.At(p), []any{"x"}) {
		return Violates(p+` ["x"]`, one.after.At(p)).By(one.look, one.reply)
	}
	rs := []Ruling{Conforms().By(one.look, one.reply), nestedArray(sp, all)}
	switch got := none.after.At(p); {
	case !none.reply.Succeeded():
		rs = append(rs, NotProven("an empty array accepted", none.reply))
	case got.Is(probes.Absent) || got.Is(probes.Null):
		rs = append(rs, Departs(p+" []", got).By(none.look, none.reply))
	case !equalsJSON(got, []any{}):
		rs = append(rs, Violates(p+" []", got).By(none.look, none.reply))
	}
	return Worst(rs...)
}))

// nestedArray rules on the array inside the free-form object, where there is one.
func nestedArray(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["nested array"], sp.objectName()
	_, started := sc.done(equalsJSON(sc.before.At(p, "tags"), []any{"a", "b", "c"}))
	if !started || nestedDefect(all, sp) != "" {
		return NotApplicable("")
	}
	if got := sc.after.At(p, "tags"); !equalsJSON(got, []any{"x"}) {
		return Violates(p+`.tags ["x"]`, got).By(sc.look, sc.reply)
	}
	return Conforms().By(sc.look, sc.reply)
}

// Section 4.5.1. Merged elements are what "no element-level merging" excludes.
var _ = register(merging("AQL-4.5.1-07", "take array elements as input gives them", "elements", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["elements"], sp.objectName()
	if r, ok := sc.done(equalsJSON(sc.before.At(p, "items", "0", "b"), 2)); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch items := sc.after.At(p, "items"); {
	case len(items.Items()) != 1:
		return NotProven("the array replaced", items).Because("AQL-4.5.1-06")
	case items.At("0").Has("b"):
		return Violates(`an element {"id":1,"a":9}`, items.At("0")).By(sc.look, sc.reply)
	case !equalsJSON(items.At("0", "a"), 9):
		return nestedOwner(NotProven("the new element", items), all, sp)
	}
	return Conforms()
}))
