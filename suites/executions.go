package suites

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// The states of section 8.4.1, and what is written where one of them is meant.
var (
	coreStates  = strings.Fields("pending running completed failed cancelled")
	finalStates = strings.Fields("completed failed cancelled")
	misspelt    = map[string]string{"canceled": "cancelled", "complete": "completed", "done": "completed", "error": "failed"}
)

// coreState returns the core state that a word means, and whether it is spelled as
// defined; "" for a state of the adapter's own.
func coreState(word string) (state string, spelled bool) {
	lower := strings.ToLower(word)
	if slices.Contains(coreStates, lower) {
		return lower, lower == word
	}
	return misspelt[lower], false
}

// final reports whether a state is one that an execution ends in.
func final(word string) bool {
	state, _ := coreState(word)
	return slices.Contains(finalStates, state)
}

// stateIn finds the report of an execution in the data of an answer: the data itself
// or one object in it.
func stateIn(data probes.Value) probes.Value {
	reports := func(v probes.Value) bool { return v.Is(probes.Object) && (v.Has("execution_id") || v.Has("status")) }
	if reports(data) {
		return data
	}
	for _, m := range data.Members() {
		if reports(m.Value) {
			return m.Value
		}
	}
	return probes.Value{}
}

// executionIn returns the identifier of an execution, also under a name that is not
// the defined one.
func executionIn(state probes.Value) probes.Value {
	for _, name := range []string{"execution_id", "executionId", "id"} {
		if v := state.At(name); v.Is(probes.String) || v.Is(probes.Number) {
			return v
		}
	}
	return probes.Value{}
}

// An executor is an operation that starts executions, with those that accompany one:
// as the author says, else as their names and parameters show.
type executor struct {
	Subject
	with          fixtures.Lifecycle
	pause, resume string
	first         int // of its takes
}

// The takes of the scripts on executions; each operation has its own range.
const (
	lifeTake  = 3000 * specimenStage
	lifeRange = 20 * specimenStage
)

// accompanies reports whether an operation takes the identifier of an execution and
// needs nothing else.
func accompanies(o probes.Operation) bool {
	required := 0
	for _, p := range o.Parameters {
		if p.Required {
			required++
		}
	}
	return required == 1 && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && p.Name == "execution_id" })
}

// starts reports whether an operation starts executions as far as can be told.
func starts(f *Face, o probes.Operation) bool {
	_, hinted := f.Hints.Lifecycle[o.Name]
	reply := f.Baselines[o.Name].Reply
	shown := o.Category == "EXECUTE" && stateIn(reply.Data()).Has("execution_id")
	return !slices.Contains(reserved, o.Name) && !accompanies(o) && (hinted || shown || o.Details.Has("lifecycle"))
}

// executor returns an operation that starts executions, with what accompanies it.
func (f *Face) executor(o probes.Operation) executor {
	at := slices.IndexFunc(f.Operations, func(p probes.Operation) bool { return p.Name == o.Name })
	e := executor{Subject: Subject{Face: f, Name: o.Name, Op: o}, with: f.Hints.Lifecycle[o.Name], first: lifeTake + at*lifeRange}
	beside := func(told string, plays func(probes.Operation) bool) string {
		if _, listed := f.Operation(told); listed {
			return told
		}
		for _, p := range f.Operations {
			if told == "" && accompanies(p) && Noun(p.Name) == Noun(o.Name) && plays(p) {
				return p.Name
			}
		}
		return ""
	}
	called := func(verbs ...string) func(probes.Operation) bool {
		return func(p probes.Operation) bool { return p.Category != "READ" && slices.Contains(verbs, Verb(p.Name)) }
	}
	e.with.Status = beside(e.with.Status, func(p probes.Operation) bool { return p.Category == "READ" })
	e.with.Cancel = beside(e.with.Cancel, called("cancel"))
	e.with.Retry = beside(e.with.Retry, called("retry"))
	e.pause, e.resume = beside("", called("pause", "suspend")), beside("", called("resume", "continue"))
	return e
}

