package update

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// playMerge asks for the whole script.
func playMerge(sp model.TestObject, ask model.AskFunc) {
	if !check.CreateWithFields(sp, ask, "merge", check.InitialFields(sp)) {
		return
	}
	for i, st := range check.MergeSteps(sp) {
		seen := func(probes.Value) bool { return true }
		if st.Seen != nil {
			seen = func(v probes.Value) bool { return st.Seen(v, v) }
		}
		check.UpdateAndRead(sp, ask, probes.Nth("merge: change", i), st.Input, seen)
	}
}

// merging is a check on steps of the merge script. The row is not judged where no
// field can play the part.
func merging(id, fix string, needs string, judge func(sp model.TestObject, sc map[string]check.MergeStepResult) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          check.EachTestObject,
		Lane:        probes.Serial,
		Fix:         fix,
		Drive: func(s model.Subject, ask model.AskFunc) {
			sp, _ := s.TestObject(s.Name)
			playMerge(sp, ask)
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			sp, _ := s.TestObject(s.Name)
			if !got[0].Succeeded() {
				return ruling.NotProven("an object of our own", got[0]).Mend(model.TestObjectHint)
			}
			sc := check.MergeStepResults(sp, got)
			if _, shown := check.LastRead(sp, got, "merge: first read"); len(sc) == 0 && !shown {
				return ruling.NotProven("our object shown by a READ", got.Last()).By(got[0])
			}
			if _, typed := sp.TypedField(); typed && !sc[needs].Sent && (needs == "nested" || needs == "nested null") {
				return ruling.NotApplicable("does not hold: an object field is free-form")
			}
			if len(sp.TypedLists()) > 0 && !sc[needs].Sent && needs == "array" && !sc["nested array"].Sent {
				return ruling.NotApplicable("does not hold: a list is a field of its own")
			}
			if !sc[needs].Sent {
				r := ruling.NotProven("a field that plays the part of "+partOf[needs], "none").Mend(sp.FieldHint(partOf[needs]))
				if ruledOut(sp, got, needs) {
					r = ruling.NotApplicable("does not hold: a field of " + s.Name + " is " + kindOf[needs])
				}
				if needs == "array" { // one inside an object shows a defect too
					return ruling.Worst(r, nestedArray(sp, sc))
				}
				return r
			}
			r := judge(sp, sc)
			if len(r.Evidence) == 0 {
				r = r.By(sc[needs].Evidence()...)
			}
			return r
		},
	}
}

// partOf names the part a step needs.
var partOf = map[string]string{
	"scalar": "text", "nested": "object (free-form)", "deep": "object (free-form)", "nested array": "object (free-form)",
	"elements": "object (free-form)", "nested null": "object (free-form)", "array": "list (of strings)", "empty array": "list (of strings)",
	"null": "optional field", "null again": "optional field", "empty object": "object (free-form)", "other type": "object (free-form)",
}

// kindOf names what a field has to be for a step, where the documents may rule it out.
var kindOf = map[string]string{
	"nested": "an object", "nested null": "an object", "empty object": "an object", "other type": "an object",
	"deep": "an object in an object", "nested array": "an object with an array", "elements": "an array of objects",
	"array": "an array", "empty array": "an array",
}

// ruledOut reports whether neither the documents nor an object that was read has what a step needs.
func ruledOut(sp model.TestObject, got probes.Answers, needs string) bool {
	var shown probes.Value
	for _, o := range got {
		if v := sp.ObjectIn(o); o.Succeeded() && o.Probe.Operation() == sp.Viewer.Name && v.Is(probes.Object) {
			shown = v
		}
	}
	switch kindOf[needs] {
	case "an object":
		return sp.RulesOut(shown, "object")
	case "an object in an object":
		return sp.RulesOut(shown, "object", "object")
	case "an object with an array":
		return sp.RulesOut(shown, "object", "array")
	case "an array of objects":
		return sp.RulesOut(shown, "array", "object") && sp.RulesOut(shown, "object", "array")
	case "an array":
		return sp.RulesOut(shown, "array") && sp.RulesOut(shown, "object")
	}
	return false
}

// done rules unless the change of a step succeeded and its start was as the
// specimen was made.
func done(sp model.TestObject, sc check.MergeStepResult, started bool) (ruling.Ruling, bool) {
	switch {
	case !sc.Reply.Succeeded():
		return ruling.NotProven("an update that succeeds", sc.Reply).Because("AQL-4.5-03"), false
	case check.AnnouncedPending(sp.Adapter, sc.Reply):
		return ruling.NotProven("a change that is complete", "one that was announced as pending").By(sc.Reply), false
	case sc.Read.Outcome != probes.Success:
		return ruling.NotProven("our object shown after the change", "none").By(sc.Reply), false
	case !started:
		return ruling.NotProven("the object as it was made", ruling.Clip(sc.Before.String())).By(sc.Read), false
	}
	return ruling.Ruling{}, true
}
