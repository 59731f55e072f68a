package adapter

import (
	"fmt"
	"slices"
	"strings"
)

// The optional features of the specification that the adapter can be told to offer
// or not. Their names are those of the catalogue of requirements.
const (
	batching       = "batch"
	fieldSelection = "field-selection"
	paging         = "pagination"
	lifecycles     = "lifecycle"
	confirming     = "confirmation"
	safetyLoop     = "execution-safety-loop"
	verification   = "out-of-band-verification"
	concurrency    = "concurrency"
	etags          = "etag"
	aggregating    = "aggregations"
	computing      = "computed-fields"
	relating       = "relationship-queries"
	toolChanges    = "tools-list-changed"
)

// backingUp is the part of lifecycles that a small service does without: long work
// that waits, fails and is tried again. Whoever asks for lifecycles by name gets it.
const backingUp = "backups"

// usual are the features of an adapter that is told nothing else: what a small
// service has without asking for it.
var usual = []string{batching, fieldSelection, paging, lifecycles, concurrency}

// Features lists every optional feature by name.
func Features() []string {
	return append(slices.Clone(usual), confirming, safetyLoop, verification, etags, aggregating, computing, relating, toolChanges)
}

// featuresOf reads a choice of features: nothing for the usual ones, "all", "none",
// or names with commas between; "-name" takes one away from those before it, from
// the usual ones if it comes first.
func featuresOf(choice string) (map[string]bool, error) {
	on := map[string]bool{}
	switch first, _, _ := strings.Cut(choice, ","); {
	case choice == "" || strings.HasPrefix(first, "-"):
		turn(on, true, usual...)
	}
	for _, word := range strings.FieldsFunc(choice, func(r rune) bool { return r == ',' }) {
		name, off := strings.CutPrefix(word, "-")
		switch {
		case word == "all":
			turn(on, true, append(Features(), backingUp)...)
		case word == "usual":
			turn(on, true, usual...)
		case word == "none":
			clear(on)
		case name == lifecycles:
			turn(on, !off, name, backingUp)
		case slices.Contains(Features(), name):
			turn(on, !off, name)
		default:
			return nil, fmt.Errorf("unknown feature %q: want all, none, usual or some of %s", name, strings.Join(Features(), ", "))
		}
	}
	return on, nil
}

// offers reports whether the features are as a choice names them.
func (a *Adapter) offers(choice string) bool {
	for _, word := range strings.FieldsFunc(choice, func(r rune) bool { return r == ',' }) {
		if name, off := strings.CutPrefix(word, "-"); a.features[name] == off {
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

// has reports whether a feature is offered; the empty name always is.
func (a *Adapter) has(feature string) bool { return feature == "" || a.features[feature] }

// offered returns the operations of the features that are offered, each without the
// parameters, examples and records of those that are not.
func (a *Adapter) offered(operations []operation) []operation {
	var all []operation
	for _, op := range operations {
		if !a.has(op.Feature) {
			continue
		}
		given := op.Parameters
		op.Parameters = a.present(given)
		op.Examples = slices.DeleteFunc(slices.Clone(op.Examples), func(e example) bool { return !a.shows(given, e) })
		if !a.has(aggregating) {
			op.Aggregation = nil
		}
		if !a.has(computing) {
			op.Computed = nil
		}
		all = append(all, op)
	}
	return all
}

// known returns the types of the features that are offered, likewise.
func (a *Adapter) known(types []typeInfo) []typeInfo {
	var all []typeInfo
	for _, kind := range types {
		if a.has(kind.Feature) {
			kind.Fields = a.present(kind.Fields)
			all = append(all, kind)
		}
	}
	return all
}

func (a *Adapter) present(list []parameter) []parameter {
	return slices.DeleteFunc(slices.Clone(list), func(p parameter) bool { return !a.has(p.Feature) })
}

// shows reports whether an example can be sent: it gives no parameter that is not
// offered, and asks for no computed field where there are none.
func (a *Adapter) shows(given []parameter, e example) bool {
	params, _ := e.Request["params"].(map[string]any)
	for _, p := range given {
		if _, named := params[p.Name]; named && !a.has(p.Feature) {
			return false
		}
	}
	paths, _ := params["fields"].([]string)
	return a.has(computing) || !slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path, computedPrefix) })
}
