package safety

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// loopFaults break the frame of the execution safety loop: how it is announced, how
// it begins and ends, what reports take, and what its modes promise (spec 8.6).
var loopFaults = inLoop([]seam.Fault{
	{ID: "AQL-8.6.1-02", Variant: "step-report-demanded", Defect: "every operation on notes demands a prior step report",
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			for i := range a.Operations {
				if op := &a.Operations[i]; strings.Contains(op.Name, "_note") {
					seam.First(op, func(t adapter.Task) adapter.Envelope {
						if len(loop.Of(t.Adapter).Running) > 0 {
							return nil
						}
						return adapter.Failure("PERMISSION_STEP_REPORT_REQUIRED", "Report the action with record_execution_step before it is done", nil)
					})
				}
			}
		}}},
	{ID: "AQL-8.6.1-03", Variant: "auto-started-loop", Defect: "the first step report of an agent silently creates an execution",
		Hooks: autoStart},
	{ID: "AQL-8.6.1-03", Variant: "another-thing-configured", Defect: "the first step report of an agent silently creates an execution, and the step limit and the order of notes are said to be configured",
		Hooks: seam.Both(autoStart, seam.Both(adding("record_execution_step", "The step limit is configured by the operator."), adding("list_notes", "The order is set by configuration.")))},
	{ID: "AQL-8.6.1-04", Variant: "loop-capability-missing", Defect: "the loop operations are listed but nothing in introspection speaks of the loop",
		Hooks: seam.Both(seam.Protocol(func(p map[string]any) { delete(adapter.Object(p["capabilities"]), "execution_safety_loop") }), untold("safety loop", "session", "AutonomyDirective", "StepAnswer"))},
	{ID: "AQL-8.6.1-05", Variant: "safety-loop-other-key", Defect: "the capability key is safety_loop",
		Hooks: seam.Protocol(func(p map[string]any) {
			seam.Moved(adapter.Object(p["capabilities"]), "execution_safety_loop", "safety_loop")
		})},
	{ID: "AQL-8.6.1-06", Variant: "loop-value-on", Defect: "the capability value is \"on\"", Hooks: seam.Capability("execution_safety_loop", "on")},
	{ID: "AQL-8.6.2-01", Variant: "directive-first-report-only", Defect: "only the first report of an execution is answered with a directive",
		Hooks: reported(func(c adapter.Call, data map[string]any) {
			if e := loop.Of(c.Adapter).Past[data["execution_id"].(string)]; e.Steps > 1 {
				delete(data, "directive")
			}
		})},
	{ID: "AQL-8.6.2-03", Variant: "agent-starts-at-once", Defect: "execute_agent starts without any approval",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if data := adapter.Object(e["data"]); c.Operation() == "execute_agent" && adapter.Succeeded(e) {
				loop.Of(c.Adapter).Past[data["execution_id"].(string)].Status, data["status"] = "running", "running"
			}
		})},
	{ID: "AQL-8.6.2-07", Variant: "complete-is-no-op", Defect: "complete_execution leaves the loop active",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "complete_execution" && adapter.Succeeded(e) {
				left := loop.Of(c.Adapter).Past[adapter.Object(e["data"])["execution_id"].(string)]
				left.Status, loop.Of(c.Adapter).Running[left.Agent] = "running", left
			}
		})},
	{ID: "AQL-8.6.3-02", Variant: "agent-name-defaulted", Defect: "a report without element_name is charged to the last started agent",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if begun := executions(loop.Of(c.Adapter)); c.Params()["element_name"] == nil && len(begun) > 0 {
				return c.Given("element_name", begun[len(begun)-1].Agent)
			}
			return c
		})},
	{ID: "AQL-8.6.3-02", Variant: "agent-name-null", Defect: "a report with element_name null is charged to the last started agent",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			name, given := c.Params()["element_name"]
			if begun := executions(loop.Of(c.Adapter)); given && name == nil && len(begun) > 0 {
				return c.Given("element_name", begun[len(begun)-1].Agent)
			}
			return c
		})},
	{ID: "AQL-8.6.3-03", Variant: "next-action-optional", Defect: "a report without nextActionHint succeeds",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if _, given := c.Params()["nextActionHint"]; !given {
				return c.Given("nextActionHint", "nothing in particular")
			}
			return c
		})},
	{ID: "AQL-8.6.3-03", Variant: "description-taken-for-next-action", Defect: "stepDescription stands in for a nextActionHint that is missing",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if _, given := c.Params()["nextActionHint"]; !given && c.Params()["stepDescription"] != nil {
				return c.Given("nextActionHint", c.Params()["stepDescription"])
			}
			return c
		})},
	{ID: "AQL-8.6.3-03", Variant: "next-action-null", Defect: "nextActionHint null is taken for a text", Hooks: takenForText(nil)},
	{ID: "AQL-8.6.3-03", Variant: "next-action-boolean", Defect: "nextActionHint true is taken for a text", Hooks: takenForText(true)},
	{ID: "AQL-8.6.3-04", Variant: "step-description-unknown", Defect: "stepDescription is refused as unknown", Hooks: strangerToReports("stepDescription")},
	{ID: "AQL-8.6.3-05", Variant: "outcome-free-text", Defect: "outcome takes any text",
		Hooks: seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if outcome, given := c.Params()["outcome"].(string); given && !slices.Contains(loop.StepOutcomes, outcome) {
				return c.Given("outcome", nil)
			}
			return c
		})},
	{ID: "AQL-8.6.3-06", Variant: "findings-unknown", Defect: "findings is refused as unknown", Hooks: strangerToReports("findings")},
	{ID: "AQL-8.6.4-04", Variant: "stop-lasts-one-report", Defect: "stopped applies to the one report only",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			var b loop.Block
			agent, _ := c.Params()["element_name"].(string)
			if c.Operation() != "record_execution_step" || !c.Records.Find(loop.Blocks, agent, &b) {
				return next(c)
			}
			loop.Unblock(c.Adapter, agent)
			e := next(c)
			adapter.Must(c.Records.Keep(loop.Blocks, agent, b))
			return e
		}}},
	{ID: "AQL-8.6.4-05", Variant: "pause-forgotten", Defect: "the same report sent again is answered with continue:true",
		Hooks: directives(func(c adapter.Call, d map[string]any) {
			if d["reason"] == "Action requires approval" && seam.Count(c.Adapter, adapter.Printed(c.Params())) > 0 {
				d["continue"], d["factors"] = true, []any{"the action was reported before"}
				delete(d, "reason")
			}
		})},
	{ID: "AQL-8.6.4-05", Variant: "confirm-pause-forgotten", Defect: "an action of the confirm tier passes when it is reported again",
		Hooks: directives(func(c adapter.Call, d map[string]any) {
			if d["nextStepRisk"] == "confirm" && d["continue"] == false && seam.Count(c.Adapter, "tier of "+adapter.Printed(c.Params())) > 0 {
				d["continue"], d["factors"] = true, []any{"the action was reported before"}
				delete(d, "reason")
				delete(d, "nextStepRisk")
			}
		})},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-pauses", Defect: "the step limit still pauses in monitoring mode",
		Hooks: seam.Both(loopIn(loop.MonitoringLoop), directives(func(_ adapter.Call, d map[string]any) {
			if d["reason"] == loop.LimitExceeded {
				d["continue"] = false
			}
		}))},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-refuses", Defect: "after a denied action every report is refused in monitoring mode",
		Hooks: seam.Both(loopIn(loop.MonitoringLoop), blocksLater(""))},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-start-refused", Defect: "after a denied action a new start of the agent is refused in monitoring mode",
		Hooks: seam.Both(loopIn(loop.MonitoringLoop), blocksLater("execute_agent"))},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-approval-pauses", Defect: "an action that requires approval still pauses in monitoring mode",
		Hooks: seam.Both(loopIn(loop.MonitoringLoop), directives(func(_ adapter.Call, d map[string]any) {
			if d["reason"] == "Action requires approval" {
				d["continue"] = false
			}
		}))},
	{ID: "AQL-8.6.4-07", Variant: "monitoring-stops", Defect: "a deny pattern sets stopped in monitoring mode",
		Hooks: seam.Both(loopIn(loop.MonitoringLoop), directives(func(_ adapter.Call, d map[string]any) {
			if d["reason"] == "Action is denied" {
				d["stopped"] = true
			}
		}))},
	{ID: "AQL-8.6.4-08", Variant: "logging-blocks", Defect: "a denied action in logging mode blocks later operations",
		Hooks: seam.Both(loopIn(loop.LoggingLoop), blocksLater(""))},
	{ID: "AQL-8.6.4-08", Variant: "logging-start-refused", Defect: "after a denied action a new start of the agent is refused in logging mode",
		Hooks: seam.Both(loopIn(loop.LoggingLoop), blocksLater("execute_agent"))},
	{ID: "AQL-8.6.6-01", Variant: "own-operations-only", Defect: "reports naming actions of other servers are refused",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if hint, _ := c.Params()["nextActionHint"].(string); c.Operation() == "record_execution_step" && elsewhere.MatchString(hint) {
				return adapter.Misvalued("record_execution_step", "nextActionHint", "an operation of this adapter")
			}
			return next(c)
		}}},
	{ID: "AQL-8.6.7-02", Variant: "disabled-still-blocks", Defect: "a denied action is blocked although the loop is disabled",
		Hooks: seam.Both(loopIn(loop.DisabledLoop), blocksLater(""))},
	{ID: "AQL-8.6.7-03", Variant: "disabled-still-evaluates", Defect: "a disabled loop still answers continue:false directives",
		Hooks: seam.Both(loopIn(loop.DisabledLoop), reported(func(c adapter.Call, data map[string]any) {
			if c.Params()["outcome"] == "failure" {
				data["directive"] = map[string]any{"continue": false, "factors": []any{"the previous step failed"}}
			}
		}))},
	{ID: "AQL-8.6.7-04", Variant: "enforcing-but-off", Defect: "introspection says enforcing while the loop is configured off",
		Hooks: seam.Both(loopIn(loop.DisabledLoop), seam.Capability("execution_safety_loop", loop.EnforcingLoop))},
	{ID: "AQL-8.6.7-04", Variant: "advertised-but-absent", Defect: "the capability says enforcing, and no operation of the loop is there",
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			a.Operations = slices.DeleteFunc(a.Operations, func(op adapter.Operation) bool { return op.Feature == adapter.SafetyLoop })
		}}},
	{ID: "AQL-8.6.7-04", Variant: "nothing-starts", Defect: "the capability says enforcing, execute_agent is not there, and no report is taken without it",
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			a.Operations = slices.DeleteFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "execute_agent" })
		}}},
})

