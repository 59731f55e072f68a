package suites

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/area/loop"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// onDeletion has the gate hold up the removal of a folder of our own.
func onDeletion(h *fixtures.Hints) {
	h.Confirm = fixtures.Confirmation{Operation: "delete_folder"}
}

// An oddSafety is an adapter that is odd where agents are held up, with what is to be
// said of the requirements.
type oddSafety struct {
	name, fault, loop string
	hint              func(h *fixtures.Hints)
	asked             func(call map[string]any)
	answered          func(call, e map[string]any)
	requirements      string
	want              reports.Verdict
}

// judge runs the requirements alone.
func (odd oddSafety) judge(t *testing.T) {
	hints := hintsFor(t, seam.Fault{Features: "all"})
	if odd.hint != nil {
		odd.hint(&hints)
	}
	cfg := stand.Config{Mode: "all", Features: offered(), Loop: odd.loop, Fault: odd.fault}
	r := judgedAs(t, cfg, inFront(odd.asked, odd.answered), plan.Selection{Checks: All(), Run: strings.Fields(odd.requirements)}, hints)
	ruled := 0
	for _, f := range r.Findings {
		if f.Verdict == reports.Skipped {
			continue
		}
		if ruled++; f.Verdict != odd.want {
			t.Errorf("%s %s: want %s, got %s", f.Verdict, f.Requirement, f.Want, f.Got)
		}
	}
	if ruled < len(strings.Fields(odd.requirements)) {
		t.Errorf("%d rulings on %s", ruled, odd.requirements)
	}
}

// paramOf is a member of the params of a call.
func paramOf(call map[string]any, name string) string {
	params, _ := objectAt(call, "params")
	text, _ := params[name].(string)
	return text
}

// refusedIf refuses the calls of which something holds.
func refusedIf(code, message string, holds func(call map[string]any) bool) func(call, e map[string]any) {
	return func(call, e map[string]any) {
		if holds(call) {
			refuse(e, code, message)
		}
	}
}

func calling(operation string) func(call map[string]any) bool {
	return func(call map[string]any) bool { return call["operation"] == operation }
}

// conflictAfter answers what is held up by a conflict from a step of the gate scene on.
func conflictAfter(step int) func(call, e map[string]any) {
	held := 0
	return func(call, e map[string]any) {
		if reason, _ := objectAt(e, "error"); call["operation"] == "delete_folder" && reason["code"] == "CONFIRMATION_REQUIRED" {
			if held++; held > step {
				refuse(e, "CONFLICT_CONFIRMATION_PENDING", "A confirmation is pending already")
			}
		}
	}
}

// pausedAfter pauses an agent that has reported so many steps, in whatever execution.
func pausedAfter(steps int) func(call, e map[string]any) {
	taken := map[string]int{}
	return func(call, e map[string]any) {
		if directive, ok := objectAt(e, "data", "directive"); ok && calling("record_execution_step")(call) {
			if taken[paramOf(call, "element_name")]++; taken[paramOf(call, "element_name")] > steps {
				directive["continue"], directive["reason"], directive["factors"] = false, "Step limit reached", []any{"steps in all"}
			}
		}
	}
}

