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
		}
		if o, wrong, ok := someMisrouting(s.Face); ok {
			ps = append(ps, s.Baselines[o].Probe.To(wrong))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		rs := []Ruling{Conforms().By(got[0])}
		for _, o := range got {
			if !o.RefusedBelow() || o.Envelope().Is(probes.Object) {
				continue
			}
			tool, _ := s.Face.Tool(o.Probe.Tool)
			if complaint, readable := againstSchema(tool.Raw.At("inputSchema"), o.Probe); complaint != "" || !readable {
				rs = append(rs, Departs("a failure envelope", o).Noting("the request departs from the published inputSchema: "+complaint))
				continue
			}
			rs = append(rs, Violates("a failure envelope", o).Noting("the request fits the published inputSchema"))
		}
		return Worst(rs...)
	},
	Fix: "answer domain failures with {\"success\":false,\"error\":…}; keep JSON-RPC errors for the protocol itself",
})

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
		text, structured := o.Carrier.Text, o.Carrier.Structured
		if text.Is(probes.Absent) || structured.Is(probes.Absent) {
			return elsewhere
		}
		if text.Canonical(nil) != structured.Canonical(nil) {
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
			case o.Carrier.Text.Is(probes.Absent):
			case o.Carrier.Wrapped != "":
				return Violates("a text item that is one JSON object", "one wrapped in "+o.Carrier.Wrapped).By(o)
			case o.Carrier.Place == "resource":
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
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.Listing(), s.TypesListing()} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		seen := false
		for _, o := range got {
			if o.Succeeded() && o.Result().At("isError").True() {
				return Violates("isError false or absent beside success true", "isError true").By(o)
			}
			seen = seen || o.Succeeded()
		}
		if !seen {
			return NotProven("a success", got[0])
		}
		return Conforms()
	},
	Fix: "set isError only on failures",
})
