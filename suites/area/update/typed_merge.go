package update

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An object field whose members are documented takes no others, so the merge script cannot use it.
// This script makes an object with one member, adds another, changes the first and removes the other, for each such field.

// typedScript is the name of the script of one such field.
func typedScript(field model.TypedField) string {
	return "merge of documented members of " + field.Name
}

// playTyped sends the script.
func playTyped(s model.Subject, ask model.AskFunc) {
	obj, _ := s.TestObject(s.Name)
	var got probes.Answers
	counted := ask.Into(&got)
	for _, field := range obj.TypedFields() {
		script := typedScript(field)
		obj.Base = len(got)
		if !check.CreateWithFields(obj, counted, script, map[string]any{field.Name: field.Made}) {
			continue
		}
		for _, step := range []struct {
			name   string
			member probes.Parameter
			value  probes.Value
		}{{"addition", field.Kept, field.Also}, {"change", field.Changed, field.Is}, {"removal", field.Kept, probes.ValueOf(nil)},
			{"addition again", field.Kept, field.Also}, {"removal beside a change", field.Kept, probes.ValueOf(nil)}} {
			members := map[string]any{step.member.Name: step.value.Go()}
			if step.name == "removal beside a change" {
				members[field.Changed.Name] = field.Was.Go()
			}
			input := map[string]any{field.Name: members}
			check.UpdateAndRead(obj, counted, script+": "+step.name, input, func(v probes.Value) bool {
				is := v.At(field.Name, step.member.Name)
				return is.Equal(step.value) || step.value.Is(probes.Null) && is.Is(probes.Absent)
			})
		}
	}
}

// asMade is the step that shows the object before all updates.
const asMade = "first read"

// A typedStep is the effect of one step on the object field.
type typedStep struct {
	field                model.TypedField
	first, before, after probes.Value // as it was made, and around the step
}

// mergingTyped is a check on one step of the script, which follows another.
func mergingTyped(id, earlier, step, fix string, judge func(t typedStep) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On: model.Only(check.EachUpdate, func(s model.Subject) bool {
			obj, why := s.TestObject(s.Name)
			_, ok := obj.TypedField()
			return why == nil && ok
		}),
		Lane:    probes.Serial,
		Handles: check.Blocked, // another field shows as much
		Fix:     fix,
		Drive:   playTyped,
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			obj, _ := s.TestObject(s.Name)
			var rs []ruling.Ruling
			for _, field := range obj.TypedFields() {
				rs = append(rs, mergedTyped(obj, field, got, earlier, step, judge))
			}
			if proven := slices.DeleteFunc(slices.Clone(rs), func(r ruling.Ruling) bool { return r.Verdict == reports.NotProven }); len(proven) > 0 {
				rs = proven // one field may follow rules of its own
			}
			return ruling.Worst(rs...)
		},
	}
}

// mergedTyped rules on one step of the script of one field.
func mergedTyped(obj model.TestObject, field model.TypedField, got probes.Answers, earlier, step string, judge func(t typedStep) ruling.Ruling) ruling.Ruling {
	script := typedScript(field)
	asked := got.Under(script)
	if i := slices.IndexFunc(asked, func(o probes.Observation) bool { return o.Outcome == probes.Unasked }); i >= 0 {
		return model.Unsent(asked[i])
	}
	first, _ := check.LastRead(obj, got, script+": "+asMade)
	was, made := check.LastRead(obj, got, script+": "+earlier)
	is, read := check.LastRead(obj, got, script+": "+step+": read")
	reply := got.Step(script + ": " + step)
	t := typedStep{field, obj.ObjectIn(first).At(field.Name), obj.ObjectIn(was).At(field.Name), obj.ObjectIn(is).At(field.Name)}
	switch {
	case !made || !t.first.At(field.Changed.Name).Equal(field.Was) || earlier != asMade && !t.before.At(field.Kept.Name).Equal(field.Also):
		return ruling.NotProven("an object whose "+field.Name+" is shown as it was given", got.Last())
	case !reply.Succeeded() || !read:
		return ruling.NotProven("an update of "+field.Name+" that succeeds", reply)
	case check.AnnouncedPending(obj.Adapter, reply):
		return ruling.NotProven("a change that is complete", "one that was announced as pending").By(reply)
	}
	return judge(t).By(is, reply, was)
}

