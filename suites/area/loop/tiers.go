package loop

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// alongTiers reports what the author says about the tiers that do not block.
func alongTiers(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.TierScenario, 0, nil)
	if !a.Started() {
		return
	}
	a.Report(plainAction, nil)
	for _, hint := range []string{s.Hints.Safety.Tolerance, s.Hints.Safety.ConfirmHint, s.Hints.Safety.VerifyHint} {
		if hint != "" {
			a.Report(hint, nil)
		}
	}
	leave(a)
}

// scoreOf is the risk score that an answer shows. The specification gives it no name. Other scores and the risks of
// other actions may stand anywhere, so a score counts in the directive, in the answer around it, or beside the tier.
func scoreOf(r check.StepReport) (score float64, shown bool) {
	tier := r.Directive.At("nextStepRisk").Text()
	if score, shown = firstNumber(r.Directive, "riskscore", "nextstepriskscore", "risk"); shown {
		return score, true
	}
	if score, shown = firstNumber(r.Observation.Data(), "riskscore", "nextstepriskscore"); shown || tier == "" {
		return score, shown
	}
	var walk func(v probes.Value)
	walk = func(v probes.Value) {
		for _, m := range v.Members() {
			if !shown && m.Value.Text() == tier && m.Name != "nextStepRisk" {
				score, shown = firstNumber(v, "riskscore", "nextstepriskscore", "risk", "score")
			}
			walk(m.Value)
		}
	}
	walk(r.Observation.Data())
	return score, shown
}

// firstNumber is the number in an object that has the first of the names, in any spelling.
func firstNumber(v probes.Value, names ...string) (float64, bool) {
	for _, name := range names {
		for _, m := range v.Members() {
			if n, ok := m.Value.Float(); ok && vocab.Letters(m.Name) == name {
				return n, true
			}
		}
	}
	return 0, false
}

// bands are the highest scores of the tiers. Section 8.7.2.
var bands = map[string][2]float64{"advisory": {0, 30}, "confirm": {31, 60}, "verify": {61, 85}, "danger_zone": {86, 100}}

// Section 8.7.2.
var riskScoreAndTierFitTogether = check.Check{
	Requirement: "AQL-8.7.2-13",
	Rule:        "Risk scores map to tiers as in the table and each tier has its default effect.",
	Why:         "An operator sets the tolerance by the table of the specification, so other thresholds pause other actions than expected.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.confirm_hint"),
	Lane:        probes.Serial,
	Drive:       alongTiers,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []ruling.Ruling
		for _, r := range reportsIn(got) {
			tier := r.Directive.At("nextStepRisk").Text()
			score, scored := scoreOf(r)
			band, known := bands[tier]
			switch {
			case !known:
			case scored && score == float64(int(score)) && (score < band[0] || score > band[1]):
				rs = append(rs, ruling.Violates(fmt.Sprintf("a score of %v to %v in the tier %s", band[0], band[1], tier), fmt.Sprint(score)).By(r.Observation))
			case tier == "confirm" && r.Continues():
				rs = append(rs, ruling.Departs("a pause in the tier confirm", "continue true").By(r.Observation))
			default:
				rs = append(rs, ruling.Conforms().By(r.Observation))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a directive that shows nextStepRisk", "none").By(reportsIn(got)[0].Observation)
		}
		return ruling.Worst(rs...)
	},
	Fix: "map scores to 30 to advisory, to 60 to confirm, to 85 to verify, above to danger_zone",
}

// tolerances are the settings with the score above which each pauses. Section 8.7.2.
var tolerances = []struct {
	name string
	most float64
}{{"conservative", 25}, {"moderate", 50}, {"aggressive", 75}}

// underTolerances reports one action under each tolerance.
func underTolerances(s model.Subject, ask model.AskFunc) {
	name, documented := settingOf(s.Adapter, "riskTolerance")
	for i, tolerance := range tolerances {
		if !documented {
			return
		}
		a := check.StartAgent(s, ask, check.ToleranceScenario.Variant(i), 0, map[string]any{name: tolerance.name})
		if !a.Started() {
			return
		}
		if free(a) {
			a.Report(s.Hints.Safety.Tolerance, nil)
		}
		leave(a)
	}
}

// Section 8.7.2.
var toleranceSettingsPauseAtTheirThresholds = check.Check{
	Requirement: "AQL-8.7.2-15",
	Rule:        "The tolerance setting pauses above 25, 50 or 75.",
	Why:         "The tolerance states how much may happen without a person.",
	On: func(f *model.Adapter) []model.Subject {
		all := check.InLoopModes([]string{check.Enforcing}, "safety.tolerance")(f)
		if _, documented := settingOf(f, "riskTolerance"); len(all) > 0 && all[0].Ruling == nil && !documented {
			all[0] = all[0].WithRuling(ruling.NotProven("a parameter of execute_agent that sets riskTolerance", "none").Noting("it may be set elsewhere"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: underTolerances,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []ruling.Ruling
		for i, tolerance := range tolerances {
			reports := withHint(reportsOf(got, check.ToleranceScenario.Variant(i), 0), s.Hints.Safety.Tolerance)
			if len(reports) == 0 {
				return ruling.NotProven("an agent that starts with the tolerance "+tolerance.name+" and is free", "none")
			}
			r := reports[0]
			score, scored := scoreOf(r)
			advisory := slices.Contains([]string{"", "advisory"}, r.Directive.At("nextStepRisk").Text()) && score <= 30
			switch {
			case !scored:
				return ruling.NotApplicable("no risk score is shown")
			case score > tolerance.most && r.Continues():
				rs = append(rs, ruling.Departs(fmt.Sprintf("a pause above %v with the tolerance %s", tolerance.most, tolerance.name), fmt.Sprintf("continue true at %v", score)).By(r.Observation))
			case r.Paused() && check.ChallengeIn(r.Observation, "autonomy_pause") != "":
				rs = append(rs, ruling.NotProven("an agent that nothing else holds up", "a challenge that waits for a person").By(r.Observation))
			case score <= tolerance.most && advisory && r.Paused():
				rs = append(rs, ruling.Departs(fmt.Sprintf("continue true up to %v with the tolerance %s", tolerance.most, tolerance.name), fmt.Sprintf("a pause at %v", score)).By(r.Observation))
			default:
				rs = append(rs, ruling.Conforms().By(r.Observation))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "pause above 25, 50 and 75 as the tolerance says",
}
