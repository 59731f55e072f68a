package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Hint returns the value of a hint, by its name in the catalogue.
func (f *Adapter) Hint(name string) (word string, given bool) { return f.Hints.Word(name) }

// HintMissing returns the ruling on a requirement that only a hint can settle.
func HintMissing(name, what string) ruling.Ruling {
	return ruling.NotProven("the hint "+fixtures.KeyOf(name), "none").Mend(AddHint(name, what))
}

// Samples are the sample values of a parameter in the hints file: those of the operation, or those
// of any operation.
func (f *Adapter) Samples(operation, parameter string) []probes.Value {
	given, ok := f.Hints.Samples[operation][parameter]
	if !ok {
		given = f.Hints.Samples["*"][parameter]
	}
	var values []probes.Value
	for _, raw := range given {
		if v, err := probes.ParseValue(raw); err == nil {
			values = append(values, v)
		}
	}
	return values
}

// HintedCall parses a call of the form {"op":…,"params":{…}}. Without params it is the known-good
// request.
func (f *Adapter) HintedCall(word string) (probes.Probe, bool) {
	v, err := probes.ParseValue([]byte(word))
	o, listed := f.Operation(v.At("op").Text())
	if err != nil || !listed {
		return probes.Probe{}, false
	}
	if b := f.KnownGood[o.Name]; !v.Has("params") && b.Usable() {
		return b.Probe, true
	}
	params := map[string]any{}
	for _, m := range v.At("params").Members() {
		params[m.Name] = m.Value.Go()
	}
	return f.Request(o, params), true
}

// HintMismatches lists, as noun phrases, the hints that do not fit this adapter. Without the list
// they would be ignored silently.
func (f *Adapter) HintMismatches() []string {
	var all []string
	known := make([]string, 0, len(f.Operations))
	for _, o := range f.Operations {
		known = append(known, o.Name)
	}
	named := func(key, operation string) bool {
		_, listed := f.Operation(operation)
		if operation != "" && !listed {
			all = append(all, fmt.Sprintf("%s: no operation %q%s", key, operation, vocab.DidYouMean(operation, known)))
		}
		return listed
	}
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Samples)) {
		if name != "*" && named("samples", name) {
			all = append(all, f.sampleMismatches(name)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Resources)) {
		r := f.Hints.Resources[name]
		for _, operation := range []string{r.Create, r.Read, r.List, r.Update, r.Delete} {
			named("resources."+name, operation)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Permissions.Operations)) {
		named("permissions.operations", name)
	}
	for _, c := range []struct {
		key  string
		call fixtures.Call
	}{{"credentials", f.Hints.Credentials}, {"fault_trigger", f.Hints.FaultTrigger}, {"big_response", f.Hints.BigResponse}} {
		named(c.key, c.call.Operation)
	}
	return all
}

// sampleMismatches lists the samples of an operation that its documentation excludes.
func (f *Adapter) sampleMismatches(operation string) []string {
	var all []string
	o, _ := f.Operation(operation)
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Samples[operation])) {
		i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		if i < 0 {
			all = append(all, fmt.Sprintf("samples.%s: no documented parameter %q", operation, name))
			continue
		}
		for _, v := range f.Samples(operation, name) {
			if why := f.Misfit(o.Parameters[i], v); why != "" {
				all = append(all, fmt.Sprintf("samples.%s.%s: %s is not documented as valid: %s", operation, name, ruling.Clip(v.String()), why))
			}
		}
	}
	return all
}

// UnmetExpectations sends the calls of the hint expect and lists, as noun phrases, the answers that
// differ from the expected ones.
func (f *Adapter) UnmetExpectations(ctx context.Context, ask probes.Asker) []string {
	var all []string
	for i, e := range f.Hints.Expect {
		o, listed := f.Operation(e.Operation)
		ok, why := f.Callable(o)
		switch {
		case !listed:
			all = append(all, fmt.Sprintf("expect[%d]: no operation %q", i, e.Operation))
			continue
		case !ok:
			all = append(all, fmt.Sprintf("expect[%d]: %s was not called: %s", i, e.Operation, gate.Reason(why)))
			continue
		}
		params := map[string]any{}
		for name, raw := range e.Params {
			params[name] = raw
		}
		got := ask.Ask(ctx, f.Request(o, params))
		if want, ok := matchesExpectation(e, got); !ok {
			all = append(all, fmt.Sprintf("expect[%d]: %s gives %s, want %s", i, e.Operation, got.Brief(), want))
		}
	}
	return all
}

// matchesExpectation reports whether an answer is the expected one, and describes the expected one.
func matchesExpectation(e fixtures.Expectation, got probes.Observation) (want string, ok bool) {
	switch {
	case e.Success == nil:
		return e.Code, got.Refused() && got.Code() == e.Code
	case *e.Success:
		return "success", got.Succeeded()
	}
	return "a refusal", got.Refused()
}

// TestObjectHint is the fix for checks that lack a test object.
const TestObjectHint = addHint + resourceHint + toHints + "the operations on one kind of object, and their fields"

const resourceHint = "resources"

// ValueBarred returns the parameter whose value kept a creation back, by the reason of the gate.
func (f *Adapter) ValueBarred(operation, reason string) string {
	o, _ := f.Operation(operation)
	for _, p := range o.Parameters {
		if gate.AnotherValue(reason, p.Name) {
			return p.Name
		}
	}
	return ""
}

// AddHint returns the fix that asks for a hint by its key in the hints file.
func AddHint(name, what string) string { return addHint + fixtures.KeyOf(name) + toHints + what }

// The two texts stand around the name of a hint in a fix.
const (
	addHint = "add "
	toHints = " to the hints file: "
)

// HintAsked returns the key of the hint that a fix asks for.
func HintAsked(fix string) (name string, asked bool) {
	before, _, asked := strings.Cut(fix, toHints)
	if i := strings.LastIndex(before, addHint); i >= 0 { // what stands before it is another way
		before = before[i+len(addHint):]
	}
	return before, asked
}

// An AskFunc sends one probe and returns its answer.
type AskFunc func(probes.Probe) probes.Observation

// Into returns the function that adds each answer to got as well.
func (ask AskFunc) Into(got *probes.Answers) AskFunc {
	return func(p probes.Probe) probes.Observation {
		o := ask(p)
		*got = append(*got, o)
		return o
	}
}

// PageSizes are the usual names of page size parameters. An adapter may reduce a page size that is
// too large instead of rejecting it.
var PageSizes = strings.Fields("first last limit page_size per_page max_results max_items")
