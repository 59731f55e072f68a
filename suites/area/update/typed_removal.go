package update

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The script makes an object field with one member, and sets and removes each other optional one. What an object without a
// member shows is known from the first read.

func sparing(field model.TypedField) string { return "removal of documented members of " + field.Name }

func playSpare(s model.Subject, ask model.AskFunc) {
	obj, _ := s.TestObject(s.Name)
	var got probes.Answers
	counted := ask.Into(&got)
	for _, field := range obj.TypedFields() {
		obj.Base = len(got)
		if len(field.Spare) == 0 || !check.CreateWithFields(obj, counted, sparing(field), map[string]any{field.Name: field.Bare}) {
			continue
		}
		for _, m := range field.Spare {
			step := func(name string, v probes.Value) {
				check.UpdateAndRead(obj, counted, sparing(field)+": "+m.Name+": "+name, map[string]any{field.Name: map[string]any{m.Name: v.Go()}}, func(object probes.Value) bool {
					is := object.At(field.Name, m.Name)
					return is.Equal(v) || v.Is(probes.Null) && is.Is(probes.Absent)
				})
			}
			step("addition", m.Value)
			step("removal", probes.ValueOf(nil))
		}
	}
}

// Section 4.5.2.
var nullRemovesEachDocumentedMember = check.Check{
	Requirement: "AQL-4.5.2-02",
	Why:         "A handler that names the members it removes may forget one, or store the null.",
	On: model.Only(check.EachUpdate, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return why == nil && slices.ContainsFunc(obj.TypedFields(), func(field model.TypedField) bool { return len(field.Spare) > 0 })
	}),
	Lane:    probes.Serial,
	Handles: check.Blocked, // another field shows as much
	Fix:     "remove exactly the nested keys that are null",
	Drive:   playSpare,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for _, field := range obj.TypedFields() {
			for _, m := range field.Spare {
				rs = append(rs, removedSpare(obj, field, m, got))
			}
		}
		if proven := slices.DeleteFunc(slices.Clone(rs), func(r ruling.Ruling) bool { return r.Verdict == reports.NotProven }); len(proven) > 0 {
			rs = proven // a member may follow rules of its own
		}
		return ruling.Worst(rs...)
	},
}

// removedSpare rules on the removal of one member.
func removedSpare(obj model.TestObject, field model.TypedField, m model.SpareMember, got probes.Answers) ruling.Ruling {
	script := sparing(field)
	step := script + ": " + m.Name + ": "
	asked := got.Under(script)
	if i := slices.IndexFunc(asked, func(o probes.Observation) bool { return o.Outcome == probes.Unasked }); i >= 0 {
		return model.Unsent(asked[i])
	}
	shown := func(step string) (member probes.Value, o probes.Observation, read bool) {
		o, read = check.LastRead(obj, got, step)
		return obj.ObjectIn(o).At(field.Name, m.Name), o, read
	}
	first, _, made := shown(script + ": " + asMade)
	was, before, set := shown(step + "addition: read")
	is, after, read := shown(step + "removal: read")
	reply := got.Step(step + "removal")
	switch {
	case !made || !set || !was.Equal(m.Value) || first.Equal(was):
		return ruling.NotProven("an object whose "+field.Name+" gets another member", got.Last())
	case !reply.Succeeded() || !read || check.AnnouncedPending(obj.Adapter, reply):
		return ruling.NotProven("a removal of a member of "+field.Name+" that succeeds", reply)
	case is.Is(probes.Absent) || is.Equal(first):
		return ruling.Conforms().By(after)
	case is.Is(probes.Null): // a store of a fixed shape may show no less
		return ruling.Departs(field.Name+"."+m.Name+" as where it was never set", is).By(after, reply, before)
	case is.Equal(was):
		return ruling.Violates(field.Name+"."+m.Name+" as where it was never set", is).By(after, reply, before)
	}
	return ruling.NotProven(field.Name+"."+m.Name+" absent", is).By(after)
}
