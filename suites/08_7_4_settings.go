package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// evaluatorSettings are what of the evaluation should be up to the operator. Section
// 8.7.4.
var evaluatorSettings = strings.Fields("maxAutonomousSteps riskTolerance deny requiresApproval autoApprove")

// evaluates reports whether there is an evaluation that something could be set of: a
// loop that is off, or that only logs, has none.
func (f *Face) evaluates() bool {
	return f.loopTraced() && !slices.Contains([]string{logging, disabled}, f.loopMode().Text())
}

// Section 8.7.4. Every team draws the line elsewhere.
var _ = register(Check{
	Requirement: "AQL-8.7.4-01",
	On:          given((*Face).evaluates, introspecting),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		var missing []string
		for _, name := range evaluatorSettings {
			set := slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
				return o.Name != "introspect" && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return letters(p.Name) == letters(name) })
			})
			if !set {
				missing = append(missing, name)
			}
		}
		word, given := s.Hint("attest.evaluator")
		switch {
		case len(missing) == 0:
			return Conforms()
		case !given:
			return unhinted("attest.evaluator", "where "+strings.Join(missing, ", ")+" can be set, or no")
		case strings.EqualFold(word, "no") || word == "false":
			return Departs("a way to set "+strings.Join(missing, ", "), "none")
		}
		return Conforms().Noting("by the author's word: " + word)
	},
	Fix: "let the operator set the step limit, the tolerance and the three lists of patterns",
})

// Section 8.7.4. What is not documented is found out by running into it.
var _ = register(Check{
	Requirement: "AQL-8.7.4-02",
	On:          given((*Face).evaluates, introspecting),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		// deny alone is an ordinary word
		if s.namesLimit() || s.namesAny(slices.DeleteFunc(slices.Clone(evaluatorSettings), func(name string) bool { return name == "deny" })...) {
			return Conforms()
		}
		return s.unsaid(Departs("a word of introspection about "+strings.Join(evaluatorSettings, ", "), "none"))
	},
	Fix: "document the settings of the evaluation with their defaults",
})

// Section 8.7.5. A loop that does nothing but count is a loop. This check accuses
// nobody: it stands against judges that ask for more.
var _ = register(Check{
	Requirement: "AQL-8.7.5-03",
	On:          given((*Face).loopTraced, introspecting),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if _, verifies := s.Operation("verify_challenge"); !verifies {
			return Conforms().Noting("a loop without challenges")
		}
		return Conforms()
	},
})
