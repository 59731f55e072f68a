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

// closed returns the test object of a subject that has such a field and no free text.
func closed(s model.Subject) (sp model.TestObject, p probes.Parameter, one, other probes.Value, ok bool) {
	sp, why := s.TestObject(s.Name)
	if why != nil {
		return sp, p, one, other, false
	}
	if _, free := sp.TextField(); free {
		return sp, p, one, other, false
	}
	p, one, other, ok = sp.Alternatives()
	return sp, p, one, other, ok
}

// orClosed has a check on a free text try a field of known values where an object has no free text.
func orClosed(c check.Check) check.Check {
	drive, judge := c.Drive, c.Judge
	c.Drive = func(s model.Subject, ask model.AskFunc) {
		sp, p, one, other, ok := closed(s)
		switch {
		case !ok:
			drive(s, ask)
		case check.CreateWithFields(sp, ask, closedScalar, map[string]any{p.Name: one.Go()}):
			check.UpdateAndRead(sp, ask, closedScalar+": update", map[string]any{p.Name: other.Go()}, func(v probes.Value) bool { return v.At(p.Name).Equal(other) })
		}
	}
	c.Judge = func(s model.Subject, got probes.Answers) ruling.Ruling {
		if _, _, _, _, ok := closed(s); ok {
			return closedReplaced(s, got)
		}
		return judge(s, got)
	}
	return c
}

// closedReplaced rules on the change of a field from one known value to another.
func closedReplaced(s model.Subject, got probes.Answers) ruling.Ruling {
	sp, p, one, other, _ := closed(s)
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
}
