package loop

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// reportsIn are the reports among what was asked, in order.
func reportsIn(got probes.Answers) []check.StepReport {
	var all []check.StepReport
	for _, o := range got {
		if o.Probe.Operation() == "record_execution_step" {
			hint, _ := o.Probe.Params()["nextActionHint"].(string)
			all = append(all, check.StepReport{Observation: o, Hint: hint, Directive: check.DirectiveIn(o)})
		}
	}
	return all
}

// part returns the answers to the requests of an agent in a scenario. The steps identify them, because
// authors may use one name for the agents of all scenarios.
func part(got probes.Answers, in check.Scenario, index int) probes.Answers {
	return got.Under(in.Agent(index))
}

// reportsOf are the reports of an agent of a scene.
func reportsOf(got probes.Answers, in check.Scenario, index int) []check.StepReport {
	return reportsIn(part(got, in, index))
}
