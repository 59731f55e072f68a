package adapter

import (
	"regexp"
	"slices"
	"strings"
)

// loopFaults break the frame of the execution safety loop: how it is announced, how
// it begins and ends, what reports take, and what its modes promise (spec 8.6).
var loopFaults = inLoop([]Fault{
	{ID: "AQL-8.6.1-02", Variant: "step-report-demanded", Defect: "every operation on notes demands a prior step report",
		hooks: hooks{table: func(a *Adapter) {
			for i := range a.operations {
				if op := &a.operations[i]; strings.Contains(op.Name, "_note") {
					op.first(func(t task) envelope {
						if len(t.loop.running) > 0 {
							return nil
						}
						return failure("PERMISSION_STEP_REPORT_REQUIRED", "Report the action with record_execution_step before it is done", nil)
					})
				}
			}
		}}},
	{ID: "AQL-8.6.1-03", Variant: "auto-started-loop", Defect: "the first step report of an agent silently creates an execution",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			agent, _ := c.params()["element_name"].(string)
			known := slices.ContainsFunc(c.loop.all(), func(e *execution) bool { return e.Agent == agent })
			if agent != "" && !known {
				op, _ := c.operationNamed("execute_agent")
				params, _ := c.validate(op, map[string]any{"element_name": agent})
				executeAgent(task{c.Adapter, c.session, op.Name, params, false})
				c.loop.running[agent].Status = "running"
			}
			return c
		})},
	{ID: "AQL-8.6.1-04", Variant: "loop-capability-missing", Defect: "the loop operations are listed but nothing in introspection speaks of the loop",
		hooks: both(protocol(func(p map[string]any) { delete(object(p["capabilities"]), "execution_safety_loop") }), untold("safety loop", "session", "AutonomyDirective", "StepAnswer"))},
	{ID: "AQL-8.6.1-05", Variant: "safety-loop-other-key", Defect: "the capability key is safety_loop",
		hooks: protocol(func(p map[string]any) { moved(object(p["capabilities"]), "execution_safety_loop", "safety_loop") })},
	{ID: "AQL-8.6.1-06", Variant: "loop-value-on", Defect: "the capability value is \"on\"", hooks: capability("execution_safety_loop", "on")},
	{ID: "AQL-8.6.2-01", Variant: "directive-first-report-only", Defect: "only the first report of an execution is answered with a directive",
		hooks: reported(func(c call, data map[string]any) {
			if e := c.loop.past[data["execution_id"].(string)]; e.steps > 1 {
				delete(data, "directive")
			}
		})},
	{ID: "AQL-8.6.2-03", Variant: "agent-starts-at-once", Defect: "execute_agent starts without any approval",
		hooks: after(func(c call, e envelope) {
			if data := object(e["data"]); c.operation() == "execute_agent" && succeeded(e) {
				c.loop.past[data["execution_id"].(string)].Status, data["status"] = "running", "running"
			}
		})},
	{ID: "AQL-8.6.2-07", Variant: "complete-is-no-op", Defect: "complete_execution leaves the loop active",
		hooks: after(func(c call, e envelope) {
			if c.operation() == "complete_execution" && succeeded(e) {
				left := c.loop.past[object(e["data"])["execution_id"].(string)]
				left.Status, c.loop.running[left.Agent] = "running", left
			}
		})},
	{ID: "AQL-8.6.3-02", Variant: "agent-name-defaulted", Defect: "a report without element_name is charged to the last started agent",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			if begun := c.loop.all(); c.params()["element_name"] == nil && len(begun) > 0 {
				return c.given("element_name", begun[len(begun)-1].Agent)
			}
			return c
		})},
	{ID: "AQL-8.6.3-03", Variant: "next-action-optional", Defect: "a report without nextActionHint succeeds",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			if _, given := c.params()["nextActionHint"]; !given {
				return c.given("nextActionHint", "nothing in particular")
			}
			return c
		})},
	{ID: "AQL-8.6.3-04", Variant: "step-description-unknown", Defect: "stepDescription is refused as unknown", hooks: strangerToReports("stepDescription")},
	{ID: "AQL-8.6.3-05", Variant: "outcome-free-text", Defect: "outcome takes any text",
		hooks: before(named("record_execution_step"), func(c call, _ operation) call {
			if outcome, given := c.params()["outcome"].(string); given && !slices.Contains(stepOutcomes, outcome) {
				return c.given("outcome", nil)
			}
			return c
		})},
	{ID: "AQL-8.6.3-06", Variant: "findings-unknown", Defect: "findings is refused as unknown", hooks: strangerToReports("findings")},
	{ID: "AQL-8.6.4-04", Variant: "stop-lasts-one-report", Defect: "stopped applies to the one report only",
		hooks: hooks{item: func(c call, next handler) envelope {
			var b block
			agent, _ := c.params()["element_name"].(string)
			if c.operation() != "record_execution_step" || !c.records.find(blocks, agent, &b) {
				return next(c)
			}
			c.unblock(agent)
			e := next(c)
			must(c.records.keep(blocks, agent, b))
			return e
		}}},
	{ID: "AQL-8.6.4-05", Variant: "pause-forgotten", Defect: "the same report sent again is answered with continue:true",
		hooks: directives(func(c call, d map[string]any) {
			if d["reason"] == "Action requires approval" && c.count(printed(c.params())) > 0 {
				d["continue"], d["factors"] = true, []any{"the action was reported before"}
				delete(d, "reason")
			}
		})},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-pauses", Defect: "the step limit still pauses in monitoring mode",
		hooks: both(loopIn(monitoringLoop), directives(func(_ call, d map[string]any) {
			if d["reason"] == limitExceeded {
				d["continue"] = false
			}
		}))},
	{ID: "AQL-8.6.4-06", Variant: "monitoring-refuses", Defect: "after a denied action every report is refused in monitoring mode",
		hooks: both(loopIn(monitoringLoop), blocksLater)},
	{ID: "AQL-8.6.4-07", Variant: "monitoring-stops", Defect: "a deny pattern sets stopped in monitoring mode",
		hooks: both(loopIn(monitoringLoop), directives(func(_ call, d map[string]any) {
			if d["reason"] == "Action is denied" {
				d["stopped"] = true
			}
		}))},
	{ID: "AQL-8.6.4-08", Variant: "logging-blocks", Defect: "a denied action in logging mode blocks later operations",
		hooks: both(loopIn(loggingLoop), blocksLater)},
	{ID: "AQL-8.6.6-01", Variant: "own-operations-only", Defect: "reports naming actions of other servers are refused",
		hooks: hooks{item: func(c call, next handler) envelope {
			if hint, _ := c.params()["nextActionHint"].(string); c.operation() == "record_execution_step" && elsewhere.MatchString(hint) {
				return misvalued("record_execution_step", "nextActionHint", "an operation of this adapter")
			}
			return next(c)
		}}},
	{ID: "AQL-8.6.7-02", Variant: "disabled-still-blocks", Defect: "a denied action is blocked although the loop is disabled",
		hooks: both(loopIn(disabledLoop), blocksLater)},
	{ID: "AQL-8.6.7-03", Variant: "disabled-still-evaluates", Defect: "a disabled loop still answers continue:false directives",
		hooks: both(loopIn(disabledLoop), reported(func(c call, data map[string]any) {
			if c.params()["outcome"] == "failure" {
				data["directive"] = map[string]any{"continue": false, "factors": []any{"the previous step failed"}}
			}
		}))},
	{ID: "AQL-8.6.7-04", Variant: "enforcing-but-off", Defect: "introspection says enforcing while the loop is configured off",
		hooks: both(loopIn(disabledLoop), capability("execution_safety_loop", enforcingLoop))},
	{ID: "AQL-8.6.7-04", Variant: "advertised-but-absent", Defect: "the capability says enforcing, and no operation of the loop is there",
		hooks: hooks{table: func(a *Adapter) {
			a.operations = slices.DeleteFunc(a.operations, func(op operation) bool { return op.Feature == safetyLoop })
		}}},
})

