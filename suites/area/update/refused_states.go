package update

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A creation may refuse to name an object that is in some state: no book is put on a shelf that is closed. The script changes the
// state of an object of the run until a creation that names it is refused. Then an update names it.

const refusedStates = "states that a creation refuses"

// The steps: creations before the state is changed and in it, and updates to that place and to another one.
const (
	firstInPlace   = ": first in the place"
	secondInPlace  = ": second in the place"
	inState        = ": in the state"
	moved          = ": moved there"
	movedElsewhere = ": moved elsewhere"
)

// mostStates bounds the states that are tried.
const mostStates = 4

// statefulOf returns the object with states that both the creation and the update may name.
func statefulOf(s model.Subject) (obj model.TestObject, in model.Stateful, ok bool) {
	obj, why := s.TestObject(s.Name)
	if why != nil || s.Op.Category != "UPDATE" {
		return obj, in, false
	}
	for _, in := range s.NamedWithStates(obj.Maker.Name) {
		for _, p := range obj.Fields {
			if _, own := obj.IDs[p.Name]; p.Name == in.Parameter && !own {
				obj.Base = 1 // the first request of the script makes what it may refer to
				return obj, in, true
			}
		}
	}
	return obj, in, false
}

// Section 4.5.3.
var whatACreationRefusesInAStateIsRefusedByAnUpdate = check.Check{
	Requirement: "AQL-4.5.3-10",
	Why:         "An object that may not be created in a closed place must not be moved there.",
	On: model.Only(check.EachTestObject, func(s model.Subject) bool {
		_, _, ok := statefulOf(s)
		return ok
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, in, _ := statefulOf(s)
		place := func(step string) any {
			return ask(in.Update.Maker.FreshCall(refusedStates + step).Anew(refusedStates + step)).Told(in.Path...).Go()
		}
		id := place(": place")
		base, _ := obj.Create(refusedStates+": created", nil)
		if made := ask(base); !made.Succeeded() || id == nil {
			return
		}
		create := func(step string) probes.Observation {
			creation, rest := obj.Create(step, map[string]any{in.Parameter: id})
			if len(rest) > 0 {
				return probes.Observation{}
			}
			return ask(creation)
		}
		if !create(refusedStates+firstInPlace).Succeeded() || !create(refusedStates+secondInPlace).Succeeded() { // else it is full
			return
		}
		move := func(step string, to any) bool {
			return ask(obj.Apply(refusedStates+step).With("input", map[string]any{in.Parameter: to})).Succeeded()
		}
		for i, v := range in.States[:min(len(in.States), mostStates)] {
			ask(in.Update.Apply(probes.Nth(refusedStates+": state", i)).With("input", map[string]any{in.Field: v.Go()}))
			switch {
			case !refusedForValue(create(probes.Nth(refusedStates+inState, i))):
				continue
			case move(moved, id):
				ask(obj.Read(refusedStates + moved + ": read"))
			default:
				move(movedElsewhere, place(": another place"))
			}
			return
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, in, _ := statefulOf(s)
		o, asked := got.Find(refusedStates + moved)
		creation := got.Under(refusedStates + inState).Last()
		look := got.Step(refusedStates + moved + ": read")
		switch stored := obj.ObjectIn(look).At(in.Parameter); {
		case !asked:
			return ruling.NotApplicable("no creation refuses " + in.Parameter + " because of a state")
		case o.Outcome == probes.Unasked:
			return model.Unsent(o)
		case !refusedForValue(creation) || !got.Step(refusedStates+firstInPlace).Succeeded() || !got.Step(refusedStates+secondInPlace).Succeeded():
			return ruling.NotProven("a refusal of the creation because of a state", creation).By(o)
		case o.Succeeded() && stored.Equal(model.ValueIn(o.Probe, "input").At(in.Parameter)):
			return ruling.Departs("a refusal of "+in.Parameter+", as a creation is refused in that state", stored).By(look, o, creation)
		case refusedForValue(o) && o.Code() == creation.Code() && got.Step(refusedStates+movedElsewhere).Succeeded():
			return ruling.Conforms().By(o, got.Step(refusedStates+movedElsewhere), creation)
		}
		return ruling.NotProven("the refusal of the creation, and an update of "+in.Parameter+" that succeeds", o).By(look)
	},
	Fix: "check each field of an update as a creation checks it",
}
