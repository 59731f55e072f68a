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
	On:          eachSucceeded,
	Handles:     check.Blocked,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(removerOf(s))
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
	Ambient: &check.Ambient{Run: func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling {
		if t, found := s.OverwriteBy(all); found {
			return overwriting(s)("the first object as it was", "the second in its place").By(t.Taken, t.Shown, t.Second, t.First)
		}
		return succeeded(s, got)
	}},
	Fix: "give a new object an identifier that no other has, or refuse it with CONFLICT_*",
}

// succeeded rules on the creation after the removal.
func succeeded(s model.Subject, got probes.Answers) ruling.Ruling {
	gone, stays, comes := succession(s)
	creation, sent := got.Find(comes + ": created")
	if !sent || !creation.Succeeded() {
		return s.NotCallable("a creation after a removal", "none that succeeded")
	}
	removal := s
	removal.Name = removerOf(s)
	r := sparesNeighbour(removal, got, stays, creation, "the object that was there before the creation, as it was")
	if e := r.Evidence; len(e) == 3 { // the identifier comes again because of the removal
		r.Evidence = []probes.Observation{e[0], e[1], got.Step(gone + ": removed"), e[2]}
		r = r.Noting("seen after a removal by " + removal.Name)
	}
	return r
}

// eachSucceeded returns the creation of each kind of object that can be removed: an identifier that comes again
// is the mistake of the creation.
func eachSucceeded(f *model.Adapter) (all []model.Subject) {
	for _, s := range eachOf("DELETE")(f) {
		if sp, missing := f.TestObject(s.Name); missing == nil && sp.Maker.Name != "" {
			s = sp.Maker
		}
		if !slices.ContainsFunc(all, func(known model.Subject) bool { return known.Name == s.Name }) {
			all = append(all, s)
		}
	}
	return all
}

// removerOf returns the operation that removes what the subject creates; the subject itself if there is none.
func removerOf(s model.Subject) string {
	for _, o := range s.Operations {
		if o.Category == "DELETE" {
			if sp, missing := s.TestObject(o.Name); missing == nil && sp.Maker.Name == s.Name {
				return o.Name
			}
		}
	}
	return s.Name
}

// succession names the scripts of an object that is removed, of one that stays, and of one that is
// made after the removal.
func succession(s model.Subject) (gone, stays, comes string) {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	return probes.Nth("an object that goes", at), probes.Nth("an object that stays", at), probes.Nth("an object that comes", at)
}
