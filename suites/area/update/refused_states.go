package update

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A creation may refuse an object that is in some state: nothing is put on a shelf that is closed. The script changes the state
// of an object of its own until a creation refuses it, and then tries the same by an update of what was created before.

const refusedStates = "states that a creation refuses"

// mostStates bounds the states that are tried.
const mostStates = 4

// statefulOf is what an update may refer to that has states, if its creation may as well.
func statefulOf(s model.Subject) (obj model.TestObject, in model.Stateful, ok bool) {
	obj, why := s.TestObject(s.Name)
	if why != nil || s.Op.Category != "UPDATE" {
		return obj, in, false
	}
	for _, in := range s.NamedWithStates(obj.Maker.Name) {
		for _, p := range obj.Fields {
			if _, own := obj.IDs[p.Name]; p.Name == in.Parameter && !own {
				return madeSecond(obj), in, true
			}
		}
	}
	return obj, in, false
}

// madeSecond is the object that the second request of a script creates.
func madeSecond(obj model.TestObject) model.TestObject {
	obj.Base = 1
	return obj
}

// Section 4.5.3.
var whatACreationRefusesInAStateIsRefusedByAnUpdate = check.Check{
	Requirement: "AQL-4.5.3-10",
	Why:         "What may not be created in a closed place gets there by an update.",
	On: model.Only(check.EachTestObject, func(s model.Subject) bool {
		_, _, ok := statefulOf(s)
		return ok
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, in, _ := statefulOf(s)
		place := ask(in.Update.Maker.FreshCall(refusedStates + ": place").Anew(refusedStates + ": place"))
		base, _ := obj.Create(refusedStates+": created", nil)
		if !ask(base).Succeeded() || !place.Succeeded() {
			return
		}
		id := place.Told(in.Path...).Go()
		create := func(step string) probes.Observation {
			creation, rest := obj.Create(refusedStates+": "+step, map[string]any{in.Parameter: id})
			if len(rest) > 0 {
				return probes.Observation{}
			}
			return ask(creation)
		}
		if !create("first in the place").Succeeded() || !create("second in the place").Succeeded() { // else it is full
			return
		}
		for i, v := range in.States[:min(len(in.States), mostStates)] {
			ask(in.Update.Apply(probes.Nth(refusedStates+": state", i)).With("input", map[string]any{in.Field: v.Go()}))
			if refusedForValue(create(probes.Nth("in the state", i))) {
				if ask(obj.Apply(refusedStates+": change").With("input", map[string]any{in.Parameter: id})).Succeeded() {
					ask(obj.Read(refusedStates + ": change: read"))
				}
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, in, _ := statefulOf(s)
		changed, asked := got.Find(refusedStates + ": change")
		refusals := got.Under(refusedStates + ": in the state")
		look := got.Step(refusedStates + ": change: read")
		given := model.ValueIn(changed.Probe, "input").At(in.Parameter)
		switch stored := obj.ObjectIn(look).At(in.Parameter); {
		case !asked:
			return ruling.NotApplicable("no creation refuses " + in.Parameter + " because of a state")
		case changed.Outcome == probes.Unasked:
			return model.Unsent(changed)
		case changed.Succeeded() && stored.Equal(given):
			return ruling.Departs("a refusal of "+in.Parameter+", as a creation is refused in that state", stored).By(look, changed, refusals[len(refusals)-1])
		case refusedForValue(changed) && strings.HasPrefix(changed.Code(), strings.SplitN(refusals[len(refusals)-1].Code(), "_", 2)[0]+"_"):
			return ruling.Conforms().By(changed, refusals[len(refusals)-1])
		}
		return ruling.NotProven("an answer about the state", changed)
	},
	Fix: "check each field of an update as a creation checks it",
}
