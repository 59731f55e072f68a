package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// callsOf are those of an operation among what was asked, in order.
func callsOf(got []probes.Observation, operation string) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != operation })
}

// Section 8.6.2. The loop grants monitored trust, and that begins with somebody who
// agrees to it. An approval that the host of the client asks for is not seen here.
var _ = register(Check{
	Requirement: "AQL-8.6.2-03",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		starts := callsOf(got, "execute_agent")
		asked := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Probe.CommandName() == "safety.approve_cmd" })
		r, ok := directed(got)
		switch {
		case len(starts) > 0 && waitsForPerson(starts[0]) && (asked || len(starts) > 1 || !ok):
			return Conforms().By(starts[0])
		case !ok:
			return r
		}
		return Departs("a start that waits for an approval", starts[0]).Noting("the host of the client may have asked for it")
	},
	Fix: "let execute_agent wait until a person has approved the agent",
})

// untilEnded starts an agent, has it report, ends the execution and has it report once
// more.
func untilEnded(s Subject, ask Asking) {
	for i, operation := range []string{"complete_execution", "abort_execution"} {
		if _, listed := s.Operation(operation); !listed {
			continue
		}
		a := enter(s, ask, endScene+scene(i), 0, nil)
		if !a.started() {
			return
		}
		a.report(s.harmlessAction(), nil)
		end := a.call(operation, nil)
		after := a.report(plainAction, nil)
		if !end.Succeeded() || after.Succeeded() {
			a.leave()
		}
	}
}

// Section 8.6.2. An execution that cannot be ended goes on watching, and letting
// pass, what its agent does much later.
var _ = register(Check{
	Requirement: "AQL-8.6.2-07",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       untilEnded,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []Ruling
		for i, o := range got {
			name := o.Probe.Operation()
			if name != "complete_execution" && name != "abort_execution" || i == 0 || i+1 >= len(got) ||
				got[i-1].Probe.Operation() != "record_execution_step" || got[i+1].Probe.Operation() != "record_execution_step" {
				continue
			}
			after := reportsIn(got[i+1 : i+2])[0]
			switch {
			case o.Code() == "NOT_FOUND_OPERATION":
				rs = append(rs, Violates("an end of the execution by "+name, o).By(o))
			case !o.Succeeded():
				rs = append(rs, NotProven("an end of the execution by "+name, o).By(o))
			case after.goesOn():
				rs = append(rs, Departs("no active execution after "+name, "continue true as before").By(after.o).By(o))
			default:
				rs = append(rs, Conforms().By(after.o).By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "end the execution, and refuse further reports of the agent",
})

// Section 8.6.6. A loop that looks at its own operations alone is blind to most of
// what an agent does.
var _ = register(Check{
	Requirement: "AQL-8.6.6-01",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		reports := reportsIn(got)
		last := reports[len(reports)-1]
		for _, r := range reports {
			switch {
			case !slices.Contains(foreign, r.hint) || r.o.Succeeded() && !r.directive.Is(probes.Absent):
			case last.directive.Is(probes.Absent):
				return NotProven("a directive for a plainAction report that follows", last.o).Because("AQL-8.6.2-01")
			default:
				return Violates("a directive for an action on another system", r.o).By(r.o)
			}
		}
		return Conforms()
	},
	Fix: "evaluate reports by what is intended, wherever it happens",
})
