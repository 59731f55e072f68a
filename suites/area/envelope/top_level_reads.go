package envelope

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// mostBeside is how many optional parameters of one READ are tried beside operation.
const mostBeside = 10

// besides are the optional parameters of a READ with a value of another type than documented.
func besides(s model.Subject) map[string]any {
	all := map[string]any{}
	for _, p := range s.Op.Parameters {
		kinds, ok := s.Kinds(p.Type)
		if _, given := s.ValidCall().Params()[p.Name]; given || p.Required || !ok || len(kinds) != 1 || strings.HasPrefix(p.Name, "_") || len(all) == mostBeside {
			continue
		}
		switch kinds[0] {
		case "string":
			all[p.Name] = 5
		case "integer", "number", "boolean":
			all[p.Name] = "aqlx"
		}
	}
	return all
}

// Section 4.2.
var topLevelIsFallbackPlaceOfAll = check.Check{
	Requirement: "AQL-4.2-03",
	Why:         "A parameter that is dropped there changes the answer without a word, as the place where a page begins.",
	On:          model.Only((*model.Adapter).ProvenReads, func(s model.Subject) bool { return len(besides(s)) > 1 }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		all := besides(s)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			v := all[name]
			if ask(s.ValidCall().With(name, v).As("in params: " + name)).Refused() {
				ask(s.ValidCall().Top(name, v).As("beside operation: " + name))
			}
		}
	},
	// That all optional parameters of an operation are dropped is no lapse: other checks on this rule speak of it.
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		var dropped []probes.Observation
		taken := probes.Observation{}
		for _, name := range slices.Sorted(maps.Keys(besides(s))) {
			in, _ := got.Find("in params: " + name)
			top, asked := got.Find("beside operation: " + name)
			switch {
			case !asked || !strings.HasPrefix(in.Code(), "VALIDATION_"):
			case top.Succeeded():
				dropped = append(dropped, top)
			case top.Code() == in.Code():
				taken = top
			}
		}
		switch {
		case taken.Probe.Step == "":
			return ruling.NotApplicable("does not hold: " + s.Name + " takes optional parameters from the top level")
		case len(dropped) > 0:
			name := strings.TrimPrefix(dropped[0].Probe.Step, "beside operation: ")
			in, _ := got.Find("in params: " + name)
			return ruling.Violates("the type check that a value of "+name+" in params gets: "+in.Brief(), dropped[0]).By(dropped[0], in, taken)
		}
		return ruling.Conforms().By(taken)
	},
	Fix: "take every parameter from the top level that params does not hold",
}
