package suites

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// crossCutting are the parameters that mean the same on every operation
// (operations document, section 4.4.1), each with word stems that a description of
// that meaning is likely to hold.
var crossCutting = map[string]string{
	"fields": "field preset propert column member attribut", "limit": "item result entr record page row list return", "offset": "skip item result entr record start from",
	"page": "page", "page_size": "page item result entr record", "per_page": "page item result entr record", "max_results": "item result entr record",
	"first": "item result entr record page return", "last": "item result entr record page return", "after": "cursor page continu item", "before": "cursor page item",
	"cursor": "cursor page continu", "page_token": "token page cursor", "filter": "filter condition match criteri only", "sort": "sort order",
	"include": "include relat section embed", "aggregate": "aggregat count sum", "dry_run": "dry preview simulat without validat", "query": "search text word look find match",
}

// uses is a parameter on the operations that document it.
type uses struct {
	name string
	all  []Subject
}

// usesOf returns where parameters of these names are documented; query on
// introspect is the protocol's own.
func usesOf(f *Face, names ...string) uses {
	u := uses{name: names[0]}
	for _, s := range eachParameter(f) {
		if slices.Contains(names, s.Par.Name) && s.Op.Name != "introspect" {
			u.all = append(u.all, s)
		}
	}
	return u
}

// eachShared is every cross-cutting name that two operations or more document.
func eachShared(f *Face) []Subject {
	var all []Subject
	for _, name := range sortedKeys(crossCutting) {
		if len(usesOf(f, name).all) > 1 {
			all = append(all, Subject{Face: f, Name: name, Par: probes.Parameter{Name: name}})
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// recordsOf asks for the records of the operations that document the parameter.
func recordsOf(s Subject) []probes.Probe {
	var ps []probes.Probe
	for _, u := range usesOf(s.Face, s.Par.Name).all {
		ps = append(ps, details(u)...)
	}
	return ps
}

// alike compares each use of the subject's parameter with the first; differ says
// what tells two of them apart, or "".
func alike(differ func(x, y Subject) string) func(Subject, []probes.Observation) Ruling {
	return func(s Subject, got []probes.Observation) Ruling {
		all := usesOf(s.Face, s.Par.Name).all
		rs := []Ruling{Conforms().By(got...)}
		for i, u := range all {
			for j, v := range all[:i] {
				if what := differ(v, u); what != "" {
					rs = append(rs, Violates("one and the same "+s.Par.Name+" on all operations", what).By(got[i], got[j]))
				}
			}
		}
		return Worst(rs...)
	}
}

// Operations document, section 4.4.4. A value that fits here has to fit there.
var _ = register(Check{
	Requirement: "OPS-4.4.4-02",
	On:          eachShared,
	Ask:         recordsOf,
	Judge: alike(func(x, y Subject) string {
		a, understood := x.Kinds(x.Par.Type)
		b, both := y.Kinds(y.Par.Type)
		switch {
		case x.Par.Type == "" || y.Par.Type == "", plainType(x.Par.Type) == plainType(y.Par.Type):
			return ""
		case x.Par.Name == "query" && Verb(x.Op.Name) != Verb(y.Op.Name):
			return "" // text for search_*, a structured object for query_*
		case understood && both && numberish(a) && numberish(b):
			return ""
		}
		return fmt.Sprintf("%s of type %s and %s of type %s", x.Name, x.Par.Type, y.Name, y.Par.Type)
	}),
	Fix: "give a shared parameter the same type everywhere",
})

// plainType writes equal type expressions alike.
func plainType(expr string) string {
	arms := strings.Split(strings.Join(strings.Fields(expr), ""), "|")
	slices.Sort(arms)
	return strings.Join(arms, "|")
}

func numberish(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(k string) bool { return k != "number" && k != "integer" })
}

// Operations document, section 4.4.4. One name with two meanings is worse than two
// names.
var _ = register(Check{
	Requirement: "OPS-4.4.4-03",
	On:          eachShared,
	Ask:         recordsOf,
	Judge: alike(func(x, y Subject) string {
		a, b := x.Par.Raw.At("description").Text(), y.Par.Raw.At("description").Text()
		usual := meansUsual(x.Par.Name, a) && meansUsual(y.Par.Name, b)
		if words(a) == nil || words(b) == nil || usual || overlap(words(a), words(b)) >= 0.2 {
			return ""
		}
		return clip(fmt.Sprintf("%s: %s; %s: %s", x.Name, a, y.Name, b))
	}),
	Fix: "describe a shared parameter in the same words everywhere, or give it another name",
})

// meansUsual reports whether the description speaks of what the name usually means.
func meansUsual(name, text string) bool {
	return slices.ContainsFunc(strings.Fields(crossCutting[name]), func(stem string) bool {
		return strings.Contains(strings.ToLower(text), stem)
	})
}

var fillers = strings.Fields("the and for that this with from are was will which when only each one all its not can has have may into use")

// words returns the words of a text that carry meaning.
func words(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 && !slices.Contains(fillers, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// overlap is the share of the shorter list's words that both have.
func overlap(a, b []string) float64 {
	shared := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			shared++
		}
	}
	return float64(shared) / float64(min(len(a), len(b)))
}

// Operations document, section 4.4.4. A default that changes from operation to
// operation has to be looked up every time. What fields selects by default depends
// on the kind of answer, so it is left out.
var _ = register(Check{
	Requirement: "OPS-4.4.4-04",
	On:          only(eachShared, func(s Subject) bool { return s.Par.Name != "fields" }),
	Ask:         recordsOf,
	Judge: alike(func(x, y Subject) string {
		a, b := x.Par.Raw.At("default"), y.Par.Raw.At("default")
		if a.Is(probes.Absent) || b.Is(probes.Absent) || a.Equal(b) {
			return ""
		}
		return fmt.Sprintf("default %s on %s and %s on %s", a, x.Op.Name, b, y.Op.Name)
	}),
	Fix: "give a shared parameter the same default everywhere",
})

// Operations document, section 4.4.5. A reference has to be resolved by somebody,
// and introspection offers no way to.
var _ = register(Check{
	Requirement: "OPS-4.4.5-01",
	On:          only(eachListed, func(s Subject) bool { return len(s.Op.Parameters) > 0 }),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		for _, p := range s.Op.Parameters {
			if ref := reference(p.Raw); !ref.Is(probes.Absent) {
				return Violates("the record of "+p.Name+" in full", "$ref "+ref.String())
			}
		}
		return Conforms()
	},
	Fix: "expand shared parameters in the details of each operation",
})

// reference finds a $ref in a record, outside values that are data.
func reference(v probes.Value) probes.Value {
	for _, m := range v.Members() {
		if m.Name == "$ref" {
			return m.Value
		}
		if slices.Contains([]string{"default", "enum", "examples", "example", "const"}, m.Name) {
			continue
		}
		if ref := reference(m.Value); !ref.Is(probes.Absent) {
			return ref
		}
	}
	for _, item := range v.Items() {
		if ref := reference(item); !ref.Is(probes.Absent) {
			return ref
		}
	}
	return probes.Value{}
}
