package parameters

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// capitalized returns a required parameter of a valid request, with its name in another case.
func capitalized(s model.Subject) (name, other string, ok bool) {
	given := s.ValidCall().Params()
	for _, p := range s.Op.Parameters {
		first, size := utf8.DecodeRuneInString(p.Name)
		other := string(unicode.ToUpper(first)) + p.Name[size:]
		if _, sent := given[p.Name]; sent && p.Required && other != p.Name && !s.Op.HasParameter(other) {
			return p.Name, other, true
		}
	}
	return "", "", false
}

// refusesNames reports whether an answer refuses the parameters as they are, and nothing that they ask for.
func refusesNames(o probes.Observation) bool {
	return o.RefusedBelow() || o.Refused() && strings.HasPrefix(o.Code(), "VALIDATION_")
}

// otherCase rules on a documented name in another case, for the operations of a category.
func otherCase(lane probes.Lane, category string) check.Check {
	const script = "a name in another case: "
	return check.Check{
		Requirement: "AQL-4.6-06",
		Why:         "Names in JSON are told apart by case. An adapter that takes both has a second name for the parameter that nobody documents.",
		On: model.Only(model.EachUsable, func(s model.Subject) bool {
			_, _, ok := capitalized(s)
			return s.Ruling == nil && s.Op.Category == category && s.Name != "introspect" && ok
		}),
		Lane: lane,
		Drive: func(s model.Subject, ask model.AskFunc) {
			name, other, _ := capitalized(s)
			call := func(step string) probes.Probe { return s.FreshCall(script + step).As(script + step) }
			if ask(call("valid request")).Succeeded() && refusesNames(ask(call("random name").With(check.UnknownName(s), 1))) {
				p := call("request")
				ask(p.Without(name).With(other, p.Params()[name]))
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			valid, random := got.Step(script+"valid request"), got.Step(script+"random name")
			_, other, _ := capitalized(s)
			o, sent := got.Find(script + "request")
			switch {
			case !sent || !valid.Succeeded() || !refusesNames(random):
				return ruling.NotProven("a valid request, and a refusal of a random name", got.Last())
			case o.Succeeded():
				return ruling.Violates("a refusal of the name "+other, o).By(random, valid)
			case !refusesNames(o): // any other refusal may come after the name was taken
				return ruling.NotProven("a refusal of the parameters", o)
			}
			return ruling.Conforms().By(o, random, valid)
		},
		Fix: "test membership in the set of documented names, exactly",
	}
}

// Section 4.6.
var (
	nameInAnotherCaseIsUnknownToReads     = otherCase(probes.Parallel, "READ")
	nameInAnotherCaseIsUnknownToCreations = otherCase(probes.Serial, "CREATE")
)
