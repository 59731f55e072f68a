package update

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.5.1.
var nullRemovesTopLevelField = merging("AQL-4.5.1-08", "remove the fields of input that are null", "null", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["null"], removableName(sp)
	if r, ok := done(sp, sc, check.HasValue(sc.Before.At(p))); !ok {
		return blameEarlier(r, all, sp)
	}
	other, beside := check.FieldBeside(sp).Name, all["null beside a change"]
	switch got := sc.After.At(p); {
	case !got.Equal(sc.Before.At(p)) && changed(beside, other) && kept(beside, p) && !beside.After.At(p).Equal(never(sp, p)) && !beside.After.At(p).Equal(sp.DefaultOf(p)):
		return ruling.Violates(p+" absent after an update that changes "+other+" too", beside.After.At(p)).By(beside.Evidence()...)
	case got.Is(probes.Absent):
		return ruling.Conforms()
	case got.Equal(sp.DefaultOf(p)) && got.Equal(sc.Before.At(p)):
		return ruling.NotProven("a value of "+p+" that is not its default", got).By(sc.Evidence()...)
	case got.Equal(sp.DefaultOf(p)):
		return ruling.Conforms().Noting("a field without a value has its documented default").By(sc.Evidence()...)
	case got.Is(probes.Null) && (never(sp, p).Is(probes.Null) || showsNulls(sc.Before)):
		return ruling.Conforms().Noting("null is how the adapter shows a field without a value").By(sc.Evidence()...)
	case !sc.Before.At(p).Is(probes.String) && (got.Is(probes.Null) || emptied(got) || got.Equal(never(sp, p))):
		return ruling.Conforms().Noting("an empty value is how the adapter shows a field without a value").By(sc.Evidence()...)
	case got.Is(probes.Null), got.Is(probes.String) && got.Text() == "", got.Equal(never(sp, p)):
		return ruling.Departs(p+" absent", got).By(sc.Evidence()...)
	default:
		return ruling.Violates(p+" absent", got).By(sc.Evidence()...)
	}
}).WithRule(
	"An explicit null for a top-level field of input removes that field from the resource.",
	"null is the only way to say that a field should go.")

// changed reports whether an update gave a field another value, and kept whether it left what null was to remove. A handler of one field at a
// time may look at null where it stands alone.
func changed(sc check.MergeStepResult, path ...string) bool {
	return sc.Sent && sc.Reply.Succeeded() && sc.Read.Outcome == probes.Success && check.HasValue(sc.After.At(path...)) && !sc.After.At(path...).Equal(sc.Before.At(path...))
}

func kept(sc check.MergeStepResult, path ...string) bool {
	return check.HasValue(sc.Before.At(path...)) && sc.After.At(path...).Equal(sc.Before.At(path...))
}

// emptied reports whether a value is an empty text or array, or an object without members.
func emptied(v probes.Value) bool {
	return v.Is(probes.String) && v.Text() == "" || v.Is(probes.Array) && len(v.Items()) == 0 || v.Is(probes.Object) && len(v.Members()) == 0
}

// showsNulls reports whether an object shows null for another field that has no value.
func showsNulls(object probes.Value) bool {
	return slices.ContainsFunc(object.Members(), func(m probes.Member) bool { return m.Value.Is(probes.Null) })
}

// never is what a field shows in an object that never had it: a store of fixed
// shape cannot show less.
func never(sp model.TestObject, field string) probes.Value {
	made := sp.Maker.KnownGoodRequest()
	if _, given := made.Probe.Params()[field]; given {
		return probes.Value{}
	}
	return sp.FindIn(made.Reply.Data()).At(field)
}

// Section 4.5.2.
var nullRemovesJustNestedKey = merging("AQL-4.5.2-02", "remove exactly the nested keys that are null", "nested null", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["nested null"], objectName(sp)
	if r, ok := done(sp, sc, sc.Before.At(p, "gone").Text() == "x" && sc.Before.At(p, "keep").Text() == "y"); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch gone, keep := sc.After.At(p, "gone"), sc.After.At(p, "keep"); {
	case nestedDefect(all, sp) != "":
		return nestedOwner(ruling.NotProven("nested objects merged", sc.After.At(p)), all, sp)
	case keep.Text() != "y":
		return ruling.Violates(p+`.keep "y"`, keep).By(sc.Evidence()...)
	case gone.Is(probes.Null):
		return ruling.Departs(p+".gone absent", gone).By(sc.Evidence()...)
	case !gone.Is(probes.Absent):
		if owner := nullDefect(all, sp); owner != "" {
			return ruling.NotProven(p+".gone absent", gone).Because(owner)
		}
		return ruling.Violates(p+".gone absent", gone).By(sc.Evidence()...)
	}
	if beside := all["nested null beside a change"]; changed(beside, p, "priority") && kept(beside, p, "spent") {
		return ruling.Violates(p+".spent absent after an update that changes "+p+".priority too", beside.After.At(p, "spent")).By(beside.Evidence()...)
	}
	return deepNull(p, all["deep null"])
}).WithRule(
	"A null inside a nested object removes just that nested key.",
	"A caller that removes one nested key would lose its siblings if the whole object were removed or replaced.")

