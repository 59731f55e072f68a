package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// endpointsOn returns the endpoint values of the operations documented for a tool.
func endpointsOn(f *Face, tool string) []string {
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
// tool: what a unified tool takes and a family refuses.
func acrossEndpoints(f *Face, tool string) []probes.Probe {
	var ps []probes.Probe
	var seen []string
	for _, s := range eachUsable(f) {
		if s.settled == nil && !slices.Contains(seen, s.Op.Endpoint) && len(ps) < 2 && s.Op.Tool == tool {
			seen, ps = append(seen, s.Op.Endpoint), append(ps, s.ValidCall())
		}
	}
	return ps
}

// Introspection document, section 4.1.1. A client that trusts the stated mode
// sends operations to tools that are not there.
var _ = register(Check{
	Requirement: "INT-4.1.1-09",
	On:          eachProtocol("mode"),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing()}
		if len(s.AQL) == 1 {
			ps = append(ps, acrossEndpoints(s.Face, s.AQL[0])...)
		}
		return append(ps, s.Pages...)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tools := fmt.Sprintf("the tools %s", strings.Join(s.AQL, ", "))
		switch mode := s.Protocol.At("mode").Text(); mode {
		case "single":
			return singleMode(s, got, tools)
		case "all":
			if s.Unified == "" || len(s.Semantic()) == 0 {
				return Violates("a unified tool beside family tools for the mode all", tools)
			}
		case "semantic", "crude":
			return semanticMode(s, got)
		default:
			return NotProven("a defined mode", s.Protocol.At("mode")).Because("INT-4.1.1-06")
		}
		return Conforms()
	},
	Fix: "state the mode that matches the tools you register",
})

func singleMode(s Subject, got []probes.Observation, tools string) Ruling {
	if len(s.AQL) > 1 {
		return Violates("one tool for the mode single", tools)
	}
	for _, o := range got[1 : 1+len(acrossEndpoints(s.Face, s.AQL[0]))] {
		if o.Code() == "VALIDATION_ENDPOINT_MISMATCH" {
			return Violates("a tool that takes every operation for the mode single", o)
		}
	}
	return Conforms()
}

func semanticMode(s Subject, got []probes.Observation) Ruling {
	if len(s.AQL) > 1 {
		if s.Unified != "" {
			return Conforms().Noting("a unified tool stands beside the family tools")
		}
		return Conforms()
	}
	tool := s.AQL[0]
	asked := got[1 : 1+len(acrossEndpoints(s.Face, tool))]
	refused := slices.ContainsFunc(asked, func(o probes.Observation) bool { return o.Code() == "VALIDATION_ENDPOINT_MISMATCH" })
	switch {
	case len(endpointsOn(s.Face, tool)) < 2 || refused:
		return Conforms()
	case strings.HasSuffix(tool, "mcp_aql") && len(asked) == 2:
		return Violates("family tools for the mode semantic", "the unified tool "+tool+" alone").By(asked...)
	}
	return Departs("tools that show the mode semantic", "one tool for the endpoints "+strings.Join(endpointsOn(s.Face, tool), ", "))
}

// A trace is a sign in a reply that an optional feature is in use, with the flag
// that announces it.
var traces = []struct {
	flag  string
	shows func(f *Face, o probes.Observation) bool
}{
	{"pagination", func(_ *Face, o probes.Observation) bool { return o.Data().At("pageInfo").Is(probes.Object) }},
	{"warnings", func(f *Face, o probes.Observation) bool {
		return len(o.Envelope().At("warnings").Items()) > 0 && regular(f, o)
	}},
	{"confirmation", func(_ *Face, o probes.Observation) bool { return o.Code() == "CONFIRMATION_REQUIRED" }},
	{"batch", func(_ *Face, o probes.Observation) bool {
		return resultsOf(o).Is(probes.Array) && probes.ValueOf(o.Probe.Args()).At("operations").Is(probes.Array)
	}},
	{"field_selection", func(f *Face, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		v := valueIn(o.Probe, "fields") // null is what leaving it out is
		return !v.Is(probes.Absent) && !v.Is(probes.Null) && o.Succeeded() && op.HasParameter("fields")
	}},
	{"aggregations", func(f *Face, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		labels := valueIn(o.Probe, "aggregate").Names()
		return len(labels) > 0 && op.HasParameter("aggregate") && tells(o.Data(), labels)
	}},
	{"computed_fields", func(f *Face, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		if len(declared(op.Details)) == 0 {
			return false
		}
		v, _ := record(o.Data())
		return v.At("_computed").Is(probes.Object)
	}},
	{"relationship_queries", func(f *Face, o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		return op.Details.At("relationship_capabilities", "supported").True() && o.Succeeded()
	}},
}

// regular reports whether a request holds documented parameters only; what others
// are answered with is the concern of AQL-4.6-01.
func regular(f *Face, o probes.Observation) bool {
	op, _ := f.Operation(o.Probe.Operation())
	for name := range o.Probe.Params() {
		if !op.HasParameter(name) {
			return false
		}
	}
	return true
}

// AX rule R4. A feature that is not announced is found by accident or not at all.
var _ = register(Check{
	Requirement: "AX-R4-05",
	Watch: func(f *Face, o probes.Observation) Ruling {
		flags := f.Protocol.At("capabilities")
		if !f.Protocol.Is(probes.Object) || !flags.Is(probes.Absent) && !flags.Is(probes.Object) {
			return NotApplicable("no flags to compare with")
		}
		var rs []Ruling
		for _, t := range traces {
			v := flags.At(t.flag)
			switch {
			case !t.shows(f, o) || !v.Is(probes.Absent) && !v.Is(probes.Boolean):
			case v.True(), t.flag == "batch" && flags.At("batch_operations").True():
				rs = append(rs, Conforms())
			default:
				rs = append(rs, Violates("the capability "+t.flag+": true", t.flag+" in use, the flag "+v.String()))
			}
		}
		return Worst(append(rs, NotApplicable("no optional feature in this reply"))...)
	},
	Unseen: "no optional feature was seen in use, or there are no flags to compare with",
	Fix:    "set the flags of the features you offer in _protocol.capabilities",
})
