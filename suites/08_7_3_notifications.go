package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// notices are the notifications of one type in a directive. Section 8.7.3.
func notices(r stepReport, kind string) []probes.Value {
	return slices.DeleteFunc(slices.Clone(r.directive.At("notifications").Items()), func(n probes.Value) bool {
		return n.At("type").Text() != kind
	})
}

// Section 8.7.3. The directive says no; the notice is what the agent passes on to the
// person who can say yes.
var _ = register(Check{
	Requirement: "AQL-8.7.3-05",
	On:          inLoop([]string{enforcing}, "safety.approval_hint"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		alongPatterns(s, ask)
		untilPaused(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []Ruling
		for _, in := range []scene{patternScene, limitScene, failureScene} {
			reports := reportsOf(got, in, 0)
			i := slices.IndexFunc(reports, func(r stepReport) bool {
				return r.paused() && !r.stopped() && r.directive.At("nextStepRisk").Text() != "verify"
			})
			if i < 0 {
				continue
			}
			told := slices.ContainsFunc(reports[i:min(i+2, len(reports))], func(r stepReport) bool { return len(notices(r, "autonomy_pause")) > 0 })
			if !told {
				rs = append(rs, Departs("an autonomy_pause in the directive that pauses or in the next one", "none").By(reports[i].o))
			} else {
				rs = append(rs, Conforms().By(reports[i].o))
			}
		}
		if len(rs) == 0 {
			return NotProven("a pause", "none").Because("AQL-8.7.2-09")
		}
		return Worst(rs...)
	},
	Fix: "add an autonomy_pause with the reason to the notifications of a pause",
})

// broadcast is what the two agents of a hard block were told: the blocked one in the
// directive that blocks it, the other in its next one; ok is false where there is no
// block.
func broadcast(s Subject, got []probes.Observation) (own, other stepReport, two bool, r Ruling, ok bool) {
	reports, r, ok := blockedIn(s, got)
	if !ok {
		return own, other, false, r, false
	}
	second := reportsOf(got, stopScene, 1)
	if len(second) > 0 && !second[0].directive.Is(probes.Absent) {
		other, two = second[0], true
	}
	return reports[0], other, two, Ruling{}, true
}

// Section 8.7.3. What one agent was blocked for, the next may be about to do.
var _ = register(Check{
	Requirement: "AQL-8.7.3-09",
	On:          inLoop([]string{enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		own, other, two, r, ok := broadcast(s, got)
		switch {
		case !ok:
			return r
		case len(notices(own, "danger_zone")) == 0:
			return Violates("a danger_zone notification in the directive that blocks", "none").By(own.o)
		case two && len(notices(other, "danger_zone")) == 0:
			return Violates("a danger_zone notification for the other executing agent", "none").By(other.o, own.o)
		case !two && len(reportsOf(got, stopScene, 1)) > 0:
			return NotProven("a directive for the second agent", reportsOf(got, stopScene, 1)[0].o).By(own.o)
		case !two && s.agentNamed(stopScene, 1) != "":
			return Conforms().By(own.o).Noting("a second agent did not execute beside the first")
		case !two:
			return NotProven("a second agent in safety.agent.names", "one").By(own.o)
		}
		return Conforms().By(own.o, other.o)
	},
	Fix: "tell every executing agent of a hard block",
})

// Section 8.7.3. Without the identifier nobody can say which challenge the person has
// to answer.
var _ = register(Check{
	Requirement: "AQL-8.7.3-10",
	On:          inLoop([]string{enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		own, other, two, r, ok := broadcast(s, got)
		if !ok {
			return r
		}
		told := []stepReport{own}
		if two {
			told = append(told, other)
		}
		var ids []probes.Value
		for _, r := range told {
			n := notices(r, "danger_zone")
			if len(n) == 0 {
				return NotProven("a danger_zone notification", "none").By(r.o).Because("AQL-8.7.3-09")
			}
			id := n[len(n)-1].At("metadata", "verificationId")
			if len(id.Scalars()) == 0 || id.Text() == "" && id.Is(probes.String) {
				return Violates("metadata.verificationId in a danger_zone notification", n[len(n)-1]).By(r.o)
			}
			ids = append(ids, id)
		}
		if two && !ids[0].Equal(ids[1]) {
			return Departs("one verificationId for one block", ids[1].String()+" beside "+ids[0].String()).By(other.o, own.o)
		}
		return Conforms().By(own.o)
	},
	Fix: "put the identifier of the challenge into metadata.verificationId of every danger_zone notification",
})

// Section 8.7.3. An alarm that is never over is one that nobody hears.
var _ = register(Check{
	Requirement: "AQL-8.7.3-11",
	On:          inLoop([]string{enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, other, two, r, ok := broadcast(s, got)
		if !ok {
			return r
		}
		lifted := slices.ContainsFunc(part(got, stopScene, 0), func(o probes.Observation) bool {
			return o.Probe.CommandName() == "safety.admin_unblock_cmd" && o.Outcome == probes.Result
		})
		second := reportsOf(got, stopScene, 1)
		switch {
		case !two || len(notices(other, "danger_zone")) == 0:
			return NotProven("a danger_zone notification for a second agent", "none").Because("AQL-8.7.3-09")
		case !lifted:
			return unhinted("safety.admin_unblock_cmd", loopHints["safety.admin_unblock_cmd"])
		case len(second) < 3 || second[2].directive.Is(probes.Absent):
			return NotProven("two reports after the block was lifted", "fewer")
		case len(notices(second[2], "danger_zone")) > 0:
			return Departs("no danger_zone notification once the agent is unblocked", "one in the second report after it").By(second[2].o)
		}
		return Conforms().By(second[2].o, other.o)
	},
	Fix: "end the danger_zone notification with the block",
})
