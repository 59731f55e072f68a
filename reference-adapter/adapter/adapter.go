// Package adapter is a small MCP-AQL adapter that conforms to Level 2 of the
// 1.0.0-draft specification. It serves notes in folders from memory. Read it as the model of
// an adapter: one table of operations feeds introspection, validation and
// routing, and every request takes the same path from bytes to envelope.
//
// It refuses to know who is asking. It shares no code with the checker that it
// helps to prove: two readers of the specification that share a helper can be
// wrong together.
package adapter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// An engineConfig chooses what the adapter exposes. The zero value is that of an adapter in
// semantic mode with the CRUDE profile (spec 3.3).
type engineConfig struct {
	// Mode is semantic, single or all.
	Mode string
	// Profile names the endpoint families of semantic mode: crude, alternative,
	// database or device.
	Profile string
	// Features chooses the optional features: empty for the usual ones, all, none, or
	// names with commas between; -name takes one away.
	Features string
	// State is the folder that keeps what has to outlive the process, and what
	// passes between the adapter and the person beside it. Empty means that nothing
	// does.
	State string
	// Loop is the mode of the execution safety loop: enforcing, monitoring, logging,
	// disabled, or counting, which enforces nothing but a step limit. Empty means
	// enforcing.
	Loop string
	// Challenge is how long a challenge can be met; 0 means five minutes.
	Challenge time.Duration
	// Rate is how many calls a session may make in a minute; 0 means any number.
	Rate int
	// Clock tells the time; nil means the real one.
	Clock func() time.Time

	// Manner is what the specification leaves free.
	Manner manner
	// Hooks change what the adapter does, and Beside is what they remember.
	Hooks  hooks
	Beside any
}

// Call is one tools/call request as it arrived, before anything was checked.
type Call struct {
	Tool      string
	Operation string // empty if the arguments hold no operation string
	Arguments json.RawMessage
}

// Adapter holds the notes and serves any number of sessions at once. Its
// sessions share one state, as the users of one service would.
type Adapter struct {
	mode       string
	profile    profile
	operations []operation
	types      []typeInfo
	hooks      hooks
	beside     any // what the hooks remember
	features   map[string]bool
	state      string // folder; empty for none
	records    records
	rate       int
	clock      func() time.Time
	limits     limits // that are enforced
	advertised limits
	manner     manner
	changes    changesSeen
	dying      sync.Once
	dead       chan struct{} // closed when a fatal fault ended the service

	mu      sync.Mutex // serializes operations: _protocol promises arrival order (spec 9.3.1)
	store   *store
	consent consent // guarded by mu
	backups backups // guarded by mu
	loop    safety

	verifier verifier

	log   sync.Mutex
	calls []Call
}

// newAdapter builds an adapter with its seed data. It fails if cfg names an unknown
// mode, profile, feature or loop.
func newAdapter(cfg engineConfig) (*Adapter, error) {
	mode := cmp.Or(cfg.Mode, "semantic")
	if !slices.Contains([]string{"semantic", "single", "all"}, mode) {
		return nil, fmt.Errorf("unknown mode %q: want semantic, single or all", mode)
	}
	family, ok := profiles[cmp.Or(cfg.Profile, "crude")]
	if !ok {
		return nil, fmt.Errorf("unknown profile %q: want crude, alternative, database or device", cfg.Profile)
	}
	features, err := featuresOf(cfg.Features)
	if err != nil {
		return nil, err
	}
	loop := cmp.Or(cfg.Loop, loopChoices[0])
	if !slices.Contains(loopChoices, loop) {
		return nil, fmt.Errorf("unknown loop %q: want %s", loop, strings.Join(loopChoices, ", "))
	}
	advertised := *cmp.Or(cfg.Manner.limits, &byDefault)
	enforced := advertised
	if cfg.Hooks.limits != nil {
		cfg.Hooks.limits(&enforced)
	}
	a := &Adapter{
		limits: enforced, advertised: advertised, manner: cfg.Manner,
		mode:     mode,
		profile:  family,
		hooks:    cfg.Hooks,
		beside:   cfg.Beside,
		features: features,
		state:    cfg.State,
		rate:     cfg.Rate,
		clock:    cfg.Clock,
		records:  recordsIn(cfg.State),
		store:    newStore(),
		consent:  newConsent(),
		backups:  newBackups(),
		loop:     newSafety(loop),
		verifier: newVerifier(cfg.Challenge),
		dead:     make(chan struct{}),
	}
	a.changes = changesSeen{operations: changed(a.state, "operations"), tools: changed(a.state, "tools")}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.fill()
	if cfg.Hooks.table != nil {
		cfg.Hooks.table(a)
	}
	return a, nil
}

// fill builds the tables of operations and types.
func (a *Adapter) fill() {
	a.operations, a.types = a.offered(operations()), a.known(types())
	if a.has(etags) {
		a.operations, a.types = conditional(a.operations), versioned(a.types)
	}
	if a.has(safetyLoop) {
		a.types = append(a.types, loopTypes()...)
	}
	if a.loop.mode == countingLoop {
		a.countOnly()
	}
	if a.has(verification) {
		a.types = append(a.types, verifyTypes()...)
	}
}

// Dead is closed when a fatal fault has ended the service behind Handler. Who
// serves it ends then, as the process would.
func (a *Adapter) Dead() <-chan struct{} { return a.dead }

// Calls returns every tools/call that arrived so far, in order of arrival.
func (a *Adapter) Calls() []Call {
	a.log.Lock()
	defer a.log.Unlock()
	return slices.Clone(a.calls)
}

// Objects returns the ids of all notes and folders now in the store, sorted.
// Exports are records of what was done, nobody can remove them, so they are
// left out.
func (a *Adapter) Objects() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store.ids()
}

func (a *Adapter) record(tool string, arguments json.RawMessage) {
	var request struct {
		Operation any `json:"operation"`
	}
	_ = json.Unmarshal(arguments, &request) // what cannot be read has no operation
	name, _ := request.Operation.(string)
	a.log.Lock()
	defer a.log.Unlock()
	a.calls = append(a.calls, Call{Tool: tool, Operation: name, Arguments: bytes.Clone(arguments)})
}
