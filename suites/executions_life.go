package suites

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// The chapters of the life of executions: each is one execution, or what was done to
// one. All checks look at the same script, whichever of them plays it.
const (
	plainLife   = iota * specimenStage // until it ends by itself, and beyond
	stoppedLife                        // cancelled at once
	longLife                           // cancelled while it runs
	pausedLife                         // cancelled while it is paused
	pendingLife                        // cancelled before it begins
	failedLife                         // until it fails, and tried again
	thirdLife                          // one more, for its identifier
	lastingLife                        // left running when its session is closed
	heldLife                           // left paused when its session is closed
	closedLife                         // left running when its session is closed, and watched
	brokenLife                         // left running when its session breaks off
	leftLife                           // what is cancelled behind the chapters: none is judged by it
)

// The patience of the scripts: how often an execution is looked at, and how long.
var (
	sampling = append(slices.Repeat([]time.Duration{100 * time.Millisecond}, 40), slices.Repeat([]time.Duration{500 * time.Millisecond}, 16)...)
	soonDone = []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 5 * time.Second, 8 * time.Second, 8 * time.Second}
	afterEnd = []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 4 * time.Second}
	shortly  = slices.Repeat([]time.Duration{200 * time.Millisecond}, 3)
)

// A life is one execution while a script follows it.
type life struct {
	executor
	ask    Asking
	conn   string
	take   int // of the next question
	id     probes.Value
	status string         // as last told
	begun  []probes.Value // executions of other identifiers, by retries
}

// live begins a chapter: it starts an execution over a connection.
func (e executor) live(ask Asking, chapter int, conn string, start probes.Probe) *life {
	l := &life{executor: e, ask: ask, conn: conn, take: e.first + chapter}
	l.id = executionIn(stateIn(l.tell(start).Data()))
	return l
}

// tell asks the next question and keeps what the answer says of the state.
func (l *life) tell(p probes.Probe) probes.Observation {
	o := l.ask(p.Over(l.conn).Anew(l.take))
	l.take++
	state := stateIn(o.Data())
	if status := state.At("status").Text(); status != "" && same(l.id, state) {
		l.status = status
	}
	return o
}

// same reports whether a state is that of an execution: a retry may begin another.
func same(id, state probes.Value) bool {
	other := executionIn(state)
	return id.Is(probes.Absent) || other.Is(probes.Absent) || id.Equal(other)
}

// known reports whether there is an execution to ask about.
func (l *life) known() bool { return !l.id.Is(probes.Absent) }

// do calls an accompanying operation, where there is one that may be called.
func (l *life) do(operation string) probes.Observation {
	if !l.may(operation) || !l.known() {
		return probes.Observation{}
	}
	o := l.tell(l.about(operation, l.id))
	if state := stateIn(o.Data()); operation == l.with.Retry && !same(l.id, state) {
		l.begun = append(l.begun, executionIn(state))
	}
	return o
}

// look asks for the state.
func (l *life) look() probes.Observation { return l.do(l.with.Status) }

// until looks at the state with pauses between, until it is as wanted.
func (l *life) until(pauses []time.Duration, wanted func(status string) bool) bool {
	if !l.known() || !l.may(l.with.Status) {
		return false
	}
	for i := 0; ; i++ {
		if o := l.look(); wanted(l.status) || i == len(pauses) || o.Refused() {
			return wanted(l.status)
		}
		l.ask(probes.Pause(l.Conn, pauses[i], l.take))
		l.take++
	}
}

// never is what is waited for to see that nothing happens.
func never(string) bool { return false }

func inState(state string) func(string) bool {
	return func(status string) bool { core, _ := coreState(status); return core == state }
}

// end cancels what a script leaves behind.
func (l *life) end() {
	if l.known() && !final(l.status) {
		l.do(l.with.Cancel)
	}
	l.leave()
}