// deepNull rules on a null inside an object that lies in the object field p.
func deepNull(p string, sc check.MergeStepResult) ruling.Ruling {
	was, is := sc.Before.At(p, "a"), sc.After.At(p, "a")
	switch gone, want := is.At("c"), p+".a.c absent"; {
	case !sc.Sent, !sc.Reply.Succeeded(), sc.Read.Outcome != probes.Success, !was.Has("b"), !was.Has("c"): // AQL-4.5.1-05 rules on deep objects
		return ruling.Conforms()
	case !is.At("b").Equal(was.At("b")):
		return ruling.Violates(p+".a.b "+was.At("b").String(), is.At("b")).By(sc.Evidence()...)
	case gone.Is(probes.Null):
		return ruling.Departs(want, gone).By(sc.Evidence()...)
	case !gone.Is(probes.Absent):
		return ruling.Violates(want, gone).By(sc.Evidence()...)
	}
	return ruling.Conforms()
}

// replaced rules on a member of the stored object that was to take a value of another type. A schema may refuse that.
func replaced(sp model.TestObject, sc check.MergeStepResult, member string, value any) ruling.Ruling {
	want, got := objectName(sp)+"."+member+" "+probes.ValueOf(value).String(), sc.After.At(objectName(sp), member)
	switch {
	case sc.Reply.Code() == "INTERNAL_ERROR":
		return ruling.Violates(want, sc.Reply)
	case strings.HasPrefix(sc.Reply.Code(), "VALIDATION_"), sc.Reply.RefusedBelow():
		return ruling.Conforms().By(sc.Reply)
	case !sc.Reply.Succeeded() || sc.Read.Outcome != probes.Success:
		return ruling.NotProven(want, sc.Reply)
	case !check.EqualsJSON(got, value):
		return ruling.Violates(want, got).By(sc.Evidence()...)
	}
	return ruling.Conforms().By(sc.Evidence()...)
}

// nullDefect returns the row that null at the top level already breaks.
func nullDefect(all map[string]check.MergeStepResult, sp model.TestObject) string {
	sc, p := all["null"], removableName(sp)
	if sc.Sent && sc.Reply.Succeeded() && check.HasValue(sc.Before.At(p)) && sc.After.At(p).Equal(sc.Before.At(p)) {
		return "AQL-4.5.1-08"
	}
	return ""
}

// Section 4.5.2.
var removingAbsentFieldIsHarmless = merging("AQL-4.5.2-03", "let the removal of an absent field pass", "null again", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	sc, p := all["null again"], removableName(sp)
	switch o := sc.Reply; {
	case !all["null"].Reply.Succeeded() || !sc.Sent || check.HasValue(sc.Before.At(p)) && !emptied(sc.Before.At(p)):
		return ruling.NotProven("a field that is not there", sc.Before.At(p)).Because("AQL-4.5.1-08")
	case o.Code() == "INTERNAL_ERROR" || o.RefusedBelow():
		return ruling.Violates("success or a validation error", o).By(all["null"].Reply)
	case !o.Succeeded() && !strings.HasPrefix(o.Code(), "VALIDATION_"):
		return ruling.NotProven("success or a validation error", o)
	}
	return ruling.Conforms()
}).WithRule(
	"Removing a field that is not there is harmless.",
	"Removal should be repeatable: a caller that did not hear the answer sends it again.")

// Section 4.5.1.
var edgeMergesBehaveSensibly = merging("AQL-4.5.1-10", "leave a stored object alone when input gives {} for it, and replace a value of another type", "empty object", func(sp model.TestObject, all map[string]check.MergeStepResult) ruling.Ruling {
	empty, p := all["empty object"], objectName(sp)
	if r, ok := done(sp, empty, len(empty.Before.At(p).Members()) > 0); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	if nestedDefect(all, sp) != "" {
		return nestedOwner(ruling.NotProven("nested objects merged", empty.After.At(p)), all, sp)
	}
	ours, _ := check.InitialFields(sp)[p].(map[string]any)
	for name := range ours { // the server may keep members of its own
		if !empty.Before.At(p, name).Equal(empty.After.At(p, name)) {
			return ruling.Violates(p+" as it was", empty.After.At(p)).By(empty.Read, empty.Reply)
		}
	}
	return ruling.Worst(replaced(sp, all["other type"], "author", map[string]any{"z": 1}), replaced(sp, all["scalar over object"], "a", "scalar"))
}).WithRule(
	"An empty nested object changes nothing, and a value whose type differs from the stored one (object versus scalar) replaces it.",
	"By the same rules an empty object mentions nothing, and a value of another type has nothing to merge with.")
