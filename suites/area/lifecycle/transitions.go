package lifecycle

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// settled rules on what followed a state that must not be left.
func settled(told []event, state string) ruling.Ruling {
	i := firstIn(told, state)
	if i < 0 {
		return ruling.NotProven("an execution that reaches "+state, lastStatus(told))
	}
	for _, v := range told[i+1:] {
		if v.status != "" && !inState(state)(v.status) && v.verb != "start" {
			return ruling.Violates("the state "+state+" for good", v.status).By(v.o, told[i].o)
		}
	}
	return ruling.Conforms().By(told[len(told)-1].o, told[i].o)
}

// unreached rules where no execution reached a state. One that ended in a state of its own that nothing
// documents may have reached it under that name.
func unreached(e check.Executor, told []event, state string) ruling.Ruling {
	r := ruling.NotProven("an execution that reaches "+state, lastStatus(told))
	for _, v := range slices.Backward(told) {
		if core, _ := check.CoreState(v.status); v.status != "" && core == "" && !DocumentsState(e.Adapter, v.status) {
			return r.Because("AQL-8.4.4-02")
		}
	}
	return r
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

// Section 8.4.2.
var completedExecutionsNeverChangeState = executionCheck("AQL-8.4.2-01", eachHintedExecutor, "refuse every transition out of completed",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told := chapterOf(e, got, plainLife)
		if firstIn(told, "completed") < 0 {
			return unreached(e, told, "completed")
		}
		return settled(told, "completed")
	}).WithRule(
	"A completed execution never changes state again.",
	"What is completed is built upon; a result that is taken back leaves others with half of it.")

// Section 8.4.2.
var cancelledExecutionsNeverChangeState = executionCheck("AQL-8.4.2-02", eachHintedExecutor, "let a worker look whether it was cancelled before it reports",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, chapter := range []string{stoppedLife, longLife, pausedLife, pendingLife} {
			if told := chapterOf(e, got, chapter); firstIn(told, "cancelled") >= 0 {
				rs = append(rs, settled(told, "cancelled"))
			}
		}
		if len(rs) == 0 {
			return unreached(e, whole(e, got), "cancelled")
		}
		return ruling.Worst(rs...)
	}).WithRule(
	"A cancelled execution never changes state again.",
	"Who cancelled counts on it that nothing comes after.")

// Section 8.4.2.
var failedExecutionsOnlyRetry = executionCheck("AQL-8.4.2-03", eachHintedExecutor, "leave failed only by a retry, and only to running",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		const want = "the state failed until a retry, running after it"
		told := chapterOf(e, got, failedLife)
		i := firstIn(told, "failed")
		if i < 0 {
			return unreached(e, told, "failed")
		}
		retried, own := false, ""
		for _, v := range told[i+1:] {
			retried = retried || v.verb == "retry" && v.o.Succeeded()
			state, _ := check.CoreState(v.status)
			supported := lifecycle(e).At("supports_retry").True()
			switch {
			case v.verb == "start", v.status == "":
			case v.verb == "retry" && state == "pending": // perhaps of a new execution; what became of this one is asked afterwards
			case state == "" && !retried:
				own = v.status
			case own != "" && !retried && !supported: // back from a state of its own: the execution was taken up again
				return ruling.Violates(want, own+" and "+v.status).By(v.o, told[i].o)
			case own != "" && !retried:
				return ruling.Departs(want, own+" and "+v.status).By(v.o, told[i].o)
			case state == "pending", !retried && !supported && (state == "completed" || state == "running"):
				return ruling.Violates(want, v.status).By(v.o, told[i].o)
			case retried && state == "running":
				return ruling.Conforms().By(v.o, told[i].o) // what comes next has rows of its own
			case retried:
			case state == "cancelled", state == "completed":
				return ruling.Departs(want, v.status).By(v.o, told[i].o)
			}
		}
		if own != "" {
			return ruling.Departs(want, own).By(told[len(told)-1].o, told[i].o)
		}
		return ruling.Conforms().By(told[len(told)-1].o, told[i].o)
	}).WithRule(
	"A failed execution may only go to running, and only through the optional retry.",
	"A failure is handled by somebody; what comes to life again behind his back is done twice.")

