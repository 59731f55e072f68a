package safety

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// endingFaults break what holds behind an end, a block or a restart of the safety loop
// (spec 8.4.2, 8.6.2, 8.8.3).
var endingFaults = inLoop([]seam.Fault{
	{ID: "AQL-8.4.2-02", Variant: "completed-after-abort", Defect: "complete_execution completes an execution that was aborted",
		Hooks: adapter.Hooks{Item: endsAgain("complete_execution", "cancelled", "completed")}},
	{ID: "AQL-8.4.2-01", Variant: "aborted-after-completion", Defect: "abort_execution cancels an execution that was completed",
		Hooks: adapter.Hooks{Item: endsAgain("abort_execution", "completed", "cancelled")}},
	{ID: "AQL-8.4.2-01", Variant: "completed-reads-running", Defect: "get_execution says running of an execution that was completed",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if data := adapter.Object(e["data"]); c.Operation() == "get_execution" && data["status"] == "completed" {
				data["status"] = "running"
				delete(data, "finished_at")
			}
		})},
	{ID: "AQL-8.4.3-04", Variant: "second-end-moves-finish", Defect: "a second complete_execution succeeds and moves finished_at",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if last := lastOf(c, agent(c)); c.Operation() == "complete_execution" && !adapter.Succeeded(e) && last != nil && last.Status == "completed" {
				return adapter.Success(loop.Finish(c.Adapter, last, "completed").Shown())
			}
			return e
		}}},
	{ID: "AQL-8.6.2-07", Variant: "abort-is-no-op", Defect: "abort_execution leaves the loop active",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "abort_execution" && adapter.Succeeded(e) {
				left := loop.Of(c.Adapter).Past[adapter.Object(e["data"])["execution_id"].(string)]
				left.Status, loop.Of(c.Adapter).Running[left.Agent] = "running", left
			}
		})},
	{ID: "AQL-8.6.2-07", Variant: "report-revives", Defect: "the second report after an end is taken as if the execution went on",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			last := lastOf(c, agent(c))
			if c.Operation() == "record_execution_step" && last != nil && loop.Of(c.Adapter).Running[agent(c)] == nil && seam.Count(c.Adapter, "late reports of "+last.ID) > 0 {
				last.Status, loop.Of(c.Adapter).Running[last.Agent] = "running", last
			}
			return next(c)
		}}},
	{ID: "AQL-8.4.3-02", Variant: "agent-keeps-execution-id", Defect: "a new execution of an agent has the execution_id of the one that ended",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			last := lastOf(c, agent(c))
			e := next(c)
			if data := adapter.Object(e["data"]); c.Operation() == "execute_agent" && adapter.Succeeded(e) && last != nil {
				now := loop.Of(c.Adapter).Running[agent(c)]
				delete(loop.Of(c.Adapter).Past, now.ID)
				now.ID, data["execution_id"] = last.ID, last.ID
				loop.Of(c.Adapter).Past[now.ID] = now
			}
			return e
		}}},
	{ID: "AQL-8.4.3-02", Variant: "executions-counted-by-agent", Defect: "the executions of each agent are counted for themselves: execution_1, execution_2",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if data := adapter.Object(e["data"]); c.Operation() == "execute_agent" && adapter.Succeeded(e) {
				now := loop.Of(c.Adapter).Running[agent(c)]
				delete(loop.Of(c.Adapter).Past, now.ID)
				now.ID = fmt.Sprintf("execution_%d", seam.Count(c.Adapter, "executions of "+agent(c))+1)
				data["execution_id"] = now.ID
				loop.Of(c.Adapter).Past[now.ID] = now
			}
			return e
		}}},
	{ID: "AQL-8.6.4-04", Variant: "stop-lasts-two-reports", Defect: "the second report after a stop is let pass", Features: adapter.Verification,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			var b loop.Block
			if c.Operation() != "record_execution_step" || !c.Records.Find(loop.Blocks, agent(c), &b) || seam.Count(c.Adapter, "reports since "+b.VerificationID) == 0 {
				return next(c)
			}
			loop.Unblock(c.Adapter, agent(c))
			e := next(c)
			adapter.Must(c.Records.Keep(loop.Blocks, agent(c), b))
			return e
		}}},
	{ID: "AQL-8.8.3-03", Variant: "refused-completion-lifts-block", Defect: "complete_execution is refused and ends the block", Features: adapter.Verification,
		Hooks: seam.After(func(c adapter.Call, _ adapter.Envelope) {
			if c.Operation() == "complete_execution" {
				loop.Unblock(c.Adapter, agent(c))
			}
		})},
	{ID: "AQL-2.3.3-04", Variant: "agent-outlives-session", Defect: "an agent that a session left running reports on in the next one", Transport: "http",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			last := lastOf(c, agent(c))
			if c.Operation() == "record_execution_step" && last != nil && last.Status == "cancelled" && last.Session != c.Session && loop.Of(c.Adapter).Running[last.Agent] == nil {
				last.Status, last.Session, loop.Of(c.Adapter).Running[last.Agent] = "running", c.Session, last
			}
			return next(c)
		}}},
	{ID: "AQL-2.3.3-04", Variant: "agent-outlives-process", Defect: "running executions are written down and driven on by the next process", Transport: "stdio",
		Hooks: around(
			func(c adapter.Call) {
				var kept struct{ ID string }
				if agent(c) != "" && loop.Of(c.Adapter).Running[agent(c)] == nil && c.Records.Find("left running", agent(c), &kept) && c.Operation() == "record_execution_step" {
					op, _ := c.OperationNamed("execute_agent")
					params, _ := c.Validate(op, map[string]any{"element_name": agent(c)})
					loop.ExecuteAgent(adapter.Task{Adapter: c.Adapter, Session: c.Session, Operation: op.Name, Params: params, Approved: false})
					loop.Of(c.Adapter).Running[agent(c)].Status = "running"
				}
			},
			func(c adapter.Call) {
				if agent(c) == "" || !strings.Contains(c.Operation(), "execution") {
					return
				}
				if e := loop.Of(c.Adapter).Running[agent(c)]; e != nil && e.Status == "running" {
					adapter.Must(c.Records.Keep("left running", agent(c), map[string]string{"ID": e.ID}))
				} else {
					c.Records.Drop("left running", agent(c))
				}
			})},
})

// endsAgain has an operation move an execution from one end to another.
func endsAgain(operation, from, to string) func(adapter.Call, adapter.Handler) adapter.Envelope {
	return func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if last := lastOf(c, agent(c)); c.Operation() == operation && !adapter.Succeeded(e) && last != nil && last.Status == from {
			return adapter.Success(loop.Finish(c.Adapter, last, to).Shown())
		}
		return e
	}
}

// lastOf is the execution that an agent began last.
func lastOf(c adapter.Call, agent string) *loop.Execution {
	var last *loop.Execution
	for _, e := range executions(loop.Of(c.Adapter)) {
		if e.Agent == agent {
			last = e
		}
	}
	return last
}
