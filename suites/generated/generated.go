// Package generated creates random and systematic requests, judges their effects on test objects,
// and shrinks failing scripts.
package generated

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An Effort bounds the generated input of a run. The zero Effort generates none.
type Effort struct {
	Seed     uint64        `json:"seed"`              // equal seeds generate equal scripts
	Phases   []string      `json:"phases,omitzero"`   // names of phases in any order; none means no generated input
	Examples int           `json:"examples,omitzero"` // random scripts for each operation
	Time     time.Duration `json:"time,omitzero"`     // after which no further script is sent
	Requests int           `json:"requests,omitzero"` // of the whole run; 0 means any number
	Script   *model.Script `json:"script,omitzero"`   // run only this script, unchanged
	Broke    string        `json:"broke,omitzero"`    // the requirement and the subject that the script broke, with a blank between them
	Soak     time.Duration `json:"soak,omitzero"`     // time under load; 0 for none
	Rate     float64       `json:"rate,omitzero"`     // requests of the load in a second
}

// MaxBreaches bounds how many breaches are shrunk.
const MaxBreaches = 25

// FirstNumber is the number of the first generated call. All of these numbers have seven digits, so
// that no mark is a prefix of another.
const FirstNumber = 1_000_000

// A ScriptRun is a script with its answers.
type ScriptRun struct {
	Adapter  *model.Adapter
	Script   model.Script
	Number   int
	Sent     bool
	Got      []probes.Observation
	Breaches []Breach
}

// LaneOf returns the parallel lane for scripts that only read.
func LaneOf(f *model.Adapter, sc model.Script) probes.Lane {
	for _, step := range sc.Steps {
		if o, _ := f.Operation(step.Operation); o.Category != "READ" {
			return probes.Serial
		}
	}
	return probes.Parallel
}
