package adapter

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// The optional features of the specification that the adapter can be told to offer
// or not. Their names are those of the catalogue of requirements.
const (
	Batching       = "batch"
	FieldSelection = "field-selection"
	Paging         = "pagination"
	Lifecycles     = "lifecycle"
	Confirming     = "confirmation"
	SafetyLoop     = "execution-safety-loop"
	Verification   = "out-of-band-verification"
	Concurrency    = "concurrency"
	Etags          = "etag"
	Aggregating    = "aggregations"
	Computing      = "computed-fields"
	Relating       = "relationship-queries"
	ToolChanges    = "tools-list-changed"
)

// backingUp is the part of lifecycles that a small service does without: long work
// that waits, fails and is tried again. Whoever asks for lifecycles by name gets it.
const backingUp = "backups"

// Usual are the features of an adapter that is told nothing else: what a small
// service has without asking for it.
var Usual = []string{Batching, FieldSelection, Paging, Lifecycles, Concurrency}

// Features lists every optional feature by name.
func Features() []string {
	return append(slices.Clone(Usual), Confirming, SafetyLoop, Verification, Etags, Aggregating, Computing, Relating, ToolChanges)
}

// FeaturesOf reads a choice of features: nothing for the usual ones, "all", "none",
// or names with commas between; "-name" takes one away from those before it, from
// the usual ones if it comes first.
func FeaturesOf(choice string) (map[string]bool, error) {
	on := map[string]bool{}
	switch first, _, _ := strings.Cut(choice, ","); {
	case choice == "" || strings.HasPrefix(first, "-"):
		turn(on, true, Usual...)
	}
	for _, word := range strings.FieldsFunc(choice, func(r rune) bool { return r == ',' }) {
		name, off := strings.CutPrefix(word, "-")
		switch {
		case word == "all":
			turn(on, true, append(Features(), backingUp)...)
		case word == "usual":
			turn(on, true, Usual...)
		case word == "none":
			clear(on)
		case name == Lifecycles:
			turn(on, !off, name, backingUp)
		case slices.Contains(Features(), name):
			turn(on, !off, name)
		default:
			return nil, fmt.Errorf("unknown feature %q: want all, none, usual or some of %s", name, strings.Join(Features(), ", "))
		}
	}
	return on, nil
}

// Offers reports whether the features are as a choice names them.
func (a *Adapter) Offers(choice string) bool {
	for _, word := range strings.FieldsFunc(choice, func(r rune) bool { return r == ',' }) {
		if name, off := strings.CutPrefix(word, "-"); a.Features[name] == off {
			return false
		}
	}
	return true
}

func turn(on map[string]bool, value bool, names ...string) {
	for _, name := range names {
		on[name] = value
	}
}

// Has reports whether a feature is offered; the empty name always is.
func (a *Adapter) Has(feature string) bool { return feature == "" || a.Features[feature] }

// Offered returns the operations of the features that are offered, each without the
// parameters, examples and records of those that are not.
func (a *Adapter) Offered(operations []Operation) []Operation {
	var all []Operation
	for _, op := range operations {
		if !a.Has(op.Feature) {
			continue
		}
		given := op.Parameters
		op.Parameters = a.present(given)
		op.Examples = slices.DeleteFunc(slices.Clone(op.Examples), func(e Example) bool { return !a.shows(given, e) })
		if !a.Has(Aggregating) {
			op.Aggregation = nil
		}
		if !a.Has(Computing) {
			op.Computed = nil
		}
		all = append(all, op)
	}
	return all
}

// Known returns the types of the features that are offered, likewise.
func (a *Adapter) Known(types []TypeInfo) []TypeInfo {
	var all []TypeInfo
	for _, kind := range types {
		if a.Has(kind.Feature) {
			kind.Fields = a.present(kind.Fields)
			all = append(all, kind)
		}
	}
	return all
}

func (a *Adapter) present(list []Parameter) []Parameter {
	return slices.DeleteFunc(slices.Clone(list), func(p Parameter) bool { return !a.Has(p.Feature) })
}

// shows reports whether an example can be sent: it gives no parameter that is not
// offered, and asks for no computed field where there are none.
func (a *Adapter) shows(given []Parameter, e Example) bool {
	params, _ := e.Request["params"].(map[string]any)
	for _, p := range given {
		if _, named := params[p.Name]; named && !a.Has(p.Feature) {
			return false
		}
	}
	paths, _ := params["fields"].([]string)
	return a.Has(Computing) || !slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path, computedPrefix) })
}

// HintsFile is what the adapter with all features cannot say over the wire.
//
//go:embed aql-conform.yaml
var HintsFile []byte
