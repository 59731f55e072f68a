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
// they are. An answer that names what lay inside says that this was removed too.

const insideRemoved = "object inside of what is removed"

// innerOf is the first kind of object that is created in what an operation removes.
func innerOf(s model.Subject) (obj model.TestObject, in model.Inner, ok bool) {
	outer, why := s.TestObject(s.Name)
	if why != nil {
		return obj, in, false
	}
	for _, in := range s.Inside(outer.Maker.Name) {
		if obj, why := s.TestObject(in.Operation); why == nil && obj.Viewer.Name != "" {
			return madeBy(obj, 1), in, true
		}
	}
	return obj, in, false
}

// Section 8.1.
var removalLeavesNothingInside = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "A client that reads that an object was removed does not look for it again.",
	On: model.Only(eachOf("DELETE"), func(s model.Subject) bool {
		_, _, ok := innerOf(s)
		return ok && s.Ruling == nil
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		outer, _ := s.TestObject(s.Name)
		inner, in, _ := innerOf(s)
		id := ask(outer.Maker.FreshCall(insideRemoved + ": place").Anew(insideRemoved + ": place")).Told(in.Path...)
		creation, rest := inner.Create(insideRemoved+": created", map[string]any{in.Parameter: id.Go()})
		if id.Is(probes.Absent) || len(rest) > 0 || !ask(creation).Succeeded() {
			return
		}
		ask(inner.Read(insideRemoved + ": first read"))
		ask(outer.Read(insideRemoved + ": place as it was"))
		if ask(outer.Apply(insideRemoved + ": place removed")).Succeeded() {
			ask(outer.Read(insideRemoved + ": place read"))
			ask(inner.Read(insideRemoved + ": read after"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		inner, in, _ := innerOf(s)
		missing := func(step string) bool {
			o := got.Step(insideRemoved + ": " + step)
			return o.Refused() && strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
		}
		removal, asked := got.Find(insideRemoved + ": place removed")
		was, is := got.Step(insideRemoved+": first read"), got.Step(insideRemoved+": read after")
		at := inner.ObjectIn(was).At(in.Parameter)
		asItWas := slices.ContainsFunc(removal.Data().Scalars(), func(text string) bool { return strings.Contains(text, s.Gen.Nonce) }) // the whole object
		switch {
		case !asked || !was.Succeeded():
			return ruling.NotApplicable("no object that lies in one of our own is shown by a READ")
		case !removal.Succeeded() || !missing("place read") || check.AnnouncedPending(s.Adapter, removal):
			return ruling.NotApplicable("what other objects lie in is not removed")
		case missing("read after"):
			return ruling.Conforms().By(is, removal, was)
		case !is.Succeeded() || !tellsOf(removal, was) || tellsOf(got.Step(insideRemoved+": place as it was"), was) || asItWas:
			return ruling.NotApplicable("the removal does not say that it removes what lies inside")
		case at.Is(probes.Absent) || !at.Equal(inner.ObjectIn(is).At(in.Parameter)):
			return ruling.NotApplicable("a READ does not show what an object lies in")
		}
		return ruling.Departs("nothing that the removal names and that has what was removed as its "+in.Parameter, at).By(is, removal, was)
	},
	Fix: "remove what lies inside too, or refuse the removal",
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
