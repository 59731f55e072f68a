package suites

import "math/rand/v2"

// A phase is one table of operators. Phases run in the order of the table below,
// the cheap and telling ones first.
type phase struct {
	name      string
	operators []operator
}

// An operator makes scripts. Its sentence goes into the finding, where the script
// brings none of its own.
type operator struct {
	name, sentence string
	make           func(f *Face, r *rand.Rand, examples int) []Script
}

// Phases are the names of the phases of generated input, in the order in which
// they run.
func Phases() []string {
	var names []string
	for _, ph := range phases {
		names = append(names, ph.name)
	}
	return names
}

var phases = []phase{
	{"examples", exampleOperators},
	{"coverage", coverageOperators},
	{"negative", negativeOperators},
	{"stateful", statefulOperators},
	{"random", randomOperators},
}
