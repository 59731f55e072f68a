package envelope

import (
	"fmt"
	"maps"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Appendix D.
var toolSchemaAdmitsStandardRequest = check.Check{
	Requirement: "AQL-D-01",
	Rule:        "Every operation is invoked with one object holding a string operation and, where needed, an object params, and the tool schema lets that request through.",
	Why:         "The tool's own schema must let the standard request through, or no client that validates its calls can make one.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		_, listed := s.Adapter.Tool(s.Op.Tool)
		return listed
	}),
	Ask: func(s model.Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing()}
		}
		return s.Pages
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tool, _ := s.Adapter.Tool(s.Op.Tool)
		schema := tool.Raw.At("inputSchema")
		request, known := standardRequest(s, tool)
		complaint, readable := check.SchemaViolation(schema, request)
		without, told := check.SchemaViolation(schema, request.Drop("operation"))
		works := s.KnownGoodRequest().Usable()
		if s.Name == "introspect" {
			works = got[0].Succeeded()
		}
		switch {
		case !readable || !told: // nothing follows from a schema that there was no time to read
			return ruling.NotProven("an inputSchema that compiles", "one that does not").Because("MCP-SCHEMA-04")
		case complaint != "" && !known:
			return ruling.NotProven("a request of "+s.Name+" that is known to be valid", s.KnownGoodRequest())
		case complaint != "" && works && shutOut(s, schema, request) != "":
			return ruling.Departs(openParams, closedTo(shutOut(s, schema, request)))
		case complaint != "" && works:
			return ruling.Departs("an inputSchema that admits the standard request", complaint)
		case complaint != "":
			return ruling.Violates("an inputSchema that admits the standard request", complaint)
		case without == "" && !check.TakesOperations(tool): // a batch has no operation of its own
			return ruling.Departs("an inputSchema that requires operation", "operation left optional")
		}
		if shut := shutOut(s, schema, request); shut != "" {
			return ruling.Departs(openParams, closedTo(shut))
		}
		return ruling.Conforms()
	},
	Fix: "let inputSchema require operation (a string) and allow params (an open object), and require nothing else",
}

// One closed schema is one finding for all operations of the tool, whatever parameters they have.
const openParams = "an inputSchema that leaves params open to the documented parameters"

func closedTo(parameter string) string {
	return fmt.Sprintf("params that do not let the documented %q through", parameter)
}

// standardRequest returns a request that the schema has to admit; known is false when
// it may lack parameters that a richer schema demands with good reason.
func standardRequest(s model.Subject, tool probes.Tool) (request probes.Probe, known bool) {
	b := s.KnownGoodRequest()
	switch {
	case s.Name == "introspect":
		return s.Listing(), true
	case (b.Usable() || b.Reply.RefusedBelow()) && b.Probe.Tool == tool.Name:
		return b.Probe, true
	}
	return probes.Call(s.Conn, tool.Name, s.Name, map[string]any{}), len(s.Op.Parameters) == 0
}

// shutOut returns a documented parameter whose name the schema has no room for
// inside params. Most operations are tried with their required parameters alone
// and some with none, so the others are written in here. Whatever else the schema
// may have against the values leaves it open.
func shutOut(s model.Subject, schema probes.Value, request probes.Probe) (shut string) {
	params := maps.Clone(request.Params())
	for _, p := range s.Op.Parameters {
		values := s.Gen.Values(s.Op, p)
		if _, given := params[p.Name]; !given && len(values) > 0 && s.Name != "introspect" {
			if params == nil {
				params = map[string]any{}
			}
			params[p.Name] = values[0].Go()
		}
	}
	if params != nil {
		request = request.Top("params", params)
	}
	ctx, cancel := model.SchemaContext()
	defer cancel()
	departures, _ := check.SchemaDepartures(ctx, schema, request)
	for _, d := range departures {
		name, inside := strings.CutPrefix(d.Pointer, "/params/")
		if !inside || s.Name != "introspect" && !s.Op.HasParameter(name) || d.Keyword != "additionalProperties" && d.Keyword != "unevaluatedProperties" {
			return ""
		}
		shut = name
	}
	return shut
}
