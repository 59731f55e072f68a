package safety

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// evaluationFaults break what an evaluation comes to, and how it is told (spec 8.7).
var evaluationFaults = inLoop([]seam.Fault{
	{ID: "AQL-8.7.1-01", Variant: "continue-as-text", Defect: "continue is \"yes\" after a skipped step",
		Hooks: directives(func(c adapter.Call, d map[string]any) {
			if c.Params()["outcome"] == "skipped" {
				d["continue"] = "yes"
			}
		})},
	{ID: "AQL-8.7.1-02", Variant: "factors-omitted", Defect: "factors is omitted when continue is true",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["continue"] == true {
				delete(d, "factors")
			}
		})},
	{ID: "AQL-8.7.1-03", Variant: "risk-tier-high", Defect: "nextStepRisk is \"high\"",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["nextStepRisk"] == "advisory" {
				d["nextStepRisk"] = "high"
			}
		})},
	{ID: "AQL-8.7.1-04", Variant: "stopped-and-continue", Defect: "a directive has stopped:true and continue:true",
		Hooks: directives(func(c adapter.Call, d map[string]any) {
			if c.Params()["outcome"] == "skipped" && d["continue"] == true {
				d["stopped"] = true
			}
		})},
	{ID: "AQL-8.7.2-01", Variant: "patterns-before-limit", Defect: "denied actions are looked for before the step limit is",
		Hooks: staged(append([]loop.Stage{only(loop.Stop)}, loop.Pipeline...)...)},
	{ID: "AQL-8.7.2-02", Variant: "limit-reason-empty", Defect: "the pause after the step limit has an empty reason",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["reason"] == loop.LimitExceeded {
				d["reason"] = ""
			}
		})},
	{ID: "AQL-8.7.2-03", Variant: "limit-undocumented", Defect: "no part of introspection names the step limit, no directive counts",
		Hooks: seam.Both(undocumented("max_autonomous_steps"), directives(func(_ adapter.Call, d map[string]any) { delete(d, "stepsRemaining") }))},
	{ID: "AQL-8.7.2-03", Variant: "limit-without-default", Defect: "the parameter of the step limit has no default, no directive counts",
		Hooks: seam.Both(seam.Record("execute_agent", func(op map[string]any) {
			for _, p := range adapter.Array(op["parameters"]) {
				if adapter.Object(p)["name"] == "max_autonomous_steps" {
					delete(adapter.Object(p), "default")
				}
			}
		}), directives(func(_ adapter.Call, d map[string]any) { delete(d, "stepsRemaining") }))},
	{ID: "AQL-8.7.2-04", Variant: "limit-constant", Defect: "the step limit is a constant",
		Hooks: seam.Before(seam.Named("execute_agent"), func(c adapter.Call, _ adapter.Operation) adapter.Call { return c.Given("max_autonomous_steps", nil) })},
	{ID: "AQL-8.7.2-05", Variant: "failure-ignored", Defect: "outcome failure is ignored", Hooks: staged(loop.StepLimit, loop.ActionPatterns, loop.RiskTier)},
	{ID: "AQL-8.7.2-07", Variant: "missing-outcome-fails", Defect: "a report without outcome is treated as failed",
		Hooks: staged(loop.StepLimit, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, failed := loop.PreviousOutcome(e, hint, outcome)
			return d, failed || outcome == ""
		}, loop.ActionPatterns, loop.RiskTier)},
	{ID: "AQL-8.7.2-07", Variant: "second-report-held", Defect: "from the second report on one without outcome is held for a step of unknown result",
		Hooks: staged(loop.StepLimit, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, failed := loop.PreviousOutcome(e, hint, outcome)
			if outcome == "" && e.Steps > 1 {
				return loop.Decision{Verdict: loop.Pause, Cause: "outcome", Reason: "The result of the step before is not known", Factors: []string{"no result of the step before"}}, true
			}
			return d, failed
		}, loop.ActionPatterns, loop.RiskTier)},
	{ID: "AQL-8.7.2-08", Variant: "deny-only-pauses", Defect: "a deny match pauses like a request for approval",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			d.Verdict = min(d.Verdict, loop.Pause)
			return d, matched
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-08", Variant: "deny-pause-speaks-of-limits", Defect: "a deny match pauses, and its factors speak of limits and of failing",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			if d.Verdict == loop.Stop {
				d.Verdict, d.Factors = loop.Pause, append(d.Factors, "beyond the limits set by the operator", "fails the policy check")
			}
			return d, matched
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-08", Variant: "wildcards-match-nothing", Defect: "patterns that deny or ask for approval match their own text alone",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			literal := matched && strings.HasSuffix(d.Factors[0], " "+hint)
			return d, matched && (d.Verdict == loop.Proceed || literal)
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-09", Variant: "approval-pattern-ignored", Defect: "actions needing approval are continued",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			return d, matched && d.Verdict != loop.Pause
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-10", Variant: "auto-approve-still-scored", Defect: "auto-approved actions are still scored and paused",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			return d, matched && d.Verdict != loop.Proceed
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-10", Variant: "auto-approve-fails-score", Defect: "auto-approved actions are still scored and paused because the score fails a check",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
			d, matched := loop.ActionPatterns(e, hint, outcome)
			if scored, _ := loop.RiskTier(e, hint, outcome); matched && d.Verdict == loop.Proceed && scored.Verdict != loop.Proceed {
				return loop.Decision{Verdict: loop.Pause, Cause: "tier", Reason: "Action requires confirmation", Factors: []string{"the score fails the check"}}, true
			}
			return d, matched
		}, loop.RiskTier)},
	{ID: "AQL-8.7.2-11", Variant: "auto-approve-first", Defect: "autoApprove is checked before deny",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, only(loop.Proceed), loop.ActionPatterns, loop.RiskTier)},
	{ID: "AQL-8.7.2-12", Variant: "own-list-lets-pass", Defect: "where an execution brings its own allow list, an action that matches no pattern passes and is not confirmed",
		Hooks: staged(loop.StepLimit, loop.PreviousOutcome, loop.ActionPatterns, ownListPasses, loop.RiskTier)},
	{ID: "AQL-8.7.2-13", Variant: "score-band-shifted", Defect: "scores of 61 to 85 are mapped to confirm",
		Hooks: directives(func(_ adapter.Call, d map[string]any) {
			if d["nextStepRisk"] == "verify" {
				d["nextStepRisk"] = "confirm"
			}
		})},
	{ID: "AQL-8.7.2-15", Variant: "tolerance-ignored", Defect: "conservative behaves like moderate",
		Hooks: seam.Before(seam.Named("execute_agent"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if c.Params()["risk_tolerance"] == "conservative" {
				return c.Given("risk_tolerance", "moderate")
			}
			return c
		})},
	{ID: "AQL-8.7.4-01", Variant: "patterns-hard-coded", Defect: "the pattern lists cannot be configured",
		Hints: map[string]string{"attest.evaluator": "no"},
		Hooks: seam.Remade("execute_agent", func(op *adapter.Operation) {
			for _, list := range []string{"deny", "requires_approval", "auto_approve"} {
				op.Parameters = seam.LeftOut(op.Parameters, list)
			}
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				t.Params["deny"], t.Params["requires_approval"], t.Params["auto_approve"] = adapter.Plain(loop.DefaultDeny), adapter.Plain(loop.DefaultApproval), adapter.Plain(loop.DefaultAuto)
				return nil
			})
		})},
	{ID: "AQL-8.7.4-02", Variant: "evaluator-undocumented", Defect: "introspection names none of the evaluator settings",
		Hooks: undocumented("max_autonomous_steps", "risk_tolerance", "deny", "requires_approval", "auto_approve")},
	{ID: "AQL-8.7.5-01", Variant: "step-counter-reset", Defect: "the step counter is reset at each report",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			for _, e := range loop.Of(c.Adapter).Running {
				e.Alone = 0
			}
			return c
		})},
	{ID: "AQL-8.7.5-04", Variant: "no-pattern-stage", Defect: "the loop has no action patterns at all", Hooks: staged(loop.StepLimit, loop.PreviousOutcome, loop.RiskTier)},
})

