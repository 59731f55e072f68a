package classification

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.1.
var creationAfterRemovalSparesOthers = check.Check{
	Requirement: "AQL-8.1-01",
	Why:         "An identifier that is counted from what is there comes again after a removal, and the next object takes the place of another.",
	On:          eachOf("DELETE"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		gone, stays, comes := succession(s)
		for _, script := range []string{gone, stays} {
			if creation, _ := sp.Create(script+": created", nil); !ask(creation).Succeeded() {
				return
			}
		}
		ask(madeBy(sp, 1).Read(stays + ": read before"))
		if !ask(madeBy(sp, 0).Apply(gone + ": removed")).Succeeded() {
			return
		}
		ask(madeBy(sp, 1).Read(stays + ": read once more")) // what the removal did is another matter
		if creation, _ := sp.Create(comes+": created", nil); ask(creation).Succeeded() {
			ask(madeBy(sp, 1).Read(stays + ": read after"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, stays, comes := succession(s)
		creation, sent := got.Find(comes + ": created")
		if !sent || !creation.Succeeded() {
			return ruling.NotProven("a creation after a removal", got.Last())
		}
		return sparesNeighbour(s, got, stays, creation, "the object that was there before the creation, as it was")
	},
	Fix: "give a new object an identifier that no other has",
}

// succession names the scripts of an object that is removed, of one that stays, and of one that is
// made after the removal.
func succession(s model.Subject) (gone, stays, comes string) {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	return probes.Nth("an object that goes", at), probes.Nth("an object that stays", at), probes.Nth("an object that comes", at)
}

// sharedIdentifier rules on two new objects to which the answers give the same identifier, where a read
// by it shows the second and no trace of the first, which nobody removed.
func sharedIdentifier(s model.Subject, got probes.Answers) (ruling.Ruling, bool) {
	sp, _ := s.TestObject(s.Name)
	gone, stays, _ := succession(s)
	first, second, shown := got.Step(gone+": created"), got.Step(stays+": created"), got.Step(stays+": read before")
	if sp.Viewer.Name == "" || len(sp.IDs) == 0 || !second.Succeeded() || !shown.Succeeded() {
		return ruling.Ruling{}, false
	}
	for _, path := range sp.IDs {
		if key := second.Told(path...); key.Is(probes.Absent) || !key.Equal(first.Told(path...)) {
			return ruling.Ruling{}, false
		}
	}
	if !showsMark(sp, shown, stays) || showsMark(sp, shown, gone) {
		return ruling.Ruling{}, false
	}
	return overwriting(sp.Maker)("an identifier of its own for each new object", second).By(shown, first), true
}
