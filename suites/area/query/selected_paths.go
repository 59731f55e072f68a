package query

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// mostPaths bounds the paths that are tried.
const mostPaths = 3

// documentedPaths are the documented requests that select a member of an object by its path, each with that path alone.
func documentedPaths(s model.Subject) (all []probes.Probe) {
	for _, example := range s.Op.Details.At("examples").Items() {
		call := s.ValidCall()
		for _, m := range example.At("request", "params").Members() {
			if m.Name != "fields" {
				call = call.With(m.Name, m.Value.Go())
			}
		}
		for _, text := range example.At("request", "params", "fields").Scalars() {
			if strings.Count(text, ".") == 1 && len(all) < mostPaths {
				all = append(all, call.With("fields", []any{text}))
			}
		}
	}
	return all
}

// The steps of a documented path: without it, with it alone, and beside the path of another member of its object.
const (
	noPath    = "documented path: none"
	onePath   = "documented path: alone"
	otherPath = "documented path: another one"
	bothPaths = "documented path: both"
)

// member returns the object that a path leads into, as an answer shows it, and the name of the object and of the member.
func member(s model.Subject, o probes.Observation, path string) (object probes.Value, outer, inner string) {
	record, list := check.SelectableRecord(s.Adapter, o)
	outer, inner, _ = strings.Cut(path, ".")
	if outer == list {
		return probes.Value{}, outer, inner
	}
	if !record.Has(outer) {
		record = o.Data() // the object is all that is selected
	}
	return record.At(outer), outer, inner
}

// sibling returns the path of another member of the object that a path leads into.
func sibling(s model.Subject, whole probes.Observation, path string) (other string, ok bool) {
	object, outer, inner := member(s, whole, path)
	for _, m := range object.Members() {
		if scalar := m.Value.Is(probes.String) || m.Value.Is(probes.Number) || m.Value.Is(probes.Boolean); scalar && m.Name != inner && len(check.FieldsTaken(s, outer+"."+m.Name)) > 0 {
			return outer + "." + m.Name, true
		}
	}
	return "", false
}

// pathOf is the one path that a request selects.
func pathOf(p probes.Probe) string { return model.ValueIn(p, "fields").Items()[0].Text() }

// Introspection document, section 8.1.2.
var documentedPathSelectsOneMember = check.Check{
	Requirement: "INT-8.1.2-07",
	Why:         "Whoever selects members of an object wants to have those, and to save the context that the others fill.",
	On: model.Only(selectors, func(s model.Subject) bool {
		return s.Ruling == nil && check.HasKind(s, "fields", "array") && len(documentedPaths(s)) > 0
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, p := range documentedPaths(s) {
			whole := ask(p.Without("fields").As(probes.Nth(noPath, i)))
			ask(p.As(probes.Nth(onePath, i)))
			if other, ok := sibling(s, whole, pathOf(p)); ok {
				ask(p.With("fields", []any{other}).As(probes.Nth(otherPath, i)))
				ask(p.With("fields", []any{pathOf(p), other}).As(probes.Nth(bothPaths, i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, p := range documentedPaths(s) {
			rs = append(rs, onlyMember(s, got, i, pathOf(p)), bothMembers(s, got, i, pathOf(p)))
		}
		if r := ruling.Worst(rs...); r.Verdict != ruling.NotApplicable("").Verdict {
			return r
		}
		return ruling.NotApplicable("no answer shows what a documented path selects")
	},
	Fix: "cut an object down to the members that paths name",
}

// onlyMember rules on a path alone: the other members of the object are left out.
func onlyMember(s model.Subject, got probes.Answers, i int, path string) ruling.Ruling {
	none, one := got.Step(probes.Nth(noPath, i)), got.Step(probes.Nth(onePath, i))
	whole, outer, inner := member(s, none, path)
	kept, _, _ := member(s, one, path)
	switch {
	case !none.Succeeded() || !one.Succeeded() || len(whole.Names()) < 2 || !whole.Has(inner) || !kept.Has(inner):
		return ruling.NotApplicable("the path selects nothing that is shown")
	case slices.Equal(kept.Names(), whole.Names()):
		return ruling.Departs(inner+" of "+outer+" alone, as fields names it", kept).By(one, none)
	}
	return ruling.Conforms().By(one, none)
}

// bothMembers rules on two paths into one object: what each selects alone, both select together.
func bothMembers(s model.Subject, got probes.Answers, i int, path string) ruling.Ruling {
	one, other, both := got.Step(probes.Nth(onePath, i)), got.Step(probes.Nth(otherPath, i)), got.Step(probes.Nth(bothPaths, i))
	if !one.Succeeded() || !other.Succeeded() || !both.Succeeded() {
		return ruling.NotApplicable("two paths into one object are not taken")
	}
	second := pathOf(other.Probe)
	for _, alone := range []probes.Observation{one, other} {
		object, outer, inner := member(s, alone, pathOf(alone.Probe))
		kept, _, _ := member(s, both, path)
		switch {
		case !object.Has(inner):
			return ruling.NotApplicable("a path selects nothing that is shown")
		case !kept.Has(inner):
			return ruling.Departs(inner+" of "+outer+", as "+path+" and "+second+" name it", kept).By(both, alone)
		}
	}
	return ruling.Conforms().By(both, one, other)
}