// Section 8.4.2.
var unsupportedRetryIsRefused = executionCheck("AQL-8.4.2-04",
	model.Only(eachHintedExecutor, func(s model.Subject) bool {
		e := check.NewExecutor(s.Adapter, s.Op)
		return s.Ruling != nil || lifecycle(e).Is(probes.Object) && !lifecycle(e).At("supports_retry").True() && e.Lifecycle.Retry != ""
	}), "refuse the retry, or set supports_retry",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told := chapterOf(e, got, failedLife)
		i := firstIn(told, "failed")
		if i < 0 || eventOf(told, "retry", i) < 0 {
			return ruling.NotProven("an execution that reaches failed and is retried", lastStatus(told))
		}
		again := told[eventOf(told, "retry", i):]
		for _, v := range again {
			if v.status != "" && inState("running")(v.status) {
				return ruling.Violates("a refusal of the retry", "an execution that runs again").By(v.o, again[0].o)
			}
			if v.status != "" && inState("completed")(v.status) && again[0].o.Succeeded() { // no look has seen it run
				return ruling.Violates("a refusal of the retry", "an execution that is completed after it").By(v.o, again[0].o)
			}
		}
		if !again[0].o.Refused() {
			return ruling.NotProven("a refusal of the retry", again[0].o)
		}
		return ruling.Conforms().By(again[0].o)
	}).WithRule(
	"Retry from failed is refused when retry is not supported.",
	"A client that has read that there is no retry does not look for the second run.")

// Section 8.4.2.
var unfinishedExecutionsMoveOnlyForward = executionCheck("AQL-8.4.2-05", eachHintedExecutor, "never report pending for what has begun",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		seen, back := 0, []ruling.Ruling{}
		for _, chapter := range chapters[:slices.Index(chapters, thirdLife)+1] {
			var before *event
			for _, v := range chapterOf(e, got, chapter) {
				if before != nil && v.verb == "status" && v.status == "pending" && before.status == "running" {
					return ruling.Violates("no step back from running", "pending").By(v.o, before.o)
				}
				if before != nil && v.verb == "status" && before.verb == "status" && before.status == "running" && mapsToPending(e, v.status) {
					back = append(back, ruling.Departs("no step back from running", v.status+", which maps to pending").By(v.o, before.o))
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
			return ruling.NotProven("states of an execution", "fewer than two")
		}
		return ruling.Worst(append(back, ruling.Conforms().By(got[:2]...))...)
	}).WithRule(
	"Before a terminal state is reached, only the listed transitions occur: an execution never goes back from running to pending.",
	"A client that waits for the end of what runs must not see it begin anew. Looks leave out states, so only a step back counts.")

// mapsToPending reports whether introspection says that a state of the adapter's own maps to pending: by a member that is
// named after the state, or in a description, before it comes to another state.
func mapsToPending(e check.Executor, state string) bool {
	if core, _ := check.CoreState(state); core != "" || state == "" {
		return false
	}
	var member func(v probes.Value) bool
	member = func(v probes.Value) bool {
		return v.At(state).Text() == "pending" || slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return member(m.Value) })
	}
	said := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(state) + `\b[^.]*?\bmaps? to (?:the core )?(?:state )?\W?(\w+)`)
	described := func(v probes.Value) bool {
		return slices.ContainsFunc(v.Scalars(), func(text string) bool {
			found := said.FindStringSubmatch(text)
			return found != nil && found[1] == "pending"
		})
	}
	return member(lifecycle(e)) || slices.ContainsFunc(e.Operations, func(o probes.Operation) bool { return described(o.Details) }) ||
		slices.ContainsFunc(e.Types, func(t probes.Type) bool { return described(t.Details) })
}

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
func cancels(e check.Executor) bool { return lifecycle(e).At("supports_cancel").True() }

