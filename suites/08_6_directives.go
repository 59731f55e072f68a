package suites

import (
	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.6.2. A report that is taken down and not answered leaves the agent to
// decide alone, which is what the loop exists to prevent.
var _ = register(Check{
	Requirement: "AQL-8.6.2-01",
	On:          inLoop([]string{enforcing, monitoring}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		taken := 0
		for _, r := range reportsIn(got) {
			switch {
			case !r.o.Succeeded():
			case r.directive.Is(probes.Absent):
				return Violates("a directive in the answer to every report", "none").By(r.o)
			default:
				taken++
			}
		}
		if taken < 10 {
			return NotProven("ten reports that are taken", taken)
		}
		return Conforms()
	},
	Fix: "answer every record_execution_step with a directive: a boolean continue and an array of factors",
})
