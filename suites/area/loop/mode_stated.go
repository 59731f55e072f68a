package loop

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// listingAfterEnforcement is the listing after all scenarios.
const listingAfterEnforcement = "safety loop: listing after enforcement"

// Section 8.6.7.
var introspectionTellsWhetherEnforcementIsActive = check.Check{
	Requirement: "AQL-8.6.7-04",
	Rule:        "Introspection makes clear whether enforcement is active or off.",
	Why:         "A client that relies on a disabled loop has no protection at all.",
	On: func(f *model.Adapter) []model.Subject {
		if check.LoopIsOff(f) {
			return model.IntrospectSubject(f) // the capability says it
		}
		all := check.InLoopModes(check.LoopModes, "safety.step_limit")(f)
		for i, s := range all {
			switch missing := unserved(f); missing {
			case check.ReportOperation:
				all[i] = s.WithRuling(ruling.Violates(promised(f, missing), "no such operation"))
			case startOperation: // a loop that is on by configuration needs none
				all[i].Ruling = nil
				if r, lacks := check.LoopUnprepared(f, check.LoopMode(f), []string{"safety.agent", "safety.step_limit"}); lacks {
					all[i] = s.WithRuling(r)
				}
			}
		}
		return all
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		switch {
		case check.LoopMode(s.Adapter).Text() != check.Enforcing:
		case unserved(s.Adapter) == startOperation:
			neverStarted(s, ask)
		default:
			everything(s, ask)
		}
		ask(s.Listing().Anew(listingAfterEnforcement))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, now := check.LoopCapability(s.Adapter, got.Step(listingAfterEnforcement))
		switch r, ok := active(got); {
		case now.Text() != check.LoopMode(s.Adapter).Text():
			return ruling.NotProven("a capability that stays", now)
		case now.Text() == check.Disabled, now.Text() != check.Enforcing:
			return ruling.Conforms().Noting("whether that is kept is AQL-8.6.4-06, AQL-8.6.4-08 and AQL-8.6.7-02")
		case !ok && unserved(s.Adapter) == startOperation && refusesReports(got) && !onByConfiguration(s.Adapter):
			return ruling.Violates(promised(s.Adapter, startOperation), reportsIn(got)[0].Observation)
		case !ok:
			return r
		}
		reports := reportsIn(got)
		if slices.ContainsFunc(reports, func(r check.StepReport) bool { return r.Paused() || r.Stopped() }) {
			return ruling.Conforms()
		}
		h := halted(s, got)
		evaluated := slices.ContainsFunc(h.reports, func(r check.StepReport) bool { return !r.Directive.Is(probes.Absent) })
		if len(h.reports) == 0 || h.at > 0 || evaluated && len(h.reports) < h.limit+2 {
			return ruling.NotProven("directives beyond the step limit", "none").By(reports[0].Observation)
		}
		return ruling.Violates("a pause at the step limit, after a failure or by a pattern", "none, though the capability says enforcing").By(reports[0].Observation)
	},
	Fix: "state the mode that the loop is in",
}

// startOperation starts the execution of an agent.
const startOperation = "execute_agent"

// unserved is an operation of the loop that is not listed, although the capability promises a loop that works.
func unserved(f *model.Adapter) string {
	mode := check.LoopMode(f).Text()
	for _, name := range []string{check.ReportOperation, startOperation} {
		if _, listed := f.Operation(name); !listed && slices.Contains(check.LoopModes, mode) && mode != check.Disabled {
			return name
		}
	}
	return ""
}

// promised is a want that names an operation of the loop.
func promised(f *model.Adapter, operation string) string {
	return "the operation " + operation + " where the capability says " + check.LoopMode(f).Text()
}

// neverStarted reports up to the limit of steps for an agent that nothing starts.
func neverStarted(s model.Subject, ask model.AskFunc) {
	a := &check.Agent{Subject: s, Ask: ask, Session: s.Conn, AgentName: check.AgentNamed(s.Adapter, check.StepLimitScenario, 0), Script: check.StepLimitScenario.Agent(0)}
	exhaust(a, reportsToPause(s))
}

// refusesReports reports whether the first report was refused, and not for its parameters.
func refusesReports(got probes.Answers) bool {
	reports := reportsIn(got)
	return len(reports) > 0 && reports[0].Observation.Refused() && !strings.HasPrefix(reports[0].Observation.Code(), "VALIDATION_")
}
