package query

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// carrying is every operation whose details have a member.
func carrying(member string) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool { return s.Op.Details.Has(member) })
}

// A fieldSpec says of a member what it may be, in words and as a test.
type fieldSpec struct {
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
func shapely(where string, record probes.Value, facets ...fieldSpec) ruling.Ruling {
	rs := []ruling.Ruling{ruling.Conforms()}
	for _, m := range facets {
		switch v := record.At(m.member); {
		case v.Is(probes.Absent):
		case v.Is(probes.Null):
			rs = append(rs, ruling.Departs(m.want+" in "+where+"."+m.member+", or no such member", v))
		case !m.fits(v):
			rs = append(rs, ruling.Violates(m.want+" in "+where+"."+m.member, v))
		}
	}
	return ruling.Worst(rs...)
}

// supporting rules on what the records of aggregation and relationships share: an
// object that says whether there is support at all.
func supporting(where string, record probes.Value) (r ruling.Ruling, ok bool) {
	switch {
	case record.Is(probes.Null):
		return ruling.Departs("an object "+where+", or no such member", record), false
	case !record.Is(probes.Object):
		return ruling.Violates("an object "+where, record), false
	case !record.At("supported").Is(probes.Boolean):
		return ruling.Violates("a boolean "+where+".supported", record.At("supported")), false
	}
	return ruling.Conforms(), true
}

// Introspection document, section 3.3.
var aggregationSupportRecordIsWellFormed = check.Check{
	Requirement: "INT-3.3-11",
	Rule:        "aggregation_support is an object with boolean supported and, where present, default_mode summary_only or include_items and string arrays functions, groupable_fields, numeric_fields.",
	Why:         "A program that composes summaries reads here what it may ask for.",
	On:          carrying("aggregation_support"),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		record := s.Op.Details.At("aggregation_support")
		if r, ok := supporting("aggregation_support", record); !ok {
			return r
		}
		return shapely("aggregation_support", record,
			fieldSpec{"default_mode", "summary_only or include_items", isWord("summary_only", "include_items")},
			fieldSpec{"functions", "an array of strings", isTexts}, fieldSpec{"groupable_fields", "an array of strings", isTexts},
			fieldSpec{"numeric_fields", "an array of strings", isTexts})
	},
	Fix: "write aggregation_support as the introspection document has it",
}

// Introspection document, section 3.3.
var relationshipRecordIsWellFormed = check.Check{
	Requirement: "INT-3.3-12",
	Rule:        "relationship_capabilities is an object with boolean supported and, where present, directions from incoming, outgoing, both, string array relationship_types and number max_depth.",
	Why:         "A client needs the directions and the depth to plan a traversal before its first request.",
	On:          carrying("relationship_capabilities"),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		record := s.Op.Details.At("relationship_capabilities")
		if r, ok := supporting("relationship_capabilities", record); !ok {
			return r
		}
		direction := isWord("incoming", "outgoing", "both")
		r := shapely("relationship_capabilities", record,
			fieldSpec{"directions", "an array of incoming, outgoing and both", func(v probes.Value) bool {
				return v.Is(probes.Array) && !slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return !direction(item) })
			}},
			fieldSpec{"relationship_types", "an array of strings", isTexts},
			fieldSpec{"max_depth", "a number", func(v probes.Value) bool { return v.Is(probes.Number) }})
		if depth, given := record.At("max_depth").Float(); given && (depth < 0 || !record.At("max_depth").Whole()) {
			r = ruling.Worst(r, ruling.Departs("a whole number relationship_capabilities.max_depth", record.At("max_depth")))
		}
		return r
	},
	Fix: "write relationship_capabilities as the introspection document has it",
}

// Introspection document, section 3.3.
var unsupportedFeaturesListNoMeans = check.Check{
	Requirement: "INT-3.3-36",
	Rule:        "A lookup answer describing aggregation or relationship support with supported:false does not advertise functions, fields or directions as usable.",
	Why:         "Clients use the methods that are listed, whatever the text around them says.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		d := s.Op.Details
		return d.At("aggregation_support", "supported").False() || d.At("relationship_capabilities", "supported").False()
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		for record, members := range map[string][]string{
			"aggregation_support":       {"functions", "groupable_fields", "numeric_fields"},
			"relationship_capabilities": {"directions", "relationship_types"},
		} {
			v := s.Op.Details.At(record)
			i := slices.IndexFunc(members, func(name string) bool { return len(v.At(name).Items()) > 0 })
			if v.At("supported").False() && i >= 0 {
				return ruling.Violates("no "+members[i]+" beside supported false", v)
			}
		}
		return ruling.Conforms()
	},
	Fix: "leave the lists out where nothing is supported",
}

// Introspection document, section 3.3.
var computedFieldsAreNamedAndTyped = check.Check{
	Requirement: "INT-3.3-10",
	Rule:        "computed_fields is an array of entries with a name and a type.",
	Why:         "The name is what is asked for and the type what is expected; one without the other helps nobody.",
	On:          carrying("computed_fields"),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		list := s.Op.Details.At("computed_fields")
		switch {
		case list.Is(probes.Null):
			return ruling.Departs("an array computed_fields, or no such member", list)
		case !list.Is(probes.Array):
			return ruling.Violates("an array computed_fields", list)
		}
		for _, f := range list.Items() {
			for _, name := range []string{"name", "type"} {
				if v := f.At(name); !v.Is(probes.String) || v.Text() == "" {
					return ruling.Violates("a computed field with a "+name, f)
				}
			}
		}
		return ruling.Conforms()
	},
	Fix: "list computed fields in an array, each with name and type",
}

// Introspection document, section 3.3.
var computedFieldNotesHaveRightTypes = check.Check{
	Requirement: "INT-3.3-20",
	Rule:        "Where present, description is a string and filterable and sortable are booleans.",
	Why:         "A client that builds a filter or a sort menu reads these members as they are.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		return slices.ContainsFunc(s.Op.Details.At("computed_fields").Items(), func(f probes.Value) bool {
			return f.Has("description") || f.Has("filterable") || f.Has("sortable")
		})
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, f := range s.Op.Details.At("computed_fields").Items() {
			rs = append(rs, shapely("computed_fields", f,
				fieldSpec{"description", "a string", func(v probes.Value) bool { return v.Is(probes.String) }},
				fieldSpec{"filterable", "a boolean", isBoolean}, fieldSpec{"sortable", "a boolean", isBoolean}))
		}
		return ruling.Worst(rs...)
	},
	Fix: "describe computed fields in text, and mark them filterable and sortable by true or false",
}