// Section 4.5.1.
var documentedMemberInInputIsAdded = mergingTyped("AQL-4.5.1-02", asMade, "addition", "apply nested objects of input key by key",
	func(t typedStep) ruling.Ruling {
		want := t.field.Name + "." + t.field.Kept.Name + " " + t.field.Also.String()
		switch got := t.after.At(t.field.Kept.Name); {
		case got.Equal(t.field.Also):
			return ruling.Conforms()
		case t.after.Equal(t.before):
			return ruling.Violates(want, got)
		}
		return ruling.NotProven(want, t.after)
	}).WithReason("A key that input names is meant, also where the object did not have it.")

// Section 4.5.1.
var documentedMemberInInputIsUpdated = mergingTyped("AQL-4.5.1-02", "addition: read", "change", "apply nested objects of input key by key",
	func(t typedStep) ruling.Ruling {
		want := t.field.Name + "." + t.field.Changed.Name + " " + t.field.Is.String()
		switch got := t.after.At(t.field.Changed.Name); {
		case got.Equal(t.field.Is):
			return ruling.Conforms()
		case got.Equal(t.field.Was):
			return ruling.Violates(want, got)
		}
		return ruling.NotProven(want, t.after)
	}).WithReason("A type tells which keys an object has. Each of them can be updated alone.")

// Section 4.5.1.
var documentedMemberOutsideInputKeepsItsValue = mergingTyped("AQL-4.5.1-03", "addition: read", "change", "merge a nested object into the stored one",
	func(t typedStep) ruling.Ruling {
		want := t.field.Name + "." + t.field.Kept.Name + " " + t.field.Also.String() + ", which input did not mention"
		switch got := t.after.At(t.field.Kept.Name); {
		case got.Equal(t.field.Also):
			return ruling.Conforms()
		case !t.after.At(t.field.Changed.Name).Equal(t.field.Is):
			return ruling.NotProven("the other member changed", t.after).Because("AQL-4.5.1-02")
		case !got.Equal(t.first.At(t.field.Kept.Name)): // one member may follow from another
			return ruling.NotProven(want, got)
		default:
			return ruling.Violates(want, got)
		}
	}).WithReason("An object of a documented type is merged as any other.")

// Section 4.5.2.
var nullRemovesDocumentedMember = mergingTyped("AQL-4.5.2-02", "change: read", "removal", "remove exactly the nested keys that are null",
	func(t typedStep) ruling.Ruling {
		want := t.field.Name + "." + t.field.Kept.Name + " absent"
		switch got := t.after.At(t.field.Kept.Name); {
		case !t.after.At(t.field.Changed.Name).Equal(t.before.At(t.field.Changed.Name)):
			return ruling.NotProven("the other member as it was", t.after).Because("AQL-4.5.1-03")
		case got.Is(probes.Absent), got.Equal(t.first.At(t.field.Kept.Name)): // as where it never was
			return ruling.Conforms()
		case got.Is(probes.Null): // a store of a fixed shape may show no less
			return ruling.Departs(want, got)
		case got.Equal(t.field.Also):
			return ruling.Violates(want, got)
		default:
			return ruling.NotProven(want, got)
		}
	}).WithReason("An optional member of a documented type can go as any other.")

// Section 4.5.2.
var nullRemovesDocumentedMemberBesideAnother = mergingTyped("AQL-4.5.2-02", "addition again: read", "removal beside a change", "remove the nested keys that are null, whatever else input has",
	func(t typedStep) ruling.Ruling {
		switch got := t.after.At(t.field.Kept.Name); {
		case !t.after.At(t.field.Changed.Name).Equal(t.field.Was) || !t.before.At(t.field.Changed.Name).Equal(t.field.Is):
			return ruling.NotProven("the other member changed", t.after).Because("AQL-4.5.1-02")
		case got.Equal(t.field.Also) && !got.Equal(t.first.At(t.field.Kept.Name)):
			return ruling.Violates(t.field.Name+"."+t.field.Kept.Name+" absent after an update that changes "+t.field.Changed.Name+" too", got)
		}
		return ruling.Conforms()
	}).WithReason("A handler that changes one member after the other may look at null where it stands alone.")
