package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// ofTypes lets a check about listed types rest on the types listing when it finds
// no subject: only a listing that was understood excuses the adapter.
func ofTypes(c Check) Check {
	on, ask, judge := c.On, c.Ask, c.Judge
	c.On = func(f *Face) []Subject {
		if all := on(f); len(all) > 0 || f.Introspect == "" {
			return all
		}
		return []Subject{{Face: f, Name: "types"}}
	}
	c.Ask = func(s Subject) []probes.Probe {
		if s.Kind.Name == "" {
			return []probes.Probe{s.TypesListing()}
		}
		return ask(s)
	}
	c.Judge = func(s Subject, got []probes.Observation) Ruling {
		if s.Kind.Name == "" {
			return noSuchType(c.Requirement, got[0])
		}
		return judge(s, got)
	}
	return c
}

func noSuchType(requirement string, o probes.Observation) Ruling {
	row := mustLookup(requirement)
	switch {
	case !o.Succeeded() || !delivers(o.Data(), "types"):
		return NotProven("a list of types", o).Because("AQL-7.2-04")
	case !o.Data().At("types").Is(probes.Array):
		return NotProven("a list of types", o).Because("AQL-7.3-03")
	case row.When != nil:
		return NotApplicable("does not hold: " + *row.When)
	}
	return NotApplicable("no type is listed")
}

// bothTypes asks for the listing and for the type's record.
func bothTypes(s Subject) []probes.Probe {
	return []probes.Probe{s.TypesListing(), s.Lookup("types", s.Kind.Name)}
}

// eachRecord is every listed type whose record was delivered and whose kind is
// beyond doubt; the others are the concern of the rows named.
func eachRecord(f *Face) []Subject {
	all := eachType(f)
	for i, s := range all {
		record, listed := s.Kind.Details, s.Kind.Summary.At("kind").Text()
		kind := record.At("kind").Text()
		switch {
		case !record.Is(probes.Object), record.At("name").Text() != s.Name:
			all[i] = s.settle(NotProven("the record of "+s.Name, record).Because("AQL-7.3-04"))
		case kind != "" && listed != "" && kind != listed:
			all[i] = s.settle(NotProven("one kind of "+s.Name, listed+" and "+kind).Because("INT-3.5-05"))
		}
	}
	return all
}

// eachRecordOf is every such type of one kind.
func eachRecordOf(kind string) func(*Face) []Subject {
	return only(eachRecord, func(s Subject) bool { return s.Kind.Kind == kind })
}

// Section 7.3. As for operations: one place and one shape for every adapter.
var _ = register(Check{
	Requirement: "AQL-7.3-03",
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge:       func(_ Subject, got []probes.Observation) Ruling { return summaries(got[0], "types") },
	Fix:         "deliver the types as an array of records under data.types, [] when there are none",
})

// Section 7.3. A type that is listed but cannot be looked up explains nothing.
var _ = register(ofTypes(Check{
	Requirement: "AQL-7.3-04",
	On:          eachType,
	Ask:         typeDetails,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		o, record := got[0], got[0].Data().At("type")
		switch {
		case o.Deferred():
			return NotProven("an answer to the lookup of "+s.Name, o)
		case !o.Succeeded():
			return Violates("the record of "+s.Name, o)
		case !record.Is(probes.Object):
			got := record.String()
			if record.Is(probes.Absent) {
				got = shape(o.Data(), "type")
			}
			return Violates("the record of "+s.Name+" under data.type", got)
		case record.At("name").Text() != s.Name:
			return Violates("the record of "+s.Name, "a record of the name "+record.At("name").String())
		case !record.Has("kind"):
			return NotProven("the kind of "+s.Name, "none").Because("INT-3.5-02")
		}
		return Conforms()
	},
	Fix: "answer the lookup of every listed type with its record under data.type",
}))

// Introspection document, section 3.5. The kind says which body to read.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.5-02",
	On:          eachType,
	Ask:         bothTypes,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		rs := []Ruling{Conforms()}
		for i, record := range []probes.Value{s.Kind.Summary, s.Kind.Details} {
			place, kind := []string{"the listing", "the record"}[i], record.At("kind")
			switch {
			case slices.Contains(typeKinds, kind.Text()):
			case record.At("name").Text() == s.Name:
				rs = append(rs, Violates("one of "+strings.Join(typeKinds, ", ")+" as kind in "+place, kind))
			case i == 0:
				rs = append(rs, NotProven("a record with a name in the listing", record).Because("AQL-7.3-03"))
			}
		}
		return Worst(rs...)
	},
	Fix: "give each type the kind enum, object, scalar or union, in the listing and in its record",
}))

// Introspection document, section 3.5. A description is shown to a model; only
// text can be.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.5-03",
	On: only(eachType, func(s Subject) bool {
		return s.Kind.Summary.Has("description") || s.Kind.Details.Has("description")
	}),
	Ask: bothTypes,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		rs := []Ruling{Conforms()}
		for _, record := range []probes.Value{s.Kind.Summary, s.Kind.Details} {
			switch d := record.At("description"); d.Kind() {
			case probes.Absent, probes.String:
			case probes.Null:
				rs = append(rs, Departs("a description that is a string", d))
			default:
				rs = append(rs, Violates("a description that is a string", d))
			}
		}
		return Worst(rs...)
	},
	Fix: "make the description of each type a string",
}))

// Introspection document, section 3.5. A name that stands for two types stands for
// none.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.5-04",
	On:          eachType,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !got[0].Data().At("types").Is(probes.Array) {
			return NotProven("a list of types", got[0].Data()).Because("AQL-7.3-03")
		}
		var equal []probes.Value
		for _, entry := range got[0].Data().At("types").Items() {
			if entry.At("name").Text() == s.Name {
				equal = append(equal, entry)
			}
		}
		switch {
		case distinct(equal) > 1:
			return Violates("one type of the name "+s.Name, fmt.Sprintf("%d different ones", distinct(equal)))
		case len(equal) > 1:
			return Conforms().Noting(fmt.Sprintf("%d equal entries", len(equal)))
		}
		return Conforms()
	},
	Fix: "give each type a name of its own",
}))

// Introspection document, section 3.5. Listing and record speak of one type; where
// they differ neither can be trusted.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.5-05",
	On:          eachType,
	Ask:         bothTypes,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		listed, found := s.Kind.Summary.At("kind"), s.Kind.Details.At("kind")
		switch {
		case !s.Kind.Details.Is(probes.Object):
			return NotProven("the record of "+s.Name, s.Kind.Details).Because("AQL-7.3-04")
		case !slices.Contains(typeKinds, listed.Text()) || !slices.Contains(typeKinds, found.Text()):
			return NotProven("a defined kind in listing and record", listed.String()+" and "+found.String()).Because("INT-3.5-02")
		case listed.Text() != found.Text():
			return Violates("the kind of the listing, "+listed.Text(), found)
		}
		return Conforms()
	},
	Fix: "show the same kind in the listing and in the record",
}))
