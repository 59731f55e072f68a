package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ofTypes lets a check about listed types rest on the types listing when it finds
// no subject: only a listing that was understood excuses the adapter.
func ofTypes(c check.Check) check.Check {
	on, ask, judge := c.On, c.Ask, c.Judge
	c.On = func(f *model.Adapter) []model.Subject {
		if all := on(f); len(all) > 0 || f.Introspect == "" {
			return all
		}
		return []model.Subject{{Adapter: f, Name: "types"}}
	}
	c.Ask = func(s model.Subject) []probes.Probe {
		if s.Kind.Name == "" {
			return []probes.Probe{s.TypesListing()}
		}
		return ask(s)
	}
	c.Judge = func(s model.Subject, got probes.Answers) ruling.Ruling {
		if s.Kind.Name == "" {
			return noSuchType(c.Requirement, got[0])
		}
		return judge(s, got)
	}
	return c
}

func noSuchType(requirement string, o probes.Observation) ruling.Ruling {
	row := catalogue.MustLookup(requirement)
	switch {
	case !o.Succeeded() || !check.HasListOf(o.Data(), "types"):
		return ruling.NotProven("a list of types", o).Because("AQL-7.2-04")
	case !o.Data().At("types").Is(probes.Array):
		return ruling.NotProven("a list of types", o).Because("AQL-7.3-03")
	case row.When != nil:
		return ruling.NotApplicable("does not hold: " + *row.When)
	}
	return ruling.NotApplicable("no type is listed")
}

// bothTypes asks for the listing and for the type's record.
func bothTypes(s model.Subject) []probes.Probe {
	return []probes.Probe{s.TypesListing(), s.Lookup("types", s.Kind.Name).As("record")}
}

// Section 7.3.
var typesListingIsArrayOfSummaries = check.Check{
	Requirement: "AQL-7.3-03",
	Rule:        "The plain types query delivers, under data.types, one object with a non-empty name per type.",
	Why:         "As for operations: one place and one shape for every adapter.",
	On:          model.IntrospectSubject,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return check.JudgeListing(got[0], "types")
	},
	Fix: "deliver the types as an array of records under data.types, [] when there are none",
}

// Section 7.3.
var everyListedTypeHasDetails = ofTypes(check.Check{
	Requirement: "AQL-7.3-04",
	On:          model.EachType,
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		o, record := got[0], got[0].Data().At("type")
		switch {
		case o.Deferred():
			return ruling.NotProven("an answer to the lookup of "+s.Name, o)
		case !o.Succeeded():
			return ruling.Violates("the record of "+s.Name, o)
		case !record.Is(probes.Object):
			got := record.String()
			if record.Is(probes.Absent) {
				got = check.DescribeShape(o.Data(), "type")
			}
			return ruling.Violates("the record of "+s.Name+" under data.type", got)
		case record.At("name").Text() != s.Name:
			return ruling.Violates("the record of "+s.Name, "a record of the name "+record.At("name").String())
		case !record.Has("kind"):
			return ruling.NotProven("the kind of "+s.Name, "none").Because("INT-3.5-02")
		}
		return ruling.Conforms()
	},
	Fix: "answer the lookup of every listed type with its record under data.type",
}).WithRule(
	"Looking up each listed type returns, under data.type, the record of exactly that type with name and kind.",
	"A type that is listed but cannot be looked up explains nothing.")

// Introspection document, section 3.5.
var everyTypeStatesItsKind = ofTypes(check.Check{
	Requirement: "INT-3.5-02",
	On:          model.EachType,
	Ask:         bothTypes,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms()}
		for i, record := range []probes.Value{s.Kind.Summary, s.Kind.Details} {
			place, kind := []string{"the listing", "the record"}[i], record.At("kind")
			switch {
			case slices.Contains(check.TypeKinds, kind.Text()):
			case record.At("name").Text() == s.Name:
				rs = append(rs, ruling.Violates("one of "+strings.Join(check.TypeKinds, ", ")+" as kind in "+place, kind))
			case i == 0:
				rs = append(rs, ruling.NotProven("a record with a name in the listing", record).Because("AQL-7.3-03"))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "give each type the kind enum, object, scalar or union, in the listing and in its record",
}).WithRule(
	"TypeInfo.kind is one of enum, object, scalar, union and always present.",
	"The kind says which body to read.")

// Introspection document, section 3.5.
var typeDescriptionsAreStrings = ofTypes(check.Check{
	Requirement: "INT-3.5-03",
	On: model.Only(model.EachType, func(s model.Subject) bool {
		return s.Kind.Summary.Has("description") || s.Kind.Details.Has("description")
	}),
	Ask: bothTypes,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, record := range []probes.Value{s.Kind.Summary, s.Kind.Details} {
			switch d := record.At("description"); d.Kind() {
			case probes.Absent, probes.String:
			case probes.Null:
				rs = append(rs, ruling.Departs("a description that is a string", d))
			default:
				rs = append(rs, ruling.Violates("a description that is a string", d))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "make the description of each type a string",
}).WithRule(
	"TypeInfo.description is a string whenever it is present.",
	"A description is shown to a model; only text can be.")

// Introspection document, section 3.5.
var typeNamesAreUnique = ofTypes(check.Check{
	Requirement: "INT-3.5-04",
	On:          model.EachType,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Data().At("types").Is(probes.Array) {
			return ruling.NotProven("a list of types", got[0].Data()).Because("AQL-7.3-03")
		}
		var equal []probes.Value
		for _, entry := range got[0].Data().At("types").Items() {
			if entry.At("name").Text() == s.Name {
				equal = append(equal, entry)
			}
		}
		switch {
		case check.CountDistinct(equal) > 1:
			return ruling.Violates("one type of the name "+s.Name, fmt.Sprintf("%d different ones", check.CountDistinct(equal)))
		case len(equal) > 1:
			return ruling.Departs("one type of the name "+s.Name, fmt.Sprintf("%d equal ones", len(equal)))
		case got[0].Envelope().HasMore().True():
			return ruling.NotProven("all types in one answer", "more pages").By(got[0])
		}
		return ruling.Conforms()
	},
	Fix: "give each type a name of its own",
}).WithRule(
	"No two types share a name, and each listed name can be used for a lookup.",
	"A name that stands for two types stands for none.")

// Introspection document, section 3.5.
var typeKindAgreesInListAnd = ofTypes(check.Check{
	Requirement: "INT-3.5-05",
	On:          model.EachType,
	Ask:         bothTypes,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		listed, found := s.Kind.Summary.At("kind"), s.Kind.Details.At("kind")
		switch {
		case !s.Kind.Details.Is(probes.Object):
			return ruling.NotProven("the record of "+s.Name, s.Kind.Details).Because("AQL-7.3-04")
		case !slices.Contains(check.TypeKinds, listed.Text()) || !slices.Contains(check.TypeKinds, found.Text()):
			return ruling.NotProven("a defined kind in listing and record", listed.String()+" and "+found.String()).Because("INT-3.5-02")
		case listed.Text() != found.Text():
			return ruling.Violates("the kind of the listing, "+listed.Text(), found)
		}
		return ruling.Conforms()
	},
	Fix: "show the same kind in the listing and in the record",
}).WithRule(
	"Listing and lookup agree on the kind of a type.",
	"Listing and record speak of one type; where they differ neither can be trusted.")
