package envelope

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 5.1.
var domainFailuresArriveAsEnvelopes = check.Check{
	Requirement: "AQL-5.1-10",
	Rule:        "Domain failures (unknown operation, bad parameters, wrong endpoint, not found) arrive as failure envelopes, not as JSON-RPC errors or bare text.",
	Why:         "Domain failures are answers of the operation: a client that learns of them as transport errors cannot act on code and details.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{
			check.UnknownOperation(s.Adapter, s.Introspect),
			s.Query(map[string]any{}),
			s.Listing().With("aqlx_"+s.Nonce, "1"),
			s.Query(map[string]any{"query": 5}),
			s.Query(map[string]any{"query": "aqlx_" + s.Nonce}),
		}
		for _, t := range s.AQL {
			if t != s.Introspect {
				ps = append(ps, check.UnknownOperation(s.Adapter, t))
			}
		}
		if o, wrong, ok := check.MisroutedRead(s.Adapter); ok {
			ps = append(ps, s.KnownGood[o].Probe.To(wrong))
		}
		return ps
	},
	Judge: inEnvelopes,
	Fix:   "answer domain failures with {\"success\":false,\"error\":…}; keep JSON-RPC errors for the protocol itself",
}

// Section 5.1.
var failuresOfEachReadArriveAsEnvelopes = check.Check{
	Requirement: "AQL-5.1-10",
	Why:         "Each handler throws in its own way, so each READ operation is asked what its own code has to refuse.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Ruling == nil && s.Op.Category == "READ" && len(refusable(s)) > 0
	}),
	Ask:   refusable,
	Judge: inEnvelopes,
	Fix:   "answer domain failures with {\"success\":false,\"error\":…}; keep JSON-RPC errors for the protocol itself",
}

// refusable are requests of a READ operation with one fault each: a parameter left
// out, one of another type, an identifier of nothing.
func refusable(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for _, p := range s.Op.Parameters {
		t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
		if p.Required {
			ps = append(ps, s.ValidCall().Without(p.Name))
		}
		if values := check.WrongTypeValues(t); len(values) > 0 {
			ps = append(ps, s.ValidCall().With(p.Name, values[0]))
		}
		if p.Required && probes.IsReference(s.Op, p) {
			if absent := s.Gen.AbsentIdentifier(p, model.ValueIn(s.ValidCall(), p.Name)); !absent.Is(probes.Absent) {
				ps = append(ps, s.ValidCall().With(p.Name, absent.Go()))
			}
		}
	}
	return ps
}

// inEnvelopes rules on refusals: those that fit the published schema have to come
// in an envelope.
func inEnvelopes(s model.Subject, got probes.Answers) ruling.Ruling {
	rs := []ruling.Ruling{ruling.Conforms().By(got[0])}
	for _, o := range got {
		if !o.RefusedBelow() || o.Envelope().Is(probes.Object) {
			continue
		}
		tool, _ := s.Adapter.Tool(o.Probe.Tool)
		switch complaint, readable := check.SchemaViolation(tool.Raw.At("inputSchema"), o.Probe); {
		case !readable:
			rs = append(rs, ruling.NotProven("an inputSchema to hold the refused request against", "one that cannot be read").By(o).Because("MCP-SCHEMA-04"))
		case complaint != "":
			rs = append(rs, ruling.Departs("a failure envelope", o).Noting("the request departs from the published inputSchema: "+complaint))
		default:
			rs = append(rs, ruling.Violates("a failure envelope", o).Noting("the request fits the published inputSchema"))
		}
	}
	return ruling.Worst(rs...)
}

// Section 5.1.
var structuredAndTextEnvelopesAgree = check.Check{
	Requirement: "AQL-5.1-11",
	Rule:        "Where one answer carries the envelope in structured and in text form, both are equal.",
	Why:         "If two copies of the envelope differ, the client cannot know which one is right.",
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		text, structured := o.Carrier().Text, o.Carrier().Structured
		if text.Is(probes.Absent) {
			return check.Irrelevant
		}
		if structured.Is(probes.Absent) {
			return dataAlone(o, text)
		}
		if !text.Equal(structured) {
			return ruling.Violates("the same envelope in text and structuredContent", "two that differ").By(o)
		}
		return ruling.Conforms()
	}},
	Fix: "serialise the envelope once and use it in both places",
}

// dataAlone rules on a structuredContent without an envelope. It may be the data alone, or wrap what the text says; the
// data of something else is a second answer.
func dataAlone(o probes.Observation, text probes.Value) ruling.Ruling {
	shown, data := o.Result().At("structuredContent"), text.At("data")
	if !shown.Is(probes.Object) || !data.Is(probes.Object) || shown.Equal(data) {
		return check.Irrelevant
	}
	wraps := func(v probes.Value) bool {
		inner, err := probes.ParseValue([]byte(v.Text()))
		return v.Equal(data) || v.Equal(text) || v.Is(probes.String) && err == nil && inner.Equal(text)
	}
	for _, m := range shown.Members() {
		if wraps(m.Value) {
			return check.Irrelevant
		}
	}
	for _, m := range data.Members() {
		if shown.Has(m.Name) && !shown.At(m.Name).Equal(m.Value) {
			return ruling.Violates("the data of the text in structuredContent", "another "+m.Name).By(o)
		}
	}
	return check.Irrelevant
}

// MCP document, tool results.
var envelopeIsWholeTextItem = check.Check{
	Requirement: "MCP-RESULT-07",
	Rule:        "The envelope can be read from a text item without stripping anything around it.",
	Why:         "Clients that must extract the envelope from other text make mistakes.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), check.UnknownOperation(s.Adapter, s.Introspect).As("unknown operation")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		for _, o := range got {
			switch {
			case o.Carrier().Text.Is(probes.Absent):
			case o.Carrier().Wrapped != "":
				return ruling.Violates("a text item that is one JSON object", "one wrapped in "+o.Carrier().Wrapped).By(o)
			case o.Carrier().Place == "resource":
				return ruling.Violates("the envelope in a text item", "an embedded resource").By(o)
			}
		}
		if !got[0].Succeeded() && !got.Step("unknown operation").Refused() {
			return ruling.NotProven("an envelope", got[0])
		}
		return ruling.Conforms()
	},
	Fix: "put the JSON envelope, and nothing else, into its text item",
}

// MCP document, tool results.
var successIsNotFlaggedAsError = check.Check{
	Requirement: "MCP-RESULT-09",
	Rule:        "A success envelope is not delivered with the error flag set.",
	Why:         "A host shows every result with the error flag to the model as a failure.",
	Ambient: &check.Ambient{Watch: successes(func(o probes.Observation, _ probes.Value) ruling.Ruling {
		if o.Result().At("isError").True() {
			return ruling.Violates("isError false or absent beside success true", "isError true").By(o)
		}
		return ruling.Conforms()
	})},
	Fix: "set isError only on failures",
}
