package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// wrongTools returns the AQL tools an operation must not be taken by: all but its
// own, the unified one, and the one its endpoint value stands for.
func wrongTools(f *Face, o probes.Operation) []string {
	return slices.DeleteFunc(f.Semantic(), func(t string) bool {
		return t == o.Tool || probes.StandsFor(o.Endpoint, t)
	})
}

// eachAstray is every operation that could be sent to a wrong endpoint with a
// request known to be valid.
func eachAstray(f *Face) []Subject {
	if !routed(f) {
		return nil
	}
	return eachUsable(f)
}

func astray(s Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for i, t := range wrongTools(s.Face, s.Op) {
		ps = append(ps, s.anew(20+i).To(t))
	}
	return ps
}

// Section 6.2. The endpoint is what a host grants a model; an operation that runs
// through another endpoint runs past that grant.
var _ = register(Check{
	Requirement: "AQL-6.2-03",
	On:          eachAstray,
	Drive: func(s Subject, ask Asking) {
		ps := astray(s)
		if s.Op.Category == "UPDATE" || s.Op.Category == "DELETE" {
			if own, ok := astrayOwn(s); ok {
				ps = own
			}
		}
		for _, p := range ps {
			ask(p)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) < 2 {
			return NotApplicable("every other tool stands for the operation's own endpoint")
		}
		control := got[0]
		var rs []Ruling
		for _, o := range got[1:] {
			switch {
			case o.Succeeded():
				rs = append(rs, Violates("a refusal by "+o.Probe.Tool, o).By(control))
			case control.Refused() && control.Code() == o.Code():
				rs = append(rs, NotProven("a refusal for the endpoint, not for the parameters", o))
			case o.Deferred() || strings.HasPrefix(o.Code(), "CONFLICT_"), !o.Refused() && !o.RefusedBelow():
				rs = append(rs, NotProven("a refusal for the endpoint", o))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "check that the operation belongs to the endpoint that received it, before anything else",
})

// astrayOwn sends a change or removal of an object made for it to the wrong tools:
// an absent identifier would be refused by both, and prove nothing.
func astrayOwn(s Subject) ([]probes.Probe, bool) {
	maker, path, ok := s.makerOf(s.Op)
	if !ok {
		return nil, false
	}
	ps := []probes.Probe{maker.anew(25)}
	for _, t := range wrongTools(s.Face, s.Op) {
		p := s.ValidCall().To(t)
		for name := range path {
			p = p.With(name, probes.From(0, path[name]...))
		}
		ps = append(ps, p)
	}
	return ps, true
}

// Operations document, section 6.3. The code tells a model to send the same
// request elsewhere, not to change it.
var _ = register(Check{
	Requirement: "OPS-6.3-03",
	On:          eachAstray,
	Ask:         astray,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return eachMismatch(got, func(o probes.Observation) Ruling {
			if o.Code() != "VALIDATION_ENDPOINT_MISMATCH" {
				return Violates("error VALIDATION_ENDPOINT_MISMATCH", o)
			}
			return Conforms().By(o)
		})
	},
	Fix: "answer misrouted operations with VALIDATION_ENDPOINT_MISMATCH",
})

// eachMismatch rules on the refusals of misrouted requests.
func eachMismatch(got []probes.Observation, judge func(o probes.Observation) Ruling) Ruling {
	var rs []Ruling
	for _, o := range got[1:] {
		if o.Refused() && !o.Deferred() && !strings.HasPrefix(o.Code(), "CONFLICT_") && !(got[0].Refused() && got[0].Code() == o.Code()) {
			rs = append(rs, judge(o))
		}
	}
	if len(rs) == 0 {
		return NotApplicable("does not hold: a misrouted call was refused")
	}
	return Worst(rs...)
}

// Operations document, section 6.3. Both endpoints in the details let a program
// repair the call without reading prose.
var _ = register(Check{
	Requirement: "OPS-6.3-04",
	On:          eachAstray,
	Ask:         astray,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		return eachMismatch(got, func(o probes.Observation) Ruling {
			if o.Code() != "VALIDATION_ENDPOINT_MISMATCH" {
				return NotApplicable("does not hold: VALIDATION_ENDPOINT_MISMATCH was seen")
			}
			d := o.Details()
			switch {
			case d.At("operation").Text() != s.Name:
				return Violates("details.operation "+s.Name, d.At("operation")).By(o)
			case !s.means(d.At("expected_endpoint").Text(), s.Op.Tool):
				return Violates("details.expected_endpoint "+s.Op.Endpoint, d.At("expected_endpoint")).By(o)
			case !s.means(d.At("actual_endpoint").Text(), o.Probe.Tool):
				return Violates("details.actual_endpoint naming "+o.Probe.Tool, d.At("actual_endpoint")).By(o)
			}
			return Conforms().By(o)
		})
	},
	Fix: "put operation, expected_endpoint and actual_endpoint into details",
})

// means reports whether an endpoint word stands for a tool: its name, its family,
// or a category it hosts, in any letter case.
func (s Subject) means(word, tool string) bool {
	if probes.StandsFor(word, tool) {
		return true
	}
	for _, o := range s.Operations {
		if o.Tool == tool && word != "" && (strings.EqualFold(o.Endpoint, word) || strings.EqualFold(o.Category, word)) {
			return true
		}
	}
	return false
}

// Section 3.2. The router decides before the parameters are looked at, so that a
// misrouted call is told so and not sent hunting for parameters.
var _ = register(Check{
	Requirement: "AQL-3.2-02",
	On: func(f *Face) []Subject {
		if !routed(f) {
			return nil
		}
		return only(eachDomain, func(s Subject) bool {
			ok, _ := f.Callable(s.Op)
			return ok && s.Op.Category == "READ" && len(wrongTools(f, s.Op)) > 0 &&
				slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required })
		})(f)
	},
	Ask: func(s Subject) []probes.Probe {
		bare := s.Request(s.Op, map[string]any{})
		ps := []probes.Probe{bare, bare.To(wrongTools(s.Face, s.Op)[0])}
		if o, wrong, ok := someMisrouting(s.Face); ok {
			ps = append(ps, s.Baselines[o].Probe.To(wrong))
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch own, other := got[0], got[1]; {
		case len(got) > 2 && got[2].Succeeded():
			return NotProven("a refusal of a valid misrouted call", got[2]).Because("AQL-6.2-03")
		case own.Code() == "VALIDATION_ENDPOINT_MISMATCH" || own.Code() == "NOT_FOUND_OPERATION":
			return NotProven("dispatch by the documented tool", own).Because("AQL-6.2-05")
		case other.Succeeded() || !other.Refused():
			return NotProven("a refusal of the misrouted call", other).Because("AQL-6.2-03")
		case own.Refused() && own.Code() == other.Code():
			return Violates("a refusal for the endpoint", other).By(own)
		}
		return Conforms().By(got[1])
	},
	Fix: "validate the endpoint before extracting parameters",
})

