package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachAccepted is every operation that may be called, with a request built from
// introspection; those that were called and refused are subjects too.
func eachAccepted(f *Face) []Subject {
	all := eachDomain(f)
	for i, s := range all {
		if b := s.Baseline(); b.Reply.Probe.Tool == "" {
			all[i] = s.settle(NotProven("a request of "+s.Name+" that may be sent", b))
		}
	}
	return all
}

// complaint returns the documented parameter that a refusal calls unknown or
// missing although it was sent under that name; "" when it names none.
func complaint(s Subject, o probes.Observation) string {
	if o.Code() != "VALIDATION_UNKNOWN_PARAM" && o.Code() != "VALIDATION_MISSING_PARAM" {
		return ""
	}
	blamed := append(o.Details().At("unknown_params").Scalars(), o.Details().At("param_name").Text())
	for name := range o.Probe.Params() {
		if s.Op.HasParameter(name) && (slices.Contains(blamed, name) || len(o.Details().Members()) == 0 && o.Mentions("'"+name+"'")) {
			return name
		}
	}
	return ""
}

// Section 4.3. Introspection is the only documentation a model has: the names in
// it are the names to send.
var _ = register(Check{
	Requirement: "AQL-4.3-02",
	On:          eachAccepted,
	Drive:       everyOptional,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if name := complaint(s, got[0]); name != "" {
			return Violates("the documented name "+name+" accepted", got[0])
		}
		if got[0].Code() == "VALIDATION_UNKNOWN_PARAM" {
			return Violates("documented names accepted", got[0]) // whichever it was, no other was sent
		}
		if got[0].Code() == "VALIDATION_MISSING_PARAM" {
			return NotProven("a request built from introspection to be accepted", got[0]).Because("INT-8.1.1-04")
		}
		refused := ""
		for _, o := range got[1:] {
			name := onlyExtra(s, o)
			switch {
			case s.Op.HasParameter(name) && complaint(s, o) == name:
				refused = name
			case refused != "" && !s.Op.HasParameter(name) && !o.Refused() && !o.RefusedBelow():
				return Violates("the documented name "+refused+" accepted", "its variant "+name+" accepted instead").By(o)
			}
		}
		if b := s.Baseline(); !b.Usable() {
			return NotProven("a request of "+s.Name+" that is known to be valid", b)
		}
		return Conforms()
	},
	Fix: "read parameters under the names that introspection documents",
})

// everyOptional asks for the proven request, then with each optional parameter
// alone, and where its name is refused with the names it may hide under.
func everyOptional(s Subject, ask Asking) {
	ask(s.ValidCall())
	for _, p := range optionals(s) {
		if o := ask(s.optionalCall(p)); complaint(s, o) == p.Name {
			for _, twin := range twins(s, p, o) {
				ask(s.anew(40).With(twin, s.optionalCall(p).Params()[p.Name]))
			}
		}
	}
}

// optionals returns the optional parameters for which a fitting value can be made.
func optionals(s Subject) []probes.Parameter {
	if s.settled != nil || !s.Baseline().Usable() || s.Op.Category == "EXECUTE" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		return p.Required || len(s.Gen.Values(s.Op, p)) == 0
	})
}

// optionalCall is the proven request with one optional parameter added.
func (s Subject) optionalCall(p probes.Parameter) probes.Probe {
	return s.anew(40).With(p.Name, s.Gen.Values(s.Op, p)[0].Go())
}

// onlyExtra returns the one name a probe adds to the proven request.
func onlyExtra(s Subject, o probes.Observation) string {
	base := s.ValidCall().Params()
	for name := range o.Probe.Params() {
		if _, known := base[name]; !known {
			return name
		}
	}
	return ""
}

// twins returns the names under which a renamed parameter may hide.
func twins(s Subject, p probes.Parameter, refusal probes.Observation) []string {
	noun := Noun(s.Name)
	names := []string{camel(p.Name), strings.TrimPrefix(p.Name, noun+"_"), noun + "_" + p.Name, p.Name + "s", strings.TrimSuffix(p.Name, "s")}
	names = append(names, refusal.Details().At("valid_params").Scalars()...)
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return s.Op.HasParameter(n) || n == "" })
}

