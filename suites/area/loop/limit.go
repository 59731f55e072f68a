package loop

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var speaksOfLimit = regexp.MustCompile(`(?i)step[ _-]*limit|limit|max[a-z_ ]*steps|steps? [a-z ]*(exceed|exhaust|used up|reached)|budget`)

// ofLimit reports whether a pause blames the step limit.
func ofLimit(r check.StepReport) bool {
	return slices.ContainsFunc(append(r.Directive.At("factors").Scalars(), r.Directive.At("reason").Text()), speaksOfLimit.MatchString)
}

// A halt is where harmless reports were no longer let pass.
type halt struct {
	reports []check.StepReport // of the scene
	at      int                // number of the report that was paused, the first is 1; 0 for none
	limit   int                // that the author or the adapter names; 0 for none
}

func (h halt) report() check.StepReport { return h.reports[h.at-1] }

// early reports whether another stage than the limit came first.
func (h halt) early() bool {
	return h.at > 0 && !ofLimit(h.report()) && (h.limit == 0 || h.at < h.limit)
}

func halted(s model.Subject, got probes.Answers) halt {
	h := halt{reports: reportsOf(got, check.StepLimitScenario, 0), limit: s.Hints.Safety.StepLimit}
	before := 0.0
	for i, r := range h.reports {
		left, said := r.Directive.At("stepsRemaining").Float()
		if h.limit == 0 && said && left == 0 && before == 1 && r.Continues() { // counted down, not a word for no limit
			h.limit = i + 1
		}
		before = left
		if h.at == 0 && r.Hint == check.HarmlessAction(s) && (r.Paused() || r.Observation.Refused()) {
			h.at = i + 1
		}
	}
	return h
}

// Section 8.7.5.
var loopPausesAtStepLimit = check.Check{
	Requirement: "AQL-8.7.5-01",
	Rule:        "A loop implementation at least pauses hard once the autonomous step limit is used up.",
	Why:         "Every loop has a step limit. It stops executions that no other rule covers.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       untilPaused,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		h := halted(s, got)
		switch {
		case h.early():
			return ruling.NotProven("harmless reports that are let pass", "a pause for another reason").By(h.report().Observation)
		case h.at > 0:
			return ruling.Conforms().By(h.report().Observation)
		case h.limit > 0 && len(h.reports) >= h.limit+2 && h.reports[h.limit+1].Continues():
			return ruling.Violates(fmt.Sprintf("a pause after %d steps", h.limit), fmt.Sprintf("continue true at step %d", h.limit+2)).By(h.reports[h.limit+1].Observation)
		}
		return model.HintMissing("safety.step_limit", check.LoopHints["safety.step_limit"])
	},
	Fix: "count the reports of an execution, and pause once the limit is exceeded",
}

// Section 8.7.2.
var exceededStepLimitPausesWithReason = check.Check{
	Requirement: "AQL-8.7.2-02",
	Rule:        "Exceeding the step limit yields continue:false with the reason Step limit exceeded.",
	Why:         "The agent passes the reason on; whoever reads it has to know that nothing went wrong.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.step_limit"),
	Lane:        probes.Serial,
	Drive:       untilPaused,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		h := halted(s, got)
		switch {
		case h.at == 0:
			return ruling.NotProven("a pause at the step limit", "none").By(h.reports[len(h.reports)-1].Observation).Because("AQL-8.7.5-01")
		case h.early():
			return ruling.NotProven("harmless reports that are let pass", "a pause for another reason").By(h.report().Observation)
		case h.report().Observation.Refused():
			return ruling.Departs("a directive with continue false", h.report().Observation)
		case !strings.Contains(strings.ToLower(h.report().Directive.At("reason").Text()), "step limit"):
			return ruling.Departs(`the reason "Step limit exceeded"`, h.report().Directive.At("reason")).By(h.report().Observation)
		}
		return ruling.Conforms().By(h.report().Observation)
	},
	Fix: `give the pause the reason "Step limit exceeded"`,
}

// mostSteps is the highest limit that is worth the reports up to it.
const mostSteps = 25

// limitsWithin are two limits that no default is likely to have both of, within the bounds that the parameter
// documents: a limit beyond them may rightly be refused, or cut down to them.
func limitsWithin(record probes.Value) []int {
	low, high := 3, 6
	if least, bounded := record.At("minimum").Float(); bounded && least > 3 && least <= mostSteps-3 {
		low, high = int(math.Ceil(least)), int(math.Ceil(least))+3
	}
	if most, bounded := record.At("maximum").Float(); bounded && most >= 2 && most < float64(high) {
		high = int(most)
		low = min(low, high-1)
	}
	return []int{low, high}
}

// setLimits are the limits that are set, and the parameter that sets them.
func setLimits(f *model.Adapter) (limits []int, name string, documented bool) {
	name, documented = settingOf(f, "maxAutonomousSteps")
	o, _ := f.Operation("execute_agent")
	for _, p := range o.Parameters {
		if p.Name == name {
			return limitsWithin(p.Raw), name, documented
		}
	}
	return nil, name, documented
}

// underLimits has an agent report until it is paused, under the limit that it has by
// itself and once under each that is set.
func underLimits(s model.Subject, ask model.AskFunc) {
	limits, name, documented := setLimits(s.Adapter)
	if documented {
		untilPaused(s, ask)
	}
	for i, limit := range limits {
		a := check.StartAgent(s, ask, check.ConfiguredLimitScenario.Variant(i), 0, map[string]any{name: limit})
		if !a.Started() {
			return
		}
		exhaust(a, limit+2)
		leave(a)
	}
}

// Section 8.7.2.
var stepLimitCanBeConfigured = check.Check{
	Requirement: "AQL-8.7.2-04",
	Rule:        "The step limit can be configured.",
	Why:         "The operator decides how much an agent may do alone.",
	On: func(f *model.Adapter) []model.Subject {
		all := check.InLoopModes([]string{check.Enforcing})(f)
		if _, documented := settingOf(f, "maxAutonomousSteps"); len(all) > 0 && all[0].Ruling == nil && !documented {
			all[0] = all[0].WithRuling(ruling.NotProven("a parameter of execute_agent that sets maxAutonomousSteps", "none").Noting("it may be set elsewhere"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: underLimits,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		if halted(s, got).at == 0 {
			return ruling.NotProven("a pause at the step limit", "none").Because("AQL-8.7.5-01")
		}
		var rs []ruling.Ruling
		limits, _, _ := setLimits(s.Adapter)
		for i, limit := range limits {
			reports := reportsOf(got, check.ConfiguredLimitScenario.Variant(i), 0)
			if len(reports) == 0 {
				return ruling.NotProven("an agent that starts under a limit of its own", "none")
			}
			last := reports[len(reports)-1]
			at := slices.IndexFunc(reports, check.StepReport.Paused) + 1
			switch {
			case last.Directive.Is(probes.Absent):
				return ruling.NotProven("a directive for every report", last.Observation).Because("AQL-8.6.2-01")
			case at > 0 && at < limit && (!ofLimit(reports[at-1]) || shared(s.Adapter)): // steps of earlier scenes may count
				return ruling.NotProven("harmless reports that are let pass", "a pause for another reason").By(last.Observation)
			case at == limit || at == limit+1:
				rs = append(rs, ruling.Conforms().By(last.Observation))
			default:
				rs = append(rs, ruling.Violates(fmt.Sprintf("a pause at the limit of %d that was set", limit), fmt.Sprintf("another one, or none in %d steps", len(reports))).By(last.Observation))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "obey maxAutonomousSteps as it is set",
}
