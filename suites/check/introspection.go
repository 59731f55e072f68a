package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Delivers reports whether the data of an answer holds the list that was asked
// for, in whatever place and shape: those are judged by the rows of the listing.
func Delivers(data probes.Value, query string) bool {
	other := map[string]string{"operations": "types", "types": "operations"}[query]
	switch {
	case data.Has(query) || data.Is(probes.Array):
		return true
	case data.Has(other):
		return false
	}
	return slices.ContainsFunc(data.Members(), func(m probes.Member) bool {
		return m.Value.Is(probes.Array) && !strings.HasPrefix(m.Name, "_")
	})
}

// The takes of repeated queries; far from the small numbers other checks use, so
// that none of them answers for us too early.
const (
	Later     = 730601
	LaterOnce = 730602
	LastTake  = 730603
	Ours      = 730501
	OursAgain = 730502
	Theirs    = 730503

	Second = "/int-7.3-05" // the label of a session that only introspects
)

// content writes what an introspection answer says: metadata, session identifiers
// and the order of lists aside. Members of _protocol count only where both answers
// have it; that it comes every time is INT-4.1.1-01.
func content(o, other probes.Observation) string {
	protocol := ""
	if p := o.Data().At("_protocol"); p.Is(probes.Object) && other.Data().At("_protocol").Is(probes.Object) {
		for _, name := range []string{"version", "conformance", "mode", "capabilities", "limits", "concurrency"} {
			protocol += name + ":" + Unordered(p.At(name)) + ","
		}
	}
	return string(o.Outcome) + o.Code() + protocol + Unordered(o.Data())
}

// Unordered is Canonical without the order of lists: no list of introspection
// means anything by its order.
func Unordered(v probes.Value) string {
	var parts []string
	switch v.Kind() {
	case probes.Array:
		for _, item := range v.Items() {
			parts = append(parts, Unordered(item))
		}
	case probes.Object:
		for _, m := range v.Members() {
			if !strings.HasPrefix(m.Name, "_") && m.Name != "warnings" && !strings.Contains(strings.ToLower(m.Name), "session") && !model.Volatile(m.Name) {
				parts = append(parts, m.Name+":"+Unordered(m.Value))
			}
		}
	default:
		return v.Canonical(nil)
	}
	slices.Sort(parts)
	return string(v.Kind()) + "{" + strings.Join(parts, ",") + "}"
}

func SameContent(x, y probes.Observation) bool { return content(x, y) == content(y, x) }

// Bounds returns a pair of limits of a parameter record, when both are numbers.
func Bounds(s model.Subject, low, high string) (least, most float64, ok bool) {
	least, hasLow := s.Par.Raw.At(low).Float()
	most, hasHigh := s.Par.Raw.At(high).Float()
	return least, most, hasLow && hasHigh
}

func Reversed(s model.Subject) (pair string, ok bool) {
	for _, p := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}} {
		if least, most, both := Bounds(s, p[0], p[1]); both && least > most {
			return p[0] + " above " + p[1], true
		}
	}
	return "", false
}

// Symbolic are defaults that stand for something computed.
var Symbolic = strings.Fields("now today auto none unlimited")

// Unfit says why a value does not fit the parameter's record, or "". Beside what
// generators need it knows enums of other kinds and patterns of other dialects.
func Unfit(s model.Subject, v probes.Value) string {
	if why := s.Misfit(s.Par, v); why != "" {
		return why
	}
	if enum := s.Par.Raw.At("enum").Items(); len(enum) > 0 && (v.Is(probes.Number) || v.Is(probes.Boolean)) {
		if Distinct(append(slices.Clone(enum), v)) > Distinct(enum) {
			return "outside the enum"
		}
	}
	if p, err := schemas.CompilePattern(s.Par.Raw.At("pattern").Text()); err == nil && v.Is(probes.String) && s.Par.Raw.Has("pattern") {
		if matches, err := p.Match(v.Text()); err == nil && !matches {
			return "not matching the pattern"
		}
	}
	return ""
}

// WhereDocumented keeps a check about parts of records from being excused when
// there are none because records are missing.
func WhereDocumented(on func(*model.Adapter) []model.Subject) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		if all := on(f); len(all) > 0 {
			return all
		}
		return slices.DeleteFunc(model.EachDetailed(f), func(s model.Subject) bool { return s.Ruling == nil })
	}
}

// EachRecorded is every parameter whose record is an object; the others are the
// concern of AQL-4.3-03.
func EachRecorded(f *model.Adapter) []model.Subject {
	all := model.EachParameter(f)
	for i, s := range all {
		if !s.Par.Raw.Is(probes.Object) {
			all[i] = s.WithRuling(ruling.NotProven("a record of "+s.Name, s.Par.Raw).Because("AQL-4.3-03"))
		}
	}
	return all
}

// FitsOne reports whether a value is of one of the kinds of a type.
func FitsOne(kinds []string, v probes.Value) bool {
	return slices.ContainsFunc(kinds, func(k string) bool {
		return k == string(v.Kind()) || k == "integer" && v.Whole()
	})
}

// WriteTake is the take of the script between two listings, ownKinds how many kinds
// of objects it makes, changes and removes.
const (
	WriteTake = 63 * model.TakesPerScript
	OwnKinds  = 3
)

// Summaries rules on the place and shape of a listing: an array of records with a
// name at data.<query>.
func Summaries(o probes.Observation, query string) ruling.Ruling {
	list := o.Data().At(query)
	switch {
	case !o.Succeeded() || !Delivers(o.Data(), query):
		return ruling.NotProven("an answer to the query "+query, o).Because("AQL-7.2-04")
	case !list.Is(probes.Array) && o.Data().Is(probes.Object):
		return ruling.Violates("an array at data."+query, Shape(o.Data(), query))
	case !list.Is(probes.Array):
		return ruling.Violates("an object with the member "+query, "data of the kind "+string(o.Data().Kind()))
	}
	for i, entry := range list.Items() {
		at := fmt.Sprintf("data.%s[%d]", query, i)
		switch name := entry.At("name"); {
		case !entry.Is(probes.Object):
			return ruling.Violates("a record at "+at, entry)
		case !name.Is(probes.String) || name.Text() == "":
			return ruling.Violates("a name at "+at, name)
		}
	}
	return ruling.Conforms()
}

// Shape says in a noun phrase what stands where a list should.
func Shape(data probes.Value, member string) string {
	if data.Has(member) {
		return "the kind " + string(data.At(member).Kind())
	}
	return "the members " + strings.Join(data.Names(), ", ")
}

// Distinct counts the values that differ as JSON.
func Distinct(values []probes.Value) int {
	seen := map[string]bool{}
	for _, v := range values {
		seen[v.Canonical(nil)] = true
	}
	return len(seen)
}

// Folded is a name without letter case and underscores.
func Folded(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// TypeKinds are the kinds of types. Introspection document, section 3.5.
var TypeKinds = []string{"enum", "object", "scalar", "union"}

// Enumerated returns the values that a schema allows for operation, at any depth.
func Enumerated(schema probes.Value) []string {
	var names []string
	for _, m := range schema.Members() {
		if m.Name == "operation" {
			names = append(names, append(m.Value.At("enum").Scalars(), m.Value.At("const").Text())...)
			for _, arm := range slices.Concat(m.Value.At("oneOf").Items(), m.Value.At("anyOf").Items()) {
				names = append(names, append(arm.At("enum").Scalars(), arm.At("const").Text())...)
			}
		}
		names = append(names, Enumerated(m.Value)...)
	}
	for _, item := range schema.Items() {
		names = append(names, Enumerated(item)...)
	}
	return names
}
