package generated

import (
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/suites/model"
)

// A Phase is one table of operators. Phases run in the order of the table below,
// the cheap and telling ones first.
type Phase struct {
	Name      string
	Operators []operator
}

// An operator makes scripts. Its sentence goes into the finding, where the script
// brings none of its own.
type operator struct {
	Name, Sentence string
	Make           func(f *model.Adapter, r *rand.Rand, examples int) []model.Script
}

// Phases are the names of the phases of generated input, in the order in which
// they run.
func Phases() []string {
	var names []string
	for _, ph := range PhaseTable {
		names = append(names, ph.Name)
	}
	return names
}

var PhaseTable = []Phase{
	{"examples", exampleOperators},
	{"coverage", coverageOperators},
	{"negative", negativeOperators},
	{"stateful", statefulOperators},
	{"random", randomOperators},
}
