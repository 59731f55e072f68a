package introspection

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// nullLookup rules on the lookup of a name that does not exist: a success that
// holds null under the member.
func nullLookup(o probes.Observation, member string) ruling.Ruling {
	found := o.Data().At(member)
	switch {
	case o.Deferred():
		return ruling.NotProven("an answer to the lookup", o)
	case !o.Succeeded():
		return ruling.Violates("success with data."+member+" null", o)
	case found.Is(probes.Null):
		return ruling.Conforms().By(o)
	case found.Is(probes.Absent):
		return ruling.Departs("data."+member+" null", "data "+ruling.Clip(o.Data().String())).By(o)
	}
	return ruling.Violates("data."+member+" null", found).By(o)
}

// begun is the beginning of a listed name that is no name of its own. An adapter that looks for
// a beginning, or for a part, finds something under it.
func begun(names []string) string {
	for _, name := range names {
		if cut := name[:max(0, len(name)-2)]; len(cut) > 2 && utf8.ValidString(cut) && !slices.Contains(names, cut) {
			return cut
		}
	}
	return ""
}

func operationNames(s model.Subject) (names []string) {
	for _, o := range s.Operations {
		names = append(names, o.Name)
	}
	return names
}

func typeNames(s model.Subject) (names []string) {
	for _, t := range s.Types {
		names = append(names, t.Name)
	}
	return names
}

// lookups are those of a name that does not exist, of names inherited from a language and, where names
// are listed, of the beginning of one. The last is that of a name that is listed for the other query.
func lookups(s model.Subject, query, unknown string, names, others []string) []probes.Probe {
	ps := []probes.Probe{s.Lookup(query, unknown)}
	if cut := begun(names); cut != "" {
		ps = append(ps, s.Lookup(query, cut).As(beginning))
	}
	ps = append(ps, inheritedLookups(s, query, names)...)
	if at := slices.IndexFunc(others, func(name string) bool { return name != "" && !slices.Contains(names, name) }); at >= 0 {
		ps = append(ps, s.Lookup(query, others[at]).As(otherKind))
	}
	return ps
}

const (
	beginning = "beginning of a name"
	otherKind = "name of another kind"
)

// forbidden reports whether the record of the parameter name forbids one by its pattern or length, so that a
// lookup of it is no valid request.
func forbidden(s model.Subject, name string) bool {
	op, _ := s.Operation("introspect")
	return slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool {
		return p.Name == "name" && !p.Raw.Has("enum") && s.Misfit(p, probes.ValueOf(name)) != ""
	})
}

// inheritedLookups are those of names that every object has in some language: a registry that is a
// bare object finds something under them.
func inheritedLookups(s model.Subject, query string, names []string) (ps []probes.Probe) {
	for i, name := range []string{"constructor", "__proto__"} {
		if !slices.Contains(names, name) && !forbidden(s, name) {
			ps = append(ps, s.Lookup(query, name).As(probes.Nth("inherited name", i)))
		}
	}
	return ps
}

// nullLookups rules on all of them.
func nullLookups(got probes.Answers, member string) ruling.Ruling {
	whole := nullLookup(got[0], member)
	if o, asked := got.Find(beginning); asked && o.Data().At(member).Is(probes.Object) && got[0].Data().At(member).Is(probes.Null) {
		return ruling.Violates("data."+member+" null for the beginning of a name", "the record of "+o.Data().At(member, "name").Text()).By(o, got[0])
	}
	if o, asked := got.Find(otherKind); asked && o.Data().At(member).Is(probes.Object) && got[0].Data().At(member).Is(probes.Null) {
		return ruling.Violates("data."+member+" null for "+model.ValueIn(o.Probe, "name").Text()+", which is no "+member, o.Data().At(member)).By(o, got[0])
	}
	for _, o := range got.Under("inherited name") {
		if !o.Deferred() && !o.Data().At(member).Is(probes.Null) && got[0].Data().At(member).Is(probes.Null) {
			name := model.ValueIn(o.Probe, "name").Text()
			if o.Refused() && strings.HasPrefix(o.Code(), "VALIDATION_") { // a filter for hostile text
				return ruling.Departs("data."+member+" null for the name "+name, o).By(got[0])
			}
			return ruling.Violates("data."+member+" null for the name "+name+", as for any other", o).By(got[0])
		}
	}
	return whole
}

func unknownName(s model.Subject) string { return "aqlx_none_" + s.Nonce }

func unknownLookup(s model.Subject) probes.Probe { return s.Lookup("operations", unknownName(s)) }

