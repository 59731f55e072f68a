package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// directiveMembers are what tells a directive from other objects: the specification
// does not say under which name it stands. Section 8.7.1.
var directiveMembers = strings.Fields("continue factors stopped stepsRemaining nextStepRisk notifications reason")

// directiveIn finds the directive in the answer to a report; absent when there is none.
func directiveIn(o probes.Observation) probes.Value {
	var best probes.Value
	most := 0
	var walk func(v probes.Value)
	walk = func(v probes.Value) {
		own := 0
		for _, name := range directiveMembers {
			if v.Has(name) {
				own++
			}
		}
		if v.Has("continue") {
			own++ // reason alone stands in many objects
		}
		if own > max(most, 1) {
			best, most = v, own
		}
		for _, m := range v.Members() {
			walk(m.Value)
		}
	}
	walk(o.Data())
	return best
}

// A stepReport is one report of a next action, with what it was answered.
type stepReport struct {
	o         probes.Observation
	hint      string
	directive probes.Value
}

// paused and stopped report what the directive tells the agent.
func (r stepReport) paused() bool  { return r.directive.At("continue").False() }
func (r stepReport) goesOn() bool  { return r.directive.At("continue").True() }
func (r stepReport) stopped() bool { return r.directive.At("stopped").True() }

// reportsIn are the reports among what was asked, in order.
func reportsIn(got []probes.Observation) []stepReport {
	var all []stepReport
	for _, o := range got {
		if o.Probe.Operation() == "record_execution_step" {
			hint, _ := o.Probe.Params()["nextActionHint"].(string)
			all = append(all, stepReport{o, hint, directiveIn(o)})
		}
	}
	return all
}

// part is what an agent of a scene was asked about; its takes tell, since authors may
// give one name for all scenes.
func part(got []probes.Observation, in scene, index int) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool {
		return o.Probe.Take/sceneTakes != int(in)*10+index
	})
}

// reportsOf are the reports of an agent of a scene.
func reportsOf(got []probes.Observation, in scene, index int) []stepReport {
	return reportsIn(part(got, in, index))
}