// inLoop offers the safety loop to faults, and the gatekeeper beside it to those that
// say so.
func inLoop(faults []seam.Fault) []seam.Fault {
	for i := range faults {
		faults[i].Features = strings.TrimSuffix(adapter.SafetyLoop+","+faults[i].Features, ",")
	}
	return faults
}

// autoStart starts an execution of an agent that reports without one.
var autoStart = seam.Before(seam.Named("record_execution_step"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
	agent, _ := c.Params()["element_name"].(string)
	known := slices.ContainsFunc(executions(loop.Of(c.Adapter)), func(e *loop.Execution) bool { return e.Agent == agent })
	if agent != "" && !known {
		op, _ := c.OperationNamed("execute_agent")
		params, _ := c.Validate(op, map[string]any{"element_name": agent})
		loop.ExecuteAgent(adapter.Task{Adapter: c.Adapter, Session: c.Session, Operation: op.Name, Params: params, Approved: false})
		loop.Of(c.Adapter).Running[agent].Status = "running"
	}
	return c
})

// adding adds a sentence to the description of an operation.
func adding(operation, sentence string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i := range a.Operations {
			if a.Operations[i].Name == operation {
				a.Operations[i].Description += " " + sentence
			}
		}
	}}
}

// executions returns the executions so far in the order of their start.
func executions(l *loop.Loop) []*loop.Execution {
	var all []*loop.Execution
	for _, e := range l.Past {
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y *loop.Execution) int { return adapter.Number(x.ID) - adapter.Number(y.ID) })
	return all
}

