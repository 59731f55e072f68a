package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A Script is generated input: calls in order, later ones on objects that earlier
// ones made. It is data and no more, so that it can be printed, sent again, cut
// down and judged by reading.
type Script struct {
	Conn     string `json:"face"`     // connection of the face it is for
	Operator string `json:"operator"` // the row of the table of operators that made it
	Sentence string `json:"why"`      // what the operator did, for a finding
	Steps    []Step `json:"steps"`
}

// A Step is one call of a script. In its texts {mark} stands for the mark of the
// object it makes or is applied to, so that no two runs share a name.
type Step struct {
	Operation string         `json:"op"`
	Params    map[string]any `json:"params,omitempty"`
	Beside    map[string]any `json:"beside,omitempty"` // members next to operation and params
	Of        int            `json:"of"`               // the step that made the object the identifiers name; -1 when none did
	Sentence  string         `json:"why,omitempty"`    // what is special about it; empty where the script's sentence says it
}

// MarkToken is what stands for a mark in a script.
const MarkToken = "{mark}"

// OnNothing is the step an object comes from when none of the script made it.
const OnNothing = -1

// calls writes the script out as probes, the first with the given take. ok is
// false when the face lacks an operation of the script.
func (f *Adapter) calls(sc Script, take int) (ps []probes.Probe, ok bool) {
	for i, st := range sc.Steps {
		o, listed := f.Operation(st.Operation)
		if !listed {
			return nil, false
		}
		owner := i
		if st.Of > OnNothing {
			owner = st.Of
		}
		mark := f.Gen.Marker(fmt.Sprintf("-%d", take+owner))
		params, _ := WithMark(st.Params, mark).(map[string]any)
		if params == nil {
			params = map[string]any{}
		}
		if st.Of > OnNothing && o.Category != "CREATE" {
			for name, path := range f.identifiers(sc.Steps[st.Of].Operation, o) {
				if _, given := params[name]; !given {
					params[name] = probes.From(st.Of, path...)
				}
			}
		}
		p := f.Request(o, f.marked(o, params, mark)).Anew(take + i)
		for name, v := range st.Beside {
			p = p.Top(name, WithMark(v, mark))
		}
		ps = append(ps, p)
	}
	return ps, true
}

// identifiers returns where the answer of a CREATE holds what o asks for.
func (f *Adapter) identifiers(maker string, o probes.Operation) map[string][]string {
	made, _ := f.Operation(maker)
	paths, _ := Subject{Adapter: f, Name: maker, Op: made}.identifies(o)
	return paths
}

// WithMark returns a value of a script with its marks filled in.
func WithMark(v any, mark string) any {
	switch t := v.(type) {
	case string:
		return strings.ReplaceAll(t, MarkToken, mark)
	case map[string]any:
		m := make(map[string]any, len(t))
		for name, inner := range t {
			m[name] = WithMark(inner, mark)
		}
		return m
	case []any:
		s := make([]any, len(t))
		for i, inner := range t {
			s[i] = WithMark(inner, mark)
		}
		return s
	}
	return v
}

// WithoutMark is the reverse: it turns a mark into the token that stands for it.
func WithoutMark(v any, mark string) any {
	switch t := v.(type) {
	case string:
		return strings.ReplaceAll(t, mark, MarkToken)
	case map[string]any:
		m := maps.Clone(t)
		for name, inner := range t {
			m[name] = WithoutMark(inner, mark)
		}
		return m
	case []any:
		s := make([]any, len(t))
		for i, inner := range t {
			s[i] = WithoutMark(inner, mark)
		}
		return s
	}
	return v
}

// Why says what the operator did up to a step.
func (sc Script) Why(step int) string {
	for _, st := range slices.Backward(sc.Steps[:min(step+1, len(sc.Steps))]) {
		if st.Sentence != "" {
			return st.Sentence
		}
	}
	return sc.Sentence
}

// turnsEach is how often one object is changed by a script that could as well make
// another: what an adapter does not answer ends a script, and hides the rest of it.
const turnsEach = 12

// OnSame joins what is to be done to the same objects into few scripts: each makes them
// and then takes some turns, of a change and the looks after it.
func OnSame(make []Step, turns [][]Step) []Script {
	var all []Script
	for some := range slices.Chunk(turns, turnsEach) {
		all = append(all, Script{Steps: slices.Concat(make, slices.Concat(some...))})
	}
	return all
}

// Play sends the script and returns what became of each step; a step whose object
// was never made is not sent.
func (f *Adapter) Play(ctx context.Context, ask probes.Asker, sc Script, take int) []probes.Observation {
	ps, ok := f.calls(sc, take)
	if !ok {
		return nil
	}
	var got []probes.Observation
	for _, p := range ps {
		resolved, ok := p.Resolve(got)
		o := probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
		if ok {
			o = ask.Ask(ctx, resolved)
		}
		got = append(got, o)
	}
	return got
}

// Size is what shrinking makes smaller: calls, then values sent, then bytes.
func (sc Script) Size() int {
	n := 0
	for _, st := range sc.Steps {
		n += 1 << 24
		n += valuesIn(st.Params)<<12 + valuesIn(st.Beside)<<12
		n += min(len(probes.ValueOf(st.Params).Raw()), 1<<12-1)
	}
	return n
}

// valuesIn counts the values that a request holds.
func valuesIn(v any) int {
	n := 0
	switch t := v.(type) {
	case map[string]any:
		for _, inner := range t {
			n += max(valuesIn(inner), 1)
		}
	case []any:
		for _, inner := range t {
			n += max(valuesIn(inner), 1)
		}
	}
	return n
}
