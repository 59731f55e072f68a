package lifecycle

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// drivingVerbs begin the names of operations by which a client takes an execution on.
var drivingVerbs = strings.Fields("resume continue complete finish advance proceed step approve submit")

// drivers are the operations by which a client takes an execution of this kind on. A
// retry begins anew and is none of them.
func drivers(e check.Executor) []string {
	var all []string
	for _, o := range e.Operations {
		if o.Category != "READ" && check.TakesExecutionID(o) && slices.Contains(drivingVerbs, e.Verb(o.Name)) && (e.Noun(o.Name) == e.Noun(e.Name) || e.Noun(o.Name) == "execution") {
			if ok, _ := e.Callable(o); ok {
				all = append(all, o.Name)
			}
		}
	}
	return all
}

// sessionEnd is the step in a chapter that ends the session.
const sessionEnd = ": end of the session"

// visit gives a connection of its own to one part of the scripts of an operation.
func visit(e check.Executor, label string) string {
	return probes.InSession(e.Conn + "/" + label + "-" + e.Name)
}

// abandon leaves executions behind in a session, one running and one paused where that
// can be, and has the next session drive them on.
func abandon(e check.Executor, ask model.AskFunc) {
	from, to := visit(e, "leaving"), visit(e, "later")
	running := live(e, ask, lastingLife, from, sample(e, e.Lifecycle.Long))
	held := &life{Executor: e, ask: ask, conn: from}
	if !running.until(sampling, inState("running")) {
		running.end()
		return
	}
	if e.Pause != "" {
		held = live(e, ask, heldLife, from, sample(e, e.Lifecycle.Long))
		held.until(sampling, inState("running"))
		held.do(e.Pause)
		held.look()
	}
	check.EndSession(ask, from, false, e.Step(lastingLife+sessionEnd))
	for _, l := range []*life{running, held} {
		l.conn = to
		l.look()
		for _, operation := range drivers(e) {
			if l.known() {
				l.do(operation)
				l.look()
			}
		}
		l.end()
	}
}

// Section 2.3.3.
var pendingExecutionsAreNotDrivenAcross = check.Check{
	Requirement: "AQL-2.3.3-04",
	Rule:        "The pending transition context of an execution started in one session cannot be driven on from a later session.",
	Why:         "A waiting execution belongs to the client that began it. Another client does not know its context.",
	On:          eachHintedExecutor,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if e := check.NewExecutor(s.Adapter, s.Op); e.Lifecycle.Long != nil {
			abandon(e, ask)
		} else {
			ask(s.Listing())
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		e := check.NewExecutor(s.Adapter, s.Op)
		switch {
		case e.Lifecycle.Long == nil:
			return model.HintMissing("lifecycle", "params that make "+s.Name+" take long")
		case !slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Probe.Beside() && o.Probe.Conn == visit(e, "leaving") }):
			return ruling.NotProven("an execution that is running when its session ends", got.Last())
		case len(drivers(e)) == 0:
			return ruling.NotProven("an operation by which a client takes an execution on", "none")
		}
		if why, ok := check.SessionEnded(got, e.Step(lastingLife+sessionEnd)); !ok {
			return why
		}
		var rs []ruling.Ruling
		for _, chapter := range []string{lastingLife, heldLife} {
			rs = append(rs, driven(e, chapterOf(e, got, chapter))...)
		}
		return ruling.Worst(rs...)
	},
	Fix: "drop the pending transitions of a session when it ends",
}

// driven rules on what a later session did to an execution.
func driven(e check.Executor, told []event) []ruling.Ruling {
	var rs []ruling.Ruling
	for i, v := range told {
		driving := v.o.Probe.Conn == visit(e, "later") && slices.Contains(drivers(e), v.o.Probe.Operation())
		if !driving {
			continue
		}
		after := told[min(i+1, len(told)-1)]
		state, _ := check.CoreState(after.status)
		over := strings.HasPrefix(v.o.Code(), "NOT_FOUND") || strings.HasPrefix(after.o.Code(), "NOT_FOUND") || state == "failed" || state == "cancelled"
		switch {
		case v.o.Refused() && !v.o.Deferred() && over:
			rs = append(rs, ruling.Conforms().By(v.o, after.o))
		case v.o.Succeeded() && after.o.Succeeded() && state != "failed" && state != "cancelled":
			rs = append(rs, ruling.Violates("an execution that is not active any more", v.o.Probe.Operation()+" that takes it on").By(after.o, v.o))
		case v.o.Succeeded():
			rs = append(rs, ruling.Conforms().By(v.o, after.o))
		default:
			rs = append(rs, ruling.NotProven("an answer that the execution of an ended session is not active", v.o).By(after.o))
		}
	}
	return rs
}

// bereave starts an execution, ends its session and looks what became of it.
func bereave(e check.Executor, ask model.AskFunc, chapter, label string, abrupt bool) {
	l := live(e, ask, chapter, visit(e, label), sample(e, e.Lifecycle.Long))
	if !l.until(sampling, inState("running")) {
		l.end()
		return
	}
	check.EndSession(ask, l.conn, abrupt, e.Step(chapter+sessionEnd))
	l.conn, l.status = visit(e, "after-"+label), ""
	l.until(patiently, func(status string) bool { return check.IsFinal(status) })
	l.end()
}

// patiently is how long an execution is watched whose session has ended: 30 s.
var patiently = []time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second}

