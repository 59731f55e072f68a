package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.6.1.
var unknownTopLevelFieldIsRefused = check.Check{
	Requirement: "AQL-4.6.1-01",
	Rule:        "Where top-level resolution is on, unknown top-level fields are refused like unknown params.",
	Why:         "An adapter that reads parameters from the top level sees unknown names there too, and dropping them is the same silence as inside params.",
	On:          model.IntrospectSubject,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		ask(s.Listing().Top(check.UnknownName(s), 1).As("unknown top-level field: beside params"))
		ask(probes.Call(s.Conn, s.Introspect, "introspect", nil).Top("query", "operations").Top(check.UnknownName(s), 1).As("unknown top-level field: beside query"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		var rs []ruling.Ruling
		for _, o := range got.Under("unknown top-level field") {
			switch {
			case o.Succeeded() && declaresAll(s):
				rs = append(rs, ruling.Departs("error VALIDATION_UNKNOWN_PARAM", o).Noting("only names the tool schema declares are resolved at top level"))
			case o.Succeeded():
				rs = append(rs, ruling.Violates("error VALIDATION_UNKNOWN_PARAM", o))
			case o.RefusedBelow():
				rs = append(rs, ruling.Departs("error VALIDATION_UNKNOWN_PARAM", o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "treat unknown names next to operation like unknown names in params",
}

// besideParams rules on an unknown field beside the params of operations that may resolve their parameters by themselves.
func besideParams(lane probes.Lane, on func(*model.Adapter) []model.Subject) check.Check {
	const script = "unknown beside params: "
	return check.Check{
		Requirement: "AQL-4.6.1-01",
		On:          on,
		Lane:        lane,
		Drive: func(s model.Subject, ask model.AskFunc) {
			if !check.ResolvesTopLevel(s, ask) {
				return
			}
			call := func(step string) probes.Probe { return s.FreshCall(script + step).As(script + step) }
			ask(s.Listing().Top(check.UnknownName(s), 1).As(script + "of introspect"))
			ask(call("none"))
			ask(call("inside of them").With(check.UnknownName(s), 1))
			ask(call("of the operation").Top(check.UnknownName(s), 1))
			if given, ok := withOption(s, call("with an option")); ok && ask(given).Succeeded() {
				ask(given.Top(check.UnknownName(s), 1).As(script + "of the operation, beside an option"))
			}
		},
		Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
			if o := got.Step(script + "of the operation, beside an option"); o.Succeeded() && isUnknownName(got.Step(script+"of the operation")) && isUnknownName(got.Step(script+"inside of them")) {
				return ruling.Violates("error VALIDATION_UNKNOWN_PARAM, as without the option", o).By(got.Step(script+"with an option"), got.Step(script+"of the operation"))
			}
			plain, inside, beside := got.Step(script+"none"), got.Step(script+"inside of them"), got.Step(script+"of the operation")
			switch {
			case !check.ResolvedTopLevel(got):
				return check.TopLevelNotRead
			case !isUnknownName(got.Step(script + "of introspect")):
				return ruling.NotApplicable("does not hold: introspect refuses such a field")
			case !plain.Succeeded():
				return ruling.NotProven("a request that succeeds without the unknown field", plain)
			case !isUnknownName(inside):
				return ruling.NotProven("a refusal of the unknown field in params", inside).Because("AQL-4.6-01")
			case beside.Succeeded():
				return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", beside).By(plain, inside)
			case isUnknownName(beside):
				return ruling.Conforms().By(beside)
			}
			return ruling.NotProven("an answer to an unknown field beside params", beside)
		},
		Fix: "treat unknown names next to operation like unknown names in params, in each operation",
	}.WithReason("Adapters often check names in one place for all operations, and some in each of them.")
}

func isUnknownName(o probes.Observation) bool { return o.Code() == "VALIDATION_UNKNOWN_PARAM" }

// withOption adds an optional number to a request without parameters. An adapter may read the top level of requests without
// params alone.
func withOption(s model.Subject, p probes.Probe) (probes.Probe, bool) {
	if s.Op.Category != "READ" || len(p.Params()) > 0 {
		return p, false
	}
	for _, o := range s.Op.Parameters {
		kinds, _ := s.Kinds(o.Type)
		if values := s.Gen.Values(s.Op, o); len(values) > 0 && !o.Required && !probes.IsReference(s.Op, o) && slices.Equal(kinds, []string{"integer"}) {
			return p.With(o.Name, values[0].Go()), true
		}
	}
	return p, false
}

// Section 4.6.1.
var unknownTopLevelFieldIsRefusedByReads = besideParams(probes.Parallel, (*model.Adapter).ProvenReads)

// Section 4.6.1.
var unknownTopLevelFieldIsRefusedByCreations = besideParams(probes.Serial, model.Only(model.EachUsable, func(s model.Subject) bool {
	return s.Ruling == nil && s.Op.Category == "CREATE" && !slices.Contains(model.Reserved, s.Name)
}))

// declaresAll reports whether the tool schema declares query at top level and
// strips or forbids what it does not declare, so that the adapter may never see
// an unknown name.
func declaresAll(s model.Subject) bool {
	tool, _ := s.Adapter.Tool(s.Introspect)
	properties := tool.Raw.At("inputSchema", "properties")
	return properties.Has("query") || tool.Raw.At("inputSchema", "additionalProperties").False()
}

func isProtocolField(name string) bool { return name == "operation" || name == "params" }

// Section 4.6.1.
var protocolFieldsAreNeverUnknown = check.Check{
	Requirement: "AQL-4.6.1-03",
	Rule:        "The protocol fields operation and params are never themselves reported as unknown parameters.",
	Why:         "An adapter that takes them for parameters refuses every request whose parameters stand at the top level.",
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		for name := range o.Probe.Args() {
			if !isProtocolField(name) {
				return ruling.NotApplicable("")
			}
		}
		if o.Probe.Args()["operation"] == nil || o.Code() != "VALIDATION_UNKNOWN_PARAM" {
			return frameAccepted(o)
		}
		for _, name := range o.Details().At("unknown_params").Scalars() {
			if _, ours := o.Probe.Params()[name]; !ours && isProtocolField(name) {
				return ruling.Violates("no protocol field among the unknown parameters", o)
			}
		}
		return ruling.Conforms()
	}},
	Fix: "leave operation and params out of the unknown-parameter check",
}

// frameAccepted counts a plain success as evidence that the frame is tolerated.
func frameAccepted(o probes.Observation) ruling.Ruling {
	if o.Succeeded() {
		return ruling.Conforms()
	}
	return ruling.NotApplicable("")
}

// Section 4.6.2.
var strictnessCannotBeSwitchedByRequests = check.Check{
	Requirement: "AQL-4.6.2-04",
	Rule:        "Strictness is not visible in introspection and cannot be switched off by a request.",
	Why:         "If a request could switch strictness off, a model could talk the adapter out of its validation.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		unknown := s.Listing().With("aqlx_unknown", 1)
		return []probes.Probe{
			unknown,
			unknown.With("strict_mode", false).As("strictness: strict_mode in params"),
			unknown.Top("strict_mode", false).Top("_meta", map[string]any{"strict_mode": false}).As("strictness: strict_mode beside params"),
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Succeeded() {
			return ruling.NotProven("a refusal without strict_mode", got[0]).Because("OPS-9.2-06")
		}
		for _, o := range got.Rest() {
			if o.Succeeded() {
				return ruling.Violates("a refusal of the unknown parameter as before", o).By(got[0])
			}
		}
		documents := func(o probes.Operation) bool { return o.HasParameter("strict_mode") }
		if i := slices.IndexFunc(s.Operations, documents); i >= 0 {
			return ruling.Departs("no parameter strict_mode in introspection", "one on "+s.Operations[i].Name)
		}
		return ruling.Conforms().By(got.Step("strictness: strict_mode in params"))
	},
	Fix: "take strictness from configuration alone",
}
