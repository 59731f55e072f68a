package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The states of section 8.4.1, and what is written where one of them is meant.
var (
	coreStates  = strings.Fields("pending running completed failed cancelled")
	finalStates = strings.Fields("completed failed cancelled")
	misspelt    = map[string]string{"canceled": "cancelled", "complete": "completed", "done": "completed", "error": "failed"}
)

// CoreState returns the core state that a word means, and whether it is spelled as
// defined; "" for a state of the adapter's own.
func CoreState(word string) (state string, spelled bool) {
	lower := strings.ToLower(word)
	if slices.Contains(coreStates, lower) {
		return lower, lower == word
	}
	return misspelt[lower], false
}

// Final reports whether a state is one that an execution ends in.
func Final(word string) bool {
	state, _ := CoreState(word)
	return slices.Contains(finalStates, state)
}

// StateIn finds the report of an execution in the data of an answer: the data itself
// or one object in it.
func StateIn(data probes.Value) probes.Value {
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

// ExecutionIn returns the identifier of an execution, also under a name that is not
// the defined one.
func ExecutionIn(state probes.Value) probes.Value {
	for _, name := range []string{"execution_id", "executionId", "id"} {
		if v := state.At(name); v.Is(probes.String) || v.Is(probes.Number) {
			return v
		}
	}
	return probes.Value{}
}

// An Executor is an operation that starts executions, with those that accompany one:
// as the author says, else as their names and parameters show.
type Executor struct {
	model.Subject
	With          fixtures.Lifecycle
	Pause, Resume string
	First         int // of its takes
}

// The takes of the scripts on executions; each operation has its own range.
const (
	lifeTake  = 3000 * model.TakesPerScript
	lifeRange = 20 * model.TakesPerScript
)

// Accompanies reports whether an operation takes the identifier of an execution and
// needs nothing else.
func Accompanies(o probes.Operation) bool {
	required := 0
	for _, p := range o.Parameters {
		if p.Required {
			required++
		}
	}
	return required == 1 && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && p.Name == "execution_id" })
}

// Starts reports whether an operation starts executions as far as can be told.
func Starts(f *model.Adapter, o probes.Operation) bool {
	_, hinted := f.Hints.Lifecycle[o.Name]
	reply := f.KnownGood[o.Name].Reply
	shown := o.Category == "EXECUTE" && StateIn(reply.Data()).Has("execution_id")
	return !slices.Contains(model.Reserved, o.Name) && !Accompanies(o) && (hinted || shown || o.Details.Has("lifecycle"))
}

// AsExecutor returns an operation that starts executions, with what accompanies it.
func AsExecutor(f *model.Adapter, o probes.Operation) Executor {
	at := slices.IndexFunc(f.Operations, func(p probes.Operation) bool { return p.Name == o.Name })
	e := Executor{Subject: model.Subject{Adapter: f, Name: o.Name, Op: o}, With: f.Hints.Lifecycle[o.Name], First: lifeTake + at*lifeRange}
	beside := func(told string, plays func(probes.Operation) bool) string {
		if _, listed := f.Operation(told); listed {
			return told
		}
		for _, p := range f.Operations {
			if told == "" && Accompanies(p) && model.Noun(p.Name) == model.Noun(o.Name) && plays(p) {
				return p.Name
			}
		}
		return ""
	}
	called := func(verbs ...string) func(probes.Operation) bool {
		return func(p probes.Operation) bool {
			return p.Category != "READ" && slices.Contains(verbs, model.Verb(p.Name))
		}
	}
	e.With.Status = beside(e.With.Status, func(p probes.Operation) bool { return p.Category == "READ" })
	e.With.Cancel = beside(e.With.Cancel, called("cancel"))
	e.With.Retry = beside(e.With.Retry, called("retry"))
	e.Pause, e.Resume = beside("", called("pause", "suspend")), beside("", called("resume", "continue"))
	return e
}

// MayCall reports whether an accompanying operation is there and may be called.
func (e Executor) MayCall(operation string) bool {
	o, listed := e.Operation(operation)
	ok, _ := e.Callable(o)
	return listed && ok
}

// About is a call of an accompanying operation on one execution.
func (e Executor) About(operation string, id probes.Value) probes.Probe {
	o, _ := e.Operation(operation)
	return e.Request(o, map[string]any{e.Names(operation): id.Go()})
}

// Names is the parameter by which an accompanying operation is told the execution.
func (e Executor) Names(operation string) string {
	o, _ := e.Operation(operation)
	name := "execution_id"
	for _, p := range o.Parameters {
		if p.Required && !o.HasParameter(name) {
			name = p.Name
		}
	}
	return name
}

// MakerOf returns the CREATE operation whose answer identifies what d changes or
// removes, and the way to each identifier below its data.
func MakerOf(f *model.Adapter, d probes.Operation) (maker model.Subject, paths map[string][]string, ok bool) {
	for _, s := range model.EachMarked(f) {
		if s.Ruling != nil || !f.HasRole(model.MakerRole, s.Name, d.Name) {
			continue
		}
		paths = map[string][]string{}
		for _, p := range d.Parameters {
			if !p.Required || !f.TakesIdentifier(d, p) {
				continue
			}
			path, found := f.IdentifierPath(s.KnownGoodRequest().Reply.Data(), s.Op, d, p)
			if !found {
				return s, nil, false
			}
			paths[p.Name] = path
		}
		return s, paths, len(paths) > 0
	}
	return model.Subject{}, nil, false
}
