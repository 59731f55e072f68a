package generated

import (
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/suites/model"
)

// A Phase is a table of operators. Phases run in the order of PhaseTable: cheap and productive ones
// first.
type Phase struct {
	Name      string
	Operators []operator
}

// An operator generates scripts. Its description is used in findings if a script has none.
type operator struct {
	Name, Description string
	Make              func(f *model.Adapter, r *rand.Rand, examples int) []model.Script
}

// Phases returns the names of the phases in the order in which they run.
func Phases() []string {
	var names []string
	for _, ph := range PhaseTable {
		names = append(names, ph.Name)
	}
	return names
}

// PhaseTable lists the phases in the order in which they run.
var PhaseTable = []Phase{
	{"examples", exampleOperators},
	{"coverage", coverageOperators},
	{"negative", negativeOperators},
	{"stateful", statefulOperators},
	{"random", randomOperators},
}