// Introspection document, section 8.1.2. A name that is documented and refused
// sends a model in circles.
var _ = register(Check{
	Requirement: "INT-8.1.2-07",
	On: func(f *Face) []Subject {
		return only(eachUsable, func(s Subject) bool { return s.settled != nil || len(optionals(s)) > 0 })(f)
	},
	Drive: everyOptional,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got[1:] {
			name := onlyExtra(s, o)
			switch {
			case s.Op.HasParameter(name) && complaint(s, o) == name:
				rs = append(rs, Violates("the documented parameter "+name+" accepted", o).By(got[0]))
			case !s.Op.HasParameter(name) && !o.Refused() && !o.RefusedBelow():
				return NotProven("the documented name accepted", "its variant "+name).Because("AQL-4.3-02")
			case o.Succeeded() || o.Code() == got[0].Code():
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "accept every documented parameter, or take it out of introspection",
})

// Introspection document, section 8.1.1. What is demanded has to be documented as
// required, or the first call of every model fails.
var _ = register(Check{
	Requirement: "INT-8.1.1-04",
	On:          eachAccepted,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.ValidCall()} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		o := got[0]
		switch {
		case o.Deferred():
			return NotProven("an answer about the request", o)
		case s.Baseline().Usable():
			return Conforms()
		case !s.Op.Details.Is(probes.Object): // its parameters are not known at all
			return NotProven("details of "+s.Name, "none").Because("AQL-7.3-02")
		case o.Code() != "VALIDATION_MISSING_PARAM":
			return NotProven("a request of "+s.Name+" that is known to be valid", o)
		case complaint(s, o) != "":
			return NotProven("the documented names accepted", o).Because("AQL-4.3-02")
		}
		name := o.Details().At("param_name").Text()
		for _, p := range s.Op.Parameters {
			if p.Name == name && p.Required {
				return NotProven("the documented names accepted", o).Because("AQL-4.3-02")
			}
		}
		if conditional(s, name) {
			return Departs("the documented required parameters to suffice", o).Noting("a description states the condition")
		}
		return Violates("the documented required parameters to suffice", o)
	},
	Fix: "document every demanded parameter with required: true",
})

// condition matches words in which a description says when a parameter is needed.
var condition = regexp.MustCompile(`(?i)\b(either|at least one|one of|unless|required (if|when|with)|only (if|when|with))\b`)

// conditional reports whether a description states the condition under which the
// optional parameter is demanded: in such words, or by naming the alternatives.
func conditional(s Subject, demanded string) bool {
	texts := description(s)
	for _, p := range s.Op.Parameters {
		if p.Name == demanded {
			texts += "\n" + p.Raw.At("description").Text()
		}
	}
	named := func(p probes.Parameter) bool {
		return !p.Required && p.Name != demanded && regexp.MustCompile(`\b`+regexp.QuoteMeta(p.Name)+`\b`).MatchString(texts)
	}
	return s.Op.HasParameter(demanded) && (condition.MatchString(texts) || slices.ContainsFunc(s.Op.Parameters, named))
}

// wrongTypes are values whose JSON type decides: no reading of them is a value of
// the documented type.
var wrongTypes = map[string][]any{
	"string":  {map[string]any{"a": 1}},
	"number":  {"not-a-number", map[string]any{}},
	"integer": {"x", map[string]any{}},
	"boolean": {"maybe", map[string]any{}},
	"array":   {map[string]any{"a": 1}},
	"object":  {"x", []any{"x"}},
}

// mistyped returns the values that violate every arm of the parameter's type;
// none when the type is not understood.
func (s Subject) mistyped() []any {
	kinds, ok := s.Kinds(s.Par.Type)
	if !ok || len(kinds) == 0 {
		return nil
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(words, k) })
	}
	var values []any
	for _, v := range wrongTypes[kinds[0]] {
		kind := string(probes.ValueOf(v).Kind())
		if !has(kind) && !(kind == "object" && has("any")) && !(kind == "string" && has("integer", "number") && v != "x" && v != "not-a-number") {
			values = append(values, v)
		}
	}
	return values
}

