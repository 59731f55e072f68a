package adapter

import (
	"slices"
	"strings"
)

// evaluationFaults break what an evaluation comes to, and how it is told (spec 8.7).
var evaluationFaults = inLoop([]Fault{
	{ID: "AQL-8.7.1-01", Variant: "continue-as-text", Defect: "continue is \"yes\" after a skipped step",
		hooks: directives(func(c call, d map[string]any) {
			if c.params()["outcome"] == "skipped" {
				d["continue"] = "yes"
			}
		})},
	{ID: "AQL-8.7.1-02", Variant: "factors-omitted", Defect: "factors is omitted when continue is true",
		hooks: directives(func(_ call, d map[string]any) {
			if d["continue"] == true {
				delete(d, "factors")
			}
		})},
	{ID: "AQL-8.7.1-03", Variant: "risk-tier-high", Defect: "nextStepRisk is \"high\"",
		hooks: directives(func(_ call, d map[string]any) {
			if d["nextStepRisk"] == "advisory" {
				d["nextStepRisk"] = "high"
			}
		})},
	{ID: "AQL-8.7.1-04", Variant: "stopped-and-continue", Defect: "a directive has stopped:true and continue:true",
		hooks: directives(func(c call, d map[string]any) {
			if c.params()["outcome"] == "skipped" && d["continue"] == true {
				d["stopped"] = true
			}
		})},
	{ID: "AQL-8.7.2-01", Variant: "patterns-before-limit", Defect: "denied actions are looked for before the step limit is",
		hooks: staged(append([]stage{only(stop)}, pipeline...)...)},
	{ID: "AQL-8.7.2-02", Variant: "limit-reason-empty", Defect: "the pause after the step limit has an empty reason",
		hooks: directives(func(_ call, d map[string]any) {
			if d["reason"] == limitExceeded {
				d["reason"] = ""
			}
		})},
	{ID: "AQL-8.7.2-03", Variant: "limit-undocumented", Defect: "no part of introspection names the step limit, no directive counts",
		hooks: both(undocumented("max_autonomous_steps"), directives(func(_ call, d map[string]any) { delete(d, "stepsRemaining") }))},
	{ID: "AQL-8.7.2-04", Variant: "limit-constant", Defect: "the step limit is a constant",
		hooks: before(named("execute_agent"), func(c call, _ operation) call { return c.given("max_autonomous_steps", nil) })},
	{ID: "AQL-8.7.2-05", Variant: "failure-ignored", Defect: "outcome failure is ignored", hooks: staged(stepLimit, actionPatterns, riskTier)},
	{ID: "AQL-8.7.2-07", Variant: "missing-outcome-fails", Defect: "a report without outcome is treated as failed",
		hooks: staged(stepLimit, func(e *execution, hint, outcome string) (decision, bool) {
			d, failed := previousOutcome(e, hint, outcome)
			return d, failed || outcome == ""
		}, actionPatterns, riskTier)},
	{ID: "AQL-8.7.2-07", Variant: "second-report-held", Defect: "from the second report on one without outcome is held for a step of unknown result",
		hooks: staged(stepLimit, func(e *execution, hint, outcome string) (decision, bool) {
			d, failed := previousOutcome(e, hint, outcome)
			if outcome == "" && e.steps > 1 {
				return decision{verdict: pause, cause: "outcome", reason: "The result of the step before is not known", factors: []string{"no result of the step before"}}, true
			}
			return d, failed
		}, actionPatterns, riskTier)},
	{ID: "AQL-8.7.2-08", Variant: "deny-only-pauses", Defect: "a deny match pauses like a request for approval",
		hooks: staged(stepLimit, previousOutcome, func(e *execution, hint, outcome string) (decision, bool) {
			d, matched := actionPatterns(e, hint, outcome)
			d.verdict = min(d.verdict, pause)
			return d, matched
		}, riskTier)},
	{ID: "AQL-8.7.2-09", Variant: "approval-pattern-ignored", Defect: "actions needing approval are continued",
		hooks: staged(stepLimit, previousOutcome, func(e *execution, hint, outcome string) (decision, bool) {
			d, matched := actionPatterns(e, hint, outcome)
			return d, matched && d.verdict != pause
		}, riskTier)},
	{ID: "AQL-8.7.2-10", Variant: "auto-approve-still-scored", Defect: "auto-approved actions are still scored and paused",
		hooks: staged(stepLimit, previousOutcome, func(e *execution, hint, outcome string) (decision, bool) {
			d, matched := actionPatterns(e, hint, outcome)
			return d, matched && d.verdict != proceed
		}, riskTier)},
	{ID: "AQL-8.7.2-11", Variant: "auto-approve-first", Defect: "autoApprove is checked before deny",
		hooks: staged(stepLimit, previousOutcome, only(proceed), actionPatterns, riskTier)},
	{ID: "AQL-8.7.2-12", Variant: "own-list-lets-pass", Defect: "where an agent is given a list of its own, what matches no pattern passes",
		hooks: staged(stepLimit, previousOutcome, actionPatterns, ownListPasses, riskTier)},
	{ID: "AQL-8.7.2-13", Variant: "score-band-shifted", Defect: "scores of 61 to 85 are mapped to confirm",
		hooks: directives(func(_ call, d map[string]any) {
			if d["nextStepRisk"] == "verify" {
				d["nextStepRisk"] = "confirm"
			}
		})},
	{ID: "AQL-8.7.2-15", Variant: "tolerance-ignored", Defect: "conservative behaves like moderate",
		hooks: before(named("execute_agent"), func(c call, _ operation) call {
			if c.params()["risk_tolerance"] == "conservative" {
				return c.given("risk_tolerance", "moderate")
			}
			return c
		})},
	{ID: "AQL-8.7.4-01", Variant: "patterns-hard-coded", Defect: "the pattern lists cannot be configured",
		Hints: map[string]string{"attest.evaluator": "no"},
		hooks: remade("execute_agent", func(op *operation) {
			for _, list := range []string{"deny", "requires_approval", "auto_approve"} {
				op.Parameters = leftOut(op.Parameters, list)
			}
			op.first(func(t task) envelope {
				t.params["deny"], t.params["requires_approval"], t.params["auto_approve"] = plain(defaultDeny), plain(defaultApproval), plain(defaultAuto)
				return nil
			})
		})},
	{ID: "AQL-8.7.4-02", Variant: "evaluator-undocumented", Defect: "introspection names none of the evaluator settings",
		hooks: undocumented("max_autonomous_steps", "risk_tolerance", "deny", "requires_approval", "auto_approve")},
	{ID: "AQL-8.7.5-01", Variant: "step-counter-reset", Defect: "the step counter is reset at each report",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			for _, e := range c.loop.running {
				e.alone = 0
			}
			return c
		})},
	{ID: "AQL-8.7.5-04", Variant: "no-pattern-stage", Defect: "the loop has no action patterns at all", hooks: staged(stepLimit, previousOutcome, riskTier)},
})

