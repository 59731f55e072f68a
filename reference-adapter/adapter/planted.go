package adapter

import (
	"cmp"
	"errors"
	"maps"
	"time"
)

// Config chooses what the adapter exposes and what it breaks. The zero value is
// a healthy adapter in semantic mode with the CRUDE profile (spec 3.3).
type Config struct {
	// Fault is empty, or ID.variant as listed by Faults. An ID alone is enough
	// where it has one variant.
	Fault string
	// Description says how the adapter does what the specification leaves free; the
	// zero value is that of the notes.
	Description Description

	// What follows is that of the adapter. Where it is empty, the fault or the description decides.

	Mode, Profile, Features string
	State, Loop             string
	Challenge               time.Duration
	Rate                    int
	Clock                   func() time.Time
}

// ErrNoRole says that a fault breaks what the description does not have.
var ErrNoRole = errors.New("the description has nothing that this fault breaks")

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
	choice := cfg.Features
	if choice == "" && broken.Features+free.features != "" {
		choice = "usual," + broken.Features + free.features
	}
	planted := broken.hooks
	planted.table = nil // only after the habits, and watched
	a, err := newAdapter(engineConfig{
		Mode: cmp.Or(cfg.Mode, broken.Mode, free.mode), Profile: cmp.Or(cfg.Profile, broken.Profile, free.profile),
		Features: choice, State: cfg.State, Loop: cfg.Loop, Challenge: cfg.Challenge, Rate: cfg.Rate, Clock: cfg.Clock,
		Manner: free.manner, Hooks: both(free.hooks, planted), Beside: newMemory(free.words),
	})
	if err != nil {
		return nil, err
	}
	if free.features != "" && !a.offers(broken.Features) {
		return nil, ErrNoRole
	}
	if err := plant(a, broken.hooks, len(cfg.Description.Habits) > 0); err != nil {
		return nil, err
	}
	a.aside().seeds = a.store.seeded()
	return a, nil
}

// plant changes the tables by a fault.
func plant(a *Adapter, broken hooks, described bool) (err error) {
	a.aside().missed = false
	defer func() {
		if recover() != nil || a.aside().missed && described {
			err = ErrNoRole
		}
	}()
	if broken.table != nil {
		broken.table(a)
	}
	return nil
}

// seeded is a copy of what the store holds.
func (s *store) seeded() map[string]map[string]any {
	all := map[string]map[string]any{}
	maps.Copy(all, s.notes)
	maps.Copy(all, s.folders)
	for id, object := range all {
		all[id], _ = plain(object).(map[string]any)
	}
	return all
}
