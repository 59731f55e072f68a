package suites

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// worked is the example of section 4.5.1 in the names of the specimen's fields.
func (sp specimen) worked() (from, input, to map[string]any, ok bool) {
	text, hasText := sp.text()
	object, hasObject := sp.object()
	if !hasText || !hasObject {
		return nil, nil, nil, false
	}
	old, renamed := sp.stamp(workedTake), sp.stamp(workedTake)+"-new"
	from = map[string]any{text.Name: old, object.Name: map[string]any{"priority": "low", "tags": []any{"draft"}, "author": "alice"}}
	input = map[string]any{text.Name: renamed, object.Name: map[string]any{"priority": "high", "tags": []any{"published", "reviewed"}}}
	to = map[string]any{text.Name: renamed, object.Name: map[string]any{"priority": "high", "tags": []any{"published", "reviewed"}, "author": "alice"}}
	return from, input, to, true
}

// Section 4.5.1. The specification's own example, in one request.
var _ = register(Check{
	Requirement: "AQL-4.5.1-09",
	On:          eachSpecimen,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		counted := func(p probes.Probe) probes.Observation { sp.base++; return ask(p) }
		first := sp
		first.playMerge(counted)
		if from, input, to, ok := sp.worked(); ok && sp.begin(ask, workedTake, from) {
			sp.change(ask, workedTake+20, input, func(v probes.Value) bool { return departure(v, to) == "" })
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		from, _, to, ok := sp.worked()
		if !ok {
			return NotProven("a text field and a free-form object field", "not both").Mend(resourceHint)
		}
		i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == workedTake+20 })
		first, shown := lastLook(sp, got, workedTake, workedTake+20)
		last, _ := lastLook(sp, got, workedTake+21, workedTake+40)
		switch {
		case i < 0 || !shown || departure(sp.shown(first), from) != "":
			return NotProven("an object of our own as it was made", got[len(got)-1]).Mend(resourceHint)
		case !got[i].Succeeded() || announcedPending(got[i]):
			return NotProven("an update that succeeds", got[i])
		}
		name := departure(sp.shown(last), to)
		if name == "" {
			return Conforms().By(last, got[i])
		}
		if owner := mergeOwner(sp, sp.scenes(got)); owner != "" {
			return NotProven("the documented result", sp.shown(last)).Because(owner)
		}
		return Violates(fmt.Sprintf("%s %s", name, probes.ValueOf(to[name])), sp.shown(last).At(name)).By(last, got[i])
	},
	Fix: "apply every field of input in one update",
})

// mergeOwner returns the row whose own defect shows in the worked example too.
func mergeOwner(sp specimen, all map[string]mergeScene) string {
	scalar, array, nested := all["scalar"], all["array"], all["nested array"]
	switch {
	case scalar.played && scalar.after.At(sp.textName()).Text() != sp.stamp(mergeTake)+"-new":
		return "AQL-4.5.1-01"
	case scalar.played && lostOther(sp, scalar) != "":
		return "AQL-4.5.1-04"
	case nestedDefect(all, sp) != "":
		return nestedDefect(all, sp)
	case array.played && !equalsJSON(array.after.At(sp.listName()), []any{"x"}), nested.played && !equalsJSON(nested.after.At(sp.objectName(), "tags"), []any{"x"}):
		return "AQL-4.5.1-06"
	}
	return ""
}

// departure names the first field in which an object departs from what is wanted.
func departure(v probes.Value, want map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !holds(v.At(name), probes.ValueOf(want[name])) {
			return name
		}
	}
	return ""
}
