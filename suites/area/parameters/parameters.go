package parameters

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.3.
var documentedParameterNamesAreAccepted = check.Check{
	Requirement: "AQL-4.3-02",
	Rule:        "The keys of params are exactly the documented names: no documented name is answered as unknown, and none is reported missing while supplied.",
	Why:         "Introspection is the only documentation a model has: the names in it are the names to send.",
	On:          check.EachSendable,
	Drive:       check.AskOptionals,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if name := check.BlamedKnownName(s, got[0]); name != "" {
			return ruling.Violates("the documented name "+name+" accepted", got[0])
		}
		if got[0].Code() == "VALIDATION_UNKNOWN_PARAM" {
			return ruling.Violates("documented names accepted", got[0]) // whichever it was, no other was sent
		}
		if got[0].Code() == "VALIDATION_MISSING_PARAM" {
			return ruling.NotProven("a request built from introspection to be accepted", got[0]).Because("INT-8.1.1-04")
		}
		refused := ""
		for _, o := range got.Rest() {
			name := onlyExtra(s, o)
			switch {
			case s.Op.HasParameter(name) && check.RefusesName(s, name, got[0], o):
				refused = name
			case refused != "" && !s.Op.HasParameter(name) && !o.Refused() && !o.RefusedBelow():
				return ruling.Violates("the documented name "+refused+" accepted", "its variant "+name+" accepted instead").By(o)
			}
		}
		if b := s.KnownGoodRequest(); !b.Usable() {
			return ruling.NotProven("a request of "+s.Name+" that is known to be valid", b)
		}
		return ruling.Conforms()
	},
	Fix: "read parameters under the names that introspection documents",
}

// onlyExtra returns the one name a probe adds to the proven request.
func onlyExtra(s model.Subject, o probes.Observation) string {
	base := s.ValidCall().Params()
	for name := range o.Probe.Params() {
		if _, known := base[name]; !known {
			return name
		}
	}
	return ""
}

// Introspection document, section 8.1.2.
var documentedOptionalParametersAreAccepted = check.Check{
	Requirement: "INT-8.1.2-07",
	Rule:        "A documented optional parameter that the operation refuses or ignores deserves a warning.",
	Why:         "A name that is documented and refused sends a model in circles.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachUsable, func(s model.Subject) bool { return s.Ruling != nil || len(check.Optionals(s)) > 0 })(f)
	},
	Drive: check.AskOptionals,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			name := onlyExtra(s, o)
			switch {
			case s.Op.HasParameter(name) && check.RefusesName(s, name, got[0], o):
				rs = append(rs, ruling.Violates("the documented parameter "+name+" accepted", o).By(got[0]))
			case !s.Op.HasParameter(name) && !o.Refused() && !o.RefusedBelow():
				return ruling.NotProven("the documented name accepted", "its variant "+name).Because("AQL-4.3-02")
			case o.Succeeded() || o.Code() == got[0].Code():
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "accept every documented parameter, or take it out of introspection",
}

