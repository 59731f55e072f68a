package lifecycle

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The chapters of the life of executions: each is one execution, or what was done to
// one. All checks look at the same script, whichever of them plays it.
const (
	plainLife   = "until the end" // until it ends by itself, and beyond
	stoppedLife = "cancelled at once"
	longLife    = "cancelled while running"
	pausedLife  = "cancelled while paused"
	pendingLife = "cancelled while pending"
	failedLife  = "failed"          // until it fails, and tried again
	thirdLife   = "third execution" // one more, for its identifier
	lastingLife = "left running"    // left running when its session is closed
	heldLife    = "left paused"     // left paused when its session is closed
	closedLife  = "closed session"  // left running when its session is closed, and watched
	brokenLife  = "broken session"  // left running when its session breaks off
)

// chapters are all of them, in order.
var chapters = []string{plainLife, stoppedLife, longLife, pausedLife, pendingLife, failedLife, thirdLife, lastingLife, heldLife, closedLife, brokenLife}

// The patience of the scripts: how often an execution is looked at, and how long.
var (
	sampling = append(slices.Repeat([]time.Duration{100 * time.Millisecond}, 40), slices.Repeat([]time.Duration{500 * time.Millisecond}, 16)...)
	soonDone = []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 5 * time.Second, 8 * time.Second, 8 * time.Second}
	afterEnd = []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 4 * time.Second}
	shortly  = slices.Repeat([]time.Duration{200 * time.Millisecond}, 3)
)

// A life is one execution while a script follows it.
type life struct {
	check.Executor
	ask      model.AskFunc
	conn     string
	chapter  string
	requests int
	id       probes.Value
	status   string         // as last told
	begun    []probes.Value // executions of other identifiers, by retries
}

// live begins a chapter: it starts an execution over a connection.
func live(e check.Executor, ask model.AskFunc, chapter, conn string, start probes.Probe) *life {
	l := &life{Executor: e, ask: ask, conn: conn, chapter: chapter}
	l.id = check.ExecutionIn(check.StateIn(l.tell(start).Data()))
	return l
}

// nextStep names the next request of the chapter.
func (l *life) nextStep() string {
	l.requests++
	return l.Step(probes.Nth(l.chapter+": execution request", l.requests-1))
}

// tell sends the next request and keeps the state that the answer reports.
func (l *life) tell(p probes.Probe) probes.Observation {
	o := l.ask(p.Over(l.conn).Anew(l.nextStep()))
	state := check.StateIn(o.Data())
	if status := state.At("status").Text(); status != "" && same(l.id, state) {
		l.status = status
	}
	return o
}

// same reports whether a state is that of an execution: a retry may begin another.
func same(id, state probes.Value) bool {
	other := check.ExecutionIn(state)
	return id.Is(probes.Absent) || other.Is(probes.Absent) || id.Equal(other)
}

// known reports whether there is an execution to ask about.
func (l *life) known() bool { return !l.id.Is(probes.Absent) }

// do calls an accompanying operation, where there is one that may be called.
func (l *life) do(operation string) probes.Observation {
	if !l.MayCall(operation) || !l.known() {
		return probes.Observation{}
	}
	o := l.tell(l.CallOn(operation, l.id))
	if state := check.StateIn(o.Data()); operation == l.Lifecycle.Retry && !same(l.id, state) {
		l.begun = append(l.begun, check.ExecutionIn(state))
	}
	return o
}

// look asks for the state.
func (l *life) look() probes.Observation { return l.do(l.Lifecycle.Status) }

// until looks at the state with pauses between, until it is as wanted.
func (l *life) until(pauses []time.Duration, wanted func(status string) bool) bool {
	if !l.known() || !l.MayCall(l.Lifecycle.Status) {
		return false
	}
	for i := 0; ; i++ {
		if o := l.look(); wanted(l.status) || i == len(pauses) || o.Refused() {
			return wanted(l.status)
		}
		l.ask(probes.Pause(l.Conn, pauses[i], l.nextStep()))
	}
}

// never is what is waited for to see that nothing happens.
func never(string) bool { return false }

func inState(state string) func(string) bool {
	return func(status string) bool { core, _ := check.CoreState(status); return core == state }
}

// end cancels what a script leaves behind.
func (l *life) end() {
	if l.known() && !check.IsFinal(l.status) {
		l.do(l.Lifecycle.Cancel)
	}
	l.Leave()
}

