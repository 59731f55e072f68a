package plan

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// endExecutions cancels the executions without an observed end: those of known-good requests, and
// those of an interrupted script.
func (c *cleaner) endExecutions(record probes.Record) {
	for _, o := range c.Operations {
		if !check.StartsExecutions(c.Adapter, o) {
			continue
		}
		if e := check.NewExecutor(c.Adapter, o); e.MayCall(e.Lifecycle.Cancel) {
			for _, last := range unfinished(e, record) {
				c.ask(e.CallOn(e.Lifecycle.Cancel, check.ExecutionIn(check.StateIn(last.Data()))).Over(last.Probe.Conn).Anew("cleanup: end execution"))
			}
		}
	}
}

// unfinished returns the last answer about each execution that the run started and that was not
// seen to end. That includes executions started by a retry.
func unfinished(e check.Executor, record probes.Record) []probes.Observation {
	about := []string{e.Name, e.Lifecycle.Status, e.Lifecycle.Cancel, e.Lifecycle.Retry, e.Pause, e.Resume}
	answers := slices.DeleteFunc(slices.Collect(record.All()), func(o probes.Observation) bool {
		return !e.IsAQLCall(o) || !o.Succeeded() || !slices.Contains(about, o.Probe.Operation())
	})
	bySequence := func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq }
	slices.SortFunc(answers, bySequence)
	own, left := map[string]bool{}, map[string]probes.Observation{}
	for _, o := range answers {
		state, operation := check.StateIn(o.Data()), o.Probe.Operation()
		if check.ExecutionIn(state).Is(probes.Absent) {
			continue
		}
		id := check.ExecutionIn(state).String()
		if operation == e.Name || operation == e.Lifecycle.Retry && own[probes.ValueOf(o.Probe.Params()[e.ExecutionParameter(operation)]).String()] {
			own[id] = true
		}
		if delete(left, id); own[id] && !check.IsFinal(state.At("status").Text()) {
			left[id] = o
		}
	}
	return slices.SortedFunc(maps.Values(left), bySequence)
}

// endAgents ends the executions that an interrupted scenario left.
func (c *cleaner) endAgents(record probes.Record) {
	ended := map[string]int{} // sequence number of the last end, by agent
	var begun []probes.Observation
	for o := range record.All() {
		operation, listed := c.Operation(o.Probe.Operation())
		if !listed || !slices.Contains(check.LoopOperations, operation.Name) {
			continue
		}
		name, _ := o.Probe.Params()[check.AgentParameter(operation)].(string)
		switch {
		case !o.Succeeded() || name == "":
		case operation.Name == "execute_agent":
			begun = append(begun, o)
		case operation.Name == "complete_execution" || operation.Name == "abort_execution":
			ended[name] = max(ended[name], o.Sent.Seq)
		}
	}
	for _, o := range begun {
		operation, _ := c.Operation("execute_agent")
		name, _ := o.Probe.Params()[check.AgentParameter(operation)].(string)
		if ended[name] < o.Sent.Seq {
			a := check.Agent{Subject: model.Subject{Adapter: c.Adapter}, Ask: c.ask, Session: o.Probe.Conn, AgentName: name, StartAnswers: []probes.Observation{o}}
			a.Script = fmt.Sprintf("cleanup of agent %d", o.Sent.Seq)
			a.Call("abort_execution", nil)
		}
	}
}
