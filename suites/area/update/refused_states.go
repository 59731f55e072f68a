package update

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A creation may refuse to name an object that is in some state: no book is put on a shelf that is closed. The script changes the
// state of an object of the run until a creation that names it is refused. Another object gets that state before anything names it,
// because a place may also be full. An update names that one, between two creations that are refused: a state may end by itself.

const refusedStates = "states that a creation refuses"

// The steps: creations before the state is changed and in it, and updates to that place and to another one.
const (
	firstInPlace   = ": first in the place"
	secondInPlace  = ": second in the place"
	inState        = ": in the state"
	newInState     = ": new place in the state"
	stillInState   = ": still in the state"
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
		named := in.Parameter
		place := func(step string) probes.Observation {
			return ask(in.Update.Maker.FreshCall(refusedStates + step).Anew(refusedStates + step))
		}
		key := func(place probes.Observation) any { return place.Told(in.Path...).Go() }
		first := place(": place")
		id := key(first)
		base, _ := obj.Create(refusedStates+": created", nil)
		if made := ask(base); !made.Succeeded() || id == nil {
			return
		}
		create := func(step string, in any) probes.Observation {
			creation, rest := obj.Create(refusedStates+step, map[string]any{named: in})
			if len(rest) > 0 {
				return probes.Observation{}
			}
			return ask(creation)
		}
		if !create(firstInPlace, id).Succeeded() || !create(secondInPlace, id).Succeeded() { // else it is full
			return
		}
		set := func(step string, place probes.Observation, v probes.Value) {
			p := in.Update.Apply(refusedStates + step)
			for name, path := range in.Update.IDs {
				p = p.With(name, place.Told(path...).Go())
			}
			ask(p.With("input", map[string]any{in.Field: v.Go()}))
		}
		move := func(step string, to any) bool {
			return ask(obj.Apply(refusedStates+step).With("input", map[string]any{named: to})).Succeeded()
		}
		for i, v := range in.States[:min(len(in.States), mostStates)] {
			if set(probes.Nth(": state", i), first, v); !refusedForValue(create(probes.Nth(inState, i), id)) {
				continue
			}
			fresh := place(": new place")
			if id = key(fresh); id == nil {
				return
			}
			set(": state of the new place", fresh, v)
			switch {
			case !refusedForValue(create(newInState, id)):
			case move(moved, id):
				ask(obj.Read(refusedStates + moved + ": read"))
				create(stillInState, id)
			default:
				move(movedElsewhere, key(place(": another place")))
			}
			return
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, in, _ := statefulOf(s)
		o, asked := got.Find(refusedStates + moved)
		creation, again := got.Step(refusedStates+newInState), got.Step(refusedStates+stillInState)
		look := got.Step(refusedStates + moved + ": read")
		switch stored := obj.ObjectIn(look).At(in.Parameter); {
		case !asked:
			return ruling.NotApplicable("no creation refuses " + in.Parameter + " because of a state")
		case o.Outcome == probes.Unasked:
			return model.Unsent(o)
		case !refusedForValue(creation) || !got.Step(refusedStates+firstInPlace).Succeeded() || !got.Step(refusedStates+secondInPlace).Succeeded():
			return ruling.NotProven("a refusal of the creation because of a state", creation).By(o)
		case o.Succeeded() && !refusedForValue(again):
			return ruling.NotProven("a refusal of the creation after the update, too", again).By(o, creation)
		case o.Succeeded() && speaksOf(obj, in, got):
			return ruling.NotProven("a refusal, or what "+obj.Op.Name+" says of that state", o).By(creation)
		case o.Succeeded() && stored.Equal(model.ValueIn(o.Probe, "input").At(in.Parameter)):
			return ruling.Departs("a refusal of "+in.Parameter+", as a creation is refused in that state", stored).By(look, o, creation)
		case refusedForValue(o) && o.Code() == creation.Code() && got.Step(refusedStates+movedElsewhere).Succeeded():
			return ruling.Conforms().By(o, got.Step(refusedStates+movedElsewhere), creation)
		}
		return ruling.NotProven("the refusal of the creation, and an update of "+in.Parameter+" that succeeds", o).By(look)
	},
	Fix: "check each field of an update as a creation checks it",
}

// speaksOf reports whether the record of an update has the word of the state: it may say that objects can be moved there.
func speaksOf(obj model.TestObject, in model.Stateful, got probes.Answers) bool {
	set := got.Step(refusedStates + ": state of the new place")
	state := strings.ToLower(model.ValueIn(set.Probe, "input").At(in.Field).Text())
	texts := []string{obj.Op.Details.At("description").Text()}
	for _, p := range slices.Concat(obj.Op.Parameters, obj.Fields) {
		if p.Name == "input" || p.Name == in.Parameter {
			texts = append(texts, p.Raw.At("description").Text())
		}
	}
	return state != "" && strings.Contains(strings.ToLower(strings.Join(texts, " ")), state)
}
