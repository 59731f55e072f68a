package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An adapter may refuse to remove what other objects lie in, remove these too, take the reference out of them, or keep them as
// they are. An answer that names what lay inside says that this was removed too. One that counts an object more than the removal of an
// empty place does, under a name that tells of a removal, says so as well.

const (
	insideRemoved = "object inside of what is removed"
	emptyRemoved  = "removal of an empty place"
	emptyAgain    = "removal of another empty place" // a number that counts all removals differs from the first
	mostInner     = 3                                // kinds of objects that are tried in one place
)

// An inner is a kind of object that is created in what an operation removes.
type inner struct {
	model.TestObject
	in model.Inner
}

func innersOf(s model.Subject) (all []inner) {
	outer, why := s.TestObject(s.Name)
	if why != nil {
		return nil
	}
	for _, in := range s.Inside(outer.Maker.Name) {
		if obj, why := s.TestObject(in.Operation); why == nil && obj.Viewer.Name != "" && len(all) < mostInner {
			all = append(all, inner{obj, in})
		}
	}
	return all
}

// Section 8.1.
var removalLeavesNothingInside = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "A client that reads that an object was removed does not look for it again.",
	On:          model.Only(eachOf("DELETE"), func(s model.Subject) bool { return s.Ruling == nil && len(innersOf(s)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		outer, _ := s.TestObject(s.Name)
		var got probes.Answers
		ask = ask.Into(&got)
		removeEmpty := func(script string) {
			outer.Base = len(got)
			if ask(outer.Maker.FreshCall(script + ": place").Anew(script + ": place")).Succeeded() {
				ask(outer.Apply(script + ": place removed"))
			}
		}
		removeEmpty(emptyRemoved)
		for i, inner := range innersOf(s) {
			script := probes.Nth(insideRemoved, i)
			outer.Base = len(got)
			id := ask(outer.Maker.FreshCall(script + ": place").Anew(script + ": place")).Told(inner.in.Path...)
			inner.Base = len(got)
			creation, rest := inner.Create(script+": created", map[string]any{inner.in.Parameter: id.Go()})
			if id.Is(probes.Absent) || len(rest) > 0 || !ask(creation).Succeeded() {
				continue
			}
			ask(inner.Read(script + ": first read"))
			ask(outer.Read(script + ": place as it was"))
			if ask(outer.Apply(script + ": place removed")).Succeeded() {
				ask(outer.Read(script + ": place read"))
				ask(inner.Read(script + ": read after"))
			}
		}
		for i := range innersOf(s) {
			if len(countsMore(got.Step(probes.Nth(insideRemoved, i)+": place removed"), got.Step(emptyRemoved+": place removed"))) > 0 {
				removeEmpty(emptyAgain)
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, inner := range innersOf(s) {
			rs = append(rs, judgeInside(s, inner, got, probes.Nth(insideRemoved, i)))
		}
		return ruling.Worst(rs...)
	},
	Fix: "remove what lies inside too, or refuse the removal",
}

// judgeInside rules on the script of one kind.
func judgeInside(s model.Subject, inner inner, got probes.Answers, script string) ruling.Ruling {
	missing := func(step string) bool {
		o := got.Step(script + ": " + step)
		return o.Refused() && strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	}
	removal, asked := got.Find(script + ": place removed")
	was, is := got.Step(script+": first read"), got.Step(script+": read after")
	at := check.MemberCalled(inner.ObjectIn(was), inner.in.Parameter)
	asItWas := slices.ContainsFunc(removal.Data().Scalars(), func(text string) bool { return strings.Contains(text, s.Gen.Nonce) }) // the whole object
	named := tellsOf(removal, was) && !tellsOf(got.Step(script+": place as it was"), was)
	empty, again := got.Step(emptyRemoved+": place removed"), got.Step(emptyAgain+": place removed")
	counted := check.StableData(is) == check.StableData(was) && slices.ContainsFunc(countsMore(removal, empty), func(name string) bool {
		return again.Succeeded() && again.Data().At(name).Equal(empty.Data().At(name))
	})
	switch {
	case !asked || !was.Succeeded():
		return ruling.NotApplicable("no object that lies in one of our own is shown by a READ")
	case !removal.Succeeded() || !missing("place read") || check.AnnouncedPending(s.Adapter, removal):
		return ruling.NotApplicable("what other objects lie in is not removed")
	case missing("read after"):
		return ruling.Conforms().By(is, removal, was)
	case !is.Succeeded() || !named && !counted || asItWas:
		return ruling.NotApplicable("the removal does not say that it removes what lies inside")
	case at.Is(probes.Absent) || !at.Equal(check.MemberCalled(inner.ObjectIn(is), inner.in.Parameter)):
		return ruling.NotApplicable("a READ does not show what an object lies in")
	case !named:
		return ruling.Departs("a count of nothing that is as it was, with what was removed as its "+inner.in.Parameter, at).By(is, removal, was, empty)
	}
	return ruling.Departs("nothing that the removal names and that has what was removed as its "+inner.in.Parameter, at).By(is, removal, was)
}

// countsMore are the members that tell of a removal by their name, and in which a removal answers one more than that of an empty place.
func countsMore(removal, empty probes.Observation) (names []string) {
	if !removal.Succeeded() || !empty.Succeeded() {
		return nil
	}
	for _, m := range removed(removal.Data()).Members() {
		n, number := m.Value.Float()
		least, told := empty.Data().At(m.Name).Float()
		tells := slices.ContainsFunc(vocab.Words(m.Name), func(w string) bool { return vocab.TextEffect("It is "+w+".") == vocab.Removes })
		if number && told && tells && n == least+1 {
			names = append(names, m.Name)
		}
	}
	return names
}

// retained are words of the members of an answer that name what a removal keeps.
var retained = strings.Fields("kept keeps retained remaining remains left orphaned orphans detached released unlinked unassigned moved skipped")

// tellsOf reports whether the answer to a request has an identifier by which a read asked, and which the request does not name.
func tellsOf(removal, read probes.Observation) bool {
	asked, told := probes.ValueOf(removal.Probe.Params()).Scalars(), removed(removal.Data()).Scalars()
	return slices.ContainsFunc(probes.ValueOf(read.Probe.Params()).Scalars(), func(id string) bool {
		return slices.Contains(told, id) && !slices.Contains(asked, id)
	})
}

// removed is the answer to a removal without the members whose name says that they are kept.
func removed(data probes.Value) probes.Value {
	whole := map[string]any{}
	for _, m := range data.Members() {
		if !slices.ContainsFunc(vocab.Words(m.Name), func(w string) bool { return slices.Contains(retained, w) }) {
			whole[m.Name] = m.Value.Go()
		}
	}
	if len(whole) == len(data.Members()) {
		return data
	}
	return probes.ValueOf(whole)
}
