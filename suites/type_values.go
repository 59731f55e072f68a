package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// maxEnumValues bounds the calls spent on one parameter.
const maxEnumValues = 20

// eachEnumTyped is every parameter of an enum type, those of operations without a
// valid request settled as not proven.
func eachEnumTyped(f *Face) []Subject {
	all := only(eachParameter, func(s Subject) bool {
		t, known := f.Type(s.Par.Type)
		return known && t.Kind == "enum" && s.Op.Name != "introspect"
	})(f)
	for i, s := range all {
		t, _ := f.Type(s.Par.Type)
		switch {
		case !t.Details.At("values").Is(probes.Array):
			all[i] = s.settle(NotProven("the values of "+t.Name, t.Details.At("values")).Because("INT-3.6-01"))
		case !s.Baseline().Usable():
			all[i] = s.settle(NotProven("a request of "+s.Op.Name+" that is known to be valid", s.Baseline()))
		}
	}
	return all
}

// typeValues returns the values of the parameter's enum type that may be sent: all
// of them, or those its own enum repeats.
func typeValues(s Subject) []probes.Value {
	t, _ := s.Face.Type(s.Par.Type)
	inline := s.Par.Raw.At("enum")
	var values []probes.Value
	for _, v := range t.Details.At("values").Items() {
		if v.Is(probes.String) && (!inline.Is(probes.Array) || among(inline.Items(), v)) {
			values = append(values, v)
		}
	}
	return values[:min(len(values), maxEnumValues)]
}

func among(values []probes.Value, v probes.Value) bool {
	return slices.ContainsFunc(values, func(w probes.Value) bool { return w.Equal(v) })
}

// blames reports whether a refusal is about the value of one parameter.
func blames(o probes.Observation, name string) bool {
	if named := o.Details().At("param_name").Text(); named != "" {
		return named == name
	}
	return o.Mentions(name)
}

// Introspection document, section 5.2.1. A model picks from the values of the
// type; one that is refused was never a value.
var _ = register(Check{
	Requirement: "INT-5.2.1-01",
	On:          whereDocumented(eachEnumTyped),
	Lane:        probes.Serial,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range typeValues(s) {
			ps = append(ps, s.anew(520+i).With(s.Par.Name, v.Go()))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t, _ := s.Face.Type(s.Par.Type)
		for _, v := range s.Par.Raw.At("enum").Items() {
			if !among(t.Details.At("values").Items(), v) {
				return Violates("only values of "+t.Name+" in the enum of the parameter", v)
			}
		}
		if len(got) < 2 {
			return NotProven("a value of "+t.Name, "none")
		}
		rs := []Ruling{}
		for i, o := range got[1:] {
			value := typeValues(s)[i].String()
			refused := strings.HasPrefix(o.Code(), "VALIDATION_") && blames(o, s.Par.Name)
			switch {
			case o.Succeeded(), s.Baseline().State == Missing && o.Code() == s.Baseline().Reply.Code():
				rs = append(rs, Conforms().By(o))
			case refused && s.Par.Raw.At("enum").Is(probes.Array):
				rs = append(rs, NotProven("the value "+value+" accepted", o).Because("INT-3.4.1-01"))
			case refused:
				rs = append(rs, Violates("the value "+value+" of "+t.Name+" accepted", o))
			default:
				rs = append(rs, NotProven("the value "+value+" accepted", o))
			}
		}
		return Worst(rs...)
	},
	Fix: "list in the enum type exactly the values that its parameters accept",
})
