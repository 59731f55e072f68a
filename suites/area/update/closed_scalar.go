package update

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An object may have no free text: then one of its fields that takes two known values is changed from one to the other.

const closedScalar = "another known value"

// Section 4.5.1.
var scalarOfKnownValuesIsReplaced = check.Check{
	Requirement: "AQL-4.5.1-01",
	Rule:        "A scalar field named in input takes the new value and the old one is gone.",
	Why:         "A scalar has nothing to merge: the new value takes its place.",
	On: model.Only(check.EachTestObject, func(s model.Subject) bool {
		sp, why := s.TestObject(s.Name)
		if why != nil {
			return false
		}
		_, free := sp.TextField()
		_, _, _, known := sp.Alternatives()
		return !free && known
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		p, one, other, _ := sp.Alternatives()
		if check.CreateWithFields(sp, ask, closedScalar, map[string]any{p.Name: one.Go()}) {
			check.UpdateAndRead(sp, ask, closedScalar+": update", map[string]any{p.Name: other.Go()}, func(v probes.Value) bool { return v.At(p.Name).Equal(other) })
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		p, one, other, _ := sp.Alternatives()
		reply, sent := got.Find(closedScalar + ": update")
		first, made := check.LastRead(sp, got, closedScalar+": first read")
		last, seen := check.LastRead(sp, got, closedScalar+": update: read")
		was, is := sp.ObjectIn(first).At(p.Name), sp.ObjectIn(last).At(p.Name)
		switch {
		case !made || !was.Equal(one):
			return ruling.NotProven(fmt.Sprintf("an object of our own with %s %s", p.Name, one), got.Last())
		case !sent || !reply.Succeeded():
			return ruling.NotProven("an update that succeeds", got.Last()).Because("AQL-4.5-03")
		case check.AnnouncedPending(s.Adapter, reply):
			return ruling.NotProven("a change that is complete", "one that was announced as pending").By(reply)
		case !seen:
			return ruling.NotProven("our object shown after the change", "none").By(reply)
		case is.Equal(was):
			return ruling.Violates(fmt.Sprintf("%s %s", p.Name, other), is).By(last, reply, first)
		case !is.Equal(other):
			return ruling.NotProven(fmt.Sprintf("%s %s", p.Name, other), is).By(last, reply, first)
		}
		return ruling.Conforms().By(last, reply, first)
	},
	Fix: "replace a scalar by the value that input gives",
}