// Introspection document, section 4.3.
var unknownOperationLookupYieldsNull = check.Check{
	Requirement: "INT-4.3-01",
	Rule:        "Looking up an operation name that the adapter does not have is a success whose operation member is null.",
	Why:         "Asking whether something exists is no error; null is the answer no.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return append(lookups(s, "operations", unknownName(s), operationNames(s), typeNames(s)), s.Lookup("operations", sample(s.Adapter)).As("known name"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if how, root := s.Fallback(); how != "" {
			return ruling.NotProven("a lookup of the documented form", how).Because(root)
		}
		if wholeList(got[0]) && wholeList(got.Step("known name")) {
			return ruling.NotProven("a lookup of one operation", "the whole list").Because("AQL-7.2-06")
		}
		if forbidden(s, unknownName(s)) && got[0].Refused() {
			return ruling.NotProven("the lookup of a name that the record of name allows", got[0])
		}
		return nullLookups(got, "operation")
	},
	Fix: "answer the lookup of an unknown operation with success and data.operation null",
}

// Introspection document, section 8.1.
var unknownTypeLookupYieldsNull = check.Check{
	Requirement: "INT-8.1-09",
	Rule:        "Asking for a type that does not exist succeeds and reports null for the type.",
	Why:         "As for operations, null is the answer no.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return append(lookups(s, "types", unknownType(s), typeNames(s), nil), s.TypesListing().As("types"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if types := got.Step("types"); !types.Succeeded() {
			return ruling.NotProven("a types query that succeeds", types).Because("AQL-7.2-04")
		}
		if forbidden(s, unknownType(s)) && got[0].Refused() {
			return ruling.NotProven("the lookup of a name that the record of name allows", got[0])
		}
		return nullLookups(got, "type")
	},
	Fix: "answer the lookup of an unknown type with success and data.type null",
}

func unknownType(s model.Subject) string { return "AqlxNone" + s.Nonce }

// respelled are lookups of a listed name in another spelling: in upper case, with a blank before or
// behind it, and with its first letter in the other case. No such name is listed.
func respelled(s model.Subject, query string, names []string) (ps []probes.Probe) {
	for _, spell := range []struct {
		step string
		as   func(string) string
	}{
		{"in upper case", strings.ToUpper}, {"with a blank before it", func(name string) string { return " " + name }},
		{"with a blank behind it", func(name string) string { return name + " " }}, {"with another first letter", firstLetterTurned},
	} {
		at := slices.IndexFunc(names, func(name string) bool { return name != "" && !slices.Contains(names, spell.as(name)) })
		if at >= 0 {
			ps = append(ps, s.Lookup(query, spell.as(names[at])).As(strings.TrimSuffix(query, "s")+" name "+spell.step))
		}
	}
	return ps
}

// firstLetterTurned has the first letter in the other case.
func firstLetterTurned(name string) string {
	first := strings.ToUpper(name[:1])
	if first == name[:1] {
		first = strings.ToLower(first)
	}
	return first + name[1:]
}

// Introspection document, section 4.3.
var lookupNamesAreMatchedExactly = check.Check{
	Requirement: "INT-4.3-02",
	Rule:        "Case or whitespace variants of a listed name count as unknown in a lookup.",
	Why:         "Requests are matched exactly, so a lookup that is kinder teaches names that do not work.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := append([]probes.Probe{unknownLookup(s)}, respelled(s, "operations", operationNames(s))...)
		return append(append(ps, s.Lookup("types", unknownType(s)).As("unknown type")), respelled(s, "types", typeNames(s))...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		upper, asked := got.Find("operation name in upper case")
		if !asked {
			return ruling.NotProven("an operation whose name has lower-case letters", "none")
		}
		rs := []ruling.Ruling{exactly(s, got[0], upper, "operation")}
		for _, o := range got.Rest() {
			kind, spelling, _ := strings.Cut(o.Probe.Step, " name ")
			control := map[string]probes.Observation{"operation": got[0], "type": got.Step("unknown type")}[kind]
			// What an adapter says about types it may say in another form: that is INT-8.1-09.
			if r := exactly(s, control, o, kind); spelling != "" && (kind == "operation" || r.Verdict == reports.Fail) {
				rs = append(rs, r)
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare the name of a lookup exactly",
}

// exactly rules on the lookup of a name in another spelling; control is that of a name unlike any.
func exactly(s model.Subject, control, o probes.Observation, member string) ruling.Ruling {
	name, _ := check.Parameter(s, "name")
	unfit := s.Misfit(name, model.ValueIn(o.Probe, "name")) != "" // and may be refused by its documented pattern
	found, want := o.Data().At(member), "null for a name of another spelling"
	switch {
	case !control.Data().At(member).Is(probes.Null) && !control.Refused():
		return ruling.NotProven("null for a name that does not exist", control).Because("INT-4.3-01")
	case found.Is(probes.Object):
		return ruling.Violates(want, "the record of "+found.At("name").Text()).By(o)
	case found.Is(probes.Null), control.Code() == o.Code() && o.Refused(), unfit && strings.HasPrefix(o.Code(), "VALIDATION_"):
		return ruling.Conforms().By(o)
	}
	return ruling.NotProven(want, o).Because("INT-4.3-01")
}
