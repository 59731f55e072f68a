package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 4.5.1. null is the only way to say that a field should go.
var _ = register(merging("AQL-4.5.1-08", "remove the fields of input that are null", "null", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["null"], sp.spareName()
	if r, ok := sc.done(sc.before.At(p).Is(probes.String)); !ok {
		return blameEarlier(r, all, sp)
	}
	switch got := sc.after.At(p); {
	case got.Is(probes.Absent):
		return Conforms()
	case got.Is(probes.Null), got.Is(probes.String) && got.Text() == "", got.Equal(sp.never(p)):
		return Departs(p+" absent", got).By(sc.look, sc.reply)
	default:
		return Violates(p+" absent", got).By(sc.look, sc.reply)
	}
}))

// never is what a field shows in an object that never had it: a store of fixed
// shape cannot show less.
func (sp specimen) never(field string) probes.Value {
	made := sp.maker.Baseline()
	if _, given := made.Probe.Params()[field]; given {
		return probes.Value{}
	}
	return sp.within(made.Reply.Data()).At(field)
}

// Section 4.5.2. Inside a nested object null takes one key and no more.
var _ = register(merging("AQL-4.5.2-02", "remove exactly the nested keys that are null", "nested null", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["nested null"], sp.objectName()
	if r, ok := sc.done(sc.before.At(p, "gone").Text() == "x" && sc.before.At(p, "keep").Text() == "y"); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	switch gone, keep := sc.after.At(p, "gone"), sc.after.At(p, "keep"); {
	case nestedDefect(all, sp) != "":
		return nestedOwner(NotProven("nested objects merged", sc.after.At(p)), all, sp)
	case keep.Text() != "y":
		return Violates(p+`.keep "y"`, keep).By(sc.look, sc.reply)
	case gone.Is(probes.Null):
		return Departs(p+".gone absent", gone).By(sc.look, sc.reply)
	case !gone.Is(probes.Absent):
		if owner := nullDefect(all, sp); owner != "" {
			return NotProven(p+".gone absent", gone).Because(owner)
		}
		return Violates(p+".gone absent", gone).By(sc.look, sc.reply)
	}
	return Conforms()
}))

// nullDefect returns the row that null at the top level already breaks.
func nullDefect(all map[string]mergeScene, sp specimen) string {
	sc, p := all["null"], sp.spareName()
	if sc.played && sc.reply.Succeeded() && sc.before.At(p).Is(probes.String) && sc.after.At(p).Text() != "" {
		return "AQL-4.5.1-08"
	}
	return ""
}

// Section 4.5.2. Removal should be repeatable: a caller that did not hear the
// answer sends it again.
var _ = register(merging("AQL-4.5.2-03", "let the removal of an absent field pass", "null again", func(sp specimen, all map[string]mergeScene) Ruling {
	sc, p := all["null again"], sp.spareName()
	switch o := sc.reply; {
	case !all["null"].reply.Succeeded() || sc.before.At(p).Text() != "":
		return NotProven("a field that is not there", sc.before.At(p)).Because("AQL-4.5.1-08")
	case o.Code() == "INTERNAL_ERROR" || o.RefusedBelow():
		return Violates("success or a validation error", o).By(all["null"].reply)
	case !o.Succeeded() && !strings.HasPrefix(o.Code(), "VALIDATION_"):
		return NotProven("success or a validation error", o)
	}
	return Conforms()
}))

// Section 4.5.1. By the same rules an empty object mentions nothing, and a value
// of another type has nothing to merge with.
var _ = register(merging("AQL-4.5.1-10", "leave a stored object alone when input gives {} for it, and replace a value of another type", "empty object", func(sp specimen, all map[string]mergeScene) Ruling {
	empty, other, p := all["empty object"], all["other type"], sp.objectName()
	if r, ok := empty.done(len(empty.before.At(p).Members()) > 0); !ok {
		return nestedOwner(blameEarlier(r, all, sp), all, sp)
	}
	if nestedDefect(all, sp) != "" {
		return nestedOwner(NotProven("nested objects merged", empty.after.At(p)), all, sp)
	}
	if !empty.before.At(p).Equal(empty.after.At(p)) {
		return Violates(p+" as it was", empty.after.At(p)).By(empty.look, empty.reply)
	}
	if got := other.after.At(p, "author"); other.reply.Succeeded() && !equalsJSON(got, map[string]any{"z": 1}) {
		return Violates(p+`.author {"z":1}`, got).By(other.look, other.reply)
	}
	return Conforms()
}))