// only is the stage of action patterns as far as it comes to one verdict.
func only(verdict int) loop.Stage {
	return func(e *loop.Execution, hint, outcome string) (loop.Decision, bool) {
		s := *e
		switch verdict {
		case loop.Stop:
			s.Settings.Approval, s.Settings.Auto = nil, nil
		case loop.Proceed:
			s.Settings.Deny, s.Settings.Approval = nil, nil
		}
		return loop.ActionPatterns(&s, hint, outcome)
	}
}

// undocumented hides parameters of execute_agent, which are accepted all the same, and
// what else introspection says of them.
func undocumented(names ...string) adapter.Hooks {
	types := adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i, kind := range a.Types {
			a.Types[i].Fields = slices.DeleteFunc(slices.Clone(kind.Fields), func(p adapter.Parameter) bool { return slices.Contains(names, p.Name) })
		}
		if slices.Contains(names, "risk_tolerance") {
			a.Types = slices.DeleteFunc(a.Types, func(t adapter.TypeInfo) bool { return t.Name == "RiskTolerance" })
			seam.Remade("execute_agent", func(op *adapter.Operation) {
				seam.Change(op, "risk_tolerance", func(p *adapter.Parameter) { p.Type = "string" })
			}).Table(a)
		}
	}}
	return seam.Both(types, seam.Record("execute_agent", func(op map[string]any) {
		for _, name := range names {
			op["parameters"] = seam.Dropped(op["parameters"], name)
		}
		op["examples"] = seam.MapText(op["examples"], func(text string) string { return strings.ReplaceAll(text, "five steps", "few steps") })
		for _, ex := range adapter.Array(op["examples"]) {
			params := adapter.Object(adapter.Object(adapter.Object(ex)["request"])["params"])
			for _, name := range names {
				delete(params, name)
			}
		}
	}))
}

// ownListPasses lets pass what no pattern decides, where the agent has a list of its own.
func ownListPasses(e *loop.Execution, _, _ string) (loop.Decision, bool) {
	return loop.Decision{Factors: []string{"no pattern speaks against the action"}}, !slices.Equal(e.Settings.Auto, loop.DefaultAuto)
}

// takenForText takes a value of nextActionHint for a text.
func takenForText(value any) adapter.Hooks {
	return seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
		if hint, given := c.Params()["nextActionHint"]; given && hint == value {
			return c.Given("nextActionHint", "nothing in particular")
		}
		return c
	})
}
