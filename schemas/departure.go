package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// A Departure is one place where a document is not what its schema says.
// Departures sort by pointer, then keyword, then want.
type Departure struct {
	Pointer string // JSON Pointer (RFC 6901) into the document; for a key too many, the key itself
	Keyword string // the schema keyword that failed: "required", "type", "additionalProperties" ...
	Want    string // what the schema asks for, a noun phrase
	Got     string // what stands there, a noun phrase; long values are cut
}

// maxDepartures keeps a report readable. The cut comes after sorting, so the
// same document always yields the same departures.
const maxDepartures = 200

var errEndless = errors.New("the schema refers to itself without end")

// departures flattens a tree of faults into what a reader can act on.
func departures(doc any, tree *jsonschema.ValidationError) ([]Departure, error) {
	r := reader{doc: doc, names: &nameIndex{doc: doc}}
	r.read(tree)
	if r.endless {
		return nil, fmt.Errorf("%w: %w", ErrBudget, errEndless)
	}
	all := tidy(r.found)
	return all[:min(len(all), maxDepartures)], nil
}

func tidy(all []Departure) []Departure {
	slices.SortFunc(all, func(a, b Departure) int {
		return cmp.Or(
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Want, b.Want), cmp.Compare(a.Got, b.Got))
	})
	return slices.Compact(all)
}

// A reader walks the fault tree of one document.
type reader struct {
	doc     any
	names   *nameIndex
	found   []Departure
	endless bool
}

// read collects the departures below one fault.
func (r *reader) read(fault *jsonschema.ValidationError) {
	here := fault.InstanceLocation
	switch k := fault.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range fault.Causes {
			r.read(cause)
		}
	case *kind.AnyOf:
		r.union("anyOf", "a value that fits one of %d alternatives", fault)
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			r.add(here, "oneOf", "a value that fits exactly one alternative",
				fmt.Sprintf("a value that fits alternatives %d and %d", k.Subschemas[0], k.Subschemas[1]))
			return
		}
		r.union("oneOf", "a value that fits exactly one of %d alternatives", fault)
	case *kind.Required:
		r.missing(here, "required", k.Missing)
	case *kind.DependentRequired:
		r.missing(here, "dependentRequired", k.Missing)
	case *kind.Dependency:
		r.missing(here, "dependencies", k.Missing)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			place := append(slices.Clone(here), name)
			r.add(place, "additionalProperties", "no property "+quote(name), describe(value(r.doc, place)))
		}
	case *kind.PropertyNames:
		// The validator shares the memory of this one location with its
		// neighbours, so it may have been overwritten.
		r.add(r.names.place(k.Property), "propertyNames", "only property names that fit", "property name "+quote(k.Property))
	case *kind.RefCycle:
		r.endless = true
	default:
		keyword, want := wanted(k)
		r.add(here, keyword, want, describe(value(r.doc, here)))
	}
}

func (r *reader) missing(at []string, keyword string, names []string) {
	for _, name := range names {
		r.add(at, keyword, "property "+quote(name), "no such property")
	}
}

func (r *reader) add(at []string, keyword, want, got string) {
	r.found = append(r.found, Departure{Pointer: pointer(at), Keyword: keyword, Want: want, Got: got})
}

// union reports a value that fits none of several alternatives. Listing the
// faults of every alternative would bury the one that matters, so it looks for
// the alternative that was meant: the only one not ruled out by the value
// itself or by a fixed member ("kind", "success"), else the only one not ruled
// out by the type of a member. Failing that, what all alternatives agree on is
// at fault.
func (r *reader) union(keyword, want string, fault *jsonschema.ValidationError) {
	at := fault.InstanceLocation
	branches := make([][]Departure, 0, len(fault.Causes))
	for _, cause := range fault.Causes {
		branch := reader{doc: r.doc, names: r.names}
		branch.read(cause)
		r.endless = r.endless || branch.endless
		branches = append(branches, tidy(branch.found))
	}
	meant := remaining(branches, pointer(at), "const", "enum", "not")
	if len(meant) > 1 {
		meant = remaining(meant, pointer(at), "type")
	}
	if len(meant) == 1 {
		r.found = append(r.found, meant[0]...)
		return
	}
	if common := agreed(branches); len(common) > 0 {
		r.found = append(r.found, common...)
		return
	}
	if merged, ok := merge(keyword, branches); ok {
		r.found = append(r.found, merged)
		return
	}
	r.add(at, keyword, fmt.Sprintf(want, len(fault.Causes)), describe(value(r.doc, at)))
}

// remaining drops the branches that another kind of value was sent for: one
// that fails at the value itself by its type, or there or at a direct member by
// one of the keywords.
func remaining(branches [][]Departure, at string, keywords ...string) [][]Departure {
	return slices.DeleteFunc(slices.Clone(branches), func(branch []Departure) bool {
		return slices.ContainsFunc(branch, func(d Departure) bool {
			inside := strings.Count(strings.TrimPrefix(d.Pointer, at), "/")
			return inside == 0 && d.Keyword == "type" || inside <= 1 && slices.Contains(keywords, d.Keyword)
		})
	})
}

// agreed returns the departures found in every branch.
func agreed(branches [][]Departure) []Departure {
	if len(branches) == 0 {
		return nil
	}
	count := map[Departure]int{}
	for _, branch := range branches {
		for _, d := range branch {
			count[d]++
		}
	}
	return slices.DeleteFunc(slices.Clone(branches[0]), func(d Departure) bool { return count[d] < len(branches) })
}

// merge makes one departure of branches that each want something else at the
// same place: a string or null, property "a" or property "b".
func merge(keyword string, branches [][]Departure) (Departure, bool) {
	var one Departure
	for i, branch := range branches {
		if len(branch) != 1 {
			return Departure{}, false
		}
		d := branch[0]
		if i == 0 {
			one = d
			continue
		}
		if d.Pointer != one.Pointer || d.Got != one.Got {
			return Departure{}, false
		}
		if d.Keyword != one.Keyword {
			one.Keyword = keyword
		}
		one.Want += " or " + d.Want
	}
	return one, len(branches) > 0
}