// Section 6.2. introspect belongs to one family like every other operation;
// many adapters answer it everywhere because their tool descriptions advertise it.
var _ = register(Check{
	Requirement: "OPS-6.3-05",
	On: func(f *Face) []Subject {
		if !routed(f) {
			return nil
		}
		return introspecting(f)
	},
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing()}
		for _, t := range s.Semantic() {
			if t != s.Op.Tool && t != s.Introspect {
				ps = append(ps, s.Listing().To(t))
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		for _, o := range got[1:] {
			if o.Succeeded() {
				return Violates("introspect refused by "+o.Probe.Tool, o)
			}
		}
		return Conforms().By(got[len(got)-1])
	},
	Fix: "serve introspect on its documented family alone",
})

// eachPlaced is every operation that can be sent to a tool without harm.
func eachPlaced(f *Face) []Subject {
	all := eachListed(f)
	for i, s := range all {
		if _, ok := s.harmless(); !ok {
			all[i] = s.settle(NotProven("a request of "+s.Name+" that may be sent", s.Baseline()))
		}
	}
	return all
}

// harmless returns a request that shows whether the operation is dispatched: the
// one that was tried as baseline, or for a read one that names things that do not
// exist.
func (s Subject) harmless() (probes.Probe, bool) {
	switch b := s.Baseline(); {
	case s.Name == "introspect":
		return s.Listing().To(s.Op.Tool), true
	case b.Reply.Probe.Tool != "":
		return b.Probe, true
	}
	if ok, _ := s.Callable(s.Op); !ok || s.Op.Category != "READ" {
		return probes.Probe{}, false
	}
	params := map[string]any{}
	for _, p := range s.Op.Parameters {
		if !p.Required {
			continue
		}
		if vs := s.Gen.Values(s.Op, p); len(vs) > 0 {
			params[p.Name] = vs[0].Go()
		} else if absent := s.Gen.AbsentIdentifier(p, probes.Value{}); !absent.Is(probes.Absent) {
			params[p.Name] = absent.Go()
		} else {
			return probes.Probe{}, false
		}
	}
	return s.Request(s.Op, params), true
}

