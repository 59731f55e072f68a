package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// settled rules on what followed a state that must not be left.
func settled(told []event, state string) Ruling {
	i := firstIn(told, state)
	if i < 0 {
		return NotProven("an execution that reaches "+state, lastStatus(told))
	}
	for _, v := range told[i+1:] {
		if v.status != "" && !inState(state)(v.status) && v.verb != "start" {
			return Violates("the state "+state+" for good", v.status).By(v.o, told[i].o)
		}
	}
	return Conforms().By(told[len(told)-1].o, told[i].o)
}

// lastStatus is the last state that was told, for a finding.
func lastStatus(told []event) string {
	for _, v := range slices.Backward(told) {
		if v.status != "" {
			return "the state " + v.status
		}
	}
	return "no state"
}

// Section 8.4.2. What is completed is built upon; a result that is taken back leaves
// others with half of it.
var _ = executionCheck("AQL-8.4.2-01", eachHintedExecutor, "refuse every transition out of completed",
	func(e executor, got []probes.Observation) Ruling {
		return settled(e.chapter(got, plainLife), "completed")
	})

// Section 8.4.2. Who cancelled counts on it that nothing comes after.
var _ = executionCheck("AQL-8.4.2-02", eachHintedExecutor, "let a worker look whether it was cancelled before it reports",
	func(e executor, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, chapter := range []int{stoppedLife, longLife, pausedLife, pendingLife} {
			if told := e.chapter(got, chapter); firstIn(told, "cancelled") >= 0 {
				rs = append(rs, settled(told, "cancelled"))
			}
		}
		if len(rs) == 0 {
			return NotProven("an execution that reaches cancelled", lastStatus(e.whole(got)))
		}
		return Worst(rs...)
	})

// Section 8.4.2. A failure is handled by somebody; what comes to life again behind
// his back is done twice.
var _ = executionCheck("AQL-8.4.2-03", eachHintedExecutor, "leave failed only by a retry, and only to running",
	func(e executor, got []probes.Observation) Ruling {
		const want = "the state failed until a retry, running after it"
		told := e.chapter(got, failedLife)
		i := firstIn(told, "failed")
		if i < 0 {
			return NotProven("an execution that reaches failed", lastStatus(told))
		}
		retried := false
		for _, v := range told[i+1:] {
			retried = retried || v.verb == "retry" && v.o.Succeeded()
			state, _ := coreState(v.status)
			supported := e.lifecycle().At("supports_retry").True()
			switch {
			case v.verb == "start":
			case state == "pending", state == "completed" && !retried && !supported:
				return Violates(want, v.status).By(v.o, told[i].o)
			case retried && state == "running":
				return Conforms().By(v.o, told[i].o) // what comes next has rows of its own
			case retried:
			case state == "cancelled", state == "completed", state == "running" && !supported:
				return Departs(want, v.status).By(v.o, told[i].o)
			}
		}
		return Conforms().By(told[len(told)-1].o, told[i].o)
	})

// Section 8.4.2. A client that has read that there is no retry does not look for the
// second run.
var _ = executionCheck("AQL-8.4.2-04",
	only(eachHintedExecutor, func(s Subject) bool {
		e := s.executor(s.Op)
		return s.settled != nil || e.lifecycle().Is(probes.Object) && !e.lifecycle().At("supports_retry").True() && e.with.Retry != ""
	}), "refuse the retry, or set supports_retry",
	func(e executor, got []probes.Observation) Ruling {
		told := e.chapter(got, failedLife)
		i := firstIn(told, "failed")
		if i < 0 || eventOf(told, "retry", i) < 0 {
			return NotProven("an execution that reaches failed and is retried", lastStatus(told))
		}
		again := told[eventOf(told, "retry", i):]
		for _, v := range again {
			if v.status != "" && inState("running")(v.status) {
				return Violates("a refusal of the retry", "an execution that runs again").By(v.o, again[0].o)
			}
		}
		if !again[0].o.Refused() {
			return NotProven("a refusal of the retry", again[0].o)
		}
		return Conforms().By(again[0].o)
	})

// Section 8.4.2. A client that waits for the end of what runs must not see it begin
// anew. Looks leave out states, so only a step back counts.
var _ = executionCheck("AQL-8.4.2-05", eachHintedExecutor, "never report pending for what has begun",
	func(e executor, got []probes.Observation) Ruling {
		seen := 0
		for chapter := plainLife; chapter <= thirdLife; chapter += specimenStage {
			var before *event
			for _, v := range e.chapter(got, chapter) {
				if before != nil && v.verb == "status" && v.status == "pending" && before.status == "running" {
					return Violates("no step back from running", "pending").By(v.o, before.o)
				}
				if v.status != "" {
					seen++
					before = &v
				} else if v.verb != "status" {
					before = nil
				}
			}
		}
		if seen < 2 {
			return NotProven("states of an execution", "fewer than two")
		}
		return Conforms().By(got[:2]...)
	})

