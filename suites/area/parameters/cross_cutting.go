package parameters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// uses is a parameter on the operations that document it.
type uses struct {
	name string
	all  []model.Subject
}

// usesOf returns where parameters of these names are documented; query on
// introspect is the protocol's own.
func usesOf(f *model.Adapter, names ...string) uses {
	u := uses{name: names[0]}
	for _, s := range model.EachParameter(f) {
		if slices.Contains(names, s.Par.Name) && s.Op.Name != "introspect" {
			u.all = append(u.all, s)
		}
	}
	return u
}

// eachShared is every cross-cutting name that two operations or more document.
func eachShared(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, name := range check.SortedKeys(check.CrossCutting) {
		if len(usesOf(f, name).all) > 1 {
			all = append(all, model.Subject{Adapter: f, Name: name, Par: probes.Parameter{Name: name}})
		}
	}
	return all
}

// recordsOf asks for the records of the operations that document the parameter.
func recordsOf(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for _, u := range usesOf(s.Adapter, s.Par.Name).all {
		ps = append(ps, recordOf(u))
	}
	return ps
}

// recordOf asks for the record of the operation that documents the parameter.
func recordOf(u model.Subject) probes.Probe { return model.Details(u)[0].As(recordStep(u)) }

func recordStep(u model.Subject) string { return "shared parameter: record for " + u.Name }

// alike compares each use of the subject's parameter with the first; differ says
// what tells two of them apart, or "".
func alike(differ func(x, y model.Subject) string) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := usesOf(s.Adapter, s.Par.Name).all
		rs := []ruling.Ruling{ruling.Conforms().By(got...)}
		for i, u := range all {
			for _, v := range all[:i] {
				if what := differ(v, u); what != "" {
					rs = append(rs, ruling.Violates("one and the same "+s.Par.Name+" on all operations", what).By(got.Step(recordStep(u)), got.Step(recordStep(v))))
				}
			}
		}
		return ruling.Worst(rs...)
	}
}

// Operations document, section 4.4.4.
var sharedParametersKeepOneType = check.Check{
	Requirement: "OPS-4.4.4-02",
	Rule:        "A cross-cutting parameter keeps the same type on all operations that take it.",
	Why:         "A value that fits here has to fit there.",
	On:          eachShared,
	Ask:         recordsOf,
	Judge: alike(func(x, y model.Subject) string {
		a, understood := x.Kinds(x.Par.Type)
		b, both := y.Kinds(y.Par.Type)
		switch {
		case understood && both && elementTypes(x, y) != "":
			return fmt.Sprintf("%s of %s on %s and on %s", x.Par.Name, elementTypes(x, y), x.Op.Name, y.Op.Name)
		case x.Par.Type == "" || y.Par.Type == "", plainType(x.Par.Type) == plainType(y.Par.Type):
			return ""
		case understood && both && slices.Equal(a, []string{"array"}) && slices.Equal(b, a):
			return "" // string[] and array with items are two spellings
		case understood && both && slices.Equal(a, b) && len(x.EnumOf(x.Par)) > 0 && len(y.EnumOf(y.Par)) > 0:
			return "" // the names of the fields of each kind
		case x.Par.Name == "query" && x.Verb(x.Op.Name) != x.Verb(y.Op.Name):
			return "" // text for search_*, a structured object for query_*
		case understood && both && check.OnlyNumbers(a) && check.OnlyNumbers(b):
			return ""
		case understood && both && slices.Equal(a, []string{"object"}) && slices.Equal(b, a):
			return "" // the filter of each kind has the fields of that kind
		}
		return fmt.Sprintf("%s of type %s and %s of type %s", x.Name, x.Par.Type, y.Name, y.Par.Type)
	}),
	Fix: "give a shared parameter the same type everywhere",
}