// inLoop offers the safety loop to faults, and the gatekeeper beside it to those that
// say so.
func inLoop(faults []Fault) []Fault {
	for i := range faults {
		faults[i].Features = strings.TrimSuffix(safetyLoop+","+faults[i].Features, ",")
	}
	return faults
}

// all returns the executions so far in the order of their start.
func (l safety) all() []*execution {
	var all []*execution
	for _, e := range l.past {
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y *execution) int { return number(x.ID) - number(y.ID) })
	return all
}

// loopIn has the loop run in another mode.
func loopIn(mode string) hooks {
	return hooks{table: func(a *Adapter) { a.loop.mode = mode }}
}

// staged has the loop evaluate by other stages.
func staged(stages ...stage) hooks {
	return hooks{table: func(a *Adapter) { a.loop.stages = stages }}
}

// reported rewrites what a report is answered with.
func reported(rewrite func(c call, data map[string]any)) hooks {
	return after(func(c call, e envelope) {
		if c.operation() == "record_execution_step" && succeeded(e) {
			rewrite(c, object(e["data"]))
		}
	})
}

// directives rewrites the directive of every report.
func directives(rewrite func(c call, d map[string]any)) hooks {
	return reported(func(c call, data map[string]any) {
		if d := object(data["directive"]); d != nil {
			rewrite(c, d)
		}
	})
}

// untold replaces words wherever the tables of operations and types have them.
func untold(pairs ...string) hooks {
	other := strings.NewReplacer(pairs...).Replace
	return hooks{table: func(a *Adapter) {
		for i := range a.operations {
			a.operations[i].Description = other(a.operations[i].Description)
		}
		for i := range a.types {
			a.types[i].Name, a.types[i].Description = other(a.types[i].Name), other(a.types[i].Description)
			a.types[i].Fields = slices.Clone(a.types[i].Fields)
			for j := range a.types[i].Fields {
				a.types[i].Fields[j].Type = other(a.types[i].Fields[j].Type)
			}
		}
	}}
}

// strangerToReports has reports refused for a documented parameter.
func strangerToReports(name string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		op, _ := c.operationNamed("record_execution_step")
		if _, given := c.params()[name]; !given || c.operation() != op.Name {
			return next(c)
		}
		op.Parameters = leftOut(op.Parameters, name)
		return checkKnown(op, c.params())
	}}
}

var elsewhere = regexp.MustCompile(`MCP server|shell|https?://`)

// blocksLater refuses what an agent asks after it reported a denied action.
var blocksLater = hooks{item: func(c call, next handler) envelope {
	agent, _ := c.params()["element_name"].(string)
	hint, _ := c.params()["nextActionHint"].(string)
	op, _ := c.operationNamed(c.operation())
	if op.Feature == safetyLoop && c.recall("blocked "+agent) > 0 {
		return failure("CONFLICT_AGENT_BLOCKED", "Agent '"+agent+"' is blocked", map[string]any{"element_name": agent})
	}
	if strings.HasPrefix(hint, "rm ") {
		c.remember("blocked "+agent, 1)
	}
	return next(c)
}}
