package update

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.5.1.
var scalarInInputReplacesValue = orClosed(merging("AQL-4.5.1-01", "replace a scalar by the value that input gives", "scalar", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["scalar"], check.TextFieldName(sp)
	if r, ok := done(sp, sc, sc.Before.At(p).Text() == sp.ScriptMark("merge")); !ok {
		return r
	}
	if want := sp.ScriptMark("merge") + "-new"; sc.After.At(p).Text() != want {
		return notStored(sp.Name, p, want, sp.FindIn(sc.Reply.Data()), sc).By(sc.Evidence()...)
	}
	return ruling.Conforms()
}).WithRule(
	"A scalar field named in input takes the new value and the old one is gone.",
	"A scalar has nothing to merge: the new value takes its place."))

func removableName(sp model.TestObject) string { p, _ := check.RemovableField(sp); return p.Name }
func objectName(sp model.TestObject) string    { p, _ := sp.ObjectField(); return p.Name }
func listName(sp model.TestObject) string      { p, _ := sp.ListField(); return p.Name }

// notStored rules on a field that a read does not show as the update set it. answered is the object in
// the answer to the update: where it shows the new value, the change was lost behind the answer.
func notStored(update, field, want string, answered probes.Value, sc check.MergeStepResult) ruling.Ruling {
	after := sc.After.At(field)
	if answered.At(field).Text() != want || !after.Equal(sc.Before.At(field)) {
		return ruling.Violates(fmt.Sprintf("%s %q", field, want), after)
	}
	return ruling.Violates(fmt.Sprintf("%s %q in the next read, as %s answers", field, want, update), "the value from before the update: "+after.String()).
		Mend("store what " + update + " answers: the next read shows the object without the change")
}

// Section 4.5.1.
var nestedKeyInInputIsUpdated = merging("AQL-4.5.1-02", "apply nested objects of input key by key", "nested", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["nested"], objectName(sp)
	if r, ok := done(sp, sc, sc.Before.At(p, "priority").Text() == "low"); !ok {
		return blameEarlier(r, all, sp)
	}
	if got := sc.After.At(p, "priority"); got.Text() != "high" {
		return ruling.Violates(p+`.priority "high"`, got).By(sc.Evidence()...)
	}
	return ruling.Conforms()
}).WithRule(
	"A key present inside a nested object of input is updated in the stored nested object.",
	"A key that input names is meant; that it stands in an object inside input does not make it less so.")

// blameEarlier points an unproven step to the row whose defect spoilt its start.
func blameEarlier(r ruling.Ruling, all map[string]check.MergeStepResult, sp model.TestObject) ruling.Ruling {
	if sc := all["scalar"]; sc.Sent && sc.Reply.Succeeded() && lostOther(sp, sc) != "" {
		return r.Because("AQL-4.5.1-04")
	}
	return r
}

// lostOther returns a field of ours that a change of the text field changed too. A
// field that does not show what it was given follows rules of its own.
func lostOther(sp model.TestObject, sc check.MergeStepResult) string {
	given := check.InitialFields(sp)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if value := probes.ValueOf(given[name]); name != check.TextFieldName(sp) && check.StoresValue(sc.Before.At(name), value) && !check.StoresValue(sc.After.At(name), value) {
			return name
		}
	}
	return ""
}

// Section 4.5.1.
var absentNestedKeyKeepsItsValue = merging("AQL-4.5.1-03", "merge a nested object into the stored one", "nested", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["nested"], objectName(sp)
	if r, ok := done(sp, sc, sc.Before.At(p, "author").Text() == "alice"); !ok {
		return blameEarlier(r, all, sp)
	}
	if got := sc.After.At(p, "author"); got.Text() != "alice" {
		return ruling.Violates(p+`.author "alice", which input did not mention`, got).By(sc.Evidence()...)
	}
	return ruling.Conforms()
}).WithRule(
	"A key of the stored nested object that input does not mention keeps its value.",
	"What input does not mention is not touched: the caller may not even know it.")

// Section 4.5.1.
var absentTopLevelFieldKeepsIts = merging("AQL-4.5.1-04", "leave fields alone that input does not mention", "scalar", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc := all["scalar"]
	given := check.InitialFields(sp)
	others := slices.DeleteFunc(slices.Collect(maps.Keys(given)), func(name string) bool {
		return name == check.TextFieldName(sp) || !check.StoresValue(sc.Before.At(name), probes.ValueOf(given[name]))
	})
	if r, ok := done(sp, sc, len(others) > 0); !ok {
		return r
	}
	if name := lostOther(sp, sc); name != "" {
		return ruling.Violates(name+" as it was", sc.After.At(name)).By(sc.Evidence()...)
	}
	return ruling.Conforms()
}).WithRule(
	"Top-level fields that input does not mention keep their values.",
	"The same for whole fields: an update is no replacement.")

