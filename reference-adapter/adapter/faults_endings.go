package adapter

import "strings"

// endingFaults break what holds behind an end, a block or a restart of the safety loop
// (spec 8.4.2, 8.6.2, 8.8.3).
var endingFaults = inLoop([]Fault{
	{ID: "AQL-8.4.2-02", Variant: "completed-after-abort", Defect: "complete_execution completes an execution that was aborted",
		hooks: hooks{item: endsAgain("complete_execution", "cancelled", "completed")}},
	{ID: "AQL-8.4.2-01", Variant: "aborted-after-completion", Defect: "abort_execution cancels an execution that was completed",
		hooks: hooks{item: endsAgain("abort_execution", "completed", "cancelled")}},
	{ID: "AQL-8.4.2-01", Variant: "completed-reads-running", Defect: "get_execution says running of an execution that was completed",
		hooks: after(func(c call, e envelope) {
			if data := object(e["data"]); c.operation() == "get_execution" && data["status"] == "completed" {
				data["status"] = "running"
				delete(data, "finished_at")
			}
		})},
	{ID: "AQL-8.4.3-04", Variant: "second-end-moves-finish", Defect: "a second complete_execution succeeds and moves finished_at",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if last := c.lastOf(c.agent()); c.operation() == "complete_execution" && !succeeded(e) && last != nil && last.Status == "completed" {
				return success(c.finish(last, "completed").shown())
			}
			return e
		}}},
	{ID: "AQL-8.6.2-07", Variant: "abort-is-no-op", Defect: "abort_execution leaves the loop active",
		hooks: after(func(c call, e envelope) {
			if c.operation() == "abort_execution" && succeeded(e) {
				left := c.loop.past[object(e["data"])["execution_id"].(string)]
				left.Status, c.loop.running[left.Agent] = "running", left
			}
		})},
	{ID: "AQL-8.6.2-07", Variant: "report-revives", Defect: "the second report after an end is taken as if the execution went on",
		hooks: hooks{item: func(c call, next handler) envelope {
			last := c.lastOf(c.agent())
			if c.operation() == "record_execution_step" && last != nil && c.loop.running[c.agent()] == nil && c.count("late reports of "+last.ID) > 0 {
				last.Status, c.loop.running[last.Agent] = "running", last
			}
			return next(c)
		}}},
	{ID: "AQL-8.4.3-02", Variant: "agent-keeps-execution-id", Defect: "a new execution of an agent has the execution_id of the one that ended",
		hooks: hooks{item: func(c call, next handler) envelope {
			last := c.lastOf(c.agent())
			e := next(c)
			if data := object(e["data"]); c.operation() == "execute_agent" && succeeded(e) && last != nil {
				now := c.loop.running[c.agent()]
				delete(c.loop.past, now.ID)
				now.ID, data["execution_id"] = last.ID, last.ID
				c.loop.past[now.ID] = now
			}
			return e
		}}},
	{ID: "AQL-8.6.4-04", Variant: "stop-lasts-two-reports", Defect: "the second report after a stop is let pass", Features: verification,
		hooks: hooks{item: func(c call, next handler) envelope {
			var b block
			if c.operation() != "record_execution_step" || !c.records.find(blocks, c.agent(), &b) || c.count("reports since "+b.VerificationID) == 0 {
				return next(c)
			}
			c.unblock(c.agent())
			e := next(c)
			must(c.records.keep(blocks, c.agent(), b))
			return e
		}}},
	{ID: "AQL-8.8.3-03", Variant: "refused-completion-lifts-block", Defect: "complete_execution is refused and ends the block", Features: verification,
		hooks: after(func(c call, _ envelope) {
			if c.operation() == "complete_execution" {
				c.unblock(c.agent())
			}
		})},
	{ID: "AQL-2.3.3-04", Variant: "agent-outlives-session", Defect: "an agent that a session left running reports on in the next one", Transport: "http",
		hooks: hooks{item: func(c call, next handler) envelope {
			last := c.lastOf(c.agent())
			if c.operation() == "record_execution_step" && last != nil && last.Status == "cancelled" && last.session != c.session && c.loop.running[last.Agent] == nil {
				last.Status, last.session, c.loop.running[last.Agent] = "running", c.session, last
			}
			return next(c)
		}}},
	{ID: "AQL-2.3.3-04", Variant: "agent-outlives-process", Defect: "running executions are written down and driven on by the next process", Transport: "stdio",
		hooks: around(
			func(c call) {
				var kept struct{ ID string }
				if c.agent() != "" && c.loop.running[c.agent()] == nil && c.records.find("left running", c.agent(), &kept) && c.operation() == "record_execution_step" {
					op, _ := c.operationNamed("execute_agent")
					params, _ := c.validate(op, map[string]any{"element_name": c.agent()})
					executeAgent(task{c.Adapter, c.session, op.Name, params, false})
					c.loop.running[c.agent()].Status = "running"
				}
			},
			func(c call) {
				if c.agent() == "" || !strings.Contains(c.operation(), "execution") {
					return
				}
				if e := c.loop.running[c.agent()]; e != nil && e.Status == "running" {
					must(c.records.keep("left running", c.agent(), map[string]string{"ID": e.ID}))
				} else {
					c.records.drop("left running", c.agent())
				}
			})},
})

// endsAgain has an operation move an execution from one end to another.
func endsAgain(operation, from, to string) func(call, handler) envelope {
	return func(c call, next handler) envelope {
		e := next(c)
		if last := c.lastOf(c.agent()); c.operation() == operation && !succeeded(e) && last != nil && last.Status == from {
			return success(c.finish(last, to).shown())
		}
		return e
	}
}

// lastOf is the execution that an agent began last.
func (c call) lastOf(agent string) *execution {
	var last *execution
	for _, e := range c.loop.all() {
		if e.Agent == agent {
			last = e
		}
	}
	return last
}
