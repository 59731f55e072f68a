package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Introspection document, section 3.3. An example is read by programs too, so its
// place and kind are fixed.
var _ = register(Check{
	Requirement: "INT-3.3-09",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		examples := s.Op.Details.At("examples")
		if examples.Is(probes.Absent) {
			return Departs("an array of examples, if an empty one", "none")
		}
		if !examples.Is(probes.Array) {
			return Violates("an array of examples", examples)
		}
		rs := []Ruling{Conforms()}
		for _, e := range examples.Items() {
			switch {
			case e.Is(probes.String):
				rs = append(rs, Departs("an object with description and request", e))
			case !e.Is(probes.Object):
				rs = append(rs, Violates("an object with description and request", e))
			}
		}
		return Worst(rs...)
	},
	Fix: "list the examples in an array of objects with description and request",
})

// An instance is one example that an operation documents as an object.
type instance struct {
	record  probes.Value
	request probes.Value
}

// instances returns the examples of an operation that are objects.
func instances(s Subject) []instance {
	var all []instance
	for _, e := range s.Op.Details.At("examples").Items() {
		if e.Is(probes.Object) {
			all = append(all, instance{e, e.At("request")})
		}
	}
	return all
}

// eachExemplified is every operation with examples that are objects.
func eachExemplified(f *Face) []Subject {
	return only(eachListed, func(s Subject) bool { return len(instances(s)) > 0 })(f)
}

// Introspection document, section 3.3. The request is there to be sent as it
// stands; as text it has to be parsed first.
var _ = register(Check{
	Requirement: "INT-3.3-17",
	On:          eachExemplified,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		rs := []Ruling{Conforms()}
		for _, e := range instances(s) {
			text := e.record.At("description")
			switch {
			case !e.request.Is(probes.Object):
				rs = append(rs, Violates("a request that is an object", e.request))
			case text.Is(probes.Null):
				rs = append(rs, Departs("a description that is a string", text))
			case !missingOr(text, probes.String):
				rs = append(rs, Violates("a description that is a string", text))
			}
		}
		return Worst(rs...)
	},
	Fix: "give each example a request object, and a description that is a string",
})

// Introspection document, section 8.2. One example says more than a page on the
// form of a request.
var _ = register(Check{
	Requirement: "INT-8.2-01",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		examples := s.Op.Details.At("examples")
		switch {
		case !examples.Is(probes.Array):
			return NotProven("an array of examples", examples).Because("INT-3.3-09")
		case len(examples.Items()) == 0:
			return Violates("one example or more", examples)
		}
		return Conforms()
	},
	Fix: "add an example to the operation",
})

// misfitting says in what an example departs from the record of its operation, or
// "". Other members beside operation count only where the adapter does not read
// them as parameters.
func misfitting(s Subject, request probes.Value, topLevel bool) string {
	if name := request.At("operation"); name.Text() != s.Op.Name {
		return "operation " + name.String()
	}
	params := request.At("params")
	if !missingOr(params, probes.Object) {
		return "params " + clip(params.String())
	}
	given := params.Members()
	for _, m := range request.Members() {
		switch {
		case m.Name == "operation" || m.Name == "params" || strings.HasPrefix(m.Name, "_"):
		case !topLevel:
			return "the member " + m.Name + " beside operation"
		default:
			given = append(given, m)
		}
	}
	for _, p := range s.Op.Parameters {
		if p.Required && !slices.ContainsFunc(given, func(m probes.Member) bool { return m.Name == p.Name }) {
			return "no " + p.Name + ", which is required"
		}
	}
	for _, m := range given {
		p, known := s.parameter(m.Name)
		if !known && m.Name != "confirmation_token" {
			return "the undocumented parameter " + m.Name
		}
		t := s
		t.Par = p
		if why := unfit(t, m.Value); known && why != "" {
			return m.Name + " " + clip(m.Value.String()) + ", " + why
		}
	}
	return ""
}

// Introspection document, section 8.2. An example that breaks its own record
// teaches the mistake.
var _ = register(Check{
	Requirement: "INT-8.2-09",
	On:          eachExemplified,
	Drive: func(s Subject, ask Asking) {
		ask(details(s)[0])
		for _, e := range instances(s) {
			if misfitting(s, e.request, true) != misfitting(s, e.request, false) {
				s.ResolvesTopLevel(ask)
				return
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		topLevel := len(got) == 3 && got[1].Data().At("operations").Is(probes.Array) && got[2].Data().At("types").Is(probes.Array)
		rs := []Ruling{Conforms()}
		for _, e := range instances(s) {
			why := misfitting(s, e.request, topLevel)
			switch {
			case !e.request.Is(probes.Object):
				rs = append(rs, NotProven("a request object", e.request).Because("INT-3.3-17"))
			case s.Name == "introspect" && slices.Contains([]string{"the undocumented parameter name", "the undocumented parameter query"}, why):
				rs = append(rs, NotProven("query and name in the record of introspect", why).Because("OPS-9.2-01"))
			case why != "":
				rs = append(rs, Violates("a request that fits the record of "+s.Op.Name, why))
			}
		}
		return Worst(rs...)
	},
	Fix: "correct the example, or the record",
})
