package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An ObjectKind is one kind of object that scripts create, read, update and delete.
type ObjectKind struct {
	TestObject                      // of the CREATE operation
	Updaters    []TestObject        // UPDATE operations
	Removers    []TestObject        // DELETE operations
	Accepted    map[string]bool     // by operation.field: a valid value was accepted
	Past        map[string]bool     // by field: a day of the future was refused
	StableReads bool                // two reads in a row showed the same object
	AnswersAt   map[string][]string // by UPDATE operation: where its answer shows the object as the next read does
}

// findObjectKinds returns the kinds of object that the run may create and read.
func (f *Adapter) findObjectKinds() []*ObjectKind {
	var all []*ObjectKind
	for _, s := range f.Makers() {
		obj, why := f.TestObject(s.Name)
		if s.Ruling != nil || why != nil { // a test object is shown by a read or by a listing
			continue
		}
		kind := &ObjectKind{TestObject: obj, Accepted: map[string]bool{}, Past: map[string]bool{}, AnswersAt: map[string][]string{}}
		for _, o := range f.Operations {
			other, why := f.TestObject(o.Name)
			if why != nil || other.Adapter == nil || other.Maker.Name != s.Name {
				continue
			}
			switch o.Category {
			case "UPDATE":
				kind.Updaters = append(kind.Updaters, other)
			case "DELETE":
				kind.Removers = append(kind.Removers, other)
			}
		}
		all = append(all, kind)
	}
	return all
}

// sampleNumber makes the mark that CreateStep replaces by MarkToken.
const sampleNumber = 1000

// CreateStep is the step that creates an object. It adds the fields that the operation takes.
func (kind ObjectKind) CreateStep(fields map[string]any) Step {
	params, _ := WithoutMark(Native(kind.Maker.freshCall(sampleNumber).Params()), kind.Gen.Marker(fmt.Sprintf("-%d", sampleNumber))).(map[string]any)
	kind.withKeys(kind.Maker.Op, params, func(_ probes.Parameter, v any) any {
		if HoldsMark(v) {
			return v
		}
		return KeyToken
	})
	for name, v := range fields {
		i := slices.IndexFunc(kind.Maker.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		if _, given := params[name]; i >= 0 && !(given && (HoldsMark(params[name]) || params[name] == KeyToken)) {
			params[name] = keepEntry(params[name], v)
		}
	}
	return Step{Operation: kind.Maker.Name, Params: params, MadeBy: NoObject}
}

// HoldsMark reports whether a value of a script contains the placeholder for the mark.
func HoldsMark(v any) bool {
	text, ok := v.(string)
	return ok && strings.Contains(text, MarkToken)
}

// UpdateStep is the step that updates the object of step of.
func (obj TestObject) UpdateStep(of int, input map[string]any) Step {
	params := obj.plainParams(obj.Op)
	params["input"] = input
	return Step{Operation: obj.Name, Params: params, MadeBy: of}
}

// DeleteStep is the step that deletes the object of step of.
func (obj TestObject) DeleteStep(of int) Step {
	return Step{Operation: obj.Name, Params: obj.plainParams(obj.Op), MadeBy: of}
}

// plainParams are the required parameters of an operation that are not identifiers.
func (obj TestObject) plainParams(o probes.Operation) map[string]any {
	params := map[string]any{}
	for _, p := range o.Parameters {
		if _, own := obj.IDs[p.Name]; own || !p.Required || p.Name == "input" {
			continue
		}
		if v := obj.KnownGood[o.Name]; v.Usable() && !probes.IsReference(o, p) {
			params[p.Name] = Native(v.Probe.Params()[p.Name])
		}
	}
	return params
}

// ReadStep is the step that reads the object of step of.
func (kind ObjectKind) ReadStep(of int) Step {
	if kind.Viewer.Name != "" {
		return Step{Operation: kind.Viewer.Name, Params: kind.plainParams(kind.Viewer), MadeBy: of}
	}
	if kind.Lister.Name != "" {
		return Step{Operation: kind.Lister.Name, Params: kind.plainParams(kind.Lister), MadeBy: of}
	}
	view := kind.Maker.Views(MarkToken)[0]
	return Step{Operation: view.Operation(), Params: Native(view.Params()).(map[string]any), MadeBy: of}
}

// Native returns a value as plain Go types, so that scripts can be searched and shrunk.
func Native(v any) any {
	value, ok := v.(probes.Value)
	if !ok {
		value = probes.ValueOf(v)
	}
	switch value.Kind() {
	case probes.Object:
		m := map[string]any{}
		for _, member := range value.Members() {
			m[member.Name] = Native(member.Value.Go())
		}
		return m
	case probes.Array:
		s := []any{}
		for _, inner := range value.Items() {
			s = append(s, Native(inner.Go()))
		}
		return s
	case probes.String:
		return value.Text()
	case probes.Number:
		if n, ok := value.Float(); ok && value.Whole() && (n < 0 || !math.Signbit(n)) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
	}
	return value.Go() // a number that does not fit int64, true, false, null
}