// Leave cancels what still runs behind the last page of a chapter, with what retries
// have begun beside it.
func (l *life) Leave() {
	left := l.begun
	if l.known() && !check.IsFinal(l.status) {
		left = append(left, l.id)
	}
	// No chapter contains these requests, so no check rules on them.
	step := probes.Nth("left behind", slices.Index(chapters, l.chapter))
	for i, id := range left {
		if l.MayCall(l.Lifecycle.Cancel) {
			l.ask(l.CallOn(l.Lifecycle.Cancel, id).Over(l.conn).Anew(l.Step(probes.Nth(step+": execution left", i))))
		}
	}
}

// Biography plays all chapters of an operation that the author tells about, the first
// one of any other.
func Biography(e check.Executor, ask model.AskFunc) {
	_, told := e.Hints.Lifecycle[e.Name]
	l := live(e, ask, plainLife, e.Conn, sample(e, nil))
	done := l.until(sampling, check.IsFinal)
	if !told || !done {
		l.end()
	} else {
		for _, operation := range []string{e.Lifecycle.Cancel, e.Lifecycle.Retry, e.Pause, e.Resume} {
			if operation != "" {
				l.do(operation)
				l.look()
			}
		}
	}
	if !told {
		return
	}
	ended := Stopped(e, ask)
	if done {
		ended = append(ended, l)
	}
	if e.Lifecycle.Long != nil {
		ended = slices.Concat(ended, Long(e, ask), paused(e, ask))
	}
	if e.Lifecycle.Pending != nil {
		p := live(e, ask, pendingLife, e.Conn, sample(e, e.Lifecycle.Pending))
		p.look()
		p.do(e.Lifecycle.Cancel)
		p.until(soonDone, check.IsFinal)
		ended = append(ended, p.cancelled()...)
	}
	failed := Failing(e, ask)
	resting(slices.Concat(ended, failed))
	for _, l := range ended {
		l.Leave()
	}
	for _, l := range failed {
		l.Again()
	}
	live(e, ask, thirdLife, e.Conn, sample(e, nil)).end()
}

// resting looks at executions that have ended, after each pause at all of them: none
// may come back to life, not even when its work would have been done.
func resting(ended []*life) {
	gone := func(l *life) bool {
		return !l.known() || l.Lifecycle.Status == "" || l.look().Refused()
	}
	for _, rest := range append([]time.Duration{0}, afterEnd...) {
		if len(ended) > 0 && rest > 0 {
			l := ended[0]
			l.ask(probes.Pause(l.Conn, rest, l.nextStep()))
		}
		ended = slices.DeleteFunc(slices.Clone(ended), gone)
	}
}

// Stopped cancels an execution at once.
func Stopped(e check.Executor, ask model.AskFunc) (ended []*life) {
	l := live(e, ask, stoppedLife, e.Conn, sample(e, nil))
	l.do(e.Lifecycle.Cancel)
	if !l.until(shortly, inState("cancelled")) {
		l.end()
		return nil
	}
	l.do(e.Lifecycle.Retry)
	return []*life{l}
}

// cancelled returns the execution if it is cancelled, and has to rest from then on.
func (l *life) cancelled() []*life {
	if inState("cancelled")(l.status) {
		return []*life{l}
	}
	l.Leave()
	return nil
}

// Long cancels an execution while it runs.
func Long(e check.Executor, ask model.AskFunc) (ended []*life) {
	l := live(e, ask, longLife, e.Conn, sample(e, e.Lifecycle.Long))
	if l.until(sampling, inState("running")) {
		l.until(shortly, check.IsFinal)
	}
	l.do(e.Lifecycle.Cancel)
	if l.until(soonDone, check.IsFinal) {
		l.do(e.Lifecycle.Retry)
		l.until(shortly, never)
	}
	return l.cancelled()
}

// paused cancels an execution while it is paused.
func paused(e check.Executor, ask model.AskFunc) (ended []*life) {
	if e.Pause == "" {
		return nil
	}
	l := live(e, ask, pausedLife, e.Conn, sample(e, e.Lifecycle.Long))
	if l.until(sampling, inState("running")) {
		l.do(e.Pause)
		l.look()
	}
	l.do(e.Lifecycle.Cancel)
	l.until(soonDone, check.IsFinal)
	return l.cancelled()
}

// Failing waits for a failure and tries to leave it by the wrong way.
func Failing(e check.Executor, ask model.AskFunc) (failed []*life) {
	if e.Lifecycle.Fail == nil {
		return nil
	}
	l := live(e, ask, failedLife, e.Conn, sample(e, e.Lifecycle.Fail))
	if !l.until(sampling, check.IsFinal) {
		l.end()
		return nil
	}
	l.do(e.Lifecycle.Cancel)
	return []*life{l}
}

// Again leaves a failure by a retry.
func (l *life) Again() {
	if l.Lifecycle.Retry != "" {
		l.do(l.Lifecycle.Retry)
		l.until(sampling[:12], check.IsFinal)
	}
	l.end()
}