// cancelled tells what became of a cancellation: the event of the call, the state
// before it, and whether the execution was cancelled then.
func cancelled(told []event) (call event, before string, done, asked bool) {
	i := eventOf(told, "cancel", 0)
	if i < 0 {
		return event{}, "", false, false
	}
	for _, v := range told[:i] {
		if v.status != "" {
			before = v.status
		}
	}
	return told[i], before, firstIn(told[i:], "cancelled") >= 0, true
}

// cancels reports whether the operation says that its executions can be cancelled.
func (e executor) cancels() bool { return e.lifecycle().At("supports_cancel").True() }

// Section 8.4.2. What has not begun costs nothing to call off.
var _ = executionCheck("AQL-8.4.2-06", eachHintedExecutor, "let pending executions be cancelled",
	func(e executor, got []probes.Observation) Ruling {
		told := e.chapter(got, pendingLife)
		call, before, done, asked := cancelled(told)
		switch {
		case firstIn(e.whole(got), "pending") < 0:
			return NotApplicable("does not hold: pending can be observed")
		case !asked || !inState("pending")(before):
			return NotProven("an execution that is pending when it is cancelled", lastStatus(told)).Mend("lifecycle" + inHints + "params that make " + e.Name + " wait")
		case done:
			return Conforms().By(told[len(told)-1].o, call.o)
		case len(e.ownStates()) > 0:
			return NotProven("the state cancelled", lastStatus(told)).By(call.o).Because("AQL-8.4.4-04")
		case e.cancels() && call.o.Refused():
			return Violates("the state cancelled", call.o)
		}
		return NotProven("the state cancelled", lastStatus(told)).By(call.o)
	})

// Section 8.4.2. A user who cannot stop what runs kills the process.
var _ = executionCheck("AQL-8.4.2-07", eachHintedExecutor, "stop the work when it is cancelled, and report cancelled",
	func(e executor, got []probes.Observation) Ruling {
		told := e.chapter(got, longLife)
		call, before, done, asked := cancelled(told)
		switch {
		case e.lifecycle().Is(probes.Object) && !e.cancels():
			return NotApplicable("does not hold: supports_cancel is true")
		case !asked || !inState("running")(before):
			return NotProven("an execution that is running when it is cancelled", lastStatus(told)).Mend("lifecycle" + inHints + "params that make " + e.Name + " take long")
		case done:
			return Conforms().By(told[len(told)-1].o, call.o)
		case firstIn(told, "completed") >= 0 || !e.cancels():
			return NotProven("the state cancelled", lastStatus(told)).By(call.o)
		case len(e.ownStates()) > 0:
			return NotProven("the state cancelled", lastStatus(told)).By(call.o).Because("AQL-8.4.4-04")
		}
		return Violates("the state cancelled within 30 s", lastStatus(told)).By(told[len(told)-1].o, call.o)
	})

// Section 8.4.4. More states must not mean more in which a user is stuck.
var _ = executionCheck("AQL-8.4.4-04",
	only(eachHintedExecutor, func(s Subject) bool { return s.settled != nil || len(s.executor(s.Op).ownStates()) > 0 }),
	"let an execution be cancelled from every state in which it is not finished",
	func(e executor, got []probes.Observation) Ruling {
		if e.lifecycle().Is(probes.Object) && !e.cancels() {
			return Departs("supports_cancel: true beside states of one's own", e.lifecycle())
		}
		var rs []Ruling
		reached := map[string]bool{}
		for _, chapter := range []int{longLife, pausedLife, pendingLife} {
			told := e.chapter(got, chapter)
			call, before, done, asked := cancelled(told)
			if !asked || before == "" || final(before) {
				continue
			}
			reached[before] = true
			last := told[len(told)-1]
			switch {
			case done:
				rs = append(rs, Conforms().By(last.o, call.o))
			case final(last.status) || call.o.Deferred():
				rs = append(rs, NotProven("an execution that is still "+before+" when it is cancelled", last.o).By(call.o))
			default:
				rs = append(rs, Violates("the state cancelled after "+before, lastStatus(told)).By(last.o, call.o))
			}
		}
		for _, state := range e.ownStates() {
			if !reached[state] {
				rs = append(rs, NotProven("an execution that is "+state, "none that could be brought there"))
			}
		}
		return Worst(rs...)
	})
