package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const otherCase = "a name in another case: "

// capitalized returns a required parameter of a valid request, with its name in another case.
func capitalized(s model.Subject) (name, other string, ok bool) {
	given := s.ValidCall().Params()
	for _, p := range s.Op.Parameters {
		other := strings.ToUpper(p.Name[:min(1, len(p.Name))]) + p.Name[min(1, len(p.Name)):]
		if _, sent := given[p.Name]; sent && p.Required && other != p.Name && !s.Op.HasParameter(other) {
			return p.Name, other, true
		}
	}
	return "", "", false
}

// Section 4.6.
var nameInAnotherCaseIsUnknown = check.Check{
	Requirement: "AQL-4.6-06",
	Why:         "Names in JSON are told apart by case. An adapter that takes both has a second name for the parameter that nobody documents.",
	On: model.Only(model.EachUsable, func(s model.Subject) bool {
		_, _, ok := capitalized(s)
		return s.Ruling == nil && slices.Contains([]string{"READ", "CREATE"}, s.Op.Category) && s.Name != "introspect" && ok
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		name, other, _ := capitalized(s)
		call := func(step string) probes.Probe { return s.FreshCall(otherCase + step).As(otherCase + step) }
		if ask(call("valid request")).Succeeded() && ask(call("random name").With(check.UnknownName(s), 1)).Refused() {
			p := call("request")
			value := p.Params()[name]
			ask(p.Without(name).With(other, value))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		valid, random := got.Step(otherCase+"valid request"), got.Step(otherCase+"random name")
		_, other, _ := capitalized(s)
		o, sent := got.Find(otherCase + "request")
		switch {
		case !sent || !valid.Succeeded() || !random.Refused():
			return ruling.NotProven("a valid request, and a refusal of a random name", got.Last())
		case o.Succeeded():
			return ruling.Violates("a refusal of the name "+other, o).By(random, valid)
		}
		return ruling.Conforms().By(o, random, valid)
	},
	Fix: "test membership in the set of documented names, exactly",
}
