package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An object is made between two others of its kind. What is done to it is done to no other: the
// neighbours are read before and after, each by its own identifier.

// neighbourhood names the scripts of the three objects that one operation is tried among.
func neighbourhood(s model.Subject) (left, middle, right string) {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	return probes.Nth("left neighbour", at), probes.Nth("between neighbours", at), probes.Nth("right neighbour", at)
}

// madeBy is the test object that the request at an index of the script creates.
func madeBy(sp model.TestObject, index int) model.TestObject {
	sp.Base = index
	return sp
}

// amongOthers makes the three objects, reads the outer ones, sends the request for the middle one,
// and reads them again. Where the client chooses the part of the identifier that differs within one place, the
// left object lies in another place and has the same part. Both places are new.
func amongOthers(s model.Subject, ask model.AskFunc, apply func(sp model.TestObject, step string) probes.Probe) {
	sp, _ := s.TestObject(s.Name)
	left, middle, right := neighbourhood(s)
	there, here, at := inOtherPlaces(sp, ask, middle)
	for i, put := range []func(probes.Probe) probes.Probe{there, here, here} {
		creation, _ := sp.Create([]string{left, middle, right}[i]+": created", nil)
		if !ask(put(creation)).Succeeded() {
			return
		}
	}
	look := func(when string) {
		ask(madeBy(sp, at).Read(left + ": " + when))
		ask(madeBy(sp, at+2).Read(right + ": " + when))
	}
	ask(madeBy(sp, at+1).Read(middle + ": read before"))
	look("read before")
	look("read once more")
	if ask(apply(madeBy(sp, at+1), middle+": request")).Succeeded() {
		look("read after")
		ask(madeBy(sp, at+1).Read(middle + ": read after"))
	}
}

// sparesNeighbours rules on what became of the outer objects.
func sparesNeighbours(s model.Subject, got probes.Answers, want string) ruling.Ruling {
	left, middle, right := neighbourhood(s)
	request, sent := got.Find(middle + ": request")
	if !sent || !request.Succeeded() {
		return ruling.NotProven("a request of "+s.Name+" on an object between two others", got.Last())
	}
	sp, _ := s.TestObject(s.Name)
	if before := got.Step(middle + ": read before"); !sp.ObjectIn(before).Is(probes.Absent) && !showsMark(sp, before, middle) {
		return ruling.NotProven("an object between two others that a READ shows", before).Because("AQL-8.1-01") // a neighbour has taken its place
	}
	return ruling.Worst(sparesNeighbour(s, got, left, request, want), sparesNeighbour(s, got, right, request, want))
}

// showsMark reports whether a read shows the object of a script. An answer with one object may have an
// empty list in it.
func showsMark(sp model.TestObject, o probes.Observation, script string) bool {
	if sp.Viewer.Name == "" {
		return len(model.ItemsWith(o.Data(), sp.ShownMark(script))) > 0
	}
	return len(model.ObjectsWith(o.Data(), sp.ShownMark(script))) > 0
}

// sparesNeighbour rules on what became of the object of a script through a request.
func sparesNeighbour(s model.Subject, got probes.Answers, script string, request probes.Observation, want string) ruling.Ruling {
	sp, _ := s.TestObject(s.Name)
	first, before, after := got.Step(script+": read before"), got.Step(script+": read once more"), got.Step(script+": read after")
	was, is := sp.ObjectIn(before), sp.ObjectIn(after)
	lost := strings.HasPrefix(after.Code(), "NOT_FOUND_") || after.Succeeded() && is.Is(probes.Absent)
	name := retold(sp, was, is)
	if name == "" {
		_, middle, _ := neighbourhood(s)
		name = intruded(sp, was, is, sp.ScriptMark(middle)+"-inner")
	}
	switch {
	case !showsMark(sp, before, script) && !was.Is(probes.Absent): // another object has taken its place
		return ruling.NotProven("a neighbour that a READ shows", before).Because("AQL-8.1-01")
	case was.Is(probes.Absent), retold(sp, sp.ObjectIn(first), was) != "":
		return ruling.NotProven("a neighbour that a READ shows twice", before).By(first)
	case lost:
		return ruling.Violates(want, "an object less that was not named").By(after, request, before)
	case !after.Succeeded():
		return ruling.NotProven("a look at a neighbour", after).By(request)
	case name != "":
		return ruling.Violates(want, name+" "+is.At(name).String()+" in place of "+was.At(name).String()).By(after, request, before)
	}
	return ruling.Conforms().By(after, request)
}

// retold returns a text that clients set and that another request changed. Numbers may be places in
// an order, which a removal moves.
func retold(sp model.TestObject, was, is probes.Value) string {
	for _, p := range sp.Fields {
		if a, b := was.At(p.Name), is.At(p.Name); a.Is(probes.String) && !model.Volatile(p.Name) && !b.Is(probes.Absent) && !a.Equal(b) {
			return p.Name
		}
	}
	return ""
}

// intruded returns a field that clients set and that holds what was written into another object.
func intruded(sp model.TestObject, was, is probes.Value, mark string) string {
	for _, p := range sp.Fields {
		if strings.Contains(is.At(p.Name).String(), mark) && !strings.Contains(was.At(p.Name).String(), mark) {
			return p.Name
		}
	}
	return ""
}