// Section 2.3.3.
var sessionEndSettlesRunningExecutions = check.Check{
	Requirement: "AQL-2.3.3-06",
	Rule:        "Executions still in progress when their session ends are moved to failed or cancelled.",
	Why:         "A cancelled request should not continue to use resources.",
	On:          eachHintedExecutor,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		e := check.NewExecutor(s.Adapter, s.Op)
		if first := ask(s.Listing()); e.Lifecycle.Long != nil {
			bereave(e, ask, closedLife, "closing", false)
			if first.Status == 0 { // over HTTP a server notices late
				bereave(e, ask, brokenLife, "breaking", true)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		e := check.NewExecutor(s.Adapter, s.Op)
		if e.Lifecycle.Long == nil {
			return model.HintMissing("lifecycle", "params that make "+s.Name+" take long")
		}
		if why, ok := check.SessionEnded(got, e.Step(closedLife+sessionEnd)); !ok {
			return why
		}
		rs := []ruling.Ruling{bereaved(e, chapterOf(e, got, closedLife), visit(e, "closing"))}
		if got[0].Status == 0 {
			rs = append(rs, bereaved(e, chapterOf(e, got, brokenLife), visit(e, "breaking")))
		}
		return ruling.Worst(rs...)
	},
	Fix: "cancel what a session leaves running when it ends",
}

// bereaved rules on an execution whose session has ended.
func bereaved(e check.Executor, told []event, from string) ruling.Ruling {
	i := slices.IndexFunc(told, func(v event) bool { return v.o.Probe.Conn != from })
	if i < 0 {
		return ruling.NotProven("an execution that is running when its session ends", lastStatus(told))
	}
	last := told[i]
	for _, v := range told[i:] {
		if v.verb == "status" {
			last = v
		}
	}
	switch state, _ := check.CoreState(last.status); {
	case strings.HasPrefix(last.o.Code(), "NOT_FOUND"), state == "failed", state == "cancelled":
		return ruling.Conforms().By(last.o, told[0].o)
	case state == "completed", !last.o.Succeeded() || last.status == "":
		return ruling.NotProven("the state of what the session left running", last.o).By(told[0].o)
	}
	return ruling.Violates("the state failed or cancelled within 30 s", last.status).By(last.o, told[0].o)
}

// eachExecutor is every operation that starts executions; those that may not be
// called are settled, and those whose executions may not be cancelled.
func eachExecutor(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, o := range f.Operations {
		if !check.StartsExecutions(f, o) {
			continue
		}
		s := model.Subject{Adapter: f, Name: o.Name, Op: o}
		called := []probes.Operation{o}
		if way, listed := f.Operation(check.NewExecutor(f, o).Lifecycle.Cancel); listed {
			called = append(called, way)
		}
		for _, p := range called {
			if ok, why := f.Callable(p); !ok && s.Ruling == nil {
				s = s.WithRuling(ruling.NotProven("leave to call "+p.Name, why).Mend(model.KnownGood{State: model.NotPermitted, Why: why}.Unlock()))
			}
		}
		all = append(all, s)
	}
	return all
}

// eachHintedExecutor is every such operation that the author tells more about. An
// adapter without executions is excused.
func eachHintedExecutor(f *model.Adapter) []model.Subject {
	all := eachExecutor(f)
	told := slices.DeleteFunc(slices.Clone(all), func(s model.Subject) bool {
		_, hinted := f.Hints.Lifecycle[s.Name]
		return !hinted
	})
	if len(told) == 0 && len(all) > 0 {
		s := model.Subject{Adapter: f, Name: "adapter"}
		return []model.Subject{s.WithRuling(model.HintMissing("lifecycle", "what accompanies "+all[0].Name+", and params that make it take long, fail and wait"))}
	}
	return told
}

// lifecycle is what the details of the operation say about executions.
func lifecycle(e check.Executor) probes.Value { return e.Op.Details.At("lifecycle") }

// ownStates are the documented states beside the core ones.
func ownStates(e check.Executor) []string {
	var own []string
	for _, v := range lifecycle(e).At("states").Items() {
		if core, _ := check.CoreState(v.Text()); core == "" && v.Text() != "" {
			own = append(own, v.Text())
		}
	}
	return own
}

// sample is the call that starts an execution with params of the author, or with what
// the required parameters ask for.
func sample(e check.Executor, params map[string]json.RawMessage) probes.Probe {
	if params == nil && e.KnownGoodRequest().State == model.Proven {
		return e.ValidCall()
	}
	given := map[string]any{}
	for name, raw := range params {
		given[name] = raw
	}
	for _, p := range e.Op.Parameters {
		if v := value(e, p); p.Required && given[p.Name] == nil && !v.Is(probes.Absent) {
			given[p.Name] = v.Go()
		}
	}
	return e.Request(e.Op, given)
}

// value is what a required parameter is given where the author did not write it down
// for the case. What it refers to is named by the author elsewhere, or is our own:
// nothing is done to what belongs to others.
func value(e check.Executor, p probes.Parameter) probes.Value {
	if !e.TakesIdentifier(e.Op, p) {
		return e.ChangeValue(e.Op, p)
	}
	if told := e.Samples(e.Name, p.Name); len(told) > 0 {
		return told[0]
	}
	for _, params := range []map[string]json.RawMessage{e.Lifecycle.Long, e.Lifecycle.Fail, e.Lifecycle.Pending} {
		if v, err := probes.ParseValue(params[p.Name]); err == nil {
			return v
		}
	}
	for _, l := range e.Scalars {
		if l.Own && e.Affinity(e.Op, p, l) >= 4 {
			return l.Value
		}
	}
	return probes.Value{}
}