// eachTyped is every parameter of an understood type on an operation that may be
// called with a wrong value: reads, and creations with permission.
func eachTyped(f *Face) []Subject {
	var all []Subject
	for _, s := range eachUsable(f) {
		for _, p := range s.Op.Parameters {
			t := Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, settled: s.settled}
			if (s.Op.Category == "READ" || s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" && p.Name != "input") && len(t.mistyped()) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

func mistype(s Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for i, v := range s.mistyped() {
		ps = append(ps, s.anew(50+i).With(s.Par.Name, v))
	}
	return ps
}

// Section 3.2. A value of another type that reaches the handler does there
// whatever the language makes of it.
var _ = register(Check{
	Requirement: "AQL-3.2-04",
	On:          eachTyped,
	Ask:         mistype,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		control := got[0]
		var rs []Ruling
		for _, o := range got[1:] {
			switch {
			case o.Succeeded():
				rs = append(rs, Violates("a refusal of "+cited(s.Par.Name)+" with another type than "+s.Par.Type, o).By(control))
			case o.Code() == "INTERNAL_ERROR":
				rs = append(rs, Departs("a refusal of "+cited(s.Par.Name)+" before the handler runs", o).By(control))
			case o.Deferred() || control.Refused() && control.Code() == o.Code():
				rs = append(rs, NotProven("a refusal of the mistyped value", o))
			case o.Code() == "NOT_FOUND_RESOURCE":
				rs = append(rs, Violates("a refusal of "+cited(s.Par.Name)+" before the handler runs", o).By(control))
			case !o.Refused() && !o.RefusedBelow():
				rs = append(rs, NotProven("a refusal of the mistyped value", o))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "check the JSON type of every parameter before the operation runs",
})

// Operations document, section 8.1. The code tells the value's type is wrong, not
// its name or content.
var _ = register(Check{
	Requirement: "OPS-8.1-02",
	On:          func(f *Face) []Subject { return append(introspecting(f), eachTyped(f)...) },
	Ask: func(s Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing(), s.Query(map[string]any{"query": 5})}
		}
		return mistype(s)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got[1:] {
			legacy := s.Name == "introspect" && (o.Code() == "INTROSPECTION_ERROR" || o.Code() == "INVALID_QUERY_TYPE")
			switch {
			case complaint(s, o) == s.Par.Name && s.Par.Name != "" && !(s.Par.Required && s.Baseline().Usable()):
				rs = append(rs, NotProven("the documented name accepted", o).Because("INT-8.1.2-07"))
			case !o.Refused() || o.Deferred() || got[0].Refused() && got[0].Code() == o.Code() || o.Code() == "NOT_FOUND_RESOURCE":
				rs = append(rs, NotProven("a refusal for the type", o).Because("AQL-3.2-04"))
			case o.Code() == "VALIDATION_INVALID_TYPE":
				rs = append(rs, Conforms().By(o))
			case strings.HasPrefix(o.Code(), "VALIDATION_") || legacy:
				rs = append(rs, Departs("error VALIDATION_INVALID_TYPE", o).By(got[0]))
			default:
				rs = append(rs, Violates("error VALIDATION_INVALID_TYPE", o).By(got[0]))
			}
		}
		return Worst(rs...)
	},
	Fix: "answer a value of the wrong type with VALIDATION_INVALID_TYPE",
})

// Introspection document, section 8.1.1. The documented type is the type to send.
var _ = register(Check{
	Requirement: "INT-8.1.1-02",
	On: func(f *Face) []Subject {
		var all []Subject
		for _, s := range eachAccepted(f) {
			for _, p := range s.Op.Parameters {
				t := Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, settled: s.settled}
				if _, understood := f.Kinds(p.Type); understood && s.Op.Category != "EXECUTE" && len(t.conforming()) > 0 {
					all = append(all, t)
				}
			}
		}
		return all
	},
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range s.conforming() {
			ps = append(ps, s.anew(60+i).With(s.Par.Name, v.Go()))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		kinds, _ := s.Kinds(s.Par.Type)
		var last probes.Observation
		for _, o := range got[1:] {
			if o.Succeeded() || s.Baseline().State == Missing && o.Code() == got[0].Code() {
				return Conforms().By(o)
			}
			last = o
		}
		for _, o := range got[1:] {
			if !wantsOtherType(kinds, s.Par.Name, o) {
				return NotProven("a value of type "+s.Par.Type+" accepted for "+s.Par.Name, o)
			}
		}
		if got[0].Refused() && got[0].Code() == last.Code() && s.Baseline().Usable() {
			return NotProven("another answer than that of the plain request", last)
		}
		return Violates("a value of type "+s.Par.Type+" accepted for "+cited(s.Par.Name), last)
	},
	Fix: "accept the type that introspection documents",
})

// conforming returns up to three values of the documented type, published ones
// first; identifiers stay as they are in the proven request.
func (s Subject) conforming() []probes.Value {
	if probes.IsReference(s.Op, s.Par) {
		if v := valueIn(s.ValidCall(), s.Par.Name); !v.Is(probes.Absent) {
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

// wantsOtherType reports whether the refusal says in its details that the
// parameter should be of another JSON type than the documented ones.
func wantsOtherType(kinds []string, name string, o probes.Observation) bool {
	if o.Code() != "VALIDATION_INVALID_TYPE" || o.Details().At("param_name").Text() != name {
		return false
	}
	expected := strings.ToLower(o.Details().At("expected_type").Text())
	for _, k := range kinds {
		if strings.Contains(expected, k) || k == "integer" && strings.Contains(expected, "number") {
			return false
		}
	}
	return slices.ContainsFunc([]string{"string", "number", "integer", "boolean", "array", "object"}, func(w string) bool {
		return strings.Contains(expected, w)
	})
}
