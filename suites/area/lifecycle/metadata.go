package lifecycle

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.4.5.
var lifecycleMetadataIsExposed = executionCheck("AQL-8.4.5-01", eachExecutor, "describe the states and abilities in the member lifecycle of the details",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		switch {
		case !check.StateIn(got[0].Data()).Has("execution_id") && !check.StateIn(got[0].Data()).Has("status"):
			return ruling.NotApplicable("does not hold: the operation returns an execution state").By(got[0])
		case !e.Op.Details.Is(probes.Object):
			return ruling.NotProven("details of "+e.Name, "none").Because("AQL-7.3-02")
		case !e.Op.Details.Has("lifecycle"):
			return ruling.Violates("lifecycle in the details of "+e.Name, "none").By(got[0])
		}
		return ruling.Conforms().By(got[0])
	}).WithRule(
	"Operation details of lifecycle-managing EXECUTE operations contain a lifecycle field.",
	"What an operation will report is to be known before it is started.")

// Section 8.4.5.
var lifecycleMetadataIsWellFormed = check.Check{
	Requirement: "AQL-8.4.5-02",
	Rule:        "Lifecycle holds a states array of strings and boolean flags supports_cancel, supports_retry, progress_reporting.",
	Why:         "A flag that is a word is true for one client and false for another.",
	On:          model.Only(model.EachListed, describesExecutions),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		l := s.Op.Details.At("lifecycle")
		states := l.At("states")
		if !l.Is(probes.Object) {
			return ruling.Violates("an object lifecycle", l)
		}
		if !states.Is(probes.Array) || slices.ContainsFunc(states.Items(), func(v probes.Value) bool { return !v.Is(probes.String) }) {
			return ruling.Violates("an array of strings lifecycle.states", states)
		}
		for _, flag := range []string{"supports_cancel", "supports_retry", "progress_reporting"} {
			if v := l.At(flag); !v.Is(probes.Absent) && !v.Is(probes.Boolean) {
				return ruling.Violates("a boolean lifecycle."+flag, v)
			}
		}
		return ruling.Conforms()
	},
	Fix: "write states as an array of strings, the flags as booleans",
}

// describesExecutions reports whether the member lifecycle is the one of section 8.4.5. Operations that execute nothing
// may use the name for something of their own, such as the age of the operation.
func describesExecutions(s model.Subject) bool {
	l := s.Op.Details.At("lifecycle")
	return check.HasValue(l) && (s.Op.Category == "EXECUTE" || l.Has("states"))
}

// Section 8.4.5.
var lifecycleFlagsTellTruth = executionCheck("AQL-8.4.5-03",
	model.Only(eachHintedExecutor, func(s model.Subject) bool { return s.Ruling != nil || s.Op.Details.At("lifecycle").Is(probes.Object) }),
	"set each flag to what the operation can do",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got[0])}
		if cancels(e) {
			rs = append(rs, cancelFlag(e, got))
		}
		if lifecycle(e).At("supports_retry").True() {
			rs = append(rs, retryFlag(e, got))
		}
		if lifecycle(e).At("progress_reporting").True() {
			rs = append(rs, progressFlag(e, got))
		}
		return ruling.Worst(rs...)
	}).WithRule(
	"The lifecycle flags tell the truth.",
	"A client that believes the flags calls what they promise.")

func cancelFlag(e check.Executor, got probes.Answers) ruling.Ruling {
	for _, chapter := range []string{longLife, pendingLife, stoppedLife, pausedLife} {
		if call, _, done, asked := cancelled(chapterOf(e, got, chapter)); asked && done {
			return ruling.Conforms().By(call.o)
		}
	}
	return ruling.NotProven("an execution that is cancelled", lastStatus(chapterOf(e, got, longLife))).Because("AQL-8.4.2-07")
}

func retryFlag(e check.Executor, got probes.Answers) ruling.Ruling {
	told := chapterOf(e, got, failedLife)
	i := firstIn(told, "failed")
	if e.Lifecycle.Retry == "" || i < 0 || eventOf(told, "retry", i) < 0 {
		return ruling.NotProven("a failed execution that is retried", lastStatus(told))
	}
	at := eventOf(told, "retry", i)
	before := ""
	for _, v := range told[:at] {
		if v.status != "" {
			before = v.status
		}
	}
	switch retry := told[at].o; {
	case retry.Succeeded():
		return ruling.Conforms().By(retry)
	case !inState("failed")(before) || retry.Deferred():
		return ruling.NotProven("a failed execution that is retried", retry)
	default:
		return ruling.Violates("a retry, as supports_retry says", retry).By(told[i].o)
	}
}

func progressFlag(e check.Executor, got probes.Answers) ruling.Ruling {
	var running []event
	for _, v := range chapterOf(e, got, longLife) {
		if v.verb == "status" && inState("running")(v.status) {
			running = append(running, v)
		}
	}
	if len(running) < 2 {
		return ruling.NotProven("an execution that is seen running", "none")
	}
	if slices.ContainsFunc(running, func(v event) bool { return v.state.Has("progress") }) {
		return ruling.Conforms().By(running[0].o)
	}
	return ruling.Violates("progress of a running execution, as progress_reporting says", "none").By(running[len(running)-1].o)
}
