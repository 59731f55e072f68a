package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.4.5. What an operation will report is to be known before it is started.
var _ = executionCheck("AQL-8.4.5-01", eachExecutor, "describe the states and abilities in the member lifecycle of the details",
	func(e executor, got []probes.Observation) Ruling {
		switch {
		case !stateIn(got[0].Data()).Has("execution_id") && !stateIn(got[0].Data()).Has("status"):
			return NotApplicable("does not hold: the operation returns an execution state").By(got[0])
		case !e.Op.Details.Is(probes.Object):
			return NotProven("details of "+e.Name, "none").Because("AQL-7.3-02")
		case !e.Op.Details.Has("lifecycle"):
			return Violates("lifecycle in the details of "+e.Name, "none").By(got[0])
		}
		return Conforms().By(got[0])
	})

// Section 8.4.5. A flag that is a word is true for one client and false for another.
var _ = register(Check{
	Requirement: "AQL-8.4.5-02",
	On:          only(eachListed, func(s Subject) bool { return s.Op.Details.Has("lifecycle") }),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		l := s.Op.Details.At("lifecycle")
		states := l.At("states")
		if !l.Is(probes.Object) {
			return Violates("an object lifecycle", l)
		}
		if !states.Is(probes.Array) || slices.ContainsFunc(states.Items(), func(v probes.Value) bool { return !v.Is(probes.String) }) {
			return Violates("an array of strings lifecycle.states", states)
		}
		for _, flag := range []string{"supports_cancel", "supports_retry", "progress_reporting"} {
			if v := l.At(flag); !v.Is(probes.Absent) && !v.Is(probes.Boolean) {
				return Violates("a boolean lifecycle."+flag, v)
			}
		}
		return Conforms()
	},
	Fix: "write states as an array of strings, the flags as booleans",
})

// Section 8.4.5. A client that believes the flags calls what they promise.
var _ = executionCheck("AQL-8.4.5-03",
	only(eachHintedExecutor, func(s Subject) bool { return s.settled != nil || s.Op.Details.At("lifecycle").Is(probes.Object) }),
	"set each flag to what the operation can do",
	func(e executor, got []probes.Observation) Ruling {
		rs := []Ruling{Conforms().By(got[0])}
		if e.cancels() {
			rs = append(rs, e.cancelFlag(got))
		}
		if e.lifecycle().At("supports_retry").True() {
			rs = append(rs, e.retryFlag(got))
		}
		if e.lifecycle().At("progress_reporting").True() {
			rs = append(rs, e.progressFlag(got))
		}
		return Worst(rs...)
	})

func (e executor) cancelFlag(got []probes.Observation) Ruling {
	for _, chapter := range []int{longLife, pendingLife, stoppedLife, pausedLife} {
		if call, _, done, asked := cancelled(e.chapter(got, chapter)); asked && done {
			return Conforms().By(call.o)
		}
	}
	return NotProven("an execution that is cancelled", lastStatus(e.chapter(got, longLife))).Because("AQL-8.4.2-07")
}

func (e executor) retryFlag(got []probes.Observation) Ruling {
	told := e.chapter(got, failedLife)
	i := firstIn(told, "failed")
	if e.with.Retry == "" || i < 0 || eventOf(told, "retry", i) < 0 {
		return NotProven("a failed execution that is retried", lastStatus(told))
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
		return Conforms().By(retry)
	case !inState("failed")(before) || retry.Deferred():
		return NotProven("a failed execution that is retried", retry)
	default:
		return Violates("a retry, as supports_retry says", retry).By(told[i].o)
	}
}

func (e executor) progressFlag(got []probes.Observation) Ruling {
	var running []event
	for _, v := range e.chapter(got, longLife) {
		if v.verb == "status" && inState("running")(v.status) {
			running = append(running, v)
		}
	}
	if len(running) < 2 {
		return NotProven("an execution that is seen running", "none")
	}
	if slices.ContainsFunc(running, func(v event) bool { return v.state.Has("progress") }) {
		return Conforms().By(running[0].o)
	}
	return Violates("progress of a running execution, as progress_reporting says", "none").By(running[len(running)-1].o)
}