// What an odd adapter does not show is neither held against it nor to its credit.
func TestOddSafetyProvesNothing(t *testing.T) {
	portion.InTurn(t)
	for _, odd := range []oddSafety{
		{name: "confirmations are refused for their form", hint: onDeletion, requirements: "AQL-8.7.3-13 AQL-8.7.3-14",
			answered: refusedIf("VALIDATION_INVALID_VALUE", "Parameter 'approval_code' must be eight digits", calling("confirm_operation"))},
		{name: "a conflict after a token that was made up", hint: onDeletion, requirements: "AQL-8.7.3-04", answered: conflictAfter(loop.AfterBadToken)},
		{name: "a conflict after the agent's own token", hint: onDeletion, requirements: "AQL-8.7.3-13", answered: conflictAfter(loop.AfterOwnToken)},
		{name: "a conflict after a forgery", hint: onDeletion, requirements: "AQL-8.7.3-14", answered: conflictAfter(loop.AfterForgery)},
		{name: "a conflict after another session", hint: onDeletion, requirements: "AQL-8.7.3-14", answered: conflictAfter(loop.AfterSecond)},
		{name: "the command shows the code in a sentence", requirements: "AQL-8.8.2-12 AQL-8.8.2-14 AQL-8.8.2-15",
			asked: func(call map[string]any) {
				if params, ok := objectAt(call, "params"); ok && call["operation"] == "verify_challenge" {
					params["code"] = "Code: " + paramOf(call, "code")
				}
			}},
		{name: "challenges expire at once", fault: "AQL-8.8-01.confirm-clears-verify", requirements: "AQL-8.8-01",
			hint: func(h *fixtures.Hints) { h.Safety.ChallengeTimeout = 1 }},
		{name: "no agent starts where the limit is tried", loop: "counting", requirements: "AQL-8.6.7-04",
			hint: func(h *fixtures.Hints) {
				h.Safety = fixtures.Safety{Agent: h.Safety.Agent, StepLimit: h.Safety.StepLimit, ApproveCmd: h.Safety.ApproveCmd}
			},
			answered: refusedIf("INTERNAL_ERROR", "No room for the agent", func(call map[string]any) bool {
				return call["operation"] == "execute_agent" && strings.HasSuffix(paramOf(call, "element_name"), "-30")
			})},
		{name: "the only agent has three steps in all", requirements: "AQL-8.7.2-04 AQL-8.7.2-07 AQL-8.7.2-15 AQL-8.7.3-06", answered: pausedAfter(3),
			hint: func(h *fixtures.Hints) { h.Safety.Agent.Names = []string{"planner"} }},
		{name: "no agent completes its execution", requirements: "AQL-8.8.3-01",
			answered: refusedIf("VALIDATION_INVALID_VALUE", "Parameter 'summary' is required", calling("complete_execution"))},
		{name: "the reports of the second agent are lost", requirements: "AQL-8.7.3-09",
			answered: refusedIf("INTERNAL_ERROR", "The report was not written", func(call map[string]any) bool {
				return call["operation"] == "record_execution_step" && strings.HasPrefix(paramOf(call, "element_name"), "critic-")
			})},
		{name: "what lives on is not taken on now", fault: "AQL-2.3.3-04.execution-table-global", requirements: "AQL-2.3.3-04",
			hint:     func(h *fixtures.Hints) { h.Safety = fixtures.Safety{} }, // no agents
			answered: refusedIf("CONFLICT_BACKUP_BUSY", "The backup cannot be resumed now", calling("resume_backup"))},
	} {
		odd.want = reports.NotProven
		t.Run(odd.name, odd.judge)
	}
}

// What an odd adapter is free to do is not held against it.
func TestOddSafetyPasses(t *testing.T) {
	latest := ""
	failed := map[string]bool{}
	progress := func(call, e map[string]any) {
		agent := paramOf(call, "element_name")
		if failed[agent] && agent != "" {
			refuse(e, "CONFLICT_EXECUTION_FAILED", "The execution has failed")
		}
		if calling("execute_agent")(call) || calling("record_execution_step")(call) {
			failed[agent] = paramOf(call, "outcome") == "failure"
		}
	}
	for _, odd := range []oddSafety{
		{name: "an execution whose step has failed is over, logging", loop: "logging", requirements: "AQL-8.6.4-08", answered: progress},
		{name: "an execution whose step has failed is over, disabled", loop: "disabled", requirements: "AQL-8.6.7-02", answered: progress},
		{name: "each token voids the one before, and its name is nowhere documented", requirements: "INT-4.1.1-18 OPS-7.5.3-01",
			hint: func(h *fixtures.Hints) { h.Confirm.TokenParam = "" },
			asked: func(call map[string]any) {
				eachObject(call, func(m map[string]any) {
					delete(m, "_confirmation")
					if token, _ := m["confirmation_token"].(string); token != "" && token != latest {
						m["confirmation_token"] = "conf_void"
					}
				})
			},
			answered: func(_, e map[string]any) {
				eachObject(e, func(m map[string]any) {
					if token, _ := m["confirmation_token"].(string); token != "" {
						latest = token
					}
					if list, ok := m["parameters"].([]any); ok {
						m["parameters"] = undocumented(list, "confirmation_token")
					}
				})
			}},
	} {
		odd.want = reports.Pass
		t.Run(odd.name, odd.judge)
	}
}

// eachObject visits all objects of a message.
func eachObject(v any, visit func(m map[string]any)) {
	switch t := v.(type) {
	case map[string]any:
		visit(t)
		for _, inner := range t {
			eachObject(inner, visit)
		}
	case []any:
		for _, inner := range t {
			eachObject(inner, visit)
		}
	}
}

// undocumented leaves a parameter out of a list of them.
func undocumented(parameters []any, name string) []any {
	left := []any{}
	for _, p := range parameters {
		if record, _ := p.(map[string]any); record["name"] != name {
			left = append(left, p)
		}
	}
	return left
}
