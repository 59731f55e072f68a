package routing

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 6.2.
var introspectStaysOnItsDocumentedFamily = check.Check{
	Requirement: "OPS-6.3-05",
	Rule:        "introspect itself is bound to its documented family.",
	Why:         "introspect belongs to one family like every other operation; many adapters answer it everywhere because their tool descriptions advertise it.",
	On: func(f *model.Adapter) []model.Subject {
		if !model.SeveralEndpointTools(f) {
			return nil
		}
		return model.IntrospectSubject(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing()}
		for _, t := range s.Semantic() {
			if t != s.Op.Tool && t != s.Introspect {
				ps = append(ps, s.Listing().To(t))
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		for _, o := range got.Rest() {
			if o.Succeeded() {
				return ruling.Violates("introspect refused by "+o.Probe.Tool, o)
			}
		}
		return ruling.Conforms().By(got.Last())
	},
	Fix: "serve introspect on its documented family alone",
}

// eachPlaced is every operation that can be sent to a tool without harm.
func eachPlaced(f *model.Adapter) []model.Subject {
	all := model.EachListed(f)
	for i, s := range all {
		if _, ok := harmless(s); !ok {
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that may be sent", s.KnownGoodRequest()))
		}
	}
	return all
}

// harmless returns a request that shows whether the operation is dispatched: the
// one that was tried as baseline, or for a read one that names things that do not
// exist.
func harmless(s model.Subject) (probes.Probe, bool) {
	switch b := s.KnownGoodRequest(); {
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

// Section 6.2.
var documentedEndpointAcceptsItsOperation = check.Check{
	Requirement: "AQL-6.2-05",
	Rule:        "Every listed operation is dispatched by the tool introspection attributes to it.",
	Why:         "What introspection says about the tool has to be true, or a model that believes it fails on its first call.",
	On:          eachPlaced,
	Ask: func(s model.Subject) []probes.Probe {
		p, _ := harmless(s)
		return []probes.Probe{p}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tool, _ := s.Adapter.Tool(s.Op.Tool)
		switch o := got[0]; {
		case o.RefusedBelow() && !fits(tool, o.Probe):
			return ruling.NotProven("a tool schema that admits the request", o).Because("AQL-D-01")
		case o.Code() == "VALIDATION_ENDPOINT_MISMATCH" || o.Code() == "NOT_FOUND_OPERATION" || o.Code() == "VALIDATION_UNKNOWN_OPERATION":
			return ruling.Violates("dispatch by "+s.Op.Tool, o)
		case o.Code() == "INTERNAL_ERROR" || o.RefusedBelow():
			return ruling.Departs("dispatch by "+s.Op.Tool, o)
		case o.Deferred(), !o.Succeeded() && !o.Refused():
			return ruling.NotProven("an answer of the operation", o)
		}
		return ruling.Conforms()
	},
	Fix: "derive mcpTool and the router from one table",
}

// fits reports whether the tool's published schema admits the request.
func fits(tool probes.Tool, p probes.Probe) bool {
	complaint, readable := check.SchemaViolation(tool.Raw.At("inputSchema"), p)
	return complaint == "" || !readable
}

// turnedAway reports whether the unified tool refuses a request that the documented tool answers in another
// way. What creates or may conflict is asked once and differs the second time.
func turnedAway(s model.Subject, o, own probes.Observation) bool {
	misrouted := own.Code() == "VALIDATION_ENDPOINT_MISMATCH" || own.Code() == "VALIDATION_UNKNOWN_OPERATION" // that is AQL-6.2-05
	settled := own.Succeeded() && s.Op.Category == "READ" || strings.HasPrefix(own.Code(), "VALIDATION_") && !misrouted || own.Code() == "NOT_FOUND_RESOURCE"
	return o.Refused() && settled && s.Op.Category != "CREATE" && own.Probe.Tool != s.Unified && own.Code() != o.Code() && !strings.HasPrefix(o.Code(), "CONFLICT_")
}

// The steps of creations that are asked once more, with values of their own.
const (
	unifiedAgain    = "unified tool: creation again"
	documentedFresh = "documented tool: creation"
)

// createsNothing reports whether the unified tool refuses two creations for the same reason, and the documented tool
// carries one out behind them.
func createsNothing(o probes.Observation, got probes.Answers) bool {
	again := got.Step(unifiedAgain)
	return o.Refused() && again.Refused() && o.Code() == again.Code() && !strings.HasPrefix(o.Code(), "CONFLICT_") && got.Step(documentedFresh).Succeeded()
}

// Section 3.3.
var unifiedToolAcceptsEveryOperation = check.Check{
	Requirement: "AQL-3.3-03",
	Rule:        "In single mode the one mcp_aql tool accepts every operation the adapter lists.",
	Why:         "One tool for everything is what single mode means: an operation that it neither lists nor takes is missing, not excused.",
	On: func(f *model.Adapter) []model.Subject {
		if f.Unified == "" {
			return nil
		}
		return eachPlaced(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		p, _ := harmless(s)
		if s.Op.Category == "CREATE" {
			p = s.FreshCall("unified tool")
		}
		own, _ := harmless(s)
		ps := []probes.Probe{p.To(s.Unified), own.As("documented tool"), own.Anew("documented tool again")}
		if s.Op.Category == "CREATE" && s.Op.Tool != s.Unified {
			ps = append(ps, s.FreshCall(unifiedAgain).To(s.Unified).As(unifiedAgain), s.FreshCall(documentedFresh).As(documentedFresh))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		switch o, own := got[0], got.Step("documented tool"); {
		case o.Refused() && o.Code() == own.Code() && o.Code() != "NOT_FOUND_RESOURCE" && own.Probe.Tool != s.Unified:
			return ruling.NotProven("dispatch by the documented tool", own).Because("AQL-6.2-05")
		case o.Code() == "VALIDATION_ENDPOINT_MISMATCH" || o.Code() == "NOT_FOUND_OPERATION" || o.Code() == "VALIDATION_UNKNOWN_OPERATION":
			if s.Op.Tool == s.Unified && s.Name != "introspect" {
				return ruling.NotProven("dispatch by "+s.Unified, o).Because("AQL-6.2-05")
			}
			return ruling.Violates("dispatch by "+s.Unified, o)
		case o.Deferred(), !o.Succeeded() && !o.Refused():
			return ruling.NotProven("an answer of the operation", o)
		case turnedAway(s, o, own) && !turnedAway(s, o, got.Step("documented tool again")):
			return ruling.NotProven("an answer of the documented tool that stays as it is", got.Step("documented tool again")).By(own).Because("AQL-8.1-03")
		case turnedAway(s, o, own):
			return ruling.Violates("the answer of "+own.Probe.Tool+": "+own.Brief(), o).By(own)
		case createsNothing(o, got):
			return ruling.Violates("the answer of "+own.Probe.Tool+": success", o).By(got.Step(unifiedAgain), got.Step(documentedFresh))
		}
		return ruling.Conforms()
	},
	Fix: "let the unified tool route every operation",
}