// elementTypes says how the elements of two arrays differ, or "" where they are alike or not known.
func elementTypes(x, y model.Subject) string {
	kinds := func(s model.Subject) []string {
		all, ok := s.Kinds(elementType(s.Par))
		if !ok {
			return nil
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	a, b := kinds(x), kinds(y)
	if a == nil || b == nil || slices.Equal(a, b) || check.OnlyNumbers(a) && check.OnlyNumbers(b) {
		return ""
	}
	return "elements " + strings.Join(a, " | ") + " and " + strings.Join(b, " | ")
}

// elementType is the type expression of the elements of an array, or "".
func elementType(p probes.Parameter) string {
	if of, spelled := strings.CutSuffix(strings.TrimSpace(p.Type), "[]"); spelled && !strings.Contains(of, "|") {
		return of
	}
	return p.Raw.At("items", "type").Text()
}

// plainType writes equal type expressions alike.
func plainType(expr string) string {
	arms := strings.Split(strings.Join(strings.Fields(expr), ""), "|")
	slices.Sort(arms)
	return strings.Join(arms, "|")
}

// Operations document, section 4.4.4.
var sharedParametersKeepOneMeaning = check.Check{
	Requirement: "OPS-4.4.4-03",
	Rule:        "A cross-cutting parameter keeps the same description on all operations that take it.",
	Why:         "A name with two meanings misleads clients more than two names would.",
	On:          eachShared,
	Ask:         recordsOf,
	Judge: alike(func(x, y model.Subject) string {
		a, b := x.Par.Raw.At("description").Text(), y.Par.Raw.At("description").Text()
		usual := meansUsual(x.Par.Name, a) && meansUsual(y.Par.Name, b)
		if check.ContentWords(a) == nil || check.ContentWords(b) == nil || usual || overlap(check.ContentWords(a), check.ContentWords(b)) >= 0.2 {
			return ""
		}
		return ruling.Clip(fmt.Sprintf("%s: %s; %s: %s", x.Name, a, y.Name, b))
	}),
	Fix: "describe a shared parameter in the same words everywhere, or give it another name",
}

// meansUsual reports whether the description speaks of what the name usually means.
func meansUsual(name, text string) bool {
	return slices.ContainsFunc(strings.Fields(check.CrossCutting[name]), func(stem string) bool {
		return strings.Contains(strings.ToLower(text), stem)
	})
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

// Operations document, section 4.4.4.
var sharedParametersKeepOneDefault = check.Check{
	Requirement: "OPS-4.4.4-04",
	Rule:        "A cross-cutting parameter keeps the same default on all operations that take it.",
	Why:         "A default that changes from operation to operation has to be looked up every time. What fields selects by default depends on the kind of answer, so it is left out.",
	On:          model.Only(eachShared, func(s model.Subject) bool { return s.Par.Name != "fields" }),
	Ask:         recordsOf,
	Judge: alike(func(x, y model.Subject) string {
		a, b := x.Par.Raw.At("default"), y.Par.Raw.At("default")
		if a.Is(probes.Absent) || b.Is(probes.Absent) || a.Equal(b) {
			return ""
		}
		if x.Misfit(x.Par, b) != "" && y.Misfit(y.Par, a) != "" {
			return "" // neither takes the default of the other: an order by a field that the other kind does not have
		}
		return fmt.Sprintf("default %s on %s and %s on %s", a, x.Op.Name, b, y.Op.Name)
	}),
	Fix: "give a shared parameter the same default everywhere",
}

// Operations document, section 4.4.5.
var sharedParametersAreExpandedInline = check.Check{
	Requirement: "OPS-4.4.5-01",
	Rule:        "Introspection shows shared parameters fully expanded, without references.",
	Why:         "Introspection offers no way to resolve a reference.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		return len(s.Op.Details.At("parameters").Items()) > 0 || len(s.Op.Parameters) > 0
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		for _, p := range s.Op.Parameters {
			if ref := reference(p.Raw); !ref.Is(probes.Absent) {
				return ruling.Violates("the record of "+p.Name+" in full", "$ref "+ref.String())
			}
		}
		if ref := reference(s.Op.Details.At("parameters")); !ref.Is(probes.Absent) { // in place of a record, which has no name then
			return ruling.Violates("the record of each parameter in full", "$ref "+ref.String())
		}
		return ruling.Conforms()
	},
	Fix: "expand shared parameters in the details of each operation",
}

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