// may reports whether an accompanying operation is there and may be called.
func (e executor) may(operation string) bool {
	o, listed := e.Operation(operation)
	ok, _ := e.Callable(o)
	return listed && ok
}

// eachExecutor is every operation that starts executions; those that may not be
// called are settled, and those whose executions may not be cancelled.
func eachExecutor(f *Face) []Subject {
	var all []Subject
	for _, o := range f.Operations {
		if !starts(f, o) {
			continue
		}
		s := Subject{Face: f, Name: o.Name, Op: o}
		called := []probes.Operation{o}
		if way, listed := f.Operation(f.executor(o).with.Cancel); listed {
			called = append(called, way)
		}
		for _, p := range called {
			if ok, why := f.Callable(p); !ok && s.settled == nil {
				s = s.settle(NotProven("leave to call "+p.Name, why).Mend(Baseline{State: Barred, Why: why}.unlock()))
			}
		}
		all = append(all, s)
	}
	return all
}

// eachHintedExecutor is every such operation that the author tells more about. An
// adapter without executions is excused.
func eachHintedExecutor(f *Face) []Subject {
	all := eachExecutor(f)
	told := slices.DeleteFunc(slices.Clone(all), func(s Subject) bool {
		_, hinted := f.Hints.Lifecycle[s.Name]
		return !hinted
	})
	if len(told) == 0 && len(all) > 0 {
		s := Subject{Face: f, Name: "adapter"}
		return []Subject{s.settle(unhinted("lifecycle", "what accompanies "+all[0].Name+", and params that make it take long, fail and wait"))}
	}
	return told
}

// lifecycle is what the details of the operation say about executions.
func (e executor) lifecycle() probes.Value { return e.Op.Details.At("lifecycle") }

// ownStates are the documented states beside the core ones.
func (e executor) ownStates() []string {
	var own []string
	for _, v := range e.lifecycle().At("states").Items() {
		if core, _ := coreState(v.Text()); core == "" && v.Text() != "" {
			own = append(own, v.Text())
		}
	}
	return own
}

// sample is the call that starts an execution with params of the author, or with what
// the required parameters ask for.
func (e executor) sample(params map[string]json.RawMessage) probes.Probe {
	if params == nil && e.Baseline().State == Proven {
		return e.ValidCall()
	}
	given := map[string]any{}
	for name, raw := range params {
		given[name] = raw
	}
	for _, p := range e.Op.Parameters {
		if v := e.value(p); p.Required && given[p.Name] == nil && !v.Is(probes.Absent) {
			given[p.Name] = v.Go()
		}
	}
	return e.Request(e.Op, given)
}

// value is what a required parameter is given where the author did not write it down
// for the case. What it refers to is named by the author elsewhere, or is our own:
// nothing is done to what belongs to others.
func (e executor) value(p probes.Parameter) probes.Value {
	if !e.refers(e.Op, p) {
		return e.changeValue(e.Op, p)
	}
	if told := e.samples(e.Name, p.Name); len(told) > 0 {
		return told[0]
	}
	for _, params := range []map[string]json.RawMessage{e.with.Long, e.with.Fail, e.with.Pending} {
		if v, err := probes.ParseValue(params[p.Name]); err == nil {
			return v
		}
	}
	for _, l := range e.pool {
		if l.own && affinity(e.Op, p, l) >= 4 {
			return l.value
		}
	}
	return probes.Value{}
}

// about is a call of an accompanying operation on one execution.
func (e executor) about(operation string, id probes.Value) probes.Probe {
	o, _ := e.Operation(operation)
	return e.Request(o, map[string]any{e.names(operation): id.Go()})
}

// names is the parameter by which an accompanying operation is told the execution.
func (e executor) names(operation string) string {
	o, _ := e.Operation(operation)
	name := "execution_id"
	for _, p := range o.Parameters {
		if p.Required && !o.HasParameter(name) {
			name = p.Name
		}
	}
	return name
}
