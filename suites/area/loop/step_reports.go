package loop

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// reportsIn are the reports among what was asked, in order.
func reportsIn(got []probes.Observation) []check.StepReport {
	var all []check.StepReport
	for _, o := range got {
		if o.Probe.Operation() == "record_execution_step" {
			hint, _ := o.Probe.Params()["nextActionHint"].(string)
			all = append(all, check.StepReport{Observation: o, Hint: hint, Directive: check.DirectiveIn(o)})
		}
	}
	return all
}

// part is what an agent of a scene was asked about; its takes tell, since authors may
// give one name for all scenes.
func part(got []probes.Observation, in check.Scenario, index int) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool {
		return o.Probe.Take/check.TakesPerScenario != int(in)*10+index
	})
}

// reportsOf are the reports of an agent of a scene.
func reportsOf(got []probes.Observation, in check.Scenario, index int) []check.StepReport {
	return reportsIn(part(got, in, index))
}
