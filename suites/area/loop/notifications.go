package loop

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// notices are the notifications of one type in a directive. Section 8.7.3.
func notices(r check.StepReport, kind string) []probes.Value {
	return slices.DeleteFunc(slices.Clone(r.Directive.At("notifications").Items()), func(n probes.Value) bool {
		return n.At("type").Text() != kind
	})
}

// Section 8.7.3.
var pausesRaisePauseNotification = check.Check{
	Requirement: "AQL-8.7.3-05",
	Rule:        "Every continue:false produces an autonomy_pause notification with reason and factors.",
	Why:         "The directive says no; the notice is what the agent passes on to the person who can say yes.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.approval_hint"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		alongPatterns(s, ask)
		untilPaused(s, ask)
		afterFailure(s, ask)
		confirmTwice(s, ask)
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []ruling.Ruling
		for _, in := range []check.Scenario{check.PatternScenario, check.StepLimitScenario, check.FailedStepScenario, check.TierScenario.Variant(1)} {
			reports := reportsOf(got, in, 0)
			i := slices.IndexFunc(reports, func(r check.StepReport) bool {
				return r.Paused() && !r.Stopped() && r.Directive.At("nextStepRisk").Text() != "verify"
			})
			if i < 0 {
				continue
			}
			told := slices.ContainsFunc(reports[i:min(i+2, len(reports))], func(r check.StepReport) bool { return len(notices(r, "autonomy_pause")) > 0 })
			if !told {
				rs = append(rs, ruling.Departs("an autonomy_pause in the directive that pauses or in the next one", "none").By(reports[i].Observation))
			} else {
				rs = append(rs, ruling.Conforms().By(reports[i].Observation))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a pause", "none").Because("AQL-8.7.2-09")
		}
		return ruling.Worst(rs...)
	},
	Fix: "add an autonomy_pause with the reason to the notifications of a pause",
}

// broadcast is what the two agents of a hard block were told: the blocked one in the
// directive that blocks it, the other in its next one; ok is false where there is no
// block.
func broadcast(s model.Subject, got probes.Answers) (own, other check.StepReport, two bool, r ruling.Ruling, ok bool) {
	reports, r, ok := blockedIn(s, got)
	if !ok {
		return own, other, false, r, false
	}
	second := reportsOf(got, check.HardBlockScenario, 1)
	if len(second) > 0 && !second[0].Directive.Is(probes.Absent) {
		other, two = second[0], true
	}
	return reports[0], other, two, ruling.Ruling{}, true
}

// Section 8.7.3.
var hardBlockIsBroadcastToAll = check.Check{
	Requirement: "AQL-8.7.3-09",
	Rule:        "A hard block is announced by a danger_zone notification to all executing agents, the blocked one included.",
	Why:         "The cause that blocked one agent may apply to another one as well.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		own, other, two, r, ok := broadcast(s, got)
		switch {
		case !ok:
			return r
		case len(notices(own, "danger_zone")) == 0:
			return ruling.Violates("a danger_zone notification in the directive that blocks", "none").By(own.Observation)
		case two && len(notices(other, "danger_zone")) == 0:
			return ruling.Violates("a danger_zone notification for the other executing agent", "none").By(other.Observation, own.Observation)
		case !two && len(reportsOf(got, check.HardBlockScenario, 1)) > 0:
			return ruling.NotProven("a directive for the second agent", reportsOf(got, check.HardBlockScenario, 1)[0].Observation).By(own.Observation)
		case !two && check.AgentNamed(s.Adapter, check.HardBlockScenario, 1) != "":
			return ruling.Conforms().By(own.Observation).Noting("a second agent did not execute beside the first")
		case !two:
			return ruling.NotProven("a second agent in safety.agent.names", "one").By(own.Observation)
		}
		return ruling.Conforms().By(own.Observation, other.Observation)
	},
	Fix: "tell every executing agent of a hard block",
}

// Section 8.7.3.
var hardBlockNoticeCarriesChallengeId = check.Check{
	Requirement: "AQL-8.7.3-10",
	Rule:        "Danger_zone notifications carry the verificationId for the affected agent.",
	Why:         "Without the identifier nobody can say which challenge the person has to answer.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		own, other, two, r, ok := broadcast(s, got)
		if !ok {
			return r
		}
		told := []check.StepReport{own}
		if two {
			told = append(told, other)
		}
		var ids []probes.Value
		for _, r := range told {
			n := notices(r, "danger_zone")
			if len(n) == 0 {
				return ruling.NotProven("a danger_zone notification", "none").By(r.Observation).Because("AQL-8.7.3-09")
			}
			id := n[len(n)-1].At("metadata", "verificationId")
			if len(id.Scalars()) == 0 || id.Text() == "" && id.Is(probes.String) {
				return ruling.Violates("metadata.verificationId in a danger_zone notification", n[len(n)-1]).By(r.Observation)
			}
			ids = append(ids, id)
		}
		if two && !ids[0].Equal(ids[1]) {
			return ruling.Departs("one verificationId for one block", ids[1].String()+" beside "+ids[0].String()).By(other.Observation, own.Observation)
		}
		return ruling.Conforms().By(own.Observation)
	},
	Fix: "put the identifier of the challenge into metadata.verificationId of every danger_zone notification",
}

// Section 8.7.3.
var hardBlockNoticeEndsWithBlock = check.Check{
	Requirement: "AQL-8.7.3-11",
	Rule:        "Danger_zone notifications end when the agent is unblocked.",
	Why:         "Operators ignore an alarm that never ends.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, other, two, r, ok := broadcast(s, got)
		if !ok {
			return r
		}
		lifted := slices.ContainsFunc(part(got, check.HardBlockScenario, 0), func(o probes.Observation) bool {
			return o.Probe.CommandName() == "safety.admin_unblock_cmd" && o.Outcome == probes.Result
		})
		second := reportsOf(got, check.HardBlockScenario, 1)
		switch {
		case !two || len(notices(other, "danger_zone")) == 0:
			return ruling.NotProven("a danger_zone notification for a second agent", "none").Because("AQL-8.7.3-09")
		case !lifted:
			return model.HintMissing("safety.admin_unblock_cmd", check.LoopHints["safety.admin_unblock_cmd"])
		case len(second) < 3 || second[2].Directive.Is(probes.Absent):
			return ruling.NotProven("two reports after the block was lifted", "fewer")
		case len(notices(second[2], "danger_zone")) > 0:
			return ruling.Departs("no danger_zone notification once the agent is unblocked", "one in the second report after it").By(second[2].Observation)
		}
		return ruling.Conforms().By(second[2].Observation, other.Observation)
	},
	Fix: "end the danger_zone notification with the block",
}
