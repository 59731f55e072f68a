package parameters

import (
	"maps"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A field of an object has the record of a parameter, and what the record says holds inside the object as
// well. The control is an object that fits; one field of it is changed.

// innerFields are the documented fields of a parameter that is an object, each as a parameter of its own.
func innerFields(s model.Subject) (all []model.Subject) {
	fields, declared := s.FieldsOf(s.Par, probes.Operation{})
	if !declared || !check.AcceptsKind(s, "object") || s.Op.Category != "READ" && s.Op.Category != "CREATE" {
		return nil
	}
	for _, p := range fields {
		f := s
		f.Par = p
		all = append(all, f)
	}
	return all
}

// fitting is an object that the parameter should take.
func fitting(s model.Subject) (map[string]any, bool) {
	for _, v := range append([]probes.Value{model.ValueIn(s.ValidCall(), s.Par.Name)}, s.Gen.Values(s.Op, s.Par)...) {
		if v.Is(probes.Object) && s.Misfit(s.Par, v) == "" {
			members := membersOf(v)
			for _, f := range innerFields(s) {
				if enum := s.EnumOf(f.Par); members[f.Par.Name] != nil && len(enum) > 0 {
					members[f.Par.Name] = enum[0].Go()
				}
			}
			return members, true
		}
	}
	return nil, false
}

func membersOf(object probes.Value) map[string]any {
	members := map[string]any{}
	for _, m := range object.Members() {
		members[m.Name] = m.Value.Go()
	}
	return members
}

// left is the value of a field that is left out.
type left struct{}

// ofFields makes a check of one requirement on the fields of objects; bad are the values that a field
// must not have.
func ofFields(requirement, why, what string, bad func(field model.Subject) []any) check.Check {
	requests := func(s model.Subject) (all []probes.Probe) {
		object, _ := fitting(s)
		for _, f := range innerFields(s) {
			for _, v := range bad(f) {
				all = append(all, check.WithValue(s, 60+len(all), with(object, f.Par.Name, v)).As(probes.Nth("object: "+what, len(all))))
			}
		}
		return all
	}
	return check.Check{
		Requirement: requirement,
		Why:         why,
		On: check.RequireUsable(check.EachVariableParameter(func(s model.Subject) bool {
			_, ok := fitting(s)
			return ok && len(requests(s)) > 0
		})),
		Ask: func(s model.Subject) []probes.Probe {
			object, _ := fitting(s)
			return append([]probes.Probe{check.WithValue(s, 59, object).As("object: as documented")}, requests(s)...)
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			good := got.Step("object: as documented")
			if !good.Succeeded() {
				return ruling.NotProven("a documented object for "+s.Par.Name+" accepted", good)
			}
			var rs []ruling.Ruling
			for _, o := range got.Under("object: " + what) {
				rs = append(rs, check.JudgeForbiddenValue(s, good, o, what))
			}
			return ruling.Worst(rs...)
		},
		Fix: "check each parameter, and each field and element inside it, before the operation runs",
	}
}

// closedTo is an object with a field that its type does not document, where the type is not open.
func closedTo(s model.Subject) []probes.Probe {
	object, fits := fitting(s)
	named, _ := s.Type(s.Par.Type)
	if !fits || len(innerFields(s)) == 0 || s.Par.Raw.At("additionalProperties").True() || named.Details.At("additionalProperties").True() {
		return nil
	}
	return []probes.Probe{check.WithValue(s, 59, object).As("object: as documented"),
		check.WithValue(s, 58, with(object, check.UnknownName(s), 1)).As("object: undocumented field")}
}

// with is the object with another value of one field, or without the field.
func with(object map[string]any, name string, value any) map[string]any {
	changed := maps.Clone(object)
	changed[name] = value
	if value == (left{}) {
		delete(changed, name)
	}
	return changed
}

// Section 4.6. The text speaks of parameters, so that a field is a warning.
var unknownFieldOfObjectIsRefused = check.Check{
	Requirement: "AQL-4.6-01",
	Why:         "A condition with a mistyped name is ignored, and the answer holds what was not asked for.",
	On:          check.RequireUsable(check.EachVariableParameter(func(s model.Subject) bool { return len(closedTo(s)) > 0 })),
	Ask:         closedTo,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		good, o := got[0], got.Step("object: undocumented field")
		want := "a refusal or a warning for a field that " + s.Par.Type + " does not document"
		switch {
		case !good.Succeeded():
			return ruling.NotProven("a documented object for "+s.Par.Name+" accepted", good)
		case o.Deferred(), !o.Succeeded() && !o.Refused() && !o.RefusedBelow():
			return ruling.NotProven(want, o)
		case o.Succeeded() && !check.HasWarnings(o):
			return ruling.Departs(want, o).By(good)
		}
		return ruling.Conforms().By(o, good)
	},
	Fix: "check each parameter, and each field and element inside it, before the operation runs",
}

// beyondEnum is a value that is not in the field's enum. Of a field that is an object, a field has such a value.
func beyondEnum(f model.Subject) (all []any) {
	if check.HasEnum(f) {
		return []any{alien(f)}
	}
	if object, ok := fitting(f); ok {
		for _, inner := range innerFields(f) {
			if check.HasEnum(inner) {
				all = append(all, with(object, inner.Par.Name, alien(inner)))
			}
		}
	}
	return all
}

// beyondBounds are numbers outside of the field's bounds.
func beyondBounds(f model.Subject) (all []any) {
	if _, reversed := check.ReversedBounds(f); check.HasNumericBounds(f) && !reversed {
		for _, n := range outside(f) {
			all = append(all, n)
		}
	}
	return all
}

// leftOut leaves out a field that an object needs.
func leftOut(f model.Subject) []any {
	if !f.Par.Required || f.Par.Raw.Has("default") {
		return nil
	}
	return []any{left{}}
}

var (
	// Section 3.2.
	mistypedFieldIsRefused = ofFields("AQL-3.2-04",
		"A value of another type does inside an object what it does as a parameter.",
		"whose field has another type", check.WrongTypeValues)

	// Section 3.2.
	fieldOutsideEnumIsRefused = ofFields("OPS-5.4-04",
		"An unknown direction of a sort is otherwise taken for the usual one.",
		"whose field is outside its enum", beyondEnum)

	// Section 3.2.
	fieldOutsideBoundsIsRefused = ofFields("OPS-5.4-05",
		"A bound protects the backend from a number wherever it stands.",
		"whose field is out of bounds", beyondBounds)

	// Operations document, section 5.4.
	missingRequiredFieldIsRefused = ofFields("OPS-5.4-01",
		"An object without what it needs is completed by a guess.",
		"without a required field", leftOut)
)
