package suites

import (
	"context"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
)

// Appendix D. The tool's own schema must let the standard request through, or no
// client that validates its calls can make one.
var _ = register(Check{
	Requirement: "AQL-D-01",
	On: only(eachListed, func(s Subject) bool {
		_, listed := s.Face.Tool(s.Op.Tool)
		return listed
	}),
	Ask: func(s Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing()}
		}
		return s.Pages
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tool, _ := s.Face.Tool(s.Op.Tool)
		schema := tool.Raw.At("inputSchema")
		request, known := s.standardRequest(tool)
		complaint, readable := againstSchema(schema, request)
		without, told := againstSchema(schema, request.Drop("operation"))
		works := s.Baseline().Usable()
		if s.Name == "introspect" {
			works = got[0].Succeeded()
		}
		switch {
		case !readable || !told: // nothing follows from a schema that there was no time to read
			return NotProven("an inputSchema that compiles", "one that does not").Because("MCP-SCHEMA-04")
		case complaint != "" && !known:
			return NotProven("a request of "+s.Name+" that is known to be valid", s.Baseline())
		case complaint != "" && works:
			return Departs("an inputSchema that admits the standard request", complaint)
		case complaint != "":
			return Violates("an inputSchema that admits the standard request", complaint)
		case without == "":
			return Departs("an inputSchema that requires operation", "operation left optional")
		}
		if shut := s.shutOut(schema, request); shut != "" {
			return Departs("an inputSchema that leaves params open for "+shut, "params closed to it")
		}
		return Conforms()
	},
	Fix: "let inputSchema require operation (a string) and allow params (an open object), nothing else",
})

// standardRequest returns a request that the schema has to admit; known is false when
// it may lack parameters that a richer schema demands with good reason.
func (s Subject) standardRequest(tool probes.Tool) (request probes.Probe, known bool) {
	b := s.Baseline()
	switch {
	case s.Name == "introspect":
		return s.Listing(), true
	case (b.Usable() || b.Reply.RefusedBelow()) && b.Probe.Tool == tool.Name:
		return b.Probe, true
	}
	return probes.Call(s.Conn, tool.Name, s.Name, map[string]any{}), len(s.Op.Parameters) == 0
}

// againstSchema returns why the schema refuses the arguments of a call, or "";
// readable is false when the schema itself cannot be used.
func againstSchema(schema probes.Value, p probes.Probe) (complaint string, readable bool) {
	ctx, cancel := budget()
	defer cancel()
	departures, err := departuresOf(ctx, schema, p)
	if err != nil || len(departures) == 0 {
		return "", err == nil
	}
	d := departures[0]
	return strings.TrimSpace(d.Keyword + " at " + d.Pointer + "/ wants " + d.Want), true
}

func departuresOf(ctx context.Context, schema probes.Value, p probes.Probe) ([]schemas.Departure, error) {
	compiled, err := schemas.Compile(ctx, schema.Raw())
	if err != nil {
		return nil, err
	}
	return compiled.Check(ctx, p.Arguments())
}

// shutOut returns a documented parameter whose name the schema has no room for
// inside params. Most operations are tried with their required parameters alone
// and some with none, so the others are written in here. Whatever else the schema
// may have against the values leaves it open.
func (s Subject) shutOut(schema probes.Value, request probes.Probe) (shut string) {
	for _, p := range s.Op.Parameters {
		values := s.Gen.Values(s.Op, p)
		if _, given := request.Params()[p.Name]; !given && len(values) > 0 && s.Name != "introspect" {
			request = request.With(p.Name, values[0].Go())
		}
	}
	ctx, cancel := budget()
	defer cancel()
	departures, _ := departuresOf(ctx, schema, request)
	for _, d := range departures {
		name, inside := strings.CutPrefix(d.Pointer, "/params/")
		if !inside || !s.Op.HasParameter(name) || d.Keyword != "additionalProperties" && d.Keyword != "unevaluatedProperties" {
			return ""
		}
		shut = name
	}
	return shut
}
