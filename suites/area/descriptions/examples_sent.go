package descriptions

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 8.2.
var examplesCanBeExecuted = check.Check{
	Requirement: "INT-8.2-10",
	Rule:        "A usage example can be executed: it passes validation as printed, or after replacing sample identifiers by existing ones.",
	Why:         "The example is what a model sends first.",
	On: func(f *model.Adapter) []model.Subject {
		all := eachExemplified(f)
		for i, s := range all {
			switch ok, _ := f.Callable(s.Op); {
			case s.Op.Name == "introspect":
			case !ok && s.Op.Category != "UPDATE" && s.Op.Category != "DELETE":
				all[i] = s.WithRuling(s.NotCallable("leave to call "+s.Name, ""))
			case !s.KnownGoodRequest().Usable():
				all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that is known to be valid", s.KnownGoodRequest()))
			}
		}
		return all
	},
	Ask: func(s model.Subject) []probes.Probe { return append(model.Details(s), check.ExecutableExamples(s)...) },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		sent := got.Rest()
		if len(sent) < len(check.Examples(s)) {
			rs = append(rs, ruling.NotProven("examples that fit the record of "+s.Name, "one that does not").Because("INT-8.2-09"))
		}
		for _, o := range sent {
			rs = append(rs, exemplary(s, o))
		}
		return ruling.Worst(rs...)
	},
	Fix: "try the examples against the adapter before publishing them",
}

// exemplary rules on the answer to an example.
func exemplary(s model.Subject, o probes.Observation) ruling.Ruling {
	const want = "an answer past validation"
	switch code := o.Code(); {
	case o.Succeeded(), strings.HasPrefix(code, "NOT_FOUND_") && code != "NOT_FOUND_OPERATION", strings.HasPrefix(code, "CONFLICT_"), code == "CONFIRMATION_REQUIRED":
		return ruling.Conforms().By(o)
	case check.BlamedKnownName(s, o) != "":
		p, _ := check.Parameter(s, check.BlamedKnownName(s, o))
		return ruling.NotProven(want, o).Because(check.NameRequirement(p))
	case strings.HasPrefix(code, "VALIDATION_"), code == "NOT_FOUND_OPERATION":
		return ruling.Violates(want, o)
	}
	return ruling.NotProven(want, o)
}
