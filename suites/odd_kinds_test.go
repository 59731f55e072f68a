package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
)

// offering returns what adds an operation with one example to an adapter. The types of the adapter are known by then.
func offering(a *adapter.Adapter, example string) func(name, category, description, returns string, params map[string]any, run func(adapter.Task) adapter.Envelope, parameters ...adapter.Parameter) {
	return func(name, category, description, returns string, params map[string]any, run func(adapter.Task) adapter.Envelope, parameters ...adapter.Parameter) {
		t, _ := a.TypeNamed(returns)
		a.Operations = append(a.Operations, adapter.Operation{Name: name, Category: category, Description: description, Parameters: parameters, Returns: adapter.TypeInfo{Name: t.Name, Kind: t.Kind, Description: t.Description},
			Examples: []adapter.Example{{Description: example, Request: adapter.Request(name, params)}}, Run: run})
	}
}

// accusesOf reports an error unless a run with a fault accuses the adapter of what is named, a requirement and its subject,
// and a run without one of nothing. Fields of an added kind cannot be selected, so a warning of that is no error.
func (r run) accusesOf(t *testing.T, want string) {
	t.Helper()
	found := false
	for _, f := range r.Findings {
		accused := f.Verdict == reports.Fail || f.Verdict == reports.Warn && f.Requirement != "OPS-4.4.1-11"
		if accused && want == "" {
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
		found = found || accused && want == f.Requirement+" "+f.Subject
	}
	if want != "" && !found {
		t.Errorf("%s is not found", want)
	}
}