// Section 6.2. What introspection says about the tool has to be true, or a model
// that believes it fails on its first call.
var _ = register(Check{
	Requirement: "AQL-6.2-05",
	On:          eachPlaced,
	Ask: func(s Subject) []probes.Probe {
		p, _ := s.harmless()
		return []probes.Probe{p}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tool, _ := s.Face.Tool(s.Op.Tool)
		switch o := got[0]; {
		case o.RefusedBelow() && !fits(tool, o.Probe):
			return NotProven("a tool schema that admits the request", o).Because("AQL-D-01")
		case o.Code() == "VALIDATION_ENDPOINT_MISMATCH" || o.Code() == "NOT_FOUND_OPERATION" || o.Code() == "VALIDATION_UNKNOWN_OPERATION":
			return Violates("dispatch by "+s.Op.Tool, o)
		case o.Code() == "INTERNAL_ERROR" || o.RefusedBelow():
			return Departs("dispatch by "+s.Op.Tool, o)
		case o.Deferred(), !o.Succeeded() && !o.Refused():
			return NotProven("an answer of the operation", o)
		}
		return Conforms()
	},
	Fix: "derive mcpTool and the router from one table",
})

// fits reports whether the tool's published schema admits the request.
func fits(tool probes.Tool, p probes.Probe) bool {
	complaint, readable := againstSchema(tool.Raw.At("inputSchema"), p)
	return complaint == "" || !readable
}

// Section 3.3. One tool for everything is what single mode means: an operation that
// it neither lists nor takes is missing, not excused.
var _ = register(Check{
	Requirement: "AQL-3.3-03",
	On: func(f *Face) []Subject {
		if f.Unified == "" {
			return nil
		}
		return eachPlaced(f)
	},
	Ask: func(s Subject) []probes.Probe {
		p, _ := s.harmless()
		if s.Op.Category == "CREATE" {
			p = s.anew(30)
		}
		own, _ := s.harmless()
		return []probes.Probe{p.To(s.Unified), own}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		switch o := got[0]; {
		case o.Refused() && o.Code() == got[1].Code() && o.Code() != "NOT_FOUND_RESOURCE" && got[1].Probe.Tool != s.Unified:
			return NotProven("dispatch by the documented tool", got[1]).Because("AQL-6.2-05")
		case o.Code() == "VALIDATION_ENDPOINT_MISMATCH" || o.Code() == "NOT_FOUND_OPERATION" || o.Code() == "VALIDATION_UNKNOWN_OPERATION":
			if s.Op.Tool == s.Unified && s.Name != "introspect" {
				return NotProven("dispatch by "+s.Unified, o).Because("AQL-6.2-05")
			}
			return Violates("dispatch by "+s.Unified, o)
		case o.Deferred(), !o.Succeeded() && !o.Refused():
			return NotProven("an answer of the operation", o)
		}
		return Conforms()
	},
	Fix: "let the unified tool route every operation",
})
