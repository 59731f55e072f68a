package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A Script is generated input: a sequence of calls. Later calls may use objects that earlier ones
// created. It is pure data, so that it can be printed, replayed and shrunk.
type Script struct {
	Conn        string `json:"face"`     // connection of the endpoint mode
	Operator    string `json:"operator"` // row of the operator table that generated it
	Description string `json:"why"`      // what the operator did, for a finding
	Steps       []Step `json:"steps"`
}

// A Step is one call of a script. In its texts {mark} is a placeholder for the mark of its object,
// so that no two runs share a name.
type Step struct {
	Operation   string         `json:"op"`
	Params      map[string]any `json:"params,omitempty"`
	TopLevel    map[string]any `json:"beside,omitempty"` // members next to operation and params
	MadeBy      int            `json:"of"`               // step that created the object of the identifiers; -1 for none
	Description string         `json:"why,omitempty"`    // what is special about it; empty if the description of the script covers it
}

// MarkToken is the placeholder for a mark in a script.
const MarkToken = "{mark}"

// KeyToken is the placeholder for a key that the client chooses and that cannot hold a mark. Each
// creation gets another one.
const KeyToken = "{key}"

// ElementID is the id of an element in a list that the run invents. The gate takes it for one that
// nobody has, so it names no object of others.
const ElementID = int64(900_000_001)

// NoObject is the value of MadeBy if no step of the script created the object.
const NoObject = -1

// calls returns the script as probes; they are numbered from the given number. ok is false if the adapter
// lacks an operation of the script.
func (f *Adapter) calls(sc Script, number int) (ps []probes.Probe, ok bool) {
	for i, step := range sc.Steps {
		o, listed := f.Operation(step.Operation)
		if !listed {
			return nil, false
		}
		owner := i
		if step.MadeBy > NoObject {
			owner = step.MadeBy
		}
		mark := f.Gen.Marker(fmt.Sprintf("-%d", number+owner))
		params, _ := WithMark(step.Params, mark).(map[string]any)
		if params == nil {
			params = map[string]any{}
		}
		f.withKeys(o, params, func(p probes.Parameter, v any) any {
			if fresh := f.freshKey(p, number+i); v == KeyToken && !fresh.Is(probes.Absent) {
				return fresh.Go()
			}
			return v
		})
		if step.MadeBy > NoObject && o.Category != "CREATE" {
			for name, path := range f.identifiers(sc.Steps[step.MadeBy].Operation, o) {
				if _, given := params[name]; !given {
					params[name] = probes.From(step.MadeBy, path...)
				}
			}
		}
		p := f.Request(o, f.addMark(o, params, mark)).Numbered(number + i)
		for name, v := range step.TopLevel {
			p = p.Top(name, WithMark(v, mark))
		}
		ps = append(ps, p)
	}
	return ps, true
}

// identifiers returns the paths to the identifiers of o in the answer of a CREATE.
func (f *Adapter) identifiers(maker string, o probes.Operation) map[string][]string {
	made, _ := f.Operation(maker)
	paths, _ := Subject{Adapter: f, Name: maker, Op: made}.identifierPaths(o)
	return paths
}

// WithMark replaces the placeholders in a value by the mark.
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

// WithoutMark replaces the mark in a value by the placeholder.
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

// DescriptionAt describes what the operator did up to a step.
func (sc Script) DescriptionAt(step int) string {
	for _, st := range slices.Backward(sc.Steps[:min(step+1, len(sc.Steps))]) {
		if st.Description != "" {
			return st.Description
		}
	}
	return sc.Description
}

// maxTurns is how many changes one script makes to the same object. An unanswered request ends a
// script, so long scripts could hide defects.
const maxTurns = 12

// ScriptsOnSameObjects combines turns on the same objects into a few scripts. Each script creates
// the objects and then runs some of the turns, each a change followed by reads.
func ScriptsOnSameObjects(make []Step, turns [][]Step) []Script {
	var all []Script
	for some := range slices.Chunk(turns, maxTurns) {
		all = append(all, Script{Steps: slices.Concat(make, slices.Concat(some...))})
	}
	return all
}

// Run sends the script and returns the answer to each step. It does not send a step whose object
// was not created.
func (f *Adapter) Run(ctx context.Context, ask probes.Asker, sc Script, number int) []probes.Observation {
	ps, ok := f.calls(sc, number)
	if !ok {
		return nil
	}
	var got probes.Answers
	var parents OwnParents
	for _, p := range ps {
		resolved, ok := p.Resolve(got)
		o := probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
		if ok {
			asked := func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) }
			o = f.Elsewhere(parents.Ask(f, f.WithVersion(resolved, asked), asked), asked)
		}
		got = append(got, o)
	}
	return got
}

// Size is the measure that shrinking reduces: calls, then values, then bytes.
func (sc Script) Size() int {
	n := 0
	for _, step := range sc.Steps {
		n += 1 << 24
		n += valuesIn(step.Params)<<12 + valuesIn(step.TopLevel)<<12
		n += min(len(probes.ValueOf(step.Params).Raw()), 1<<12-1)
	}
	return n
}

// valuesIn counts the values in a request.
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
