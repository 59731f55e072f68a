package suites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

var speaksOfLimit = regexp.MustCompile(`(?i)step[ _-]*limit|limit|max[a-z_ ]*steps|steps? [a-z ]*(exceed|exhaust|used up|reached)|budget`)

// ofLimit reports whether a pause blames the step limit.
func ofLimit(r stepReport) bool {
	return slices.ContainsFunc(append(r.directive.At("factors").Scalars(), r.directive.At("reason").Text()), speaksOfLimit.MatchString)
}

// A halt is where harmless reports were no longer let pass.
type halt struct {
	reports []stepReport // of the scene
	at      int          // number of the report that was paused, the first is 1; 0 for none
	limit   int          // that the author or the adapter names; 0 for none
}

func (h halt) report() stepReport { return h.reports[h.at-1] }

// early reports whether another stage than the limit came first.
func (h halt) early() bool {
	return h.at > 0 && !ofLimit(h.report()) && (h.limit == 0 || h.at < h.limit)
}

func (s Subject) halted(got []probes.Observation) halt {
	h := halt{reports: reportsOf(got, limitScene, 0), limit: s.Hints.Safety.StepLimit}
	before := 0.0
	for i, r := range h.reports {
		left, said := r.directive.At("stepsRemaining").Float()
		if h.limit == 0 && said && left == 0 && before == 1 && r.goesOn() { // counted down, not a word for no limit
			h.limit = i + 1
		}
		before = left
		if h.at == 0 && r.hint == s.harmlessAction() && (r.paused() || r.o.Refused()) {
			h.at = i + 1
		}
	}
	return h
}

// Section 8.7.5. The step limit is the one stage that every loop has: it ends what no
// rule foresaw.
var _ = register(Check{
	Requirement: "AQL-8.7.5-01",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       untilPaused,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		h := s.halted(got)
		switch {
		case h.early():
			return NotProven("harmless reports that are let pass", "a pause for another reason").By(h.report().o)
		case h.at > 0:
			return Conforms().By(h.report().o)
		case h.limit > 0 && len(h.reports) >= h.limit+2 && h.reports[h.limit+1].goesOn():
			return Violates(fmt.Sprintf("a pause after %d steps", h.limit), fmt.Sprintf("continue true at step %d", h.limit+2)).By(h.reports[h.limit+1].o)
		}
		return unhinted("safety.step_limit", loopHints["safety.step_limit"])
	},
	Fix: "count the reports of an execution, and pause once the limit is exceeded",
})

// Section 8.7.2. The agent passes the reason on; whoever reads it has to know that
// nothing went wrong.
var _ = register(Check{
	Requirement: "AQL-8.7.2-02",
	On:          inLoop([]string{enforcing}, "safety.step_limit"),
	Lane:        probes.Serial,
	Drive:       untilPaused,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		h := s.halted(got)
		switch {
		case h.at == 0:
			return NotProven("a pause at the step limit", "none").By(h.reports[len(h.reports)-1].o).Because("AQL-8.7.5-01")
		case h.early():
			return NotProven("harmless reports that are let pass", "a pause for another reason").By(h.report().o)
		case h.report().o.Refused():
			return Departs("a directive with continue false", h.report().o)
		case !strings.Contains(strings.ToLower(h.report().directive.At("reason").Text()), "step limit"):
			return Departs(`the reason "Step limit exceeded"`, h.report().directive.At("reason")).By(h.report().o)
		}
		return Conforms().By(h.report().o)
	},
	Fix: `give the pause the reason "Step limit exceeded"`,
})

// setLimits are set to two values that no default is likely to have both of.
var setLimits = []int{3, 6}

// underLimits has an agent report until it is paused, under the limit that it has by
// itself and once under each that is set.
func underLimits(s Subject, ask Asking) {
	name, documented := s.settingOf("maxAutonomousSteps")
	if documented {
		untilPaused(s, ask)
	}
	for i, limit := range setLimits {
		if !documented {
			return
		}
		a := enter(s, ask, settingScene+scene(i), 0, map[string]any{name: limit})
		if !a.started() {
			return
		}
		a.exhaust(limit + 2)
		a.leave()
	}
}

// Section 8.7.2. How far an agent may go alone is for its operator to say.
var _ = register(Check{
	Requirement: "AQL-8.7.2-04",
	On: func(f *Face) []Subject {
		all := inLoop([]string{enforcing})(f)
		if _, documented := f.settingOf("maxAutonomousSteps"); len(all) > 0 && all[0].settled == nil && !documented {
			all[0] = all[0].settle(NotProven("a parameter of execute_agent that sets maxAutonomousSteps", "none").Noting("it may be set elsewhere"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: underLimits,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		if s.halted(got).at == 0 {
			return NotProven("a pause at the step limit", "none").Because("AQL-8.7.5-01")
		}
		var rs []Ruling
		for i, limit := range setLimits {
			reports := reportsOf(got, settingScene+scene(i), 0)
			if len(reports) == 0 {
				return NotProven("an agent that starts under a limit of its own", "none")
			}
			last := reports[len(reports)-1]
			at := slices.IndexFunc(reports, stepReport.paused) + 1
			switch {
			case last.directive.Is(probes.Absent):
				return NotProven("a directive for every report", last.o).Because("AQL-8.6.2-01")
			case at > 0 && at < limit && !ofLimit(reports[at-1]):
				return NotProven("harmless reports that are let pass", "a pause for another reason").By(last.o)
			case at == limit || at == limit+1:
				rs = append(rs, Conforms().By(last.o))
			default:
				rs = append(rs, Violates(fmt.Sprintf("a pause at the limit of %d that was set", limit), fmt.Sprintf("another one, or none in %d steps", len(reports))).By(last.o))
			}
		}
		return Worst(rs...)
	},
	Fix: "obey maxAutonomousSteps as it is set",
})

// anyCase is what is left of a text when spelling is taken off it.
func anyCase(text string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(text))
}

// namesAny reports whether introspection names one of the words in any spelling.
func (f *Face) namesAny(words ...string) bool {
	return slices.ContainsFunc(f.said(), func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(anyCase(text), anyCase(w)) })
	})
}

// Section 8.7.2. An agent that knows its limit plans its steps.
var _ = register(Check{
	Requirement: "AQL-8.7.2-03",
	On: given((*Face).evaluates, func(f *Face) []Subject {
		return []Subject{{Face: f, Name: "execute_agent"}}
	}),
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		ask(s.Listing())
		if _, lacks := s.loopLacks(s.loopMode(), []string{"safety.agent"}); !lacks && !s.namesLimit() {
			tenReports(s, ask)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if s.namesLimit() {
			return Conforms()
		}
		if r, lacks := s.loopLacks(s.loopMode(), []string{"safety.agent"}); lacks {
			return r
		}
		if r, ok := directed(got); !ok {
			return r
		}
		if reportsIn(got)[0].directive.At("stepsRemaining").Is(probes.Number) {
			return Conforms().By(reportsIn(got)[0].o)
		}
		return s.unsaid(Departs("the default step limit in introspection or in the first directive", "neither").By(got[0], reportsIn(got)[0].o))
	},
	Fix: "document maxAutonomousSteps with its default",
})

func (f *Face) namesLimit() bool {
	return f.namesAny("maxAutonomousSteps", "autonomousSteps", "stepLimit")
}