// Section 8.4.2.
var pendingExecutionsCanBeCancelled = executionCheck("AQL-8.4.2-06", eachHintedExecutor, "let pending executions be cancelled",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told := chapterOf(e, got, pendingLife)
		call, before, done, asked := cancelled(told)
		switch {
		case firstIn(whole(e, got), "pending") < 0:
			return ruling.NotApplicable("does not hold: pending can be observed")
		case !asked || !inState("pending")(before):
			return ruling.NotProven("an execution that is pending when it is cancelled", lastStatus(told)).Mend(model.AddHint("lifecycle", "params that make "+e.Name+" wait"))
		case done:
			return ruling.Conforms().By(told[len(told)-1].o, call.o)
		case len(ownStates(e)) > 0:
			return ruling.NotProven("the state cancelled", lastStatus(told)).By(call.o).Because("AQL-8.4.4-04")
		case cancels(e) && call.o.Refused() && !call.o.Deferred():
			return ruling.Violates("the state cancelled", call.o)
		}
		return ruling.NotProven("the state cancelled", lastStatus(told)).By(call.o)
	}).WithRule(
	"A pending execution can be cancelled before it starts.",
	"What has not begun costs nothing to call off.")

// Section 8.4.2.
var runningExecutionsCanBeCancelled = executionCheck("AQL-8.4.2-07", eachHintedExecutor, "stop the work when it is cancelled, and report cancelled",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told := chapterOf(e, got, longLife)
		call, before, done, asked := cancelled(told)
		switch {
		case lifecycle(e).Is(probes.Object) && !cancels(e):
			return ruling.NotApplicable("does not hold: supports_cancel is true")
		case !asked || !inState("running")(before):
			return ruling.NotProven("an execution that is running when it is cancelled", lastStatus(told)).Mend(model.AddHint("lifecycle", "params that make "+e.Name+" take long"))
		case done:
			return ruling.Conforms().By(told[len(told)-1].o, call.o)
		case firstIn(told, "completed") >= 0 || !cancels(e) || call.o.Deferred():
			return ruling.NotProven("the state cancelled", lastStatus(told)).By(call.o)
		case len(ownStates(e)) > 0:
			return ruling.NotProven("the state cancelled", lastStatus(told)).By(call.o).Because("AQL-8.4.4-04")
		}
		return ruling.Violates("the state cancelled within 30 s", lastStatus(told)).By(told[len(told)-1].o, call.o)
	}).WithRule(
	"A running execution can be cancelled by the user.",
	"A user who cannot stop what runs kills the process.")

// Section 8.4.4.
var customStatesCanBeCancelled = executionCheck("AQL-8.4.4-04",
	model.Only(eachHintedExecutor, func(s model.Subject) bool {
		return s.Ruling != nil || len(ownStates(check.NewExecutor(s.Adapter, s.Op))) > 0
	}),
	"let an execution be cancelled from every state in which it is not finished",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		if lifecycle(e).Is(probes.Object) && !cancels(e) {
			return ruling.Departs("supports_cancel: true beside states of one's own", lifecycle(e))
		}
		var rs []ruling.Ruling
		reached := map[string]bool{}
		for _, chapter := range []string{longLife, pausedLife, pendingLife} {
			told := chapterOf(e, got, chapter)
			call, before, done, asked := cancelled(told)
			if !asked || before == "" || check.IsFinal(before) {
				continue
			}
			reached[before] = true
			last := told[len(told)-1]
			switch {
			case done:
				rs = append(rs, ruling.Conforms().By(last.o, call.o))
			case check.IsFinal(last.status) || call.o.Deferred():
				rs = append(rs, ruling.NotProven("an execution that is still "+before+" when it is cancelled", last.o).By(call.o))
			default:
				rs = append(rs, ruling.Violates("the state cancelled after "+before, lastStatus(told)).By(last.o, call.o))
			}
		}
		for _, state := range ownStates(e) {
			if !reached[state] {
				rs = append(rs, ruling.NotProven("an execution that is "+state, "none that could be brought there"))
			}
		}
		return ruling.Worst(rs...)
	}).WithRule(
	"An adapter with custom states can cancel from every non-terminal state, custom ones included.",
	"More states must not mean more in which a user is stuck.")
