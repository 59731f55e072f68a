package classification

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.1.
var creationTakesNoPlace = check.Check{
	Requirement: "AQL-8.1-01",
	Why:         "An adapter may make a part of the identifier, or all of it. Of many creations none may end under an identifier that another object has.",
	On:          model.WholeAdapter,
	Lane:        probes.Serial,
	Drive:       func(model.Subject, model.AskFunc) {},
	Ambient: &check.Ambient{Run: func(s model.Subject, _ probes.Answers, all probes.Record) ruling.Ruling {
		found, ok := s.Takeovers(all)
		switch {
		case len(found) > 0:
			t := found[0]
			return overwriting(t.Maker)("the first object of "+t.Maker.Name+" as it was", "the second in its place").By(t.Taken, t.Shown, t.Second, t.Before)
		case !ok:
			return ruling.NotApplicable("two objects of one kind were made")
		}
		return ruling.Conforms()
	}},
	Fix: "give each new object an identifier of its own, or refuse the creation with CONFLICT_*",
}
