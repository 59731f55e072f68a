package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A Case is one value at an edge of what a parameter allows.
type Case struct {
	Operator string       // how it was made, a word of the table of operators
	Value    probes.Value // to be sent for the parameter
	Valid    bool         // the documentation allows it; otherwise it forbids it
	Sentence string       // begins with the parameter: "title longer than its documented maximum of 80 characters"
}

// A position is a place within a parameter's value: the whole, an arm of a union,
// a field, an element.
type position struct {
	subject string
	shape   shape
	put     func(probes.Value) (probes.Value, bool) // the whole value with another one at this place
	root    string                                  // name of the parameter
	arm     bool                                    // one arm of a union, so that other kinds may be right as well
}

// An edge is a value for a position, with the words that say what is odd about it.
type edge struct {
	value probes.Value
	words string
}

// An operator makes the edges of one sort for a position.
type operator struct {
	name  string
	valid bool
	edges func(at position, d drawing) []edge
}

// operators is every way in which an edge is made. A case of a valid operator that
// the validator does not allow, or of another that it does not forbid, is uncertain
// and left out.
var operators = slices.Concat(numberOperators, textOperators, listOperators, typeOperators)

// Edges are bounded because types and enums are the adapter's.
const (
	maxPositions = 60
	maxCases     = 400
	maxChecks    = 2000 // questions to the validator
	maxListed    = 24
	edgeDepth    = 3
)

// Edges returns the cases of the domain, the same ones each time. None of them
// rests on a reading that another one contradicts.
func (d Domain) Edges() []Case {
	drawing := d.drawing(rand.New(rand.NewPCG(1, 1)))
	whole := position{subject: d.Parameter.Name, shape: d.root, root: d.Parameter.Name,
		put: func(v probes.Value) (probes.Value, bool) { return v, true }}
	var cases []Case
	checks, seen := 0, map[string]bool{}
	for _, at := range positions(whole, drawing, edgeDepth) {
		for _, op := range operators {
			for _, e := range op.edges(at, drawing) {
				value, ok := at.put(e.value)
				key := op.name + value.Canonical(nil)
				if !ok || seen[key] || len(cases) == maxCases || checks == maxChecks {
					continue
				}
				checks, seen[key] = checks+1, true
				if !d.agrees(value, op.valid) {
					continue
				}
				cases = append(cases, Case{op.name, value, op.valid, at.subject + " " + e.words})
			}
		}
	}
	return cases
}

// agrees reports whether the validator is sure of what the operator intended.
func (d Domain) agrees(v probes.Value, valid bool) bool {
	ok, understood, _ := d.from.Fits(d.Parameter, v)
	return understood && ok == valid
}

// positions lists a position and those below it.
func positions(at position, d drawing, depth int) []position {
	all := []position{at}
	_, arms := at.shape.(choice)
	below := func(subject string, s shape, put func(probes.Value) (probes.Value, bool)) {
		if _, unknown := s.(opaque); unknown || depth == 0 {
			return
		}
		inner := func(v probes.Value) (probes.Value, bool) {
			own, ok := put(v)
			if !ok {
				return own, false
			}
			return at.put(own)
		}
		all = append(all, positions(position{subject, s, inner, at.root, arms}, d, depth-1)...)
	}
	same := func(v probes.Value) (probes.Value, bool) { return v, true }
	switch t := at.shape.(type) {
	case choice:
		for _, arm := range t.arms {
			below(at.subject, arm, same)
		}
	case list:
		below("an element of "+at.subject, t.items, func(v probes.Value) (probes.Value, bool) { return t.ending(d, v) })
	case record:
		for _, f := range t.fields {
			below(at.subject+"."+f.name, f.shape, func(v probes.Value) (probes.Value, bool) {
				o, err := t.with(d, 0, f.name, v)
				return o, err == nil
			})
		}
	case table:
		below("a value of "+at.subject, t.values, func(v probes.Value) (probes.Value, bool) {
			return objectOf([]probes.Member{{Name: "key_1", Value: v}}), true
		})
	}
	return all[:min(len(all), maxPositions)]
}

// ending makes an array of as few elements as may be, the last of which is given.
func (l list) ending(d drawing, last probes.Value) (probes.Value, bool) {
	others, err := l.ofLength(d, max(l.low, 1)-1, 1)
	if err != nil || l.most() == 0 {
		return probes.Value{}, false
	}
	return arrayOf(append(slices.Clone(others.Items()), last)...), true
}

// edgesOf is what an operator makes of the positions of one shape.
func edgesOf[S shape](make func(s S, at position, d drawing) []edge) func(position, drawing) []edge {
	return func(at position, d drawing) []edge {
		if s, ok := at.shape.(S); ok {
			return make(s, at, d)
		}
		return nil
	}
}

// single is an operator's only edge; none when the value is absent.
func single(v probes.Value, format string, args ...any) []edge {
	if v.Is(probes.Absent) {
		return nil
	}
	return []edge{{v, fmt.Sprintf(format, args...)}}
}
