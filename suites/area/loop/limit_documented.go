package loop

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// anyCase is what is left of a text when spelling is taken off it.
func anyCase(text string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(text))
}

// namesAny reports whether introspection names one of the words in any spelling.
func namesAny(f *model.Adapter, words ...string) bool {
	return slices.ContainsFunc(said(f), func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(anyCase(text), anyCase(w)) })
	})
}

func namesLimit(f *model.Adapter) bool {
	return namesAny(f, "maxAutonomousSteps", "autonomousSteps", "stepLimit")
}

// Section 8.7.2.
var defaultStepLimitIsDocumented = check.Check{
	Requirement: "AQL-8.7.2-03",
	Rule:        "The default step limit is documented in introspection.",
	Why:         "An agent that knows its limit plans its steps.",
	On: model.Given(evaluates, func(f *model.Adapter) []model.Subject {
		return []model.Subject{{Adapter: f, Name: "execute_agent"}}
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.Listing())
		if _, lacks := check.LoopObstacle(s.Adapter, check.LoopMode(s.Adapter), []string{"safety.agent"}); !lacks && !tellsLimit(s.Adapter) {
			tenReports(s, ask)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if tellsLimit(s.Adapter) {
			return ruling.Conforms()
		}
		if r, lacks := check.LoopObstacle(s.Adapter, check.LoopMode(s.Adapter), []string{"safety.agent"}); lacks {
			return r
		}
		if r, ok := directed(got); !ok {
			return r
		}
		if reportsIn(got)[0].Directive.At("stepsRemaining").Is(probes.Number) {
			return ruling.Conforms().By(reportsIn(got)[0].Observation)
		}
		if start, _ := s.Operation("execute_agent"); s.Hints.Safety.StepLimit == 0 && slices.ContainsFunc(defaultsIn(start.Details), isNumber) {
			return model.HintMissing("safety.step_limit", check.LoopHints["safety.step_limit"])
		}
		return unsaid(s.Adapter, ruling.Departs("the default step limit in introspection or in the first directive", "neither").By(got[0], reportsIn(got)[0].Observation))
	},
	Fix: "document the step limit with its default, such as the default of a parameter of execute_agent",
}

// The number of steps that an agent may take goes by any name. A number beside steps is a limit in a record of
// execute_agent; elsewhere the words have to say so.
var (
	ofSteps    = regexp.MustCompile(`(?i)steps?([^a-z]|$)|step[ _-]?(limit|budget|count)`)
	limitNamed = regexp.MustCompile(`(?i)steps?[ _-]*(limit|budget)|(max(imum)?|most|limit|budget|autonomous|allowed)([ _-]|of|[a-z])*steps?`)
	limitTold  = regexp.MustCompile(`(?i)` + numeral + `[ -]([a-z-]+ ){0,2}steps\b|(` + limitNamed.String() + `)[^.\d]{0,60}` + numeral)
	byDefault  = regexp.MustCompile(`(?i)default[^.\d]{0,20}` + numeral)
)

// numeral matches a number that a text gives in digits or as a word.
const numeral = `\b(\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundred)\b`

// tellsLimit reports whether introspection tells the default step limit, or that each start of an agent states one.
func tellsLimit(f *model.Adapter) bool {
	start, _ := f.Operation("execute_agent")
	limit := f.Hints.Safety.StepLimit
	if limit > 0 && slices.ContainsFunc(defaultsIn(start.Details), func(v probes.Value) bool { n, ok := v.Float(); return ok && n == float64(limit) }) {
		return true // by whatever name
	}
	if limitIn(start.Details, "", ofSteps) || slices.ContainsFunc(start.Parameters, func(p probes.Parameter) bool {
		return p.Required && ofSteps.MatchString(p.Name) && (p.Type == "integer" || p.Type == "number")
	}) {
		return true
	}
	elsewhere := func(v probes.Value) bool { return limitIn(v, "", limitNamed) }
	return elsewhere(f.Listed.Envelope()) || slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return elsewhere(o.Details) }) ||
		slices.ContainsFunc(f.Types, func(t probes.Type) bool { return elsewhere(t.Summary) || elsewhere(t.Details) })
}

func isNumber(v probes.Value) bool { return v.Is(probes.Number) }

// limitIn reports whether a document gives a number for the step limit: a member whose name fits, the default of a
// record whose name or description fits, or a text. The numbers of examples are those of one request.
func limitIn(v probes.Value, name string, fits *regexp.Regexp) bool {
	switch {
	case v.Is(probes.Number):
		return fits.MatchString(name)
	case v.Is(probes.String):
		return limitTold.MatchString(v.Text())
	case fits.MatchString(name + " " + v.At("name").Text() + " " + v.At("description").Text()):
		if v.At("default").Is(probes.Number) || byDefault.MatchString(v.At("description").Text()) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return limitIn(item, name, fits) }) ||
		slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
			return !strings.HasPrefix(m.Name, "example") && limitIn(m.Value, m.Name, fits)
		})
}
