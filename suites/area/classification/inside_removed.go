package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter may refuse to remove what other objects lie in, remove these too, take the reference out of them, or keep them as
// they are. An answer that names what lay inside says that it went along.

const insideRemoved = "object inside of what is removed"

// innerOf is the first kind of object that is created in what an operation removes, and the parameter that names that.
func innerOf(s model.Subject) (inner model.TestObject, paths map[string][]string, ok bool) {
	outer, why := s.TestObject(s.Name)
	if why != nil {
		return inner, nil, false
	}
	for _, in := range s.Inside(outer.Maker.Name) {
		if obj, why := s.TestObject(in.Operation); why == nil && obj.Viewer.Name != "" {
			return obj, in.Paths, true
		}
	}
	return inner, nil, false
}

// Section 8.1.
var removalLeavesNothingInside = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "What lies in something that is gone is found by no way through it, and no client knows what to do with it.",
	On: model.Only(eachOf("DELETE"), func(s model.Subject) bool {
		_, _, ok := innerOf(s)
		return ok && s.Ruling == nil
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		outer, _ := s.TestObject(s.Name)
		inner, paths, _ := innerOf(s)
		place, in := ask(outer.Maker.FreshCall(insideRemoved+": place").Anew(insideRemoved+": place")), map[string]any{}
		for name, path := range paths {
			if id := place.Told(path...); place.Succeeded() && !id.Is(probes.Absent) {
				in[name] = id.Go()
			}
		}
		creation, _ := inner.Create(insideRemoved+": created", in)
		if len(in) == 0 || !ask(creation).Succeeded() {
			return
		}
		inner = madeBy(inner, 1)
		ask(inner.Read(insideRemoved + ": first read"))
		if ask(outer.Apply(insideRemoved + ": place removed")).Succeeded() {
			ask(outer.Read(insideRemoved + ": place read"))
			ask(inner.Read(insideRemoved + ": read after"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		inner, paths, _ := innerOf(s)
		inner = madeBy(inner, 1)
		missing := func(step string) bool {
			o := got.Step(insideRemoved + ": " + step)
			return o.Refused() && strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
		}
		removal, asked := got.Find(insideRemoved + ": place removed")
		was, is := got.Step(insideRemoved+": first read"), got.Step(insideRemoved+": read after")
		switch {
		case !asked || !was.Succeeded():
			return ruling.NotProven("an object inside of one of our own, shown by a READ", got.Last()).Mend(model.TestObjectHint)
		case !removal.Succeeded() || !missing("place read") || check.AnnouncedPending(s.Adapter, removal):
			return ruling.NotApplicable("what other objects lie in is not removed")
		case missing("read after"):
			return ruling.Conforms().By(is, removal)
		case !is.Succeeded() || !tellsOf(removal, was):
			return ruling.NotApplicable("the removal does not say that it removes what lies inside")
		}
		for name := range paths {
			if at := inner.ObjectIn(was).At(name); !at.Is(probes.Absent) && at.Equal(inner.ObjectIn(is).At(name)) {
				return ruling.Departs("nothing that the removal names and that names what was removed as its "+name, at).By(is, removal, was)
			}
		}
		return ruling.NotApplicable("a READ does not show what an object lies in")
	},
	Fix: "remove what lies inside too, or refuse the removal",
}

// tellsOf reports whether the answer to a removal has an identifier by which a read asked, and which the removal does not name.
func tellsOf(removal, read probes.Observation) bool {
	asked, told := probes.ValueOf(removal.Probe.Params()).Scalars(), removal.Data().Scalars()
	return slices.ContainsFunc(probes.ValueOf(read.Probe.Params()).Scalars(), func(id string) bool {
		return slices.Contains(told, id) && !slices.Contains(asked, id)
	})
}
