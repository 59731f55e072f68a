package classification

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The scripts: two objects with equal optional texts, such as a bar code that no two objects share, under names of their own.
const (
	firstOfEqual  = "equal options"
	secondOfEqual = "equal options again"
)

// Section 8.1.
var creationSparesObjectOfEqualOptions = check.Check{
	Requirement: "AQL-8.1-01",
	Why:         "An optional text may be one that no two objects share. A creation that finds it taken must not take the object over.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(eachOf("CREATE"), func(s model.Subject) bool {
			sp, why := s.TestObject(s.Name)
			return s.Ruling == nil && why == nil && sp.Viewer.Name != "" && len(sp.SharedOptions()) > 0
		})(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		var got probes.Answers
		counted := ask.Into(&got)
		for i, option := range sp.SharedOptions() {
			one, other := probes.Nth(firstOfEqual, i), probes.Nth(secondOfEqual, i)
			sp.Base = len(got)
			first, _ := sp.Create(one+": created", map[string]any{option.Name: option.Value.Go()})
			if !counted(first).Succeeded() {
				continue
			}
			counted(sp.Read(one + ": first read"))
			second, _ := sp.Create(other+": created", map[string]any{option.Name: option.Value.Go()})
			if counted(second).Succeeded() {
				counted(sp.Read(one + ": read after the second"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for i, option := range sp.SharedOptions() {
			rs = append(rs, sparesEqual(s, sp, got, option.Name, probes.Nth(firstOfEqual, i), probes.Nth(secondOfEqual, i)))
		}
		if proven := slices.DeleteFunc(slices.Clone(rs), func(r ruling.Ruling) bool { return r.Verdict == reports.NotProven }); len(proven) > 0 {
			rs = proven // one option may need another one
		}
		return ruling.Worst(rs...)
	},
	Handles: check.Blocked, // kinds without such texts, and texts that are refused, are tried otherwise
	Fix:     "refuse a second object of the same key with CONFLICT_*, or make one",
}

// sparesEqual rules on what became of the first of two objects that were to have the same text.
func sparesEqual(s model.Subject, sp model.TestObject, got probes.Answers, option, one, other string) ruling.Ruling {
	before, second, after := got.Step(one+": first read"), got.Step(other+": created"), got.Step(one+": read after the second")
	switch {
	case !before.Succeeded() || !showsMark(sp, before, one):
		return ruling.NotProven("an object with "+option+" shown by a READ", got.Last())
	case second.Deferred(), second.Outcome == probes.Unasked:
		return ruling.NotProven("an answer to a second creation with the same "+option, second)
	case !second.Succeeded():
		return ruling.Conforms().By(second, before)
	case !after.Succeeded():
		return ruling.NotProven("a look after the second creation", after).By(second)
	case showsMark(sp, after, other) && !showsMark(sp, after, one):
		return overwriting(s)("the first object as it was, beside one with the same "+option, sp.ObjectIn(after)).By(after, second, before)
	}
	return ruling.Conforms().By(after, second)
}
