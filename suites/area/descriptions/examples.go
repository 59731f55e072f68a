package descriptions

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 3.3.
var examplesAreArray = check.Check{
	Requirement: "INT-3.3-09",
	Rule:        "OperationDetails.examples is an array of OperationExample objects and is present (possibly empty).",
	Why:         "An example is read by programs too, so its place and kind are fixed.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		examples := s.Op.Details.At("examples")
		if examples.Is(probes.Absent) {
			return ruling.Departs("an array of examples, if an empty one", "none")
		}
		if !examples.Is(probes.Array) {
			return ruling.Violates("an array of examples", examples)
		}
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, e := range examples.Items() {
			switch {
			case e.Is(probes.String):
				rs = append(rs, ruling.Departs("an object with description and request", e))
			case !e.Is(probes.Object):
				rs = append(rs, ruling.Violates("an object with description and request", e))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "list the examples in an array of objects with description and request",
}

// eachExemplified is every operation with examples that are objects.
func eachExemplified(f *model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool { return len(check.Examples(s)) > 0 })(f)
}

// Introspection document, section 3.3.
var eachExampleHoldsRequestObject = check.Check{
	Requirement: "INT-3.3-17",
	Rule:        "Each example has a JSON object request and, where present, a string description.",
	Why:         "The request is there to be sent as it stands; as text it has to be parsed first.",
	On:          eachExemplified,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, e := range check.Examples(s) {
			text := e.Record.At("description")
			switch {
			case !e.Request.Is(probes.Object):
				rs = append(rs, ruling.Violates("a request that is an object", e.Request))
			case text.Is(probes.Null):
				rs = append(rs, ruling.Departs("a description that is a string", text))
			case !check.MissingOr(text, probes.String):
				rs = append(rs, ruling.Violates("a description that is a string", text))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "give each example a request object, and a description that is a string",
}

// Introspection document, section 8.2.
var everyOperationHasExample = check.Check{
	Requirement: "INT-8.2-01",
	Rule:        "Every operation comes with at least one usage example.",
	Why:         "One example says more than a page on the form of a request.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		examples := s.Op.Details.At("examples")
		switch {
		case !examples.Is(probes.Array):
			return ruling.NotProven("an array of examples", examples).Because("INT-3.3-09")
		case len(examples.Items()) == 0:
			return ruling.Violates("one example or more", examples)
		}
		return ruling.Conforms()
	},
	Fix: "add an example to the operation",
}

// Introspection document, section 8.2.
var examplesFitTheirOwnOperation = check.Check{
	Requirement: "INT-8.2-09",
	Rule:        "A usage example is a request for the operation it illustrates and uses only documented parameters, all required ones included, with values that satisfy the documented constraints.",
	Why:         "An example that breaks its own record teaches the mistake.",
	On:          eachExemplified,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(model.Details(s)[0])
		for _, e := range check.Examples(s) {
			if check.ExampleMismatch(s, e.Request, true) != check.ExampleMismatch(s, e.Request, false) {
				s.ResolvesTopLevel(ask)
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		topLevel := check.ResolvedTopLevel(got)
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, e := range check.Examples(s) {
			why := check.ExampleMismatch(s, e.Request, topLevel)
			switch {
			case !e.Request.Is(probes.Object):
				rs = append(rs, ruling.NotProven("a request object", e.Request).Because("INT-3.3-17"))
			case s.Name == "introspect" && slices.Contains([]string{"the undocumented parameter name", "the undocumented parameter query"}, why):
				rs = append(rs, ruling.NotProven("query and name in the record of introspect", why).Because("OPS-9.2-01"))
			case why != "" && contradicted(s, e.Request):
				rs = append(rs, ruling.NotProven("limits that some value fits", why).Because("INT-3.4-15"))
			case why != "":
				rs = append(rs, ruling.Violates("a request that fits the record of "+s.Op.Name, why))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "correct the example, or the record",
}

// contradicted reports whether an example gives a value to a parameter whose bounds no value fits.
func contradicted(s model.Subject, request probes.Value) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		s.Par = p
		_, reversed := check.ReversedBounds(s)
		return reversed && request.At("params").Has(p.Name)
	})
}
