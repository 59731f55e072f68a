package plan

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A Preview says what a run would do. It knows what introspection and the reads
// told; what shows only when objects have been made is not in it, so the numbers
// are the least there will be.
type Preview struct {
	Operations []PlannedOperation
	Areas      []PlannedArea
	Phases     []PlannedPhase // of generated input; none when the run sends none
}

// A PlannedOperation is an operation and what a run would do with it.
type PlannedOperation struct {
	Name, Category string // the name with the label of its face
	Called         bool   // with requests that are meant to work
	Why            string // what comes of the calls, or why there are none
	Flag           string // what would permit them; empty when they are made, or nothing does
}

// A PlannedArea is an area of the catalogue with what is asked about it.
type PlannedArea struct {
	Area                string
	Requirements, Cases int
}

// A PlannedPhase is a phase of generated input.
type PlannedPhase struct {
	Name    string
	Scripts int
}

// Preview says what asking the plan would do. It asks nothing.
func (p *Plan) Preview() Preview {
	var v Preview
	for _, f := range p.Faces {
		for _, o := range f.Operations {
			called, why := f.Callable(o)
			flag := gate.Unlock(why)
			if called {
				why = effect(f, o)
			}
			v.Operations = append(v.Operations, PlannedOperation{f.Label + o.Name, o.Category, called, gate.Reason(why), flag})
		}
	}
	v.Areas = p.areas()
	for _, ph := range generated.PhaseTable {
		if !slices.Contains(p.Effort.Phases, ph.Name) {
			continue
		}
		n := 0
		for _, f := range p.Faces {
			n += len(p.scripts(f, ph))
		}
		v.Phases = append(v.Phases, PlannedPhase{ph.Name, n})
	}
	return v
}

// areas counts the requirements and cases of each area that has any.
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

// effect says what a run does to the adapter by calling an operation.
func effect(f *model.Adapter, o probes.Operation) string {
	switch o.Category {
	case "CREATE":
		if k, ok := f.Rules.Kind(o.Name); ok {
			return "makes objects of our own; " + k.Remove.Name + " removes them"
		}
		return "makes objects of our own; nothing removes them"
	case "UPDATE", "DELETE":
		if !f.Rules.Reachable(o) {
			return "is asked only about what does not exist"
		}
		return map[string]string{"UPDATE": "changes objects of our own", "DELETE": "removes objects of our own"}[o.Category]
	case "EXECUTE":
		return "executes"
	}
	return "reads"
}
