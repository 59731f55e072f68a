package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A tool that refuses whatever it is sent refuses the bad request, too, and has
// shown nothing by it.

// toolControls are requests that the tool has to answer otherwise than the bad ones:
// one that was proven valid there, and introspect, which it takes or, being another
// family's, refuses for its endpoint. None of them has an effect that the run has not
// had already.
func toolControls(s Subject) []probes.Probe {
	ps := []probes.Probe{s.Listing().To(s.Name)}
	for _, t := range eachUsable(s.Face) {
		if t.settled == nil && t.ValidCall().Tool == s.Name {
			return append(ps, t.ValidCall())
		}
	}
	return ps
}

// controlled rules on refusals: they stand only where one of the controls got
// another answer than each of them.
func controlled(r Ruling, refusals, controls []probes.Observation) Ruling {
	told := func(o probes.Observation) bool {
		return slices.ContainsFunc(controls, func(c probes.Observation) bool {
			return c.Succeeded() || c.Refused() && !c.Deferred() && c.Code() != o.Code()
		})
	}
	for _, o := range refusals {
		if r.verdict == Conforms().verdict && !told(o) {
			return NotProven("a request that "+o.Probe.Tool+" answers otherwise", o).By(controls...)
		}
	}
	return r
}
