package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.6.
var unknownParameterIsRefused = check.Check{
	Requirement: "AQL-4.6-01",
	Rule:        "With its default start configuration the adapter refuses any request whose params hold a name the operation does not document.",
	Why:         "Dropping an unknown parameter hides a typo or a hallucinated name from the model, so silence violates the rule as much as obedience does.",
	On:          model.EachUsable,
	Ask: func(s model.Subject) []probes.Probe {
		ps := append([]probes.Probe{s.ValidCall(), asUnknown(s, "undocumented parameter: null", nil)}, withUnknownValues(s)...)
		return append(ps, besidePageSize(s)...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		number, null := got.Step("undocumented parameter: value: number"), got.Step("undocumented parameter: null")
		for _, o := range got.Under("undocumented parameter: value") {
			r := unknownRefused(s, o)
			if o.Code() == "INTERNAL_ERROR" && number.Code() != o.Code() {
				// a check that every value meets has one answer; its code is AQL-4.6-02's concern
				r = ruling.Violates("the refusal that another value gets: "+number.Brief(), o).By(number)
			}
			rs = append(rs, r)
		}
		if o, asked := got.Find(unknownBesideSize); asked && o.Succeeded() { // a path of its own may validate nothing
			rs = append(rs, ruling.Violates("error VALIDATION_UNKNOWN_PARAM beside a documented size of pages", o).By(number))
		}
		if null.Succeeded() {
			rs = append(rs, ruling.Departs("a refusal of an unknown parameter that is null", null))
		}
		return ruling.Worst(rs...).By(got[0])
	},
	Fix: "refuse parameters that the operation does not document; list them in details.unknown_params",
}

// asUnknown is a valid request with a parameter that the operation does not document.
func asUnknown(s model.Subject, step string, value any) probes.Probe {
	return s.FreshCall(step).With(check.UnknownName(s), value).As(step)
}

// withUnknownValues gives the parameter a value of each kind.
func withUnknownValues(s model.Subject) []probes.Probe {
	return []probes.Probe{
		asUnknown(s, "undocumented parameter: value: number", 1),
		asUnknown(s, "undocumented parameter: value: text", "x"),
		asUnknown(s, "undocumented parameter: value: object", map[string]any{}),
		asUnknown(s, "undocumented parameter: value: array", []any{}),
	}
}

// unknownRefused rules on one request that differs from a valid one by an unknown
// parameter alone.
func unknownRefused(s model.Subject, o probes.Observation) ruling.Ruling {
	switch {
	case o.Succeeded() && check.HasWarnings(o):
		return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", o).Noting("strict-mode-off: a warning is not a refusal")
	case o.Succeeded():
		return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", o)
	case check.MayMaskUnknown(s, o), !o.Refused() && !o.RefusedBelow():
		return ruling.NotProven("a refusal of the unknown parameter", o)
	case o.Code() == "INTERNAL_ERROR":
		return ruling.NotProven("a refusal of the unknown parameter", o).Because("AQL-4.6-02")
	}
	return ruling.Conforms()
}

// withUndocumented is a valid request of introspect or of an operation with a parameter
// that it does not document.
func withUndocumented(s model.Subject) probes.Probe {
	const step = "undocumented parameter: refused"
	if s.Name == "introspect" {
		return s.Listing().With("aqlx_"+s.Nonce, "1").As(step)
	}
	return s.FreshCall("undocumented parameter: value: number").With(check.UnknownName(s), 1).As(step)
}

// Section 4.6.
var refusalNamesUnknownParameterCode = check.Check{
	Requirement: "AQL-4.6-02",
	Rule:        "The refusal of an unknown parameter carries the code VALIDATION_UNKNOWN_PARAM.",
	Why:         "The code tells a program that the name is wrong, not the value.",
	On: func(f *model.Adapter) []model.Subject {
		return append(model.IntrospectSubject(f), model.EachUsable(f)...)
	},
	Ask: func(s model.Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing(), withUndocumented(s)}
		}
		return append([]probes.Probe{s.ValidCall()}, withUnknownValues(s)...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Under("undocumented parameter") {
			if number, asked := got.Find("undocumented parameter: value: number"); asked && o.Code() == "INTERNAL_ERROR" && number.Code() != o.Code() {
				rs = append(rs, ruling.NotProven("the refusal that another value gets", o).Because("AQL-4.6-01"))
				continue
			}
			rs = append(rs, unknownCode(s, o).By(got[0]))
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer unknown parameters with the code VALIDATION_UNKNOWN_PARAM",
}

// unknownCode rules on the code of one refusal.
func unknownCode(s model.Subject, o probes.Observation) ruling.Ruling {
	switch {
	case o.Succeeded():
		return ruling.NotProven("a refused unknown parameter", o).Because("AQL-4.6-01")
	case o.RefusedBelow():
		return ruling.Departs("error VALIDATION_UNKNOWN_PARAM", o).Noting("refused by a layer below MCP-AQL")
	case s.Name != "introspect" && check.MayMaskUnknown(s, o):
		return ruling.NotProven("a refusal of the unknown parameter", o)
	case o.Code() != "VALIDATION_UNKNOWN_PARAM":
		return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", o)
	}
	return ruling.Conforms().By(o)
}

// refusedUnknowns asks introspect and every usable operation for a parameter that
// does not exist; the details of the refusals are what several rows read.
func refusedUnknowns(judge func(s model.Subject, o probes.Observation) ruling.Ruling) check.Check {
	return check.Check{
		On: func(f *model.Adapter) []model.Subject {
			return append(model.IntrospectSubject(f), model.EachUsable(f)...)
		},
		Ask: func(s model.Subject) []probes.Probe {
			return []probes.Probe{withUndocumented(s)}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			if got[0].Code() != "VALIDATION_UNKNOWN_PARAM" {
				return ruling.NotProven("a refusal with VALIDATION_UNKNOWN_PARAM", got[0]).Because("AQL-4.6-02")
			}
			return judge(s, got[0])
		},
	}
}

// Section 4.6.
var refusalDetailsNameOperation = func() check.Check {
	c := refusedUnknowns(func(s model.Subject, o probes.Observation) ruling.Ruling {
		if named := o.Details().At("operation"); named.Text() != s.Name {
			return ruling.Violates("details.operation "+s.Name, named).By(o)
		}
		return ruling.Conforms()
	})
	c.Requirement, c.Fix = "AQL-4.6-03", "put the operation's name into details.operation"
	return c
}().WithRule(
	"The error details name the operation concerned.",
	"The refusal names the operation, so that a batch or a log can be read.")

// severalUnknown are three names, because a list may end after the second one.
var severalUnknown = []string{"aqlx_u1", "aqlx_u2", "aqlx_u3"}

// Section 4.6.
var refusalDetailsListEveryUnknownName = check.Check{
	Requirement: "AQL-4.6-04",
	Rule:        "The error details list every unknown name of the request.",
	Why:         "All unknown names at once: one round trip instead of one a name.",
	On: func(f *model.Adapter) []model.Subject {
		return append(model.IntrospectSubject(f), model.Only(model.EachProven, func(s model.Subject) bool { return s.Ruling == nil && s.Op.Category == "READ" })(f)...)
	},
	Ask: func(s model.Subject) []probes.Probe {
		p := s.Listing()
		if s.Name != "introspect" {
			p = s.ValidCall()
		}
		for i, name := range severalUnknown {
			p = p.With(name, i+1)
		}
		return []probes.Probe{p.As("several undocumented parameters")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		o := got[0]
		if o.Succeeded() || o.Code() != "VALIDATION_UNKNOWN_PARAM" {
			return ruling.NotProven("a refusal with VALIDATION_UNKNOWN_PARAM", o).Because("OPS-9.2-06")
		}
		names := slices.DeleteFunc(o.Details().At("unknown_params").Scalars(), isProtocolField) // AQL-4.6.1-03 is about these
		slices.Sort(names)
		if !slices.Equal(names, severalUnknown) {
			return ruling.Violates("details.unknown_params with all unknown names and no other", o.Details().At("unknown_params")).By(o)
		}
		return ruling.Conforms()
	},
	Fix: "collect all unknown names before refusing",
}

// Section 4.6.
var refusalDetailsOfferValidNames = func() check.Check {
	c := refusedUnknowns(func(s model.Subject, o probes.Observation) ruling.Ruling {
		offered, documented := o.Details().At("valid_params"), check.DocumentedNames(s)
		if s.Name == "introspect" && len(documented) == 0 {
			documented = []string{"name", "query"}
		}
		if _, root := s.Fallback(); root != "" && s.Name == "introspect" {
			// introspect was asked in another form than the documented one
			return ruling.NotProven("an introspect that takes what it documents", o).Because(root)
		}
		names := offered.Scalars()
		slices.Sort(names)
		if !offered.Is(probes.Array) || !slices.Equal(names, documented) {
			return ruling.Violates("details.valid_params ["+strings.Join(documented, ", ")+"]", offered).By(o)
		}
		return ruling.Conforms()
	})
	c.Requirement, c.Fix = "AQL-4.6-05", "derive details.valid_params from the same table as introspection"
	return c
}().WithRule(
	"The error details offer the list of valid names, matching introspection.",
	"The valid names let a model repair its call without another question.")

// nearMisses are typos of documented names and names every object inherits in
// some language; a membership test on a bare object lets the latter through.
var nearMisses = []string{"queryy", "query ", "names", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "Query", "operation"}

// Section 4.6.
var nearMissAndInheritedNamesAre = check.Check{
	Requirement: "AQL-4.6-06",
	Rule:        "Near-miss names and names inherited by the implementation language are unknown parameters too.",
	Why:         "Models typically send names that are nearly correct.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1")}
		for _, name := range nearMisses {
			if !s.Op.HasParameter(name) {
				ps = append(ps, s.Listing().With(name, 1))
			}
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Succeeded() {
			return ruling.NotProven("a refusal of a random name", got[0]).Because("OPS-9.2-06")
		}
		rs := []ruling.Ruling{ruling.Conforms().By(got...)}
		for _, o := range got.Rest() {
			_, alias := o.Probe.Params()["Query"]
			_, protocol := o.Probe.Params()["operation"]
			switch {
			case !o.Succeeded():
			case alias || protocol:
				rs = append(rs, ruling.Departs("a refusal of a near-miss name", o).By(got[0]))
			default:
				rs = append(rs, ruling.Violates("a refusal of a near-miss name", o).By(got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "test membership in the set of documented names, exactly",
}

// inheritedNames are the near-misses that tell how membership is tested.
var inheritedNames = []string{"constructor", "toString", "hasOwnProperty", "valueOf"}

// Section 4.6.
var nearMissAndInheritedNamesAreUnknown = check.Check{
	Requirement: "AQL-4.6-06",
	Why:         "Each operation may test its names in its own way.",
	On:          model.Only(model.EachProven, func(s model.Subject) bool { return s.Ruling == nil && s.Op.Category == "READ" }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		random := ask(s.ValidCall().With(check.UnknownName(s), 1))
		names := slices.DeleteFunc(slices.Clone(inheritedNames), s.Op.HasParameter)
		if refusedAsUnknown(random, check.UnknownName(s)) { // as in hidden_parameters.go: a name that the list of unknown ones lacks is tried alone
			names = suspects(names, ask(screen(s, names, func(string) any { return 1 }).As("inherited names together")))
		}
		for _, name := range names {
			ask(s.ValidCall().With(name, 1))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Succeeded() {
			return ruling.NotProven("a refusal of a random name", got[0]).Because("AQL-4.6-01")
		}
		for _, o := range got.Rest() {
			if o.Succeeded() {
				return ruling.Violates("a refusal of an inherited name", o).By(got[0])
			}
		}
		return ruling.Conforms().By(got...)
	},
	Fix: "test membership in the set of documented names, exactly",
}
