package suites

import "github.com/aql-conform/aql-conform/probes"

// Section 5.1. Domain failures are answers of the operation: a client that learns
// of them as transport errors cannot act on code and details.
var _ = register(Check{
	Requirement: "AQL-5.1-10",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{
			unknownOperation(s.Face, s.Introspect),
			s.Query(map[string]any{}),
			s.Listing().With("aqlx_"+s.Nonce, "1"),
			s.Query(map[string]any{"query": 5}),
			s.Query(map[string]any{"query": "aqlx_" + s.Nonce}),
		}
		for _, t := range s.AQL {
			if t != s.Introspect {
				ps = append(ps, unknownOperation(s.Face, t))
			}
		}
		if o, wrong, ok := someMisrouting(s.Face); ok {
			ps = append(ps, s.Baselines[o].Probe.To(wrong))
		}
		return ps
	},
	Judge: inEnvelopes,
	Fix:   "answer domain failures with {\"success\":false,\"error\":…}; keep JSON-RPC errors for the protocol itself",
})

// Section 5.1. Each handler throws in its own way, so each READ operation is asked
// what its own code has to refuse.
var _ = register(Check{
	Requirement: "AQL-5.1-10",
	On: only(eachProven, func(s Subject) bool {
		return s.settled == nil && s.Op.Category == "READ" && len(refusable(s)) > 0
	}),
	Ask:   refusable,
	Judge: inEnvelopes,
	Fix:   "answer domain failures with {\"success\":false,\"error\":…}; keep JSON-RPC errors for the protocol itself",
})

// refusable are requests of a READ operation with one fault each: a parameter left
// out, one of another type, an identifier of nothing.
func refusable(s Subject) []probes.Probe {
	var ps []probes.Probe
	for _, p := range s.Op.Parameters {
		t := Subject{Face: s.Face, Name: s.Name, Op: s.Op, Par: p}
		if p.Required {
			ps = append(ps, s.ValidCall().Without(p.Name))
		}
		if values := t.mistyped(); len(values) > 0 {
			ps = append(ps, s.ValidCall().With(p.Name, values[0]))
		}
		if p.Required && probes.IsReference(s.Op, p) {
			if absent := s.Gen.AbsentIdentifier(p, valueIn(s.ValidCall(), p.Name)); !absent.Is(probes.Absent) {
				ps = append(ps, s.ValidCall().With(p.Name, absent.Go()))
			}
		}
	}
	return ps
}

// inEnvelopes rules on refusals: those that fit the published schema have to come
// in an envelope.
func inEnvelopes(s Subject, got []probes.Observation) Ruling {
	rs := []Ruling{Conforms().By(got[0])}
	for _, o := range got {
		if !o.RefusedBelow() || o.Envelope().Is(probes.Object) {
			continue
		}
		tool, _ := s.Face.Tool(o.Probe.Tool)
		switch complaint, readable := againstSchema(tool.Raw.At("inputSchema"), o.Probe); {
		case !readable:
			rs = append(rs, NotProven("an inputSchema to hold the refused request against", "one that cannot be read").By(o).Because("MCP-SCHEMA-04"))
		case complaint != "":
			rs = append(rs, Departs("a failure envelope", o).Noting("the request departs from the published inputSchema: "+complaint))
		default:
			rs = append(rs, Violates("a failure envelope", o).Noting("the request fits the published inputSchema"))
		}
	}
	return Worst(rs...)
}

// someMisrouting returns a READ operation with a proven request and a tool that is
// not its own.
func someMisrouting(f *Face) (operation, wrong string, ok bool) {
	for _, s := range eachProven(f) {
		if s.settled != nil || s.Op.Category != "READ" {
			continue
		}
		for _, w := range wrongTools(f, s.Op) {
			return s.Name, w, true
		}
	}
	return "", "", false
}

// Section 5.1. Two copies of one envelope that differ leave two truths.
var _ = register(Check{
	Requirement: "AQL-5.1-11",
	Watch: func(_ *Face, o probes.Observation) Ruling {
		text, structured := o.Carrier().Text, o.Carrier().Structured
		if text.Is(probes.Absent) || structured.Is(probes.Absent) {
			return elsewhere
		}
		if !text.Equal(structured) {
			return Violates("the same envelope in text and structuredContent", "two that differ").By(o)
		}
		return Conforms()
	},
	Fix: "serialise the envelope once and use it in both places",
})

// MCP document, tool results. An envelope that has to be cut out of prose will be
// cut wrongly by somebody.
var _ = register(Check{
	Requirement: "MCP-RESULT-07",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), unknownOperation(s.Face, s.Introspect)}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		for _, o := range got {
			switch {
			case o.Carrier().Text.Is(probes.Absent):
			case o.Carrier().Wrapped != "":
				return Violates("a text item that is one JSON object", "one wrapped in "+o.Carrier().Wrapped).By(o)
			case o.Carrier().Place == "resource":
				return Violates("the envelope in a text item", "an embedded resource").By(o)
			}
		}
		if !got[0].Succeeded() && !got[1].Refused() {
			return NotProven("an envelope", got[0])
		}
		return Conforms()
	},
	Fix: "put the JSON envelope, and nothing else, into its text item",
})

// MCP document, tool results. A host shows a flagged result to the model as a
// failure, whatever it says.
var _ = register(Check{
	Requirement: "MCP-RESULT-09",
	Watch: successes(func(o probes.Observation, _ probes.Value) Ruling {
		if o.Result().At("isError").True() {
			return Violates("isError false or absent beside success true", "isError true").By(o)
		}
		return Conforms()
	}),
	Fix: "set isError only on failures",
})
