// Package adapter is a small MCP-AQL adapter that conforms to Level 2 of the
// 1.0.0-draft specification, and that can be told to break exactly one
// requirement. It serves notes in folders from memory. Read it as the model of
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
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config chooses what the adapter exposes and what it breaks. The zero value is
// a healthy adapter in semantic mode with the CRUDE profile (spec 3.3).
type Config struct {
	// Mode is semantic, single or all.
	Mode string
	// Profile names the endpoint families of semantic mode: crude, alternative,
	// database or device.
	Profile string
	// Fault is empty, or ID.variant as listed by Faults. An ID alone is enough
	// where it has one variant.
	Fault string
	// Features chooses the optional features: empty for the usual ones and those that
	// the fault needs, all, none, or names with commas between; -name takes one away.
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
	// Description says how the adapter does what the specification leaves free; the
	// zero value is that of the notes.
	Description Description
	// Clock tells the time; nil means the real one.
	Clock func() time.Time
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
	fault      hooks
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

	log    sync.Mutex
	calls  []Call
	memory map[string]int  // of faults and habits
	kept   map[string]note // what faults kept of a note, by its id; guarded by mu
	habitual
}

// habitual is the memory of habits, guarded by mu.
type habitual struct {
	keys    map[string]string         // identifier on the wire -> that of the heart
	chosen  map[string]string         // and back, where the client chose it
	removed map[string]note           // notes that were removed and can be read
	fresh   map[string]time.Time      // notes that lists do not show yet
	theirs  string                    // the note of somebody else
	nulls   bool                      // a read of what is not there answers null
	missed  bool                      // a fault found no operation, parameter or type of that name
	seeds   map[string]map[string]any // what was stored at the start, by identifier
}

// New builds an adapter with its seed data. It fails if cfg names an unknown
// mode, profile or fault.
func New(cfg Config) (*Adapter, error) {
	broken, err := findFault(cfg.Fault)
	if err != nil {
		return nil, err
	}
	free, err := cfg.Description.shape()
	if err != nil {
		return nil, err
	}
	mode := cmp.Or(cfg.Mode, broken.Mode, free.mode, "semantic")
	if !slices.Contains([]string{"semantic", "single", "all"}, mode) {
		return nil, fmt.Errorf("unknown mode %q: want semantic, single or all", mode)
	}
	family, ok := profiles[cmp.Or(cfg.Profile, broken.Profile, free.profile, "crude")]
	if !ok {
		return nil, fmt.Errorf("unknown profile %q: want crude, alternative, database or device", cfg.Profile)
	}
	choice := cfg.Features
	if choice == "" && broken.Features+free.features != "" {
		choice = "usual," + broken.Features + free.features
	}
	features, err := featuresOf(choice)
	if err != nil {
		return nil, err
	}
	if free.features != "" && !offers(features, broken.Features) {
		return nil, ErrNoRole
	}
	loop := cmp.Or(cfg.Loop, loopChoices[0])
	if !slices.Contains(loopChoices, loop) {
		return nil, fmt.Errorf("unknown loop %q: want %s", loop, strings.Join(loopChoices, ", "))
	}
	advertised := *cmp.Or(free.manner.limits, &byDefault)
	enforced := advertised
	if broken.limits != nil {
		broken.limits(&enforced)
	}
	a := &Adapter{
		limits: enforced, advertised: advertised, manner: free.manner,
		mode:     mode,
		profile:  family,
		fault:    both(free.hooks, broken.hooks),
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
		memory:   map[string]int{},
		kept:     map[string]note{},
		habitual: habitual{map[string]string{}, map[string]string{}, map[string]note{}, map[string]time.Time{}, "", false, false, nil},
	}
	a.changes = changesSeen{operations: changed(a.state, "operations"), tools: changed(a.state, "tools")}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.operations, a.types = a.offered(operations()), a.known(types())
	if a.has(etags) {
		a.operations, a.types = conditional(a.operations), versioned(a.types)
	}
	if a.has(safetyLoop) {
		a.types = append(a.types, loopTypes()...)
	}
	if loop == countingLoop {
		a.countOnly()
	}
	if a.has(verification) {
		a.types = append(a.types, verifyTypes()...)
	}
	if err := a.arrange(free.hooks, broken.hooks, len(cfg.Description.Habits) > 0); err != nil {
		return nil, err
	}
	a.seeds = a.store.seeded()
	return a, nil
}

// ErrNoRole says that a fault breaks what the description does not have.
var ErrNoRole = errors.New("the description has nothing that this fault breaks")

// arrange changes the tables, by habits first.
func (a *Adapter) arrange(habits, broken hooks, described bool) (err error) {
	if habits.table != nil {
		habits.table(a)
	}
	a.missed = false
	defer func() {
		if recover() != nil || a.missed && described {
			err = ErrNoRole
		}
	}()
	if broken.table != nil {
		broken.table(a)
	}
	return nil
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