// only is the stage of action patterns as far as it comes to one verdict.
func only(verdict int) stage {
	return func(e *execution, hint, outcome string) (decision, bool) {
		s := *e
		switch verdict {
		case stop:
			s.settings.approval, s.settings.auto = nil, nil
		case proceed:
			s.settings.deny, s.settings.approval = nil, nil
		}
		return actionPatterns(&s, hint, outcome)
	}
}

// undocumented hides parameters of execute_agent, which are accepted all the same, and
// what else introspection says of them.
func undocumented(names ...string) hooks {
	types := hooks{table: func(a *Adapter) {
		for i, kind := range a.types {
			a.types[i].Fields = slices.DeleteFunc(slices.Clone(kind.Fields), func(p parameter) bool { return slices.Contains(names, p.Name) })
		}
		if slices.Contains(names, "risk_tolerance") {
			a.types = slices.DeleteFunc(a.types, func(t typeInfo) bool { return t.Name == "RiskTolerance" })
			remade("execute_agent", func(op *operation) { op.change("risk_tolerance", func(p *parameter) { p.Type = "string" }) }).table(a)
		}
	}}
	return both(types, record("execute_agent", func(op map[string]any) {
		for _, name := range names {
			op["parameters"] = dropped(op["parameters"], name)
		}
		op["examples"] = mapText(op["examples"], func(text string) string { return strings.ReplaceAll(text, "five steps", "few steps") })
		for _, ex := range array(op["examples"]) {
			params := object(object(object(ex)["request"])["params"])
			for _, name := range names {
				delete(params, name)
			}
		}
	}))
}

