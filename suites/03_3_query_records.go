package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// carrying is every operation whose details have a member.
func carrying(member string) func(*Face) []Subject {
	return only(eachListed, func(s Subject) bool { return s.Op.Details.Has(member) })
}

// A facet says of a member what it may be, in words and as a test.
type facet struct {
	member, want string
	fits         func(probes.Value) bool
}

func isTexts(v probes.Value) bool {
	return v.Is(probes.Array) && !slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return !item.Is(probes.String) })
}

func isBoolean(v probes.Value) bool { return v.Is(probes.Boolean) }

func isWord(words ...string) func(probes.Value) bool {
	return func(v probes.Value) bool { return v.Is(probes.String) && slices.Contains(words, v.Text()) }
}

// shapely rules on the optional members of a record: null says nothing and is
// merely odd, everything else has to fit.
func shapely(where string, record probes.Value, facets ...facet) Ruling {
	rs := []Ruling{Conforms()}
	for _, m := range facets {
		switch v := record.At(m.member); {
		case v.Is(probes.Absent):
		case v.Is(probes.Null):
			rs = append(rs, Departs(m.want+" in "+where+"."+m.member+", or no such member", v))
		case !m.fits(v):
			rs = append(rs, Violates(m.want+" in "+where+"."+m.member, v))
		}
	}
	return Worst(rs...)
}

// supporting rules on what the records of aggregation and relationships share: an
// object that says whether there is support at all.
func supporting(where string, record probes.Value) (r Ruling, ok bool) {
	switch {
	case record.Is(probes.Null):
		return Departs("an object "+where+", or no such member", record), false
	case !record.Is(probes.Object):
		return Violates("an object "+where, record), false
	case !record.At("supported").Is(probes.Boolean):
		return Violates("a boolean "+where+".supported", record.At("supported")), false
	}
	return Conforms(), true
}

// Introspection document, section 3.3. A program that composes summaries reads here
// what it may ask for.
var _ = register(Check{
	Requirement: "INT-3.3-11",
	On:          carrying("aggregation_support"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		record := s.Op.Details.At("aggregation_support")
		if r, ok := supporting("aggregation_support", record); !ok {
			return r
		}
		return shapely("aggregation_support", record,
			facet{"default_mode", "summary_only or include_items", isWord("summary_only", "include_items")},
			facet{"functions", "an array of strings", isTexts}, facet{"groupable_fields", "an array of strings", isTexts},
			facet{"numeric_fields", "an array of strings", isTexts})
	},
	Fix: "write aggregation_support as the introspection document has it",
})

// Introspection document, section 3.3. The way from one element to its neighbours is
// planned by directions and depth before the first request.
var _ = register(Check{
	Requirement: "INT-3.3-12",
	On:          carrying("relationship_capabilities"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		record := s.Op.Details.At("relationship_capabilities")
		if r, ok := supporting("relationship_capabilities", record); !ok {
			return r
		}
		direction := isWord("incoming", "outgoing", "both")
		r := shapely("relationship_capabilities", record,
			facet{"directions", "an array of incoming, outgoing and both", func(v probes.Value) bool {
				return v.Is(probes.Array) && !slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return !direction(item) })
			}},
			facet{"relationship_types", "an array of strings", isTexts},
			facet{"max_depth", "a number", func(v probes.Value) bool { return v.Is(probes.Number) }})
		if depth, given := record.At("max_depth").Float(); given && (depth < 0 || !record.At("max_depth").Whole()) {
			r = Worst(r, Departs("a whole number relationship_capabilities.max_depth", record.At("max_depth")))
		}
		return r
	},
	Fix: "write relationship_capabilities as the introspection document has it",
})

// Introspection document, section 3.3. Means that are listed are used, whatever
// stands beside them.
var _ = register(Check{
	Requirement: "INT-3.3-36",
	On: only(eachListed, func(s Subject) bool {
		d := s.Op.Details
		return d.At("aggregation_support", "supported").False() || d.At("relationship_capabilities", "supported").False()
	}),
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		for record, members := range map[string][]string{
			"aggregation_support":       {"functions", "groupable_fields", "numeric_fields"},
			"relationship_capabilities": {"directions", "relationship_types"},
		} {
			v := s.Op.Details.At(record)
			i := slices.IndexFunc(members, func(name string) bool { return len(v.At(name).Items()) > 0 })
			if v.At("supported").False() && i >= 0 {
				return Violates("no "+members[i]+" beside supported false", v)
			}
		}
		return Conforms()
	},
	Fix: "leave the lists out where nothing is supported",
})

// Introspection document, section 3.3. The name is what is asked for and the type
// what is expected; one without the other helps nobody.
var _ = register(Check{
	Requirement: "INT-3.3-10",
	On:          carrying("computed_fields"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		list := s.Op.Details.At("computed_fields")
		switch {
		case list.Is(probes.Null):
			return Departs("an array computed_fields, or no such member", list)
		case !list.Is(probes.Array):
			return Violates("an array computed_fields", list)
		}
		for _, f := range list.Items() {
			for _, name := range []string{"name", "type"} {
				if v := f.At(name); !v.Is(probes.String) || v.Text() == "" {
					return Violates("a computed field with a "+name, f)
				}
			}
		}
		return Conforms()
	},
	Fix: "list computed fields in an array, each with name and type",
})

// Introspection document, section 3.3. Whether a value can be filtered by is a
// question of yes and no.
var _ = register(Check{
	Requirement: "INT-3.3-20",
	On: only(eachListed, func(s Subject) bool {
		return slices.ContainsFunc(s.Op.Details.At("computed_fields").Items(), func(f probes.Value) bool {
			return f.Has("description") || f.Has("filterable") || f.Has("sortable")
		})
	}),
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		var rs []Ruling
		for _, f := range s.Op.Details.At("computed_fields").Items() {
			rs = append(rs, shapely("computed_fields", f,
				facet{"description", "a string", func(v probes.Value) bool { return v.Is(probes.String) }},
				facet{"filterable", "a boolean", isBoolean}, facet{"sortable", "a boolean", isBoolean}))
		}
		return Worst(rs...)
	},
	Fix: "describe computed fields in text, and mark them filterable and sortable by true or false",
})
