package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
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
			if called {
				why = f.effect(o)
			} else if missing := (Baseline{State: Barred, Why: why}).unlock(); missing != "" {
				why += ": " + missing
			}
			if !called && !f.May.ReadOnly && (o.Category == "UPDATE" || o.Category == "DELETE") {
				why += "; asked only about what does not exist"
			}
			v.Operations = append(v.Operations, PlannedOperation{f.Label + o.Name, o.Category, called, why})
		}
	}
	v.Areas = p.areas()
	for _, ph := range phases {
		if !slices.Contains(p.Effort.Phases, ph.name) {
			continue
		}
		n := 0
		for _, f := range p.Faces {
			n += len(p.scripts(f, ph))
		}
		v.Phases = append(v.Phases, PlannedPhase{ph.name, n})
	}
	return v
}

// areas counts the requirements and cases of each area that has any.
func (p *Plan) areas() []PlannedArea {
	var all []PlannedArea
	for _, area := range Areas() {
		n := PlannedArea{Area: area}
		seen := map[string]bool{}
		for _, c := range p.Cases {
			if row := mustLookup(c.Check.Requirement); row.Area == area {
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
func (f *Face) effect(o probes.Operation) string {
	switch o.Category {
	case "CREATE":
		if d := f.removerOf(o); d != "" {
			return "makes objects of our own; " + d + " removes them"
		}
		return "makes objects of our own; nothing that may be called removes them"
	case "UPDATE":
		return "changes objects of our own"
	case "DELETE":
		return "removes objects of our own"
	case "EXECUTE":
		return "executes"
	}
	if promisesEffect(o) || dangerous(o) {
		return "reads, though its name or mark says more"
	}
	return "reads"
}

// removerOf names the DELETE that may remove what an operation makes.
func (f *Face) removerOf(made probes.Operation) string {
	for _, d := range f.Operations {
		if d.Category == "DELETE" && Noun(d.Name) == Noun(made.Name) {
			if allowed, _ := f.Callable(d); allowed {
				return d.Name
			}
		}
	}
	return ""
}
