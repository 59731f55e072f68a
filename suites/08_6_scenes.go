package suites

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The scenes of the safety loop. Each is one script that many checks look at.
const (
	reportScene     scene = 1 + iota // ten different reports, some of actions elsewhere
	wordingScene                     // the parameters of a report, one by one
	limitScene                       // harmless reports until the pause
	settingScene                     // the same under limits that are set
	failureScene                     // a failed step
	patternScene                     // action patterns
	stopScene                        // a hard block, with a second agent beside
	precedenceScene                  // patterns that contradict each other
	tierScene                        // actions of each tier
	toleranceScene                   // one action under each risk tolerance
	gateScene                        // an operation that is held up
	confirmScene                     // a pause that a person ends
	endScene                         // ends of executions
	lenientScene                     // modes that do not bind
	ownScenes                        // the first number for scenes told elsewhere
)

// foreign are next actions that are none of the adapter's own operations.
var foreign = []string{"calling write_file on another MCP server", "running shell command ls", "fetching https://example.org"}

// tenReports reports ten different actions, three of them elsewhere; only a few say
// how the step before ended.
func tenReports(s Subject, ask Asking) {
	a := enter(s, ask, reportScene, 0, nil)
	if !a.started() {
		return
	}
	a.report(s.harmlessAction(), nil)
	a.report("reading file a.txt", map[string]any{"outcome": "success"})
	for _, hint := range foreign {
		a.report(hint, nil)
	}
	a.report("reading file b.txt", map[string]any{"outcome": "skipped"})
	for i := range 4 {
		a.report(fmt.Sprintf("reading file %d.txt", i), nil)
	}
	a.leave()
}

// active rules where the agent never came to report: it did not start, or nothing it
// reported was taken.
func active(got []probes.Observation) (Ruling, bool) {
	reports := reportsIn(got)
	if slices.ContainsFunc(reports, func(r stepReport) bool { return r.o.Succeeded() }) {
		return Ruling{}, true
	}
	starts := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != "execute_agent" })
	switch {
	case len(reports) > 0:
		return NotProven("a report that is taken", reports[0].o).By(starts...), false
	case len(starts) > 0:
		return NotProven("an agent that starts", starts[len(starts)-1]), false
	}
	return NotProven("an agent that starts", "none"), false
}

// directed is like active, and rules as well where no report at all was answered with
// a directive: that the loop is not at work is one finding, not one of every rule.
func directed(got []probes.Observation) (Ruling, bool) {
	if r, ok := active(got); !ok {
		return r, false
	}
	if !slices.ContainsFunc(reportsIn(got), func(r stepReport) bool { return !r.directive.Is(probes.Absent) }) {
		return NotProven("a directive", "none").By(reportsIn(got)[0].o).Because("AQL-8.6.7-04"), false
	}
	return Ruling{}, true
}