// Section 8.1.
var removalSparesNeighbours = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "A removal names one object. An adapter with a faulty filter removes a second one, which shows only if that one is read again.",
	On:          eachOf("DELETE"),
	Lane:        probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		amongOthers(s, ask, func(sp model.TestObject, step string) probes.Probe { return sp.Apply(step) })
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return sparesNeighbours(s, got, "no change to the objects beside the one that was removed")
	},
	Fix: "remove the named resource and no other",
}

// Section 8.1.
var updateSparesNeighbours = check.Check{
	Requirement: "AQL-8.1-05",
	Why:         "An update must change only the object it names.",
	On:          check.EachTestObject,
	Lane:        probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		text, ok := sp.TextField()
		if !ok {
			return
		}
		amongOthers(s, ask, func(sp model.TestObject, step string) probes.Probe {
			input := map[string]any{text.Name: sp.ScriptMark(step) + "-new"}
			if free, ok := sp.ObjectField(); ok { // objects that are made without one may share it
				input[free.Name] = map[string]any{"aqlx": sp.ScriptMark(step) + "-inner"}
			}
			return sp.Apply(step).With("input", input)
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if len(got) == 0 {
			return ruling.NotProven("a field that plays the part of text", "none").Mend(model.TestObjectHint)
		}
		return ruling.Worst(sparesNeighbours(s, got, "no change to the objects beside the one that was updated"), misdirected(s, got))
	},
	Fix: "change the named resource and no other",
}

// The steps of the script on listings.
const (
	beforeRemoval = "removed from the listings: listing before"
	theRemoval    = "removed from the listings: removal"
	afterRemoval  = "removed from the listings: listing after"
)

// Section 8.1.
var removalLeavesListings = check.Check{
	Requirement: "AQL-8.1-06",
	Why:         "Clients act on the objects in a listing, so a removed object must not stay in it.",
	On: model.Only(eachOf("DELETE"), func(s model.Subject) bool {
		sp, why := s.TestObject(s.Name)
		return why == nil && len(plainViews(sp, beforeRemoval)) > 0
	}),
	Lane: probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		step := func(of string, i int) string { return probes.Nth(of, i) }
		if !check.CreateWithFields(sp, ask, "removed from the listings", nil) {
			return
		}
		views, shown := plainViews(sp, beforeRemoval), map[int]bool{}
		for i, v := range views {
			o := ask(v.Anew(step(beforeRemoval, i)))
			shown[i] = len(model.ItemsWith(o.Data(), sp.ShownMark(beforeRemoval))) > 0
		}
		if !ask(sp.Apply(theRemoval)).Succeeded() {
			return
		}
		for i, v := range views {
			if !shown[i] {
				continue
			}
			pause, n := model.SettleTime/50, 0
			for waited := pause; ; waited += pause {
				o := ask(v.Anew(step(step(afterRemoval, i)+": look", n)))
				if len(model.ItemsWith(o.Data(), sp.ShownMark(beforeRemoval))) == 0 || waited >= model.SettleTime {
					break
				}
				s.Sleep(pause)
				pause, n = 2*pause, n+1
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		reply, mark := got.Step(theRemoval), sp.ShownMark(beforeRemoval)
		if !reply.Succeeded() {
			return ruling.NotProven("a removal that succeeds", got.Last())
		}
		rs := []ruling.Ruling{}
		for _, before := range got.Under(beforeRemoval) {
			was := model.ItemsWith(before.Data(), mark)
			looks := got.Under(probes.Nth(afterRemoval, before.Probe.Index()))
			if len(was) == 0 || len(looks) == 0 {
				continue
			}
			last := looks.Last()
			switch is := model.ItemsWith(last.Data(), mark); {
			case !last.Succeeded():
				rs = append(rs, ruling.NotProven("a listing after the removal", last).By(reply))
			case len(is) == 0:
				rs = append(rs, ruling.Conforms().By(last, reply))
			case check.AnnouncedPending(s.Adapter, reply):
				rs = append(rs, ruling.NotProven("a removal that is complete", "one that was announced as pending").By(last, reply))
			case is[0].Canonical(model.Volatile) != was[0].Canonical(model.Volatile):
				rs = append(rs, ruling.Departs("a listing without what was removed", "an object that was marked").By(last, reply).Noting("a soft delete"))
			default:
				rs = append(rs, ruling.Violates("a listing without what was removed", "the object as it was").By(last, reply, before))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("our own object in a listing", "none").By(got[0])
		}
		return ruling.Worst(rs...)
	},
	Fix: "take what is removed out of every listing",
}

// plainViews are the listings that would show an object. A search may lag behind the store for as
// long as its index takes, so it counts only where nothing else lists the kind. What is new has to be shown
// at once, or it is not asked again.
func plainViews(sp model.TestObject, step string) []probes.Probe {
	all := sp.Maker.Views(sp.ShownMark(step))
	plain := slices.DeleteFunc(slices.Clone(all), func(p probes.Probe) bool {
		_, searches := p.Params()["query"]
		return searches
	})
	if len(plain) == 0 {
		return all
	}
	return plain
}
