package update

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter may have no free-form object: then an object with documented members within another one is merged.

const deepScript = "merge of a documented object within another"

// deepOnly returns the test object of a subject that has such a field and no free-form object.
func deepOnly(s model.Subject) (obj model.TestObject, d model.DeepField, ok bool) {
	obj, why := s.TestObject(s.Name)
	if why != nil {
		return obj, d, false
	}
	if _, free := obj.ObjectField(); free {
		return obj, d, false
	}
	d, ok = obj.DeepField()
	return obj, d, ok
}

// orDocumented has a check on a free-form object try documented members where an object has no free-form one.
func orDocumented(c check.Check) check.Check {
	drive, judge := c.Drive, c.Judge
	c.Drive = func(s model.Subject, ask model.AskFunc) {
		obj, d, ok := deepOnly(s)
		switch {
		case !ok:
			drive(s, ask)
		case check.CreateWithFields(obj, ask, deepScript, map[string]any{d.Field: d.Made}):
			check.UpdateAndRead(obj, ask, deepScript+": change", d.Input(), func(v probes.Value) bool { return v.At(d.Field, d.Within, d.Changed).Equal(d.Is) })
		}
	}
	c.Judge = func(s model.Subject, got probes.Answers) ruling.Ruling {
		if obj, d, ok := deepOnly(s); ok {
			return mergedDeep(obj, d, got)
		}
		return judge(s, got)
	}
	return c
}

// mergedDeep rules on the change of one member of an object within a field.
func mergedDeep(obj model.TestObject, d model.DeepField, got probes.Answers) ruling.Ruling {
	was, made := check.LastRead(obj, got, deepScript+": "+asMade)
	is, read := check.LastRead(obj, got, deepScript+": change: read")
	reply, sent := got.Find(deepScript + ": change")
	before, after := obj.ObjectIn(was).At(d.Field), obj.ObjectIn(is).At(d.Field)
	name := d.Field + "." + d.Within
	want := name + "." + d.Kept + " " + d.Also.String() + ", which input did not mention"
	switch kept := after.At(d.Within, d.Kept); {
	case !made || !before.At(d.Within, d.Changed).Equal(d.Was) || !before.At(d.Within, d.Kept).Equal(d.Also):
		return ruling.NotProven("an object whose "+name+" is shown as it was given", got.Last())
	case !sent || !reply.Succeeded() || !read || check.AnnouncedPending(obj.Adapter, reply):
		return ruling.NotProven("an update of "+name+" that succeeds", reply)
	case !after.At(d.Within, d.Changed).Equal(d.Is):
		return ruling.NotProven("the member of "+name+" changed", after).By(is, reply).Because("AQL-4.5.1-02")
	case kept.Equal(d.Also):
		return ruling.Conforms().By(is, reply, was)
	case lostBeside(before, after, d.Within):
		return ruling.NotProven("the members beside "+name+" kept", after).By(is, reply).Because("AQL-4.5.1-03")
	case !kept.Is(probes.Absent) && !kept.Is(probes.Null): // one member may follow from another
		return ruling.NotProven(want, kept).By(is, reply)
	default:
		return ruling.Violates(want, kept).By(is, reply, was)
	}
}

// lostBeside reports whether an object lost another member than the given one.
func lostBeside(before, after probes.Value, member string) bool {
	for _, m := range before.Members() {
		if m.Name != member && !m.Value.Is(probes.Null) && after.At(m.Name).Is(probes.Absent) {
			return true
		}
	}
	return false
}
