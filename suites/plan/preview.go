package plan

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A Preview describes what a run would do, as far as introspection and reads show it. The numbers
// are minimums: some cases depend on created objects.
type Preview struct {
	Operations []PlannedOperation
	Areas      []PlannedArea
	Phases     []PlannedPhase // of generated input
}

// A PlannedOperation describes the planned calls of one operation.
type PlannedOperation struct {
	Name, Category string // the name has the label of the endpoint mode as prefix
	Called         bool   // with valid requests
	Why            string // effect of the calls, or why there are none
	Flag           string // flag that permits the calls; empty if they are permitted or cannot be
}

// A PlannedArea is an area of the catalogue with its numbers of requirements and cases.
type PlannedArea struct {
	Area                string
	Requirements, Cases int
}

// A PlannedPhase is a phase of generated input.
type PlannedPhase struct {
	Name    string
	Scripts int
}

// Preview describes what Ask would do. It sends nothing.
func (p *Plan) Preview() Preview {
	var v Preview
	for _, f := range p.Adapters {
		v.Operations = append(v.Operations, Planned(f)...)
	}
	v.Areas = p.areas()
	for _, ph := range generated.PhaseTable {
		if !slices.Contains(p.Effort.Phases, ph.Name) {
			continue
		}
		n := 0
		for _, f := range p.Adapters {
			for i := range ph.Operators {
				n += len(p.scripts(context.Background(), f, ph, i))
			}
		}
		v.Phases = append(v.Phases, PlannedPhase{ph.Name, n})
	}
	return v
}

// Planned describes the planned calls of each operation. The adapter was looked at in a dry run.
func Planned(f *model.Adapter) (all []PlannedOperation) {
	for _, o := range f.Operations {
		called, why := f.Callable(o)
		if called {
			called, why = wouldCall(f, o)
		}
		flag := gate.Unlock(why)
		if called {
			why = effectOf(f, o)
		}
		all = append(all, PlannedOperation{f.Label + o.Name, o.Category, called, gate.Reason(why), flag})
	}
	return all
}

// wouldCall says why a creation that is permitted would not be sent all the same. One that refers to another
// object of the run gets that object in the run alone.
func wouldCall(f *model.Adapter, o probes.Operation) (bool, string) {
	k := f.KnownGood[o.Name]
	barred := k.State == model.NotPermitted && !gate.Rehearsed(k.Why) || k.State == model.NoneKnown
	return o.Category != "CREATE" || f.NeedsReference(o) || !barred, k.Why
}

// areas counts the requirements and cases of each area with cases.
func (p *Plan) areas() []PlannedArea {
	var all []PlannedArea
	for _, area := range catalogue.Areas() {
		n := PlannedArea{Area: area}
		seen := map[string]bool{}
		for _, c := range p.Cases {
			if row := catalogue.MustLookup(c.Check.Requirement); row.Area == area {
				n.Cases++
				seen[row.ID] = true
			}
		}
		if n.Requirements = len(seen); n.Cases > 0 {
			all = append(all, n)
		}
	}
	return all
}

// effectOf describes the effect of calling an operation.
func effectOf(f *model.Adapter, o probes.Operation) string {
	switch o.Category {
	case "CREATE":
		if k, ok := f.Rules.Kind(o.Name); ok {
			return "makes objects of our own; " + k.Remove.Name + " removes them"
		}
		return "makes objects of our own; nothing removes them"
	case "UPDATE", "DELETE":
		made := func(m probes.Operation) bool {
			would, _ := wouldCall(f, m)
			return m.Category == "CREATE" && would && f.Rules.SameKind(m, o)
		}
		if !f.Rules.Reachable(o) || !f.Rules.Lifted(o) && !slices.ContainsFunc(f.Operations, made) {
			return "is asked only about what does not exist"
		}
		return map[string]string{"UPDATE": "changes objects of our own", "DELETE": "removes objects of our own"}[o.Category]
	case "EXECUTE":
		return "executes"
	}
	if k := f.KnownGood[o.Name]; k.State == model.NoneKnown {
		return "reads; no request has succeeded yet: " + k.Why
	}
	return "reads"
}
