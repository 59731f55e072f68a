package plan

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// endExecutions cancels the executions that were not seen to end: those of calls that
// tried an operation out, and of a script that was interrupted.
func (c *cleaner) endExecutions(record probes.Record) {
	for _, o := range c.Operations {
		if e := check.NewExecutor(c.Adapter, o); check.StartsExecutions(c.Adapter, o) && e.MayCall(e.Lifecycle.Cancel) {
			for _, last := range unfinished(e, record) {
				c.ask(e.CallOn(e.Lifecycle.Cancel, check.ExecutionIn(check.StateIn(last.Data()))).Over(last.Probe.Conn).Anew(removeTake))
			}
		}
	}
}

// unfinished returns the last answer about each execution that the run began and was
// not told the end of. One that a retry of ours began is ours as well.
func unfinished(e check.Executor, record probes.Record) []probes.Observation {
	about := []string{e.Name, e.Lifecycle.Status, e.Lifecycle.Cancel, e.Lifecycle.Retry, e.Pause, e.Resume}
	told := slices.DeleteFunc(slices.Collect(record.All()), func(o probes.Observation) bool {
		return !e.IsAQLCall(o) || !o.Succeeded() || !slices.Contains(about, o.Probe.Operation())
	})
	inTurn := func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq }
	slices.SortFunc(told, inTurn)
	ours, left := map[string]bool{}, map[string]probes.Observation{}
	for _, o := range told {
		state, operation := check.StateIn(o.Data()), o.Probe.Operation()
		if check.ExecutionIn(state).Is(probes.Absent) {
			continue
		}
		id := check.ExecutionIn(state).String()
		if operation == e.Name || operation == e.Lifecycle.Retry && ours[probes.ValueOf(o.Probe.Params()[e.ExecutionParameter(operation)]).String()] {
			ours[id] = true
		}
		if delete(left, id); ours[id] && !check.IsFinal(state.At("status").Text()) {
			left[id] = o
		}
	}
	return slices.SortedFunc(maps.Values(left), inTurn)
}

// endAgents ends the executions that an interrupted scene has left behind.
func (c *cleaner) endAgents(record probes.Record) {
	ended := map[string]int{} // by agent: when
	var begun []probes.Observation
	for o := range record.All() {
		operation, _ := c.Operation(o.Probe.Operation())
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
			a.Take = -check.TakesPerScenario * (o.Sent.Seq + 1)
			a.Call("abort_execution", nil)
		}
	}
}
