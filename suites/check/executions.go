package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The states of section 8.4.1, and common variants of their names.
var (
	coreStates    = strings.Fields("pending running completed failed cancelled")
	finalStates   = strings.Fields("completed failed cancelled")
	stateVariants = map[string]string{"canceled": "cancelled", "complete": "completed", "done": "completed", "error": "failed"}
)

// CoreState returns the core state that a word means, and whether it is spelled as defined. It
// returns "" for a state of the adapter's own.
func CoreState(word string) (state string, spelled bool) {
	lower := strings.ToLower(word)
	if slices.Contains(coreStates, lower) {
		return lower, lower == word
	}
	return stateVariants[lower], false
}

// IsFinal reports whether an execution ends in the state.
func IsFinal(word string) bool {
	state, _ := CoreState(word)
	return slices.Contains(finalStates, state)
}

// StateIn returns the execution report in the data of an answer: the data itself or one object in
// it. An object beside the report may have a status of its own, so the one that names an execution
// counts first, then one whose status is a core state.
func StateIn(data probes.Value) probes.Value {
	named := func(v probes.Value) bool { return v.Has("execution_id") }
	status := func(v probes.Value) bool { return v.Has("status") }
	core := func(v probes.Value) bool { state, _ := CoreState(v.At("status").Text()); return state != "" }
	within := func(fits func(v probes.Value) bool) probes.Value {
		for _, m := range data.Members() {
			if m.Value.Is(probes.Object) && fits(m.Value) {
				return m.Value
			}
		}
		return probes.Value{}
	}
	reported := within(func(v probes.Value) bool { return named(v) && status(v) })
	if named(data) || status(data) && reported.Is(probes.Absent) {
		return data
	}
	for _, fits := range []func(v probes.Value) bool{core, named, status} {
		if reported.Is(probes.Absent) {
			reported = within(fits)
		}
	}
	return reported
}

// ExecutionIn returns the execution id, also under a nonstandard name.
func ExecutionIn(state probes.Value) probes.Value {
	for _, name := range []string{"execution_id", "executionId", "id"} {
		if v := state.At(name); v.Is(probes.String) || v.Is(probes.Number) {
			return v
		}
	}
	return probes.Value{}
}

// An Executor is an operation that starts executions, with its accompanying operations: the hinted
// ones, or those inferred from names and parameters.
type Executor struct {
	model.Subject
	Lifecycle     fixtures.Lifecycle
	Pause, Resume string
	Script        string // step above those of the operation
}

// TakesExecutionID reports whether an execution id is the only required parameter.
func TakesExecutionID(o probes.Operation) bool {
	required := 0
	for _, p := range o.Parameters {
		if p.Required {
			required++
		}
	}
	return required == 1 && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && p.Name == "execution_id" })
}

// StartsExecutions reports whether an operation is known to start executions.
func StartsExecutions(f *model.Adapter, o probes.Operation) bool {
	_, hinted := f.Hints.Lifecycle[o.Name]
	reply := f.KnownGood[o.Name].Reply
	shown := o.Category == "EXECUTE" && StateIn(reply.Data()).Has("execution_id")
	return !slices.Contains(model.Reserved, o.Name) && !TakesExecutionID(o) && (hinted || shown || o.Details.Has("lifecycle"))
}

// NewExecutor returns the operation as an Executor.
func NewExecutor(f *model.Adapter, o probes.Operation) Executor {
	at := slices.IndexFunc(f.Operations, func(p probes.Operation) bool { return p.Name == o.Name })
	e := Executor{Subject: model.Subject{Adapter: f, Name: o.Name, Op: o}, Lifecycle: f.Hints.Lifecycle[o.Name], Script: probes.Nth("execution", at)}
	find := func(hinted string, fits func(probes.Operation) bool) string {
		if _, listed := f.Operation(hinted); listed {
			return hinted
		}
		for _, p := range f.Operations {
			if hinted == "" && TakesExecutionID(p) && f.Noun(p.Name) == f.Noun(o.Name) && fits(p) {
				return p.Name
			}
		}
		return ""
	}
	hasVerb := func(verbs ...string) func(probes.Operation) bool {
		return func(p probes.Operation) bool {
			return p.Category != "READ" && slices.Contains(verbs, f.Verb(p.Name))
		}
	}
	e.Lifecycle.Status = find(e.Lifecycle.Status, func(p probes.Operation) bool { return p.Category == "READ" })
	e.Lifecycle.Cancel = find(e.Lifecycle.Cancel, hasVerb("cancel"))
	e.Lifecycle.Retry = find(e.Lifecycle.Retry, hasVerb("retry"))
	e.Pause, e.Resume = find("", hasVerb("pause", "suspend")), find("", hasVerb("resume", "continue"))
	return e
}

// Step names a step of the script on the operation.
func (e Executor) Step(step string) string { return e.Script + ": " + step }

// MayCall reports whether an accompanying operation exists and may be called.
func (e Executor) MayCall(operation string) bool {
	o, listed := e.Operation(operation)
	ok, _ := e.Callable(o)
	return listed && ok
}

// CallOn is a call of an accompanying operation on one execution.
func (e Executor) CallOn(operation string, id probes.Value) probes.Probe {
	o, _ := e.Operation(operation)
	return e.Request(o, map[string]any{e.ExecutionParameter(operation): id.Go()})
}

// ExecutionParameter is the parameter of an accompanying operation for the execution id.
func (e Executor) ExecutionParameter(operation string) string {
	o, _ := e.Operation(operation)
	name := "execution_id"
	for _, p := range o.Parameters {
		if p.Required && !o.HasParameter(name) {
			name = p.Name
		}
	}
	return name
}

// MakerOf returns the CREATE operation whose answer identifies the object that d changes or
// removes, and the path to each identifier in its data.
func MakerOf(f *model.Adapter, d probes.Operation) (maker model.Subject, paths map[string][]string, ok bool) {
	for _, s := range f.Makers() {
		if s.Ruling != nil || !f.HasRole(model.MakerRole, s.Name, d.Name) {
			continue
		}
		paths = map[string][]string{}
		for _, p := range d.Parameters {
			if !p.Required || !f.TakesIdentifier(d, p) {
				continue
			}
			path, found := f.IdentifierPath(s.KnownGoodRequest().Reply, s.Op, d, p)
			if !found {
				return s, nil, false
			}
			paths[p.Name] = path
		}
		return s, paths, len(paths) > 0
	}
	return model.Subject{}, nil, false
}
