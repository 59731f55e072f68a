package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// The steps in the life of an object.
const (
	StepCreate = "create"
	StepRead   = "read"
	StepList   = "list"
	StepUpdate = "update"
	StepDelete = "delete"
)

// InLifeOrder returns the steps that are in either list, in the order of a life.
func InLifeOrder(a, b []string) []string {
	return slices.DeleteFunc([]string{StepCreate, StepRead, StepList, StepUpdate, StepDelete}, func(step string) bool {
		return !slices.Contains(a, step) && !slices.Contains(b, step)
	})
}

// A Life is the documented life of one kind of object.
type Life struct {
	gate.Life
	Name  string             // of the kind
	Makes []probes.Operation // CREATE operations
}

// Lives returns the life of each kind of object, in the order of the CREATE operations. What the
// operator permits plays no part.
func (f *Adapter) Lives() []*Life {
	var all []*Life
	for _, l := range f.Rules.Lives() {
		name := f.kindName(l.Make)
		i := slices.IndexFunc(all, func(k *Life) bool { return k.Name == name })
		if i < 0 {
			all = append(all, &Life{l, name, []probes.Operation{l.Make}})
			continue
		}
		all[i].join(l)
	}
	return all
}

// kindName returns the name of the kind of object that an operation makes: the one in the hints
// file, or the noun of the operation.
func (f *Adapter) kindName(made probes.Operation) string {
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Resources)) {
		if f.Hints.Resources[name].Names(made.Name) {
			return name
		}
	}
	return cmp.Or(f.Rules.Noun(made.Name), made.Name)
}

// join adds another CREATE operation of the same kind. Where the first cannot be seen again, the
// other says how.
func (l *Life) join(other gate.Life) {
	if len(l.Views) == 0 {
		l.Views, l.Key = other.Views, other.Key
	}
	l.Makes = append(l.Makes, other.Make)
	l.Reads, l.Lists = distinct(l.Reads, other.Reads), distinct(l.Lists, other.Lists)
	l.Updates, l.Removes = distinct(l.Updates, other.Updates), distinct(l.Removes, other.Removes)
}

// distinct returns the operations of both lists, each once.
func distinct(list, more []probes.Operation) []probes.Operation {
	for _, o := range more {
		if !slices.ContainsFunc(list, func(known probes.Operation) bool { return known.Name == o.Name }) {
			list = append(slices.Clip(list), o)
		}
	}
	return list
}

// Steps returns the documented steps of the life, in order.
func (l *Life) Steps() []string {
	var steps []string
	for _, s := range []struct {
		name string
		by   []probes.Operation
	}{{StepCreate, l.Makes}, {StepRead, l.Reads}, {StepList, l.Lists}, {StepUpdate, l.Updates}, {StepDelete, l.Removes}} {
		if len(s.by) > 0 {
			steps = append(steps, s.name)
		}
	}
	return steps
}
