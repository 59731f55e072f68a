package levels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// endpointsOn returns the endpoint values of the operations documented for a tool.
func endpointsOn(f *model.Adapter, tool string) []string {
	var values []string
	for _, o := range f.Operations {
		if o.Tool == tool && o.Endpoint != "" {
			values = append(values, strings.ToLower(o.Endpoint))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// acrossEndpoints returns proven requests of two endpoint values, all sent to one
// tool. A unified tool executes both, and a family refuses one.
func acrossEndpoints(f *model.Adapter, tool string) []probes.Probe {
	var ps []probes.Probe
	var seen []string
	for _, s := range model.EachUsable(f) {
		if s.Ruling == nil && !slices.Contains(seen, s.Op.Endpoint) && len(ps) < 2 && s.Op.Tool == tool {
			seen, ps = append(seen, s.Op.Endpoint), append(ps, s.ValidCall().As(probes.Nth("tool for several endpoints: call", len(ps))))
		}
	}
	return ps
}

// Introspection document, section 4.1.1.
var statedModeMatchesTools = check.Check{
	Requirement: "INT-4.1.1-09",
	Rule:        "The stated mode matches the tools that are really exposed.",
	Why:         "A client that trusts the stated mode sends operations to tools that are not there.",
	On:          check.ProtocolWith("mode"),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing()}
		if len(s.AQL) == 1 {
			ps = append(ps, acrossEndpoints(s.Adapter, s.AQL[0])...)
		}
		return append(ps, s.Pages...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tools := fmt.Sprintf("the tools %s", strings.Join(s.AQL, ", "))
		switch mode := s.Protocol.At("mode").Text(); mode {
		case "single":
			return singleMode(s, got, tools)
		case "all":
			if s.Unified == "" || len(s.Semantic()) == 0 {
				return ruling.Violates("a unified tool beside family tools for the mode all", tools)
			}
		case "semantic", "crude":
			return semanticMode(s, got)
		default:
			return ruling.NotProven("a defined mode", s.Protocol.At("mode")).Because("INT-4.1.1-06")
		}
		return ruling.Conforms()
	},
	Fix: "state the mode that matches the tools you register",
}

func singleMode(s model.Subject, got probes.Answers, tools string) ruling.Ruling {
	if len(s.AQL) > 1 {
		return ruling.Violates("one tool for the mode single", tools)
	}
	for _, o := range got.Under("tool for several endpoints: call") {
		if o.Code() == "VALIDATION_ENDPOINT_MISMATCH" {
			return ruling.Violates("a tool that takes every operation for the mode single", o)
		}
	}
	return ruling.Conforms()
}

func semanticMode(s model.Subject, got probes.Answers) ruling.Ruling {
	if len(s.AQL) > 1 {
		if s.Unified != "" {
			return ruling.Conforms().Noting("a unified tool stands beside the family tools")
		}
		return ruling.Conforms()
	}
	tool := s.AQL[0]
	asked := got.Under("tool for several endpoints: call")
	refused := slices.ContainsFunc(asked, func(o probes.Observation) bool { return o.Code() == "VALIDATION_ENDPOINT_MISMATCH" })
	switch {
	case len(endpointsOn(s.Adapter, tool)) < 2 || refused:
		return ruling.Conforms()
	case strings.HasSuffix(tool, "mcp_aql") && len(asked) == 2:
		return ruling.Violates("family tools for the mode semantic", "the unified tool "+tool+" alone").By(asked...)
	}
	return ruling.Departs("tools that show the mode semantic", "one tool for the endpoints "+strings.Join(endpointsOn(s.Adapter, tool), ", "))
}

// A trace is a sign in a reply that an optional feature is in use, with the flag
// that announces it.
var traces = []struct {
	flag  string
	shows func(f *model.Adapter, o probes.Observation) bool
}{
	{"pagination", func(_ *model.Adapter, o probes.Observation) bool { return o.Data().At("pageInfo").Is(probes.Object) }},
	{"warnings", func(f *model.Adapter, o probes.Observation) bool {
		return len(o.Envelope().At("warnings").Items()) > 0 && regular(f, o)
	}},
	{"confirmation", func(_ *model.Adapter, o probes.Observation) bool { return o.Code() == "CONFIRMATION_REQUIRED" }},
	{"batch", func(_ *model.Adapter, o probes.Observation) bool {
		return check.BatchResults(o).Is(probes.Array) && probes.ValueOf(o.Probe.Args()).At("operations").Is(probes.Array)
	}},
	{"field_selection", func(f *model.Adapter, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		v := model.ValueIn(o.Probe, "fields") // null is what leaving it out is
		return !v.Is(probes.Absent) && !v.Is(probes.Null) && o.Succeeded() && op.HasParameter("fields")
	}},
	{"aggregations", func(f *model.Adapter, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		labels := model.ValueIn(o.Probe, "aggregate").Names()
		return len(labels) > 0 && op.HasParameter("aggregate") && check.HasAnyValue(o.Data(), labels)
	}},
	{"computed_fields", func(f *model.Adapter, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		if len(check.ComputedFieldNames(op.Details)) == 0 {
			return false
		}
		v, _ := check.SelectableRecord(f, o)
		return v.At("_computed").Is(probes.Object)
	}},
	{"relationship_queries", func(f *model.Adapter, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		return op.Details.At("relationship_capabilities", "supported").True() && o.Succeeded()
	}},
}

// regular reports whether a request holds documented parameters only; what others
// are answered with is the concern of AQL-4.6-01.
func regular(f *model.Adapter, o probes.Observation) bool {
	op, _ := f.Operation(o.Probe.Operation())
	for name := range o.Probe.Params() {
		if !op.HasParameter(name) {
			return false
		}
	}
	return true
}

// AX rule R4.
var observedFeaturesAreAnnounced = check.Check{
	Requirement: "AX-R4-05",
	Rule:        "Optional protocol features are announced as flags.",
	Why:         "A feature that is not announced is found by accident or not at all.",
	Ambient: &check.Ambient{
		Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
			flags := f.Protocol.At("capabilities")
			if !f.Protocol.Is(probes.Object) || !flags.Is(probes.Absent) && !flags.Is(probes.Object) {
				return ruling.NotApplicable("no flags to compare with")
			}
			var rs []ruling.Ruling
			for _, t := range traces {
				v := flags.At(t.flag)
				switch {
				case !t.shows(f, o) || !v.Is(probes.Absent) && !v.Is(probes.Boolean):
				case v.True(), t.flag == "batch" && flags.At("batch_operations").True():
					rs = append(rs, ruling.Conforms())
				default:
					rs = append(rs, ruling.Violates("the capability "+t.flag+": true", t.flag+" in use, the flag "+v.String()))
				}
			}
			return ruling.Worst(append(rs, ruling.NotApplicable("no optional feature in this reply"))...)
		},
		UnseenReason: "no optional feature was seen in use, or there are no flags to compare with",
	},
	Fix: "set the flags of the features you offer in _protocol.capabilities",
}
