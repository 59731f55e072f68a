package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 4.6.1. An adapter that reads parameters from the top level sees unknown
// names there too, and dropping them is the same silence as inside params.
var _ = register(Check{
	Requirement: "AQL-4.6.1-01",
	On:          introspecting,
	Drive: func(s Subject, ask Asking) {
		if !resolving(s, ask) {
			return
		}
		ask(s.Listing().Top(unknownName(s), 1))
		ask(probes.Call(s.Conn, s.Introspect, "introspect", nil).Top("query", "operations").Top(unknownName(s), 1))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !resolved(got) {
			return unresolved
		}
		var rs []Ruling
		for _, o := range got[2:] {
			switch {
			case o.Succeeded() && declaresAll(s):
				rs = append(rs, Departs("error VALIDATION_UNKNOWN_PARAM", o).Noting("only names the tool schema declares are resolved at top level"))
			case o.Succeeded():
				rs = append(rs, Violates("error VALIDATION_UNKNOWN_PARAM", o))
			case o.RefusedBelow():
				rs = append(rs, Departs("error VALIDATION_UNKNOWN_PARAM", o))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "treat unknown names next to operation like unknown names in params",
})

// declaresAll reports whether the tool schema declares query at top level and
// strips or forbids what it does not declare, so that the adapter may never see
// an unknown name.
func declaresAll(s Subject) bool {
	tool, _ := s.Face.Tool(s.Introspect)
	properties := tool.Raw.At("inputSchema", "properties")
	return properties.Has("query") || tool.Raw.At("inputSchema", "additionalProperties").False()
}

// Section 4.6.1. Where the top level is not read at all, a parameter put there is
// lost; saying so costs one line.
var _ = register(Check{
	Requirement: "AQL-4.6.1-02",
	On:          introspecting,
	Drive: func(s Subject, ask Asking) {
		if resolving(s, ask) {
			return
		}
		ask(s.Listing().Top(unknownName(s), 1))
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch {
		case resolved(got):
			return NotApplicable("does not hold: the adapter does not resolve top-level parameters")
		case got[2].Succeeded() && !warned(got[2]):
			return Violates("a refusal or a warning for a field next to operation", got[2])
		}
		return Conforms().By(got[2])
	},
	Fix: "refuse or warn about members of the arguments that nobody reads",
})

// Section 4.6.1. operation and params are the frame of the request, never
// parameters of it.
var _ = register(Check{
	Requirement: "AQL-4.6.1-03",
	Watch: func(_ *Face, o probes.Observation) Ruling {
		for name := range o.Probe.Args() {
			if name != "operation" && name != "params" {
				return NotApplicable("")
			}
		}
		if o.Probe.Args()["operation"] == nil || o.Code() != "VALIDATION_UNKNOWN_PARAM" {
			return frameAccepted(o)
		}
		for _, name := range o.Details().At("unknown_params").Scalars() {
			if _, ours := o.Probe.Params()[name]; !ours && (name == "operation" || name == "params") {
				return Violates("no protocol field among the unknown parameters", o)
			}
		}
		return Conforms()
	},
	Fix: "leave operation and params out of the unknown-parameter check",
})

// frameAccepted counts a plain success as evidence that the frame is tolerated.
func frameAccepted(o probes.Observation) Ruling {
	if o.Succeeded() {
		return Conforms()
	}
	return NotApplicable("")
}

// Section 4.6.1. Metadata travels beside the request; refusing it breaks clients
// that trace their calls.
var _ = register(Check{
	Requirement: "AQL-4.6.1-04",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		plain := s.Listing().Anew(77)
		withMeta := plain.WithRaw(probes.ValueOf(map[string]any{"name": plain.Tool, "arguments": plain.Args(), "_meta": map[string]any{"aqlx": "1"}}).Raw())
		return []probes.Probe{
			plain,
			plain.Top("_meta", map[string]any{"trace": "x"}),
			plain.Top("_request_id", "r1"),
			plain.Top("_aqlx_trace", "t"),
			withMeta,
		}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if !got[0].Succeeded() {
			return NotProven("the plain request to succeed", got[0])
		}
		var rs []Ruling
		for i, o := range got[1:] {
			switch {
			case o.Succeeded() && slices.Equal(o.Data().Names(), got[0].Data().Names()):
				rs = append(rs, Conforms().By(o))
			case o.RefusedBelow(), i == 2:
				rs = append(rs, Departs("the answer of the request without the metadata field", o).By(got[0]))
			default:
				rs = append(rs, Violates("the answer of the request without the metadata field", o).By(got[0]))
			}
		}
		return Worst(rs...)
	},
	Fix: "exempt top-level names that begin with an underscore from the unknown-parameter check",
})

// Section 4.6.2. If a request could switch strictness off, a model could talk the
// adapter out of its validation.
var _ = register(Check{
	Requirement: "AQL-4.6.2-04",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		unknown := s.Listing().With("aqlx_unknown", 1)
		return []probes.Probe{
			unknown,
			unknown.With("strict_mode", false),
			unknown.Top("strict_mode", false).Top("_meta", map[string]any{"strict_mode": false}),
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if got[0].Succeeded() {
			return NotProven("a refusal without strict_mode", got[0]).Because("OPS-9.2-06")
		}
		for _, o := range got[1:] {
			if o.Succeeded() {
				return Violates("a refusal of the unknown parameter as before", o).By(got[0])
			}
		}
		documents := func(o probes.Operation) bool { return o.HasParameter("strict_mode") }
		if i := slices.IndexFunc(s.Operations, documents); i >= 0 {
			return Departs("no parameter strict_mode in introspection", "one on "+s.Operations[i].Name)
		}
		return Conforms().By(got[1])
	},
	Fix: "take strictness from configuration alone",
})