// leave cancels what still runs behind the last page of a chapter, with what retries
// have begun beside it.
func (l *life) leave() {
	left := l.begun
	if l.known() && !final(l.status) {
		left = append(left, l.id)
	}
	for _, id := range left {
		if l.may(l.with.Cancel) {
			l.ask(l.about(l.with.Cancel, id).Over(l.conn).Anew(l.first + leftLife))
		}
	}
}

// biography plays all chapters of an operation that the author tells about, the first
// one of any other.
func (e executor) biography(ask Asking) {
	_, told := e.Hints.Lifecycle[e.Name]
	l := e.live(ask, plainLife, e.Conn, e.sample(nil))
	done := l.until(sampling, final)
	if !told || !done {
		l.end()
	} else {
		for _, operation := range []string{e.with.Cancel, e.with.Retry, e.pause, e.resume} {
			if operation != "" {
				l.do(operation)
				l.look()
			}
		}
	}
	if !told {
		return
	}
	ended := e.stopped(ask)
	if done {
		ended = append(ended, l)
	}
	if e.with.Long != nil {
		e.long(ask)
		e.paused(ask)
	}
	if e.with.Pending != nil {
		p := e.live(ask, pendingLife, e.Conn, e.sample(e.with.Pending))
		p.look()
		p.do(e.with.Cancel)
		p.until(soonDone, final)
		p.leave()
	}
	failed := e.failing(ask)
	resting(slices.Concat(ended, failed))
	for _, l := range ended {
		l.leave()
	}
	for _, l := range failed {
		l.again()
	}
	e.live(ask, thirdLife, e.Conn, e.sample(nil)).end()
}

// resting looks at executions that have ended, after each pause at all of them: none
// may come back to life, not even when its work would have been done.
func resting(ended []*life) {
	gone := func(l *life) bool {
		return !l.known() || l.with.Status == "" || l.look().Refused()
	}
	for _, rest := range append([]time.Duration{0}, afterEnd...) {
		if len(ended) > 0 && rest > 0 {
			l := ended[0]
			l.ask(probes.Pause(l.Conn, rest, l.take))
			l.take++
		}
		ended = slices.DeleteFunc(slices.Clone(ended), gone)
	}
}

// stopped cancels an execution at once.
func (e executor) stopped(ask Asking) (ended []*life) {
	l := e.live(ask, stoppedLife, e.Conn, e.sample(nil))
	l.do(e.with.Cancel)
	if !l.until(shortly, inState("cancelled")) {
		l.end()
		return nil
	}
	l.do(e.with.Retry)
	return []*life{l}
}

// long cancels an execution while it runs.
func (e executor) long(ask Asking) {
	l := e.live(ask, longLife, e.Conn, e.sample(e.with.Long))
	if l.until(sampling, inState("running")) {
		l.until(shortly, final)
	}
	l.do(e.with.Cancel)
	if l.until(soonDone, final) {
		l.do(e.with.Retry)
		l.until(shortly, never)
	}
	l.leave()
}

// paused cancels an execution while it is paused.
func (e executor) paused(ask Asking) {
	if e.pause == "" {
		return
	}
	l := e.live(ask, pausedLife, e.Conn, e.sample(e.with.Long))
	if l.until(sampling, inState("running")) {
		l.do(e.pause)
		l.look()
	}
	l.do(e.with.Cancel)
	l.until(soonDone, final)
	l.leave()
}

// failing waits for a failure and tries to leave it by the wrong way.
func (e executor) failing(ask Asking) (failed []*life) {
	if e.with.Fail == nil {
		return nil
	}
	l := e.live(ask, failedLife, e.Conn, e.sample(e.with.Fail))
	if !l.until(sampling, final) {
		l.end()
		return nil
	}
	l.do(e.with.Cancel)
	return []*life{l}
}

// again leaves a failure by a retry.
func (l *life) again() {
	if l.with.Retry != "" {
		l.do(l.with.Retry)
		l.until(sampling[:12], final)
	}
	l.end()
}
