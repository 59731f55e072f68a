// Package stand builds the adapter with a fault and a description, and what stands beside a real one.
package stand

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/authorization"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
)

// Config chooses what the adapter exposes and what it breaks. The zero value is
// a healthy adapter in semantic mode with the CRUDE profile (spec 3.3).
type Config struct {
	// Fault is empty, or ID.variant as listed by Faults. An ID alone is enough
	// where it has one variant.
	Fault string
	// Description says how the adapter does what the specification leaves free; the
	// zero value is that of the notes.
	Description habits.Description

	// What follows is that of the adapter. Where it is empty, the fault or the description decides.

	Mode, Profile, Features string
	State                   string

	// Loop is the mode of the execution safety loop: enforcing, monitoring, logging,
	// disabled, or counting, which enforces nothing but a step limit. Empty means
	// enforcing.
	Loop string
	// Challenge is how long a challenge can be met; 0 means five minutes.
	Challenge time.Duration

	Authorization bool // whether HTTP requests need a token
	Rate          int
	Clock         func() time.Time
}

// ErrNoRole says that a fault breaks what the description does not have.
var ErrNoRole = errors.New("the description has nothing that this fault breaks")

// New builds an adapter with its seed data. It fails if cfg names an unknown
// mode, profile or fault.
func New(cfg Config) (*adapter.Adapter, error) {
	broken, err := faults.Named(cfg.Fault)
	if err != nil {
		return nil, err
	}
	free, err := cfg.Description.Shape()
	if err != nil {
		return nil, err
	}
	choice := cfg.Features
	if choice == "" && broken.Features+free.Features != "" {
		choice = "usual," + broken.Features + free.Features
	}
	extension, err := loop.New(cfg.Loop, cfg.Challenge)
	if err != nil {
		return nil, err
	}
	served, grant, lend := cfg.guard(broken)
	planted := seam.Both(adapter.Hooks{Served: served}, broken.Hooks)
	planted.Table = nil // only after the habits, and watched
	a, err := adapter.New(adapter.Config{
		Mode: cmp.Or(cfg.Mode, broken.Mode, free.Mode), Profile: cmp.Or(cfg.Profile, broken.Profile, free.Profile),
		Features: choice, State: cfg.State, Rate: cfg.Rate, Clock: cfg.Clock, Extension: extension,
		Manner: free.Manner, Hooks: seam.Both(free.Hooks, planted), Beside: seam.NewMemory(free.Words),
	})
	if err != nil {
		return nil, err
	}
	seam.Aside(a).Grant, seam.Aside(a).Lend = grant, lend
	if free.Features != "" && !a.Offers(broken.Features) {
		return nil, ErrNoRole
	}
	if err := plant(a, broken.Hooks, len(cfg.Description.Habits) > 0); err != nil {
		return nil, err
	}
	seam.Aside(a).Seeds = seeded(a.Store)
	return a, nil
}

// guard puts the adapter behind authorization where that is wanted.
func (cfg Config) guard(broken seam.Fault) (served func(http.Handler) http.Handler, grant, lend func(string) string) {
	if !cfg.Authorization && !broken.Authorization {
		return nil, nil, nil
	}
	guard := authorization.New()
	guard.Clock = cfg.Clock
	return guard.Over, guard.Grant, guard.Lend
}

// plant changes the tables by a fault.
func plant(a *adapter.Adapter, broken adapter.Hooks, described bool) (err error) {
	seam.Aside(a).Missed = false
	defer func() {
		if recover() != nil || seam.Aside(a).Missed && described {
			err = ErrNoRole
		}
	}()
	if broken.Table != nil {
		broken.Table(a)
	}
	return nil
}

// seeded is a copy of what the store holds.
func seeded(s *adapter.Store) map[string]map[string]any {
	all := map[string]map[string]any{}
	maps.Copy(all, s.Notes)
	maps.Copy(all, s.Folders)
	for id, object := range all {
		all[id], _ = adapter.Plain(object).(map[string]any)
	}
	return all
}