// Section 4.5.1.
var mergeRecursesToEveryDepth = orDocumented(merging("AQL-4.5.1-05", "merge at every depth", "deep", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["deep"], objectName(sp)
	if r, ok := done(sp, sc, check.EqualsJSON(sc.Before.At(p, "a", "b"), map[string]any{"x": 1, "y": 2})); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch got := sc.After.At(p, "a", "b"); {
	case check.EqualsJSON(got, map[string]any{"x": 9, "y": 2}):
		return ruling.Conforms()
	case nestedDefect(all, sp) != "":
		return nestedOwner(ruling.NotProven("nested objects merged", got), all, sp)
	default:
		return ruling.Violates(p+`.a.b {"x":9,"y":2}`, got).By(sc.Evidence()...)
	}
}).WithRule(
	"The merge recurses to every depth, not just one level.",
	`"Recursively" has no depth at which it ends.`))

// nestedDefect returns the row that a merge of one level already breaks.
func nestedDefect(all map[string]check.MergeStepResult, sp model.TestObject) string {
	sc, p := all["nested"], objectName(sp)
	switch {
	case !sc.Sent || !sc.Reply.Succeeded():
		return ""
	case sc.Before.At(p, "priority").Text() == "low" && sc.After.At(p, "priority").Text() != "high":
		return "AQL-4.5.1-02"
	case sc.Before.At(p, "author").Text() == "alice" && sc.After.At(p, "author").Text() != "alice":
		return "AQL-4.5.1-03"
	}
	return ""
}

func nestedOwner(r ruling.Ruling, all map[string]check.MergeStepResult, sp model.TestObject) ruling.Ruling {
	if owner := nestedDefect(all, sp); owner != "" {
		return r.Because(owner)
	}
	return r
}

// Section 4.5.1.
var arrayInInputReplacesArray = merging("AQL-4.5.1-06", "replace arrays as a whole, also by a shorter or empty one", "array", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	one, none, p := all["array"], all["empty array"], listName(sp)
	if r, ok := done(sp, one, check.EqualsJSON(one.Before.At(p), sp.Elements("merge", "a", "b", "c"))); !ok {
		return ruling.Worst(blameEarlier(r, all, sp), nestedArray(sp, all))
	}
	if x := sp.Elements("merge", "x"); !check.EqualsJSON(one.After.At(p), x) {
		return ruling.Violates(p+" "+probes.ValueOf(x).String(), one.After.At(p)).By(one.Read, one.Reply)
	}
	rs := []ruling.Ruling{ruling.Conforms().By(one.Read, one.Reply), nestedArray(sp, all)}
	switch got := none.After.At(p); {
	case !none.Sent: // the list is needed
	case !none.Reply.Succeeded():
		rs = append(rs, ruling.NotProven("an empty array accepted", none.Reply))
	case got.Is(probes.Absent) || got.Is(probes.Null):
		rs = append(rs, ruling.Departs(p+" []", got).By(none.Read, none.Reply))
	case !check.EqualsJSON(got, []any{}):
		rs = append(rs, ruling.Violates(p+" []", got).By(none.Read, none.Reply))
	}
	return ruling.Worst(rs...)
}).WithRule(
	"An array in input replaces the stored array as a whole, also when it is shorter or empty.",
	"Elements have no names to merge by; the array is one value.")

// nestedArray rules on the array inside the free-form object, where there is one.
func nestedArray(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["nested array"], objectName(sp)
	_, started := done(sp, sc, check.EqualsJSON(sc.Before.At(p, "tags"), []any{"a", "b", "c"}))
	if !started || nestedDefect(all, sp) != "" {
		return ruling.NotApplicable("")
	}
	if got := sc.After.At(p, "tags"); !check.EqualsJSON(got, []any{"x"}) {
		return ruling.Violates(p+`.tags ["x"]`, got).By(sc.Evidence()...)
	}
	return ruling.Conforms().By(sc.Evidence()...)
}

// Section 4.5.1.
var arrayElementsAreNotMerged = merging("AQL-4.5.1-07", "take array elements as input gives them", "elements", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["elements"], objectName(sp)
	if r, ok := done(sp, sc, check.EqualsJSON(sc.Before.At(p, "items", "0", "b"), 2)); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch items := sc.After.At(p, "items"); {
	case len(items.Items()) != 1:
		return ruling.NotProven("the array replaced", items).Because("AQL-4.5.1-06")
	case items.At("0").Has("b"):
		return ruling.Violates("an element without b", items.At("0")).By(sc.Evidence()...)
	case !check.EqualsJSON(items.At("0", "a"), 9):
		return nestedOwner(ruling.NotProven("the new element", items), all, sp)
	}
	return ruling.Conforms()
}).WithRule(
	"Objects inside arrays are not merged element by element.",
	`Merged elements are what "no element-level merging" excludes.`)
