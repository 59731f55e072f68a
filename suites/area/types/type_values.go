package types

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// maxEnumValues bounds the calls spent on one parameter.
const maxEnumValues = 20

// eachEnumTyped is every parameter of an enum type, those of operations without a
// valid request settled as not proven.
func eachEnumTyped(f *model.Adapter) []model.Subject {
	all := model.Only(model.EachParameter, func(s model.Subject) bool {
		t, known := f.Type(s.Par.Type)
		return known && t.Kind == "enum" && s.Op.Name != "introspect"
	})(f)
	for i, s := range all {
		t, _ := f.Type(s.Par.Type)
		switch {
		case !t.Details.At("values").Is(probes.Array):
			all[i] = s.WithRuling(ruling.NotProven("the values of "+t.Name, t.Details.At("values")).Because("INT-3.6-01"))
		case !s.KnownGoodRequest().Usable():
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Op.Name+" that is known to be valid", s.KnownGoodRequest()))
		}
	}
	return all
}

// typeValues returns the values of the parameter's enum type that may be sent: all
// of them, or those its own enum repeats.
func typeValues(s model.Subject) []probes.Value {
	t, _ := s.Adapter.Type(s.Par.Type)
	inline := s.Par.Raw.At("enum")
	var values []probes.Value
	for _, v := range t.Details.At("values").Items() {
		if v.Is(probes.String) && (!inline.Is(probes.Array) || check.Contains(inline.Items(), v)) {
			values = append(values, v)
		}
	}
	return values[:min(len(values), maxEnumValues)]
}

// Introspection document, section 5.2.1.
var enumTypeValuesAreAcceptedValues = check.Check{
	Requirement: "INT-5.2.1-01",
	Rule:        "Enum type values cover every value that parameters referring to the type accept.",
	Why:         "A model picks from the values of the type; one that is refused was never a value.",
	On:          check.RequireDetails(eachEnumTyped),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		for i, v := range typeValues(s) {
			value := probes.Nth("enum type value", i)
			o := ask(s.FreshCall(value).With(s.Par.Name, v.Go()).As(value))
			if !s.Par.Raw.At("enum").Is(probes.Array) && check.BlamesOnlyValue(s, o) {
				check.TryCombinations(s, i, v, ask)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t, _ := s.Adapter.Type(s.Par.Type)
		for _, v := range s.Par.Raw.At("enum").Items() {
			if !check.Contains(t.Details.At("values").Items(), v) {
				return ruling.Violates("only values of "+t.Name+" in the enum of the parameter", v)
			}
		}
		sent := got.Under("enum type value")
		if len(sent) == 0 {
			return ruling.NotProven("a value of "+t.Name, "none")
		}
		rs := []ruling.Ruling{}
		for i, o := range sent {
			value := typeValues(s)[i].String()
			other, combined := check.JudgeCombination(s, got, o)
			refused := check.BlamesOnlyValue(s, o)
			switch {
			case o.Succeeded(), s.KnownGoodRequest().State == model.ProvenAbsent && o.Code() == s.KnownGoodRequest().Reply.Code():
				rs = append(rs, ruling.Conforms().By(o))
			case refused && s.Par.Raw.At("enum").Is(probes.Array):
				rs = append(rs, ruling.NotProven("the value "+value+" accepted", o).Because("INT-3.4.1-01"))
			case refused && combined:
				rs = append(rs, other)
			case refused:
				rs = append(rs, ruling.Violates("the value "+value+" of "+t.Name+" accepted", o))
			default:
				rs = append(rs, ruling.NotProven("the value "+value+" accepted", o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "list in the enum type exactly the values that its parameters accept",
}