// noticeFaults break what agents are told, and who may let them go on (spec 8.7.3).
var noticeFaults = inLoop([]Fault{
	{ID: "AQL-8.7.3-01", Variant: "notification-epoch", Defect: "a notification carries an epoch number as timestamp",
		hooks: notices("autonomy_pause", set("timestamp", 1767225600))},
	{ID: "AQL-8.7.3-02", Variant: "no-permission-notice", Defect: "a gated call inside the loop raises no notification",
		Features: confirming, Hints: gated, hooks: withoutNotices("permission_pending")},
	{ID: "AQL-8.7.3-03", Variant: "permission-notice-stays", Defect: "the notification is delivered for ever",
		Features: confirming, Hints: gated, hooks: forEver("permission_pending")},
	{ID: "AQL-8.7.3-04", Variant: "cleared-before-check", Defect: "the block is lifted before the token is checked",
		Features: confirming, Hints: gated, hooks: before(named("confirm_operation"), func(c call, _ operation) call {
			for _, e := range c.loop.running {
				for about, w := range e.waits {
					if strings.HasPrefix(about, "operation ") {
						c.approve(w.token)
					}
				}
			}
			return c
		})},
	{ID: "AQL-8.7.3-05", Variant: "no-pause-notice", Defect: "a pause comes without autonomy_pause", hooks: withoutNotices("autonomy_pause")},
	{ID: "AQL-8.7.3-06", Variant: "confirm-without-effect", Defect: "confirm_operation has no effect on the pause",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			for _, e := range c.loop.running {
				for _, w := range e.waits {
					var p petition
					if c.records.find(petitions, w.token, &p) && w.decision.cause == "tier" {
						p.Approved = false
						must(c.records.keep(petitions, p.Token, p))
					}
				}
			}
			return c
		})},
	{ID: "AQL-8.7.3-09", Variant: "only-blocked-agent-told", Defect: "only the blocked agent is notified",
		hooks: directives(func(_ call, d map[string]any) {
			if d["stopped"] != true {
				untell(d, "danger_zone")
			}
		})},
	{ID: "AQL-8.7.3-10", Variant: "broadcast-without-id", Defect: "the danger_zone notification lacks verificationId",
		hooks: notices("danger_zone", func(n map[string]any) { delete(object(n["metadata"]), "verificationId") })},
	{ID: "AQL-8.7.3-11", Variant: "danger-notice-stays", Defect: "the danger_zone notification goes on after the unblock", hooks: forEver("danger_zone")},
	{ID: "AQL-8.7.3-12", Variant: "only-last-notice-kept", Defect: "only the last of two events is delivered",
		Features: confirming, Hints: gated, hooks: directives(func(_ call, d map[string]any) {
			if told := array(d["notifications"]); len(told) > 1 {
				d["notifications"] = told[len(told)-1:]
			}
		})},
	{ID: "AQL-8.7.3-13", Variant: "any-caller-confirms", Defect: "confirm_operation accepts the agent that ran into the block",
		Features: confirming, Hints: gated, hooks: before(named("confirm_operation"), func(c call, _ operation) call {
			token, _ := c.params()["confirmation_token"].(string)
			c.approve(token)
			return c
		})},
	{ID: "AQL-8.7.3-14", Variant: "confirmed-by-trusted", Defect: "a confirmed_by value in the request is believed",
		Features: confirming, Hints: gated, hooks: before(named("confirm_operation"), func(c call, _ operation) call {
			if token, _ := c.params()["confirmation_token"].(string); object(c.body["_meta"])["confirmed_by"] == "human" {
				c.approve(token)
			}
			return c
		})},
})

// gated names an operation that is held up while an agent is executing; it is tried on
// a folder that was made for it.
var gated = map[string]string{"confirm": `{"op":"delete_folder"}`}

// notices rewrites the notifications of one type.
func notices(kind string, rewrite func(n map[string]any)) hooks {
	return directives(func(_ call, d map[string]any) {
		for _, n := range array(d["notifications"]) {
			if object(n)["type"] == kind {
				rewrite(object(n))
			}
		}
	})
}

func withoutNotices(kind string) hooks {
	return directives(func(_ call, d map[string]any) { untell(d, kind) })
}

// untell takes the notifications of one type out of a directive.
func untell(d map[string]any, kind string) {
	left := slices.DeleteFunc(slices.Clone(array(d["notifications"])), func(n any) bool { return object(n)["type"] == kind })
	if len(left) == 0 {
		delete(d, "notifications")
	} else {
		d["notifications"] = left
	}
}

// forEver has notifications of one type delivered with every directive.
func forEver(kind string) hooks {
	return after(func(c call, _ envelope) {
		for _, e := range c.loop.running {
			for i := range e.notices {
				if e.notices[i].Type == kind {
					e.notices[i].standing = func() bool { return true }
				}
			}
		}
	})
}

// ownListPasses lets pass what no pattern decides, where the agent has a list of its own.
func ownListPasses(e *execution, _, _ string) (decision, bool) {
	return decision{factors: []string{"no pattern speaks against the action"}}, !slices.Equal(e.settings.auto, defaultAuto)
}
