// Package seam is where faults and habits reach into the adapter: what a fault is, the hooks joined
// and named, and what hooks remember. It refuses to know any fault or habit.
package seam

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// Fault is one way to break exactly one requirement. It rewrites the call before
// or the reply after the healthy code and leaves everything else untouched.
type Fault struct {
	ID      string `json:"id"`      // the requirement that it breaks
	Variant string `json:"variant"` // its name among the faults of that requirement
	Defect  string `json:"defect"`  // what a client would see

	// Phase is the kind of generated input that reaches a seeded defect:
	// coverage, negative, stateful, random or load. It is empty for a fault that the
	// one or two probes of an ordinary check reach.
	Phase string `json:"phase,omitempty"`

	// Mode and Profile name the configuration in which the fault shows and breaks
	// least besides; empty where the default does.
	Mode    string `json:"mode,omitempty"`
	Profile string `json:"profile,omitempty"`

	// Transport is stdio or http where the fault can show over that one alone:
	// over stdio a session has a process of its own and shares nothing, over HTTP
	// only the MCP revisions with sessions are served. Empty means both.
	Transport string `json:"transport,omitempty"`

	// Authorization says that the adapter has to be behind authorization for the fault to show.
	Authorization bool `json:"authorization,omitempty"`

	// Features are the optional features, with commas between, that have to be
	// offered beside the usual ones for the fault to show.
	Features string `json:"features,omitempty"`

	// Also are the requirements that the fault cannot leave alone.
	Also []string `json:"also,omitempty"`

	// Hints are what the author of such an adapter would tell a checker, for
	// faults that the wire alone cannot show.
	Hints map[string]string `json:"hints,omitempty"`

	adapter.Hooks `json:"-"`
}

// HintsFile is the hints file of the adapter that the fault breaks; nil where the
// author would not write one. What Hints say comes on top.
func (f Fault) HintsFile() []byte {
	if f.Features == "" {
		return nil
	}
	return slices.Clone(adapter.HintsFile)
}
