package classification

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter that finds an object by a part of a composite identifier takes one that lies elsewhere.

// inOtherPlaces makes two places for the objects of a kind whose identifier begins with that of their place,
// if the client chooses the other part of it. here puts a creation into one place. there puts it into the other
// place and gives it the same other part as the object of the script. requests is the number of requests sent.
func inOtherPlaces(sp model.TestObject, ask model.AskFunc, script string) (there, here func(probes.Probe) probes.Probe, requests int) {
	as := func(p probes.Probe) probes.Probe { return p }
	_, rest := sp.ChosenKeys(sp.Maker.Name)
	maker, paths := sp.PlaceOf(sp.Maker.Name)
	if len(rest) == 0 || len(paths) == 0 {
		return as, as, 0
	}
	twin, _ := sp.Create(script+": created", nil)
	into := func(step string, keep bool) func(probes.Probe) probes.Probe {
		place := ask(maker.FreshCall(step).Anew(step))
		return func(p probes.Probe) probes.Probe {
			for name, path := range paths {
				if id := place.Told(path...); place.Succeeded() {
					p = p.With(name, id.Go())
				}
			}
			for _, name := range rest {
				if !keep {
					p = p.With(name, twin.Params()[name])
				}
			}
			return p
		}
	}
	return into(script+": place there", false), into(script+": place here", true), 2
}

// misdirected rules on an update whose answer shows another identifier than it was given, and that left the
// object of that identifier as it was.
func misdirected(s model.Subject, got probes.Answers) ruling.Ruling {
	sp, _ := s.TestObject(s.Name)
	_, middle, _ := neighbourhood(s)
	request, before, after := got.Step(middle+": request"), got.Step(middle+": read before"), got.Step(middle+": read after")
	was, is, shown := sp.ObjectIn(before), sp.ObjectIn(after), sp.FindIn(request.Data())
	if sp.Viewer.Name == "" || !request.Succeeded() || !showsMark(sp, after, middle) || was.Canonical(model.Volatile) != is.Canonical(model.Volatile) {
		return ruling.Conforms()
	}
	for name := range sp.ViewerIDs {
		if asked, told := model.ValueIn(request.Probe, name), shown.At(name); was.At(name).Equal(asked) && !told.Is(probes.Absent) && !told.Equal(asked) {
			return ruling.Violates("a change of the object with the "+name+" "+asked.String(), "the "+name+" "+told.String()+" in the answer, and the object as it was").By(after, request, before)
		}
	}
	return ruling.Conforms()
}