// Section 3.2.
var valueOfWrongTypeIsRefused = check.Check{
	Requirement: "AQL-3.2-04",
	Rule:        "Before the handler runs, the JSON type of every supplied parameter is checked against the documented type.",
	Why:         "If a value of another type reaches the handler, the effect depends on the programming language.",
	On:          check.EachTyped,
	Ask: func(s model.Subject) []probes.Probe {
		ps := check.WrongTypeProbes(s)
		if s.Op.Category == "READ" && !s.Par.Required {
			ps = append(ps, s.ValidCall().With(s.Par.Name, nil).As("null value: null"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control := got[0]
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			switch {
			case o.Probe.Step == "null value: null" && o.Code() != "INTERNAL_ERROR": // null may be absence, or be refused
			case o.Succeeded():
				rs = append(rs, ruling.Violates("a refusal of "+check.Quoted(s.Par.Name)+" with another type than "+s.Par.Type, o).By(control))
			case o.Code() == "INTERNAL_ERROR":
				rs = append(rs, ruling.Departs("a refusal of "+check.Quoted(s.Par.Name)+" before the handler runs", o).By(control))
			case o.Deferred() || control.Refused() && control.Code() == o.Code():
				rs = append(rs, ruling.NotProven("a refusal of the mistyped value", o))
			case o.Code() == "NOT_FOUND_RESOURCE":
				rs = append(rs, ruling.Violates("a refusal of "+check.Quoted(s.Par.Name)+" before the handler runs", o).By(control))
			case !o.Refused() && !o.RefusedBelow():
				rs = append(rs, ruling.NotProven("a refusal of the mistyped value", o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check the JSON type of every parameter before the operation runs",
}

// Operations document, section 8.1.
var wrongTypeHasItsDefinedCode = check.Check{
	Requirement: "OPS-8.1-02",
	Rule:        "The error code for a value of the wrong type is VALIDATION_INVALID_TYPE.",
	Why:         "The code tells the value's type is wrong, not its name or content.",
	On: func(f *model.Adapter) []model.Subject {
		return append(model.IntrospectSubject(f), check.EachTyped(f)...)
	},
	Ask: func(s model.Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.DocumentedListing(), s.Query(map[string]any{"query": 5})}
		}
		return check.WrongTypeProbes(s)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			legacy := s.Name == "introspect" && (o.Code() == "INTROSPECTION_ERROR" || o.Code() == "INVALID_QUERY_TYPE")
			switch {
			case check.BlamedKnownName(s, o) == s.Par.Name && s.Par.Name != "" && !(s.Par.Required && s.KnownGoodRequest().Usable()):
				rs = append(rs, ruling.NotProven("the documented name accepted", o).Because("INT-8.1.2-07"))
			case !o.Refused() || o.Deferred() || got[0].Refused() && got[0].Code() == o.Code() || o.Code() == "NOT_FOUND_RESOURCE":
				rs = append(rs, ruling.NotProven("a refusal for the type", o).Because("AQL-3.2-04"))
			case o.Code() == "VALIDATION_INVALID_TYPE":
				rs = append(rs, ruling.Conforms().By(o))
			case strings.HasPrefix(o.Code(), "VALIDATION_") || legacy:
				rs = append(rs, ruling.Departs("error VALIDATION_INVALID_TYPE", o).By(got[0]))
			default:
				rs = append(rs, ruling.Violates("error VALIDATION_INVALID_TYPE", o).By(got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer a value of the wrong type with VALIDATION_INVALID_TYPE",
}

// Introspection document, section 8.1.1.
var documentedParameterTypesAreAccepted = check.Check{
	Requirement: "INT-8.1.1-02",
	Rule:        "Parameter types shown by introspection are the types the handler accepts (a value of the documented type passes type validation).",
	Why:         "A client converts its values to the documented type, and is refused where the handler wants another one.",
	On: func(f *model.Adapter) []model.Subject {
		var all []model.Subject
		for _, s := range check.EachSendable(f) {
			for _, p := range s.Op.Parameters {
				t := model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, Ruling: s.Ruling}
				if _, understood := f.Kinds(p.Type); understood && s.Op.Category != "EXECUTE" && len(conforming(t)) > 0 {
					all = append(all, t)
				}
			}
		}
		return all
	},
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range conforming(s) {
			ps = append(ps, check.WithKeyOf(s, s.Par, s.FreshCall(probes.Nth("documented type: value", i)), i).With(s.Par.Name, v.Go()))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		kinds, _ := s.Kinds(s.Par.Type)
		var last probes.Observation
		for _, o := range got.Rest() {
			if o.Succeeded() || s.KnownGoodRequest().State == model.ProvenAbsent && o.Code() == got[0].Code() {
				return ruling.Conforms().By(o)
			}
			last = o
		}
		for _, o := range got.Rest() {
			if !check.WantsOtherType(kinds, s.Par.Name, o) {
				return ruling.NotProven("a value of type "+s.Par.Type+" accepted for "+s.Par.Name, o)
			}
		}
		if got[0].Refused() && got[0].Code() == last.Code() && s.KnownGoodRequest().Usable() {
			return ruling.NotProven("another answer than that of the plain request", last)
		}
		return ruling.Violates("a value of type "+s.Par.Type+" accepted for "+check.Quoted(s.Par.Name), last)
	},
	Fix: "accept the type that introspection documents",
}

// conforming returns up to three values of the documented type, published ones
// first; identifiers stay as they are in the proven request.
func conforming(s model.Subject) []probes.Value {
	if probes.IsReference(s.Op, s.Par) {
		if v := model.ValueIn(s.ValidCall(), s.Par.Name); !v.Is(probes.Absent) {
			return []probes.Value{v}
		}
		return nil
	}
	values := s.Gen.Values(s.Op, s.Par)
	if s.Op.Category == "UPDATE" && s.Par.Name == "input" {
		return nil
	}
	return values[:min(len(values), 3)]
}
