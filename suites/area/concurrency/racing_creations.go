package concurrency

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const racingCreations = "racing creations"

// mostRacing bounds the kinds of objects whose creations race, and how many at once.
const (
	mostRacing   = 4
	racersAtOnce = 6
)

// eachRacing is every creation of marked objects whose identifiers the adapter gives, the first of them.
func eachRacing(f *model.Adapter) []model.Subject {
	all := model.Only(model.EachMade, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return s.Ruling == nil && why == nil && len(obj.ViewerIDs) > 0 && !slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
			return obj.ViewerIDs[p.Name] != nil && s.ClientChosen(s.Op, p)
		})
	})(f)
	return all[:min(len(all), mostRacing)]
}

// Section 9.3.
var racingCreationsMakeAnObjectEach = check.Check{
	Requirement: "AQL-9.3-01",
	Why:         "An identifier that is read and counted up in two steps is given to two objects, and the second takes the place of the first.",
	On:          eachRacing,
	Lane:        probes.Serial,
	Handles:     check.Unanswered | check.RateLimits,
	Race: func(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
		for i := range 2 {
			step := probes.Nth(racingCreations+": alone", i)
			if !ask(s.FreshCall(step).Anew(step)).Succeeded() {
				return
			}
		}
		creations := func(step string) (ps []probes.Probe) {
			for i := range racersAtOnce {
				ps = append(ps, s.FreshCall(probes.Nth(step, i)).Anew(probes.Nth(step, i)))
			}
			return ps
		}
		if !readEach(s, ask, ": read", together(creations(racingCreations+": at once"))) {
			return
		}
		var made []probes.Observation // a store may keep a few objects alone
		for _, p := range creations(racingCreations + ": one by one") {
			made = append(made, ask(p))
		}
		readEach(s, ask, ": read of one by one", made)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		alone, race := got.Under(racingCreations+": alone"), got.Under(racingCreations+": at once")
		if twin, same := twins(obj, alone); same || len(twin) < 2 || len(race) == 0 {
			return ruling.NotApplicable("two creations one after the other do not tell two identifiers")
		}
		reads, later := got.Under(racingCreations+": read"+laterOn), got.Under(racingCreations+": read of one by one")
		lost := slices.IndexFunc(reads, missing)
		kept := len(later) == racersAtOnce && !slices.ContainsFunc(later, func(o probes.Observation) bool { return !o.Succeeded() })
		switch pair, same := twins(obj, race); {
		case same:
			return ruling.Violates("an identifier of its own for each object", "one for two").By(pair...)
		case lost >= 0 && kept:
			return ruling.Violates("each object that is created", reads[lost]).By(race...).By(later[0])
		case lost >= 0:
			return ruling.NotProven("the objects that are created, as those one by one", reads[lost]).By(race...)
		case !overlapping(race) || len(pair) < 2: // each may need a place of its own first
			return ruling.NotApplicable("no two creations at once succeed")
		case shown(got) < created(race):
			return ruling.NotProven("a READ that shows each object that is created", got.Under(racingCreations+": read").Last()).By(pair...)
		default:
			return ruling.Conforms().By(pair...)
		}
	},
	Fix: "give an identifier and store the object in one step",
}

// readEach reads the objects that creations have told, and reports whether one is lost. It reads an object that is not there once
// more after a while.
func readEach(s model.Subject, ask model.AskFunc, step string, made []probes.Observation) (lost bool) {
	obj, _ := s.TestObject(s.Name)
	read := func(step string, i int) bool {
		p := obj.Read(probes.Nth(racingCreations+step, i))
		for name, path := range obj.ViewerIDs {
			p = p.With(name, made[i].Told(path...).Go())
		}
		return missing(ask(p))
	}
	var late []int
	for i, o := range made {
		if o.Succeeded() && read(step, i) {
			late = append(late, i)
		}
	}
	if len(late) > 0 {
		s.Sleep(model.SettleTime)
	}
	for _, i := range late {
		lost = read(step+laterOn, i) || lost
	}
	return lost
}

// created counts the creations that succeeded, and shown the objects of those at once that a READ showed.
func created(race probes.Answers) (n int) {
	for _, o := range race {
		if o.Succeeded() {
			n++
		}
	}
	return n
}

func shown(got probes.Answers) (n int) {
	for i := range racersAtOnce {
		if got.Step(probes.Nth(racingCreations+": read", i)).Succeeded() || got.Step(probes.Nth(racingCreations+": read"+laterOn, i)).Succeeded() {
			n++
		}
	}
	return n
}

// laterOn ends the steps that read what was not there at first.
const laterOn = " later"

func missing(o probes.Observation) bool { return strings.HasPrefix(o.Code(), "NOT_FOUND_RESOURCE") }

// twins are two creations that told the same identifier. Where there are none, they are two that told one.
func twins(obj model.TestObject, answers probes.Answers) (pair []probes.Observation, same bool) {
	by := map[string]probes.Observation{}
	for _, o := range answers {
		key, whole := "", o.Succeeded()
		for _, name := range slices.Sorted(maps.Keys(obj.ViewerIDs)) {
			part := o.Told(obj.ViewerIDs[name]...)
			key, whole = key+part.Canonical(nil)+" ", whole && (part.Is(probes.String) || part.Is(probes.Number))
		}
		if !whole {
			continue
		}
		if first, told := by[key]; told {
			return []probes.Observation{first, o}, true
		}
		if by[key] = o; len(pair) < 2 {
			pair = append(pair, o)
		}
	}
	return pair, false
}
