// Package generated makes requests that nobody wrote, judges what they do to objects of the
// run, and cuts what fails down to the shortest script.
package generated

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An Effort bounds the generated input of a run. The zero Effort generates none.
type Effort struct {
	Seed     uint64        `json:"seed"`              // equal seeds make equal scripts
	Phases   []string      `json:"phases,omitzero"`   // names of phases, in any order; none means no generated input
	Examples int           `json:"examples,omitzero"` // random scripts for each operation
	Time     time.Duration `json:"time,omitzero"`     // after which no further script is sent
	Script   *model.Script `json:"script,omitzero"`   // play this one alone, as it stands
}

// MaxReasons bounds how many breaches are cut down: an adapter that breaks more
// rules than that has enough to mend.
const MaxReasons = 25

// FirstTake is the take of the first generated call. All takes have seven digits,
// so that no mark is the beginning of another.
const FirstTake = 1_000_000

// A Staging is one script that was sent, with what it showed.
type Staging struct {
	Face   *model.Adapter
	Script model.Script
	Take   int
	Sent   bool
	Got    []probes.Observation
	Found  []Breach
}

// LaneOf is parallel for scripts that only read.
func LaneOf(f *model.Adapter, sc model.Script) probes.Lane {
	for _, step := range sc.Steps {
		if o, _ := f.Operation(step.Operation); o.Category != "READ" {
			return probes.Serial
		}
	}
	return probes.Parallel
}
