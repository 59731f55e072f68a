package loop

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// evaluatorSettings are what of the evaluation should be up to the operator. Section
// 8.7.4.
var evaluatorSettings = strings.Fields("maxAutonomousSteps riskTolerance deny requiresApproval autoApprove")

// evaluates reports whether there is an evaluation that something could be set of: a
// loop that is off, or that only logs, has none.
func evaluates(f *model.Adapter) bool {
	return check.LoopPresent(f) && !slices.Contains([]string{check.Logging, check.Disabled}, check.LoopMode(f).Text())
}

// Section 8.7.4.
var evaluatorSettingsAreConfigurable = check.Check{
	Requirement: "AQL-8.7.4-01",
	Rule:        "Step limit, tolerance and the three pattern lists are configurable.",
	Why:         "Different teams have different limits.",
	On:          model.Given(evaluates, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		var missing []string
		for _, name := range evaluatorSettings {
			set := slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
				return o.Name != "introspect" && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return vocab.Letters(p.Name) == vocab.Letters(name) })
			})
			if !set {
				missing = append(missing, name)
			}
		}
		word, given := s.Hint("attest.evaluator")
		switch {
		case len(missing) == 0:
			return ruling.Conforms()
		case !given:
			return model.HintMissing("attest.evaluator", "where "+strings.Join(missing, ", ")+" can be set, or no")
		case strings.EqualFold(word, "no") || word == "false":
			return ruling.Departs("a way to set "+strings.Join(missing, ", "), "none")
		}
		return ruling.Conforms().Noting("by the author's word: " + word)
	},
	Fix: "let the operator set the step limit, the tolerance and the three lists of patterns",
}

// Section 8.7.4.
var evaluatorDefaultsAreDocumented = check.Check{
	Requirement: "AQL-8.7.4-02",
	Rule:        "Defaults and options of the evaluator are documented in introspection.",
	Why:         "Clients find an undocumented limit only by exceeding it.",
	On:          model.Given(evaluates, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		// deny alone is an ordinary word
		if namesLimit(s.Adapter) || tellsLimit(s.Adapter) || namesAny(s.Adapter, slices.DeleteFunc(slices.Clone(evaluatorSettings), func(name string) bool { return name == "deny" })...) {
			return ruling.Conforms()
		}
		if showsPattern(s.Adapter) {
			return ruling.Conforms().Noting("a pattern in introspection matches an action of the hints")
		}
		if found := underOtherName(s.Adapter); found != "" && s.Hints.Safety.StepLimit == 0 {
			return model.HintMissing("safety.step_limit", check.LoopHints["safety.step_limit"])
		} else if found != "" {
			return ruling.NotProven("a setting of the evaluation by its name in section 8.7.4, or by a value of the hints", found)
		}
		return unsaid(s.Adapter, ruling.Departs("a word of introspection about "+strings.Join(evaluatorSettings, ", "), "none"))
	},
	Fix: "document the settings of the evaluation with their defaults",
}

// showsPattern reports whether introspection has a pattern that begins as an action does for which the author names
// the decision. Adapters may give the settings other names, so their values tell what they are.
func showsPattern(f *model.Adapter) bool {
	for _, action := range []string{f.Hints.Safety.DenyHint, f.Hints.Safety.ApprovalHint, f.Hints.Safety.AutoHint} {
		for end := 3; end <= len(action); end++ {
			if slices.ContainsFunc(said(f), func(text string) bool { return strings.Contains(text, action[:end]+"*") }) {
				return true
			}
		}
	}
	return false
}

// glob matches a pattern of names in a text, and no bold text of Markdown.
var glob = regexp.MustCompile(`[\w/-]\*([^*\w]|$)|(^|[^*\w])\*\.\w`)

// underOtherName is what may be a setting of the evaluation that has a name of the adapter's own: a default of
// execute_agent, or a pattern in its record or in what is said of the protocol.
func underOtherName(f *model.Adapter) string {
	start, _ := f.Operation("execute_agent")
	if values := defaultsIn(start.Details); len(values) > 0 {
		return "the default " + values[0].String() + " in the record of execute_agent"
	}
	for _, v := range []probes.Value{start.Details, f.Protocol} {
		if text := glob.FindString(string(v.Raw())); text != "" {
			return "a pattern with " + text
		}
	}
	return ""
}

// defaultsIn are the defaults of a record, without those of switches.
func defaultsIn(v probes.Value) (all []probes.Value) {
	for _, item := range v.Items() {
		all = append(all, defaultsIn(item)...)
	}
	for _, m := range v.Members() {
		switch {
		case strings.HasPrefix(m.Name, "example"):
		case m.Name != "default":
			all = append(all, defaultsIn(m.Value)...)
		case !m.Value.Is(probes.Boolean) && !m.Value.Is(probes.Null):
			all = append(all, m.Value)
		}
	}
	return all
}

// Section 8.7.5.
var stepLimitOnlyLoopIsEnough = check.Check{
	Requirement: "AQL-8.7.5-03",
	Rule:        "A loop that implements only the step limit is conformant; tiers, tolerance and verification are optional.",
	Why:         "A loop that only counts steps is permitted. This check reports no violation; it records that no other check may ask for more.",
	On:          model.Given(check.LoopPresent, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if _, verifies := s.Operation("verify_challenge"); !verifies {
			return ruling.Conforms().Noting("a loop without challenges")
		}
		return ruling.Conforms()
	},
}
