package classification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// What an operation does to an object of ours is compared with what its category
// promises. Only counterexamples can be seen from outside.

// eachOf is every operation of a category, those that cannot be tried on an object
// of ours settled.
func eachOf(category string) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		all := model.Only(model.EachListed, func(s model.Subject) bool {
			return s.Op.Category == category && !slices.Contains(model.Reserved, s.Name)
		})(f)
		for i, s := range all {
			if _, why := f.TestObject(s.Name); why != nil {
				all[i] = s.WithRuling(*why)
			}
		}
		return all
	}
}

// Section 8.1.
var createAddsAndNeverOverwrites = check.Check{
	Requirement: "AQL-8.1-01",
	Rule:        "An operation in CREATE adds something and never removes or overwrites what exists.",
	Why:         "A CREATE must not overwrite an object. A second object of the same name is rejected or created beside the first.",
	On:          eachOf("CREATE"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		first, second := rivals(sp)
		if !ask(first).Succeeded() {
			return
		}
		ask(sp.Read("two creations of one name: first read"))
		ask(sp.Read("two creations of one name: second read"))
		ask(second)
		ask(sp.Read("two creations of one name: read after the second"))
		for i, p := range nearRivals(s, first) {
			ask(p.Anew(probes.Nth("two creations of one name: near rival", i)))
			ask(sp.Read(probes.Nth("two creations of one name: read after the near rival", i)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		before, shown := got.Find("two creations of one name: first read")
		if !shown || sp.ObjectIn(before).Is(probes.Absent) {
			return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
		}
		if again := got.Step("two creations of one name: second read"); sp.ObjectIn(again).Is(probes.Absent) {
			return ruling.NotProven("a READ that shows our object as often as it is asked", again).By(before).Because("AQL-8.1-03")
		}
		second, after := got.Step("two creations of one name: second"), got.Step("two creations of one name: read after the second")
		field, first, theirs, has := sp.RivalField()
		was, is := sp.ObjectIn(before).At(field), sp.ObjectIn(after).At(field)
		has = has && was.Equal(first)
		for _, item := range model.ItemsWith(after.Data(), sp.ShownMark("two creations of one name")) {
			if sp.Viewer.Name == "" && item.At(field).Equal(first) {
				is = was // a listing shows both
			}
		}
		for i, rival := range got.Under("two creations of one name: near rival") {
			look := got.Step(probes.Nth("two creations of one name: read after the near rival", i))
			name, theirs := rivalry(got[0].Probe, rival.Probe)
			if shown := sp.ObjectIn(look).At(name); rival.Succeeded() && sp.Viewer.Name != "" && shown.Equal(theirs) && !sp.ObjectIn(before).At(name).Equal(theirs) {
				return overwriting(s)(name+" of the first object as it was", shown).By(look, rival, before)
			}
		}
		lost := strings.HasPrefix(after.Code(), "NOT_FOUND") || after.Succeeded() && sp.ObjectIn(after).Is(probes.Absent)
		switch {
		case second.Deferred(), second.Outcome == probes.Unasked:
			return ruling.NotProven("an answer to a second creation", second)
		case !second.Succeeded() && !lost:
			return ruling.Conforms().By(second, got[0])
		case !after.Succeeded() && !lost:
			return ruling.NotProven("a look after the second creation", after).By(second)
		case has && !lost && !was.Equal(is) && was.Is(probes.Number) && !is.Equal(theirs): // it may be added to
			return ruling.NotProven(fmt.Sprintf("%s %s of the first object, or that of the second", field, was), is).By(after, second, got[0])
		case lost || has && !was.Equal(is):
			judge := overwriting(s)
			if lost {
				return judge("the first object as it was", after).By(second, got[0])
			}
			return judge(fmt.Sprintf("%s %s of the first object", field, was), is).By(after, second, got[0])
		case !has && got[0].Data().Canonical(model.Volatile) == second.Data().Canonical(model.Volatile):
			return ruling.NotProven("a field in which two objects of one name differ", "none").By(second, got[0])
		}
		return ruling.Conforms().By(after, second)
	},
	Fix: "refuse a second object of the same key with CONFLICT_*, or make one",
}

// rivals are two creations of one name that differ in a field where there is one.
func rivals(sp model.TestObject) (first, second probes.Probe) {
	name, one, other, ok := sp.RivalField()
	fields := func(v probes.Value) map[string]any {
		if ok {
			return map[string]any{name: v.Go()}
		}
		return nil
	}
	first, _ = sp.Create("two creations of one name: created", fields(one))
	second, _ = sp.Create("two creations of one name: created", fields(other))
	return first, sp.Maker.WithOtherKey(second, "two creations of one name: created").Anew("two creations of one name: second")
}

// overwriting is the ruling on a creation that overwrites: a departure where it is documented.
func overwriting(s model.Subject) func(want string, got any) ruling.Ruling {
	if check.DocumentsReplacing(s) {
		return ruling.Departs
	}
	return ruling.Violates
}

// nearRivals are the first creation with one other value in one required text. Which texts make a
// name is not documented, so that each may be the one that a name leaves out.
func nearRivals(s model.Subject, first probes.Probe) []probes.Probe {
	var rivals []probes.Probe
	for _, p := range s.Op.Parameters {
		v, other := model.ValueIn(first, p.Name), probes.ValueOf(s.Gen.Marker("-rival"))
		if p.Required && strings.HasPrefix(v.Text(), s.Gen.Marker("")) && s.Misfit(p, other) == "" {
			rivals = append(rivals, first.With(p.Name, other.Go()))
		}
	}
	if len(rivals) < 2 || s.WithOtherKey(first, "two creations of one name: near rival").Key() != first.Key() {
		return nil // the name is all that is required, or the client chooses a key, which is taken by now
	}
	return rivals
}

// rivalry is the parameter in which a rival differs from the first creation, with its value there.
func rivalry(first, rival probes.Probe) (name string, theirs probes.Value) {
	for name := range rival.Params() {
		if v := model.ValueIn(rival, name); !v.Equal(model.ValueIn(first, name)) {
			return name, v
		}
	}
	return "", probes.Value{}
}

// Section 8.1.
var updateNeedsExistingResource = check.Check{
	Requirement: "AQL-8.1-04",
	Rule:        "An UPDATE needs an existing resource.",
	Why:         "An update of a missing object would create an incomplete object.",
	On: func(f *model.Adapter) []model.Subject {
		all := model.Only(check.EachUpdate, check.NeedsIdentifier)(f)
		for i, s := range all {
			if b := s.KnownGoodRequest(); !b.Usable() {
				all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" for what a READ has reported as not found", b))
			}
		}
		return all
	},
	Lane: probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		if reader, ok := absentReader(s); ok {
			ps = append(ps, reader.Anew("update of an absent object: read"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const want = "error NOT_FOUND_RESOURCE for what is not there"
		o, look := got[0], got.Step("update of an absent object: read")
		switch {
		case strings.HasPrefix(o.Code(), "NOT_FOUND"):
			return ruling.Conforms()
		case !o.Succeeded() || check.AnnouncedPending(s.Adapter, o):
			return ruling.NotProven(want, o)
		case check.DocumentsReplacing(s):
			return ruling.Departs(want, o).Noting("the operation documents that it may create")
		case look.Succeeded() && !look.Data().Is(probes.Null):
			return ruling.Violates(want, "a success that created it").By(look, o)
		}
		return ruling.Violates(want, o)
	},
	Fix: "refuse updates of what is not there with NOT_FOUND_RESOURCE",
}

// absentReader is the READ that has reported as not found what the update names.
func absentReader(s model.Subject) (probes.Probe, bool) {
	for _, o := range s.Operations {
		b := s.KnownGood[o.Name]
		if o.Category != "READ" || b.State != model.Proven {
			continue
		}
		p, replaced := b.Probe, false
		for _, q := range o.Parameters {
			if absent, ok := s.Absent[s.AbsentKey(o, q)]; ok && q.Required && probes.IsReference(o, q) && s.Op.HasParameter(q.Name) && s.AbsentKey(o, q) == s.AbsentKey(s.Op, q) {
				p, replaced = p.With(q.Name, absent.Go()), true
			}
		}
		if replaced {
			return p, true
		}
	}
	return probes.Probe{}, false
}

// another reports whether a read shows an object with another identifier than the one it asks for, which the
// object that was there before showed.
func another(was, is probes.Value, read probes.Observation) bool {
	for name := range read.Probe.Params() {
		asked := model.ValueIn(read.Probe, name)
		for _, m := range was.Members() {
			if m.Value.Equal(asked) && is.Has(m.Name) && !is.At(m.Name).Equal(asked) {
				return true
			}
		}
	}
	return false
}

// Section 8.1.
var deleteRemovesResource = check.Check{
	Requirement: "AQL-8.1-06",
	Rule:        "A successful DELETE removes the resource.",
	Why:         "A client that deletes an object relies on its removal.",
	On:          eachOf("DELETE"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, "removed object", nil) {
			return
		}
		if ask(sp.Apply("removed object: removal")).Succeeded() {
			if sp.ReadUntil(ask, "removed object: removal: read", func(v probes.Value) bool { return v.Is(probes.Absent) }).Refused() {
				again, _ := sp.Create("removed object: created", nil)
				if ask(again.Anew(madeAgain)).Refused() {
					other, _ := sp.Create(madeOtherwise, nil)
					if ask(other).Succeeded() {
						ask(other.Anew(madeTwice))
					}
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		reply, asked := got.Find("removed object: removal")
		before, shown := check.LastRead(sp, got, "removed object: first read")
		if !asked || !shown || sp.ObjectIn(before).Is(probes.Absent) {
			return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
		}
		if !reply.Succeeded() {
			return ruling.NotProven("a removal that succeeds", reply)
		}
		answers := got.Under("removed object: removal") // the removal and the reads after it
		last := answers[len(answers)-1]
		was, is := sp.ObjectIn(before), sp.ObjectIn(last)
		missing := strings.HasPrefix(last.Code(), "NOT_FOUND") && last.Code() != "NOT_FOUND_OPERATION"
		switch again := got.Step(madeAgain); {
		case missing && occupied(again, before) && got.Step(madeOtherwise).Succeeded() && likeLive(again, got.Step(madeTwice)):
			return ruling.Departs("another object with the values of the removed one", again).By(again, last, reply)
		case missing, last.Succeeded() && is.Is(probes.Absent):
			return ruling.Conforms().By(last, reply)
		case !last.Succeeded():
			return ruling.NotProven("a look after the removal", last).By(reply)
		case check.AnnouncedPending(s.Adapter, reply):
			return ruling.NotProven("a removal that is complete", "one that was announced as pending").By(last, reply)
		case another(was, is, last):
			return ruling.NotProven("an answer about the object that was removed", "another object").By(last, reply).Because("OPS-8.1-03")
		case was.Canonical(model.Volatile) != is.Canonical(model.Volatile):
			return ruling.Departs("nothing after the removal", "an object that was marked").By(last, reply).Noting("a soft delete")
		}
		return ruling.Violates("nothing after the removal", "the object as it was").By(last, reply, before)
	},
	Fix: "remove the resource, or refuse the request",
}
