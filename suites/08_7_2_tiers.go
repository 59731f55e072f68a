package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// alongTiers reports what the author says about the tiers that do not block.
func alongTiers(s Subject, ask Asking) {
	a := enter(s, ask, tierScene, 0, nil)
	if !a.started() {
		return
	}
	a.report(plainAction, nil)
	for _, hint := range []string{s.Hints.Safety.Tolerance, s.Hints.Safety.ConfirmHint, s.Hints.Safety.VerifyHint} {
		if hint != "" {
			a.report(hint, nil)
		}
	}
	a.leave()
}

// scoreOf is the risk score that an answer shows; the specification gives it no name.
func scoreOf(r stepReport) (score float64, shown bool) {
	var walk func(v probes.Value)
	walk = func(v probes.Value) {
		for _, m := range v.Members() {
			word := letters(m.Name)
			if n, ok := m.Value.Float(); ok && !shown && (word == "score" || word == "risk" || strings.Contains(word, "riskscore")) {
				score, shown = n, true
			}
			walk(m.Value)
		}
	}
	walk(r.o.Data())
	return score, shown
}

// bands are the highest scores of the tiers. Section 8.7.2.
var bands = map[string][2]float64{"advisory": {0, 30}, "confirm": {31, 60}, "verify": {61, 85}, "danger_zone": {86, 100}}

// Section 8.7.2. Whoever sets a tolerance by the numbers of the table gets other
// actions paused than they thought.
var _ = register(Check{
	Requirement: "AQL-8.7.2-13",
	On:          inLoop([]string{enforcing}, "safety.confirm_hint"),
	Lane:        probes.Serial,
	Drive:       alongTiers,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []Ruling
		for _, r := range reportsIn(got) {
			tier := r.directive.At("nextStepRisk").Text()
			score, scored := scoreOf(r)
			band, known := bands[tier]
			switch {
			case !known:
			case scored && score == float64(int(score)) && (score < band[0] || score > band[1]):
				rs = append(rs, Violates(fmt.Sprintf("a score of %v to %v in the tier %s", band[0], band[1], tier), fmt.Sprint(score)).By(r.o))
			case tier == "confirm" && r.goesOn():
				rs = append(rs, Departs("a pause in the tier confirm", "continue true").By(r.o))
			default:
				rs = append(rs, Conforms().By(r.o))
			}
		}
		if len(rs) == 0 {
			return NotProven("a directive that shows nextStepRisk", "none").By(reportsIn(got)[0].o)
		}
		return Worst(rs...)
	},
	Fix: "map scores to 30 to advisory, to 60 to confirm, to 85 to verify, above to danger_zone",
})

// tolerances are the settings with the score above which each pauses. Section 8.7.2.
var tolerances = []struct {
	name string
	most float64
}{{"conservative", 25}, {"moderate", 50}, {"aggressive", 75}}

// underTolerances reports one action under each tolerance.
func underTolerances(s Subject, ask Asking) {
	name, documented := s.settingOf("riskTolerance")
	for i, tolerance := range tolerances {
		if !documented {
			return
		}
		a := enter(s, ask, toleranceScene+scene(i), 0, map[string]any{name: tolerance.name})
		if !a.started() {
			return
		}
		a.report(s.Hints.Safety.Tolerance, nil)
		a.leave()
	}
}

// Section 8.7.2. The tolerance is a promise of how much happens without a person.
var _ = register(Check{
	Requirement: "AQL-8.7.2-15",
	On: func(f *Face) []Subject {
		all := inLoop([]string{enforcing}, "safety.tolerance")(f)
		if _, documented := f.settingOf("riskTolerance"); len(all) > 0 && all[0].settled == nil && !documented {
			all[0] = all[0].settle(NotProven("a parameter of execute_agent that sets riskTolerance", "none").Noting("it may be set elsewhere"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: underTolerances,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []Ruling
		for i, tolerance := range tolerances {
			reports := reportsOf(got, toleranceScene+scene(i), 0)
			if len(reports) == 0 {
				return NotProven("an agent that starts with the tolerance "+tolerance.name, "none")
			}
			r := reports[0]
			score, scored := scoreOf(r)
			advisory := slices.Contains([]string{"", "advisory"}, r.directive.At("nextStepRisk").Text()) && score <= 30
			switch {
			case !scored:
				return NotApplicable("no risk score is shown")
			case score > tolerance.most && r.goesOn():
				rs = append(rs, Departs(fmt.Sprintf("a pause above %v with the tolerance %s", tolerance.most, tolerance.name), fmt.Sprintf("continue true at %v", score)).By(r.o))
			case r.paused() && challengeIn(r.o, "autonomy_pause") != "":
				rs = append(rs, NotProven("an agent that nothing else holds up", "a challenge that waits for a person").By(r.o))
			case score <= tolerance.most && advisory && r.paused():
				rs = append(rs, Departs(fmt.Sprintf("continue true up to %v with the tolerance %s", tolerance.most, tolerance.name), fmt.Sprintf("a pause at %v", score)).By(r.o))
			default:
				rs = append(rs, Conforms().By(r.o))
			}
		}
		return Worst(rs...)
	},
	Fix: "pause above 25, 50 and 75 as the tolerance says",
})
