package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// What lies in a parent and has no READ of its own is seen in the list of the parent alone. Where that list has
// pages, an object among many of the run may stand on any of them. So the objects of each case and each script
// get a home: a parent that holds nothing else.

// A crowd is a kind of object that is seen in pages alone, with what makes the parent of one.
type crowd struct {
	maker  string   // CREATE operation
	views  []string // READ operations that list what lies in a parent
	parent parentOf
}

// crowds are the kinds whose objects get a home. Before all valid requests are known there are none.
func (f *Adapter) crowds() []crowd {
	if !f.explored || f.Rules == nil {
		return nil
	}
	return f.Remember("crowds", func() any {
		var all []crowd
		for _, s := range f.Makers() {
			k, known := s.kind()
			if s.Ruling != nil || !known || !k.Listed() || f.oneEach[s.Name] || !slices.ContainsFunc(k.Views, gate.Paged) {
				continue
			}
			c := crowd{maker: s.Name}
			for _, v := range k.Views {
				c.views = append(c.views, v.Name)
			}
			c.parent.maker, c.parent.paths = f.PlaceOf(s.Name)
			_, told := s.parentPaths(k, k.Views[0])
			if told && len(c.parent.paths) > 0 && c.parent.maker.Ruling == nil {
				all = append(all, c)
			}
		}
		return all
	}).([]crowd)
}

// crowded reports whether the objects that an operation makes get a home.
func (f *Adapter) crowded(operation string) bool {
	return slices.ContainsFunc(f.crowds(), func(c crowd) bool { return c.maker == operation })
}

// A home is the parent of the objects of one kind in a case or a script; without an identifier it is the one of the
// valid request.
type home struct{ id map[string]probes.Value }

// atHome moves a request for an object or a list of a crowd from the parent of the valid request into the home.
// Where the list of that parent was asked for before, it is compared with later ones, and nothing moves.
func (c *OwnParents) atHome(f *Adapter, p probes.Probe, ask AskFunc) probes.Probe {
	for _, kind := range f.crowds() {
		op := p.Operation()
		if op != kind.maker && !slices.Contains(kind.views, op) || !f.inValidParent(kind, p) {
			continue
		}
		c.mu.Lock()
		if c.homes == nil {
			c.homes = map[string]home{}
		}
		h, settled := c.homes[kind.maker]
		if !settled {
			if op == kind.maker && f.fresh(p) {
				h = newHome(kind, p, ask)
			}
			c.homes[kind.maker] = h
		}
		c.mu.Unlock()
		for name, id := range h.id {
			p = p.With(name, id.Go())
		}
	}
	return p
}

// inValidParent reports whether a request names the parent that the valid creation has.
func (f *Adapter) inValidParent(kind crowd, p probes.Probe) bool {
	for name := range kind.parent.paths {
		if !ValueIn(p, name).Equal(ValueIn(f.KnownGood[kind.maker].Probe, name)) {
			return false
		}
	}
	return true
}

// fresh reports whether a creation has a mark of its own, which that of the valid request is not.
func (f *Adapter) fresh(p probes.Probe) bool {
	return slices.ContainsFunc(probes.ValueOf(p.Params()).Scalars(), func(text string) bool { return strings.Contains(text, f.Gen.Marker("-")) })
}

// newHome makes a parent for the objects of a case.
func newHome(kind crowd, first probes.Probe, ask AskFunc) home {
	step := ownParentStep(first)
	made := ask(kind.parent.maker.FreshCall(step).Anew(step))
	h := home{id: map[string]probes.Value{}}
	for name, path := range kind.parent.paths {
		id := made.Told(path...)
		if !made.Succeeded() || id.Is(probes.Absent) {
			return home{}
		}
		h.id[name] = id
	}
	return h
}

// full reports whether a creation was refused because its parent holds no more.
func full(o probes.Observation) bool {
	code := o.Code()
	return strings.HasPrefix(code, "CONFLICT_") && slices.ContainsFunc([]string{"LIMIT", "QUOTA", "FULL", "CAPACITY"}, func(word string) bool {
		return slices.Contains(strings.Split(code, "_"), word)
	})
}

// Elsewhere sends a creation whose parent is full once more below a new parent, first below one of those that the refusal names. It
// returns the first answer if there is no such parent, or room where it was sent to.
func (f *Adapter) Elsewhere(refused probes.Observation, ask AskFunc) probes.Observation {
	if !full(refused) {
		return refused
	}
	all := f.placesOf(refused.Probe.Operation(), true)
	unnamed := slices.DeleteFunc(slices.Clone(all), func(in parentPlace) bool { return refused.Mentions(in.parameter) })
	named := slices.DeleteFunc(all, func(in parentPlace) bool { return !refused.Mentions(in.parameter) })
	for _, in := range append(named, unnamed...) {
		if again := Below(in.maker, map[string][]string{in.parameter: in.path}, refused, ask); !full(again) {
			return again
		}
	}
	return refused
}

// OwnParents gives each object of a case or a script a parent of its own, where one parent takes no second object. A
// creation with the texts of an earlier one is sent to the parent of that: it may be meant to be a conflict.
type OwnParents struct {
	mu    sync.Mutex
	moved map[string]probes.Probe
	homes map[string]home // by CREATE operation
}

// Ask sends a request, and a creation that meets a conflict once more in a parent of its own.
func (c *OwnParents) Ask(f *Adapter, p probes.Probe, ask AskFunc) probes.Observation {
	if !f.oneEach[p.Operation()] {
		return ask(c.atHome(f, p, ask))
	}
	marks := slices.DeleteFunc(probes.ValueOf(p.Params()).Scalars(), func(text string) bool { return !strings.Contains(text, f.Gen.Marker("")) })
	key := strings.Join(append(marks, p.Operation()), "\x00")
	if len(marks) == 0 { // two objects may have the same values
		key = p.Key()
	}
	c.mu.Lock()
	instead, moved := c.moved[key]
	c.mu.Unlock()
	_, paths := f.PlaceOf(p.Operation())
	if moved {
		for name := range paths {
			p = p.With(name, instead.Params()[name])
		}
		for _, h := range f.refers[p.Operation()] {
			if v, given := instead.Params()[h.parameter]; given {
				p = p.With(h.parameter, v)
			}
		}
		return ask(p)
	}
	o := f.apart(ask(p), ask)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved == nil {
		c.moved = map[string]probes.Probe{}
	}
	if o.Succeeded() {
		c.moved[key] = o.Probe
	}
	return o
}