// loopIn has the loop run in another mode.
func loopIn(mode string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Mode = mode }}
}

// staged has the loop evaluate by other stages.
func staged(stages ...loop.Stage) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Stages = stages }}
}

// reported rewrites what a report is answered with.
func reported(rewrite func(c adapter.Call, data map[string]any)) adapter.Hooks {
	return seam.After(func(c adapter.Call, e adapter.Envelope) {
		if c.Operation() == "record_execution_step" && adapter.Succeeded(e) {
			rewrite(c, adapter.Object(e["data"]))
		}
	})
}

// directives rewrites the directive of every report.
func directives(rewrite func(c adapter.Call, d map[string]any)) adapter.Hooks {
	return reported(func(c adapter.Call, data map[string]any) {
		if d := adapter.Object(data["directive"]); d != nil {
			rewrite(c, d)
		}
	})
}

// untold replaces words wherever the tables of operations and types have them.
func untold(pairs ...string) adapter.Hooks {
	other := strings.NewReplacer(pairs...).Replace
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i := range a.Operations {
			a.Operations[i].Description = other(a.Operations[i].Description)
		}
		for i := range a.Types {
			a.Types[i].Name, a.Types[i].Description = other(a.Types[i].Name), other(a.Types[i].Description)
			a.Types[i].Fields = slices.Clone(a.Types[i].Fields)
			for j := range a.Types[i].Fields {
				a.Types[i].Fields[j].Type = other(a.Types[i].Fields[j].Type)
			}
		}
	}}
}

// strangerToReports has reports refused for a documented parameter.
func strangerToReports(name string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		op, _ := c.OperationNamed("record_execution_step")
		if _, given := c.Params()[name]; !given || c.Operation() != op.Name {
			return next(c)
		}
		op.Parameters = seam.LeftOut(op.Parameters, name)
		return adapter.CheckKnown(op, c.Params())
	}}
}

var elsewhere = regexp.MustCompile(`MCP server|shell|https?://`)

// blocksLater refuses what an agent asks after it reported a denied action: one operation of the loop, or all of them.
func blocksLater(only string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		agent, _ := c.Params()["element_name"].(string)
		hint, _ := c.Params()["nextActionHint"].(string)
		op, _ := c.OperationNamed(c.Operation())
		meant := op.Feature == adapter.SafetyLoop && (only == "" || op.Name == only)
		if meant && seam.Recall(c.Adapter, "blocked "+agent) > 0 {
			return adapter.Failure("CONFLICT_AGENT_BLOCKED", "Agent '"+agent+"' is blocked", map[string]any{"element_name": agent})
		}
		if strings.HasPrefix(hint, "rm ") {
			seam.Remember(c.Adapter, "blocked "+agent, 1)
		}
		return next(c)
	}}
}
