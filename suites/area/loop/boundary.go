package loop

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// callsOf are those of an operation among what was asked, in order.
func callsOf(got probes.Answers, operation string) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != operation })
}

// Section 8.6.2.
var startingAgentNeedsApproval = check.Check{
	Requirement: "AQL-8.6.2-03",
	Rule:        "Execute_agent demands an explicit one-time approval before the agent runs.",
	Why:         "The loop grants monitored trust, and that begins with somebody who agrees to it. An approval that the host of the client asks for is not seen here.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		starts := callsOf(got, "execute_agent")
		asked := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Probe.CommandName() == "safety.approve_cmd" })
		r, ok := directed(got)
		switch {
		case len(starts) > 0 && check.AwaitsApproval(starts[0]) && (asked || len(starts) > 1 || !ok):
			return ruling.Conforms().By(starts[0])
		case !ok:
			return r
		}
		return ruling.Departs("a start that waits for an approval", starts[0]).Noting("the host of the client may have asked for it")
	},
	Fix: "let execute_agent wait until a person has approved the agent",
}

// untilEnded starts an agent, has it report, ends the execution and has it report once
// more.
func untilEnded(s model.Subject, ask model.AskFunc) {
	for i, operation := range []string{"complete_execution", "abort_execution"} {
		if _, listed := s.Operation(operation); !listed {
			continue
		}
		a := check.StartAgent(s, ask, check.ExecutionEndScenario.Variant(i), 0, nil)
		if !a.Started() {
			return
		}
		a.Report(check.HarmlessAction(s), nil)
		end := a.Call(operation, nil)
		a.Report(plainAction, nil)
		after := a.Report(plainAction, nil)
		if !end.Succeeded() || after.Succeeded() {
			leave(a)
		}
	}
}

// Section 8.6.2.
var completingOrAbortingEndsLoop = check.Check{
	Requirement: "AQL-8.6.2-07",
	Rule:        "Complete_execution and abort_execution end the loop.",
	Why:         "An execution that cannot be ended keeps approving what its agent does much later.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       untilEnded,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []ruling.Ruling
		for i, o := range got {
			name := o.Probe.Operation()
			if name != "complete_execution" && name != "abort_execution" || i == 0 || i+1 >= len(got) ||
				got[i-1].Probe.Operation() != "record_execution_step" || got[i+1].Probe.Operation() != "record_execution_step" {
				continue
			}
			after := reportsIn(got[i+1 : i+2])[0]
			if i+2 < len(got) && got[i+2].Probe.Operation() == "record_execution_step" && !after.Continues() {
				after = reportsIn(got[i+2 : i+3])[0]
			}
			switch {
			case o.Code() == "NOT_FOUND_OPERATION":
				rs = append(rs, ruling.Violates("an end of the execution by "+name, o).By(o))
			case !o.Succeeded():
				rs = append(rs, ruling.NotProven("an end of the execution by "+name, o).By(o))
			case after.Continues():
				rs = append(rs, ruling.Departs("no active execution after "+name, "continue true as before").By(after.Observation).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(after.Observation).By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "end the execution, and refuse further reports of the agent",
}

// Section 8.6.6.
var foreignActionsAreEvaluatedToo = check.Check{
	Requirement: "AQL-8.6.6-01",
	Rule:        "Reports about actions on other servers or client built-ins are evaluated just like those about the own operations.",
	Why:         "A loop that looks at its own operations alone is blind to most of what an agent does.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		reports := reportsIn(got)
		last := reports[len(reports)-1]
		for _, r := range reports {
			switch {
			case !slices.Contains(foreign, r.Hint) || r.Observation.Succeeded() && !r.Directive.Is(probes.Absent):
			case last.Directive.Is(probes.Absent):
				return ruling.NotProven("a directive for a plainAction report that follows", last.Observation).Because("AQL-8.6.2-01")
			default:
				return ruling.Violates("a directive for an action on another system", r.Observation).By(r.Observation)
			}
		}
		return ruling.Conforms()
	},
	Fix: "evaluate reports by what is intended, wherever it happens",
}
