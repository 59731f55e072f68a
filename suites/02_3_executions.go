package suites

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// drivingVerbs begin the names of operations by which a client takes an execution on.
var drivingVerbs = strings.Fields("resume continue complete finish advance proceed step approve submit")

// drivers are the operations by which a client takes an execution of this kind on. A
// retry begins anew and is none of them.
func (e executor) drivers() []string {
	var all []string
	for _, o := range e.Operations {
		if o.Category != "READ" && accompanies(o) && slices.Contains(drivingVerbs, Verb(o.Name)) && (Noun(o.Name) == Noun(e.Name) || Noun(o.Name) == "execution") {
			if ok, _ := e.Callable(o); ok {
				all = append(all, o.Name)
			}
		}
	}
	return all
}

// endTake is where the takes for the end of a session begin in a chapter.
const endTake = specimenStage - 10

// visit gives a connection of its own to one part of the scripts of an operation.
func (e executor) visit(label string) string { return e.Conn + "/" + label + "-" + e.Name }

// abandon leaves executions behind in a session, one running and one paused where that
// can be, and has the next session drive them on.
func (e executor) abandon(ask Asking) {
	from, to := e.visit("leaving"), e.visit("later")
	running := e.live(ask, lastingLife, from, e.sample(e.with.Long))
	held := &life{executor: e, ask: ask, conn: from}
	if !running.until(sampling, inState("running")) {
		running.end()
		return
	}
	if e.pause != "" {
		held = e.live(ask, heldLife, from, e.sample(e.with.Long))
		held.until(sampling, inState("running"))
		held.do(e.pause)
		held.look()
	}
	endSession(ask, from, false, e.first+lastingLife+endTake)
	for _, l := range []*life{running, held} {
		l.conn = to
		l.look()
		for _, operation := range e.drivers() {
			if l.known() {
				l.do(operation)
				l.look()
			}
		}
		l.end()
	}
}

// Section 2.3.3. What waits for its client waits for the one that began it; another
// does not know what it would be going on with.
var _ = register(Check{
	Requirement: "AQL-2.3.3-04",
	On:          eachHintedExecutor,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		if e := s.executor(s.Op); e.with.Long != nil {
			e.abandon(ask)
		} else {
			ask(s.Listing())
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		e := s.executor(s.Op)
		switch {
		case e.with.Long == nil:
			return unhinted("lifecycle", "params that make "+s.Name+" take long")
		case !slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Probe.Beside() && o.Probe.Conn == e.visit("leaving") }):
			return NotProven("an execution that is running when its session ends", got[len(got)-1])
		case len(e.drivers()) == 0:
			return NotProven("an operation by which a client takes an execution on", "none")
		}
		if why, ok := sessionEnded(got, e.first+lastingLife+endTake); !ok {
			return why
		}
		var rs []Ruling
		for _, chapter := range []int{lastingLife, heldLife} {
			rs = append(rs, e.driven(e.chapter(got, chapter))...)
		}
		return Worst(rs...)
	},
	Fix: "drop the pending transitions of a session when it ends",
})

// driven rules on what a later session did to an execution.
func (e executor) driven(told []event) []Ruling {
	var rs []Ruling
	for i, v := range told {
		driving := v.o.Probe.Conn == e.visit("later") && slices.Contains(e.drivers(), v.o.Probe.Operation())
		if !driving {
			continue
		}
		after := told[min(i+1, len(told)-1)]
		state, _ := coreState(after.status)
		over := strings.HasPrefix(v.o.Code(), "NOT_FOUND") || strings.HasPrefix(after.o.Code(), "NOT_FOUND") || state == "failed" || state == "cancelled"
		switch {
		case v.o.Refused() && !v.o.Deferred() && over:
			rs = append(rs, Conforms().By(v.o, after.o))
		case v.o.Succeeded() && after.o.Succeeded() && state != "failed" && state != "cancelled":
			rs = append(rs, Violates("an execution that is not active any more", v.o.Probe.Operation()+" that takes it on").By(after.o, v.o))
		case v.o.Succeeded():
			rs = append(rs, Conforms().By(v.o, after.o))
		default:
			rs = append(rs, NotProven("an answer that the execution of an ended session is not active", v.o).By(after.o))
		}
	}
	return rs
}

// bereave starts an execution, ends its session and looks what became of it.
func (e executor) bereave(ask Asking, chapter int, label string, abrupt bool) {
	l := e.live(ask, chapter, e.visit(label), e.sample(e.with.Long))
	if !l.until(sampling, inState("running")) {
		l.end()
		return
	}
	endSession(ask, l.conn, abrupt, e.first+chapter+endTake)
	l.conn, l.status = e.visit("after-"+label), ""
	l.until(patiently, func(status string) bool { return final(status) })
	l.end()
}

// patiently is how long an execution is watched whose session has ended: 30 s.
var patiently = []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second}

// Section 2.3.3. Work for which nobody waits any more costs what somebody has to pay.
var _ = register(Check{
	Requirement: "AQL-2.3.3-06",
	On:          eachHintedExecutor,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		e := s.executor(s.Op)
		if first := ask(s.Listing()); e.with.Long != nil {
			e.bereave(ask, closedLife, "closing", false)
			if first.Status == 0 { // over HTTP a server notices late
				e.bereave(ask, brokenLife, "breaking", true)
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		e := s.executor(s.Op)
		if e.with.Long == nil {
			return unhinted("lifecycle", "params that make "+s.Name+" take long")
		}
		if why, ok := sessionEnded(got, e.first+closedLife+endTake); !ok {
			return why
		}
		rs := []Ruling{e.bereaved(e.chapter(got, closedLife), e.visit("closing"))}
		if got[0].Status == 0 {
			rs = append(rs, e.bereaved(e.chapter(got, brokenLife), e.visit("breaking")))
		}
		return Worst(rs...)
	},
	Fix: "cancel what a session leaves running when it ends",
})

// bereaved rules on an execution whose session has ended.
func (e executor) bereaved(told []event, from string) Ruling {
	i := slices.IndexFunc(told, func(v event) bool { return v.o.Probe.Conn != from })
	if i < 0 {
		return NotProven("an execution that is running when its session ends", lastStatus(told))
	}
	last := told[i]
	for _, v := range told[i:] {
		if v.verb == "status" {
			last = v
		}
	}
	switch state, _ := coreState(last.status); {
	case strings.HasPrefix(last.o.Code(), "NOT_FOUND"), state == "failed", state == "cancelled":
		return Conforms().By(last.o, told[0].o)
	case state == "completed", !last.o.Succeeded() || last.status == "":
		return NotProven("the state of what the session left running", last.o).By(told[0].o)
	}
	return Violates("the state failed or cancelled within 30 s", last.status).By(last.o, told[0].o)
}
