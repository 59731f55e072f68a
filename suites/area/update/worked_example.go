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

// worked is the example of section 4.5.1 in the names of the specimen's fields.
func worked(sp model.TestObject) (from, input, to map[string]any, ok bool) {
	text, hasText := sp.TextField()
	object, hasObject := sp.ObjectField()
	if !hasText || !hasObject {
		return nil, nil, nil, false
	}
	old, renamed := sp.ScriptMark("worked example"), sp.ScriptMark("worked example")+"-new"
	from = map[string]any{text.Name: old, object.Name: map[string]any{"priority": "low", "tags": []any{"draft"}, "author": "alice"}}
	input = map[string]any{text.Name: renamed, object.Name: map[string]any{"priority": "high", "tags": []any{"published", "reviewed"}}}
	to = map[string]any{text.Name: renamed, object.Name: map[string]any{"priority": "high", "tags": []any{"published", "reviewed"}, "author": "alice"}}
	return from, input, to, true
}

// Section 4.5.1.
var workedUpdateExampleYieldsItsResult = check.Check{
	Requirement: "AQL-4.5.1-09",
	Rule:        "The combined update of the specification's worked example yields precisely the documented final state.",
	Why:         "The specification's own example, in one request.",
	On:          check.EachTestObject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		counted := func(p probes.Probe) probes.Observation { sp.Base++; return ask(p) }
		first := sp
		playMerge(first, counted)
		if from, input, to, ok := worked(sp); ok && check.CreateWithFields(sp, ask, "worked example", from) {
			check.UpdateAndRead(sp, ask, "worked example: update", input, func(v probes.Value) bool { return departure(v, to) == "" })
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		from, _, to, ok := worked(sp)
		if !ok && ruledOut(sp, got, "nested array") {
			return ruling.NotApplicable("does not hold: a field of " + s.Name + " is an object with an array")
		}
		if !ok {
			return ruling.NotProven("a text field and a free-form object field", "not both").Mend(sp.FieldHint("object"))
		}
		update, asked := got.Find("worked example: update")
		first, shown := check.LastRead(sp, got, "worked example: first read")
		last, _ := check.LastRead(sp, got, "worked example: update: read")
		switch {
		case !asked || !shown || departure(sp.ObjectIn(first), from) != "":
			return ruling.NotProven("an object of our own as it was made", got.Last()).Mend(model.TestObjectHint)
		case !update.Succeeded() || check.AnnouncedPending(sp.Adapter, update):
			return ruling.NotProven("an update that succeeds", update)
		}
		name := departure(sp.ObjectIn(last), to)
		if name == "" {
			return ruling.Conforms().By(last, update)
		}
		if owner := mergeOwner(sp, check.MergeStepResults(sp, got)); owner != "" {
			return ruling.NotProven("the documented result", sp.ObjectIn(last)).Because(owner)
		}
		return ruling.Violates(fmt.Sprintf("%s %s", name, probes.ValueOf(to[name])), sp.ObjectIn(last).At(name)).By(last, update)
	},
	Fix: "apply every field of input in one update",
}

// mergeOwner returns the row whose own defect shows in the worked example too.
func mergeOwner(sp model.TestObject, all map[string]check.MergeStepResult) string {
	scalar, array, nested := all["scalar"], all["array"], all["nested array"]
	switch {
	case scalar.Sent && scalar.After.At(check.TextFieldName(sp)).Text() != sp.ScriptMark("merge")+"-new":
		return "AQL-4.5.1-01"
	case scalar.Sent && lostOther(sp, scalar) != "":
		return "AQL-4.5.1-04"
	case nestedDefect(all, sp) != "":
		return nestedDefect(all, sp)
	case array.Sent && !check.EqualsJSON(array.After.At(listName(sp)), []any{"x"}), nested.Sent && !check.EqualsJSON(nested.After.At(objectName(sp), "tags"), []any{"x"}):
		return "AQL-4.5.1-06"
	}
	return ""
}

// departure names the first field in which an object departs from what is wanted.
func departure(v probes.Value, want map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !check.StoresValue(v.At(name), probes.ValueOf(want[name])) {
			return name
		}
	}
	return ""
}
