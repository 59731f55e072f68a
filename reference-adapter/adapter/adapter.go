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
	"sync"
	"time"
)

// Config chooses what the adapter exposes. The zero value is that of an adapter in
// semantic mode with the CRUDE profile (spec 3.3).
type Config struct {
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
	// Rate is how many calls a session may make in a minute; 0 means any number.
	Rate int
	// Clock tells the time; nil means the real one.
	Clock func() time.Time

	// Extension has the operations that a room of its own adds; nil for none.
	Extension Extension
	// Manner is what the specification leaves free.
	Manner Manner
	// Hooks change what the adapter does, and Beside is what they remember.
	Hooks  Hooks
	Beside any
}

// ToolCall is one tools/call request as it arrived, before anything was checked.
type ToolCall struct {
	Tool      string
	Operation string // empty if the arguments hold no operation string
	Arguments json.RawMessage
}

// Adapter holds the notes and serves any number of sessions at once. Its
// sessions share one state, as the users of one service would.
type Adapter struct {
	Mode       string
	Profile    profile
	Operations []Operation
	Types      []TypeInfo
	Hooks      Hooks
	Beside     any // what the hooks remember
	Features   map[string]bool
	State      string // folder; empty for none
	Records    Records
	rate       int
	Clock      func() time.Time
	limits     Limits // that are enforced
	advertised Limits
	Manner     Manner
	changes    changesSeen
	dying      sync.Once
	dead       chan struct{} // closed when a fatal fault ended the service

	Mu      sync.Mutex // serializes operations: _protocol promises arrival order (spec 9.3.1)
	Store   *Store
	Consent consent // guarded by Mu
	Backups Backups // guarded by Mu

	Extension Extension

	log   sync.Mutex
	calls []ToolCall
}

// New builds an adapter with its seed data. It fails if cfg names an unknown
// mode, profile or feature.
func New(cfg Config) (*Adapter, error) {
	mode := cmp.Or(cfg.Mode, "semantic")
	if !slices.Contains([]string{"semantic", "single", "all"}, mode) {
		return nil, fmt.Errorf("unknown mode %q: want semantic, single or all", mode)
	}
	family, ok := Profiles[cmp.Or(cfg.Profile, "crude")]
	if !ok {
		return nil, fmt.Errorf("unknown profile %q: want crude, alternative, database or device", cfg.Profile)
	}
	features, err := FeaturesOf(cfg.Features)
	if err != nil {
		return nil, err
	}
	advertised := *cmp.Or(cfg.Manner.Limits, &byDefault)
	enforced := advertised
	if cfg.Hooks.Limits != nil {
		cfg.Hooks.Limits(&enforced)
	}
	a := &Adapter{
		limits: enforced, advertised: advertised, Manner: cfg.Manner,
		Mode:      mode,
		Profile:   family,
		Hooks:     cfg.Hooks,
		Beside:    cfg.Beside,
		Features:  features,
		State:     cfg.State,
		rate:      cfg.Rate,
		Clock:     cfg.Clock,
		Records:   RecordsIn(cfg.State),
		Store:     newStore(),
		Consent:   newConsent(),
		Backups:   newBackups(),
		Extension: cmp.Or(cfg.Extension, Extension(none{})),
		dead:      make(chan struct{}),
	}
	a.changes = changesSeen{operations: changed(a.State, "operations"), tools: changed(a.State, "tools")}
	if a.Clock == nil {
		a.Clock = time.Now
	}
	a.fill()
	if cfg.Hooks.Table != nil {
		cfg.Hooks.Table(a)
	}
	return a, nil
}

// fill builds the tables of operations and types.
func (a *Adapter) fill() {
	a.Operations, a.Types = a.Offered(Operations(a.Extension.Operations())), a.Known(Types())
	if a.Has(Etags) {
		a.Operations, a.Types = conditional(a.Operations), versioned(a.Types)
	}
	a.Extension.Fill(a)
}

// Dead is closed when a fatal fault has ended the service behind Handler. Who
// serves it ends then, as the process would.
func (a *Adapter) Dead() <-chan struct{} { return a.dead }

// Calls returns every tools/call that arrived so far, in order of arrival.
func (a *Adapter) Calls() []ToolCall {
	a.log.Lock()
	defer a.log.Unlock()
	return slices.Clone(a.calls)
}

// Objects returns the ids of all notes and folders now in the store, sorted.
// Exports are records of what was done, nobody can remove them, so they are
// left out.
func (a *Adapter) Objects() []string {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	return a.Store.Ids()
}

func (a *Adapter) record(tool string, arguments json.RawMessage) {
	var request struct {
		Operation any `json:"operation"`
	}
	_ = json.Unmarshal(arguments, &request) // what cannot be read has no operation
	name, _ := request.Operation.(string)
	a.log.Lock()
	defer a.log.Unlock()
	a.calls = append(a.calls, ToolCall{Tool: tool, Operation: name, Arguments: bytes.Clone(arguments)})
}
