package suites

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// endExecutions cancels the executions that were not seen to end: those of calls that
// tried an operation out, and of a script that was interrupted.
func (c *cleaner) endExecutions(record probes.Record) {
	for _, o := range c.Operations {
		if e := c.executor(o); starts(c.Face, o) && e.may(e.with.Cancel) {
			for _, last := range e.unfinished(record) {
				c.ask(e.about(e.with.Cancel, executionIn(stateIn(last.Data()))).Over(last.Probe.Conn).Anew(removeTake))
			}
		}
	}
}

// unfinished returns the last answer about each execution that the run began and was
// not told the end of. One that a retry of ours began is ours as well.
func (e executor) unfinished(record probes.Record) []probes.Observation {
	about := []string{e.Name, e.with.Status, e.with.Cancel, e.with.Retry, e.pause, e.resume}
	told := slices.DeleteFunc(slices.Collect(record.All()), func(o probes.Observation) bool {
		return !e.asked(o) || !o.Succeeded() || !slices.Contains(about, o.Probe.Operation())
	})
	inTurn := func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq }
	slices.SortFunc(told, inTurn)
	ours, left := map[string]bool{}, map[string]probes.Observation{}
	for _, o := range told {
		state, operation := stateIn(o.Data()), o.Probe.Operation()
		if executionIn(state).Is(probes.Absent) {
			continue
		}
		id := executionIn(state).String()
		if operation == e.Name || operation == e.with.Retry && ours[probes.ValueOf(o.Probe.Params()[e.names(operation)]).String()] {
			ours[id] = true
		}
		if delete(left, id); ours[id] && !final(state.At("status").Text()) {
			left[id] = o
		}
	}
	return slices.SortedFunc(maps.Values(left), inTurn)
}
