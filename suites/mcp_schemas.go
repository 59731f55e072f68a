package suites

import (
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
)

// Section mcp/inputSchema. A model builds its arguments from this schema; true,
// null or none leaves it to guess.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-01",
	On:          eachEntry,
	Ask:         toolPages,
	Judge: ofTool(func(_ Subject, tool probes.Value) Ruling {
		if schema := tool.At("inputSchema"); !schema.Is(probes.Object) {
			return Violates("inputSchema as a JSON object", clip("inputSchema "+schema.String()))
		}
		return Conforms()
	}),
	Fix: "publish an inputSchema for every tool",
})

// Section mcp/Root Type Requirement. Arguments are an object by protocol; clients
// refuse a tool whose schema allows anything else.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-02",
	On:          eachEntry,
	Ask:         toolPages,
	Judge: ofTool(func(_ Subject, tool probes.Value) Ruling {
		schema := tool.At("inputSchema")
		switch {
		case !schema.Is(probes.Object):
			return NotProven("inputSchema as a JSON object", clip(schema.String())).Because("MCP-SCHEMA-01")
		case schema.At("type").Text() != "object":
			return Violates("type \"object\" at the root of inputSchema", clip("type "+schema.At("type").String()))
		}
		return Conforms()
	}),
	Fix: "set \"type\": \"object\" at the root of inputSchema",
})

// Section mcp/Root Type Requirement. Up to 2025-11-25 structured content is an
// object; 2026-07-28 lifted that, and a server of both eras has one schema.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-03",
	On:          entriesWith("outputSchema"),
	Ask:         func(s Subject) []probes.Probe { return append(slices.Clone(s.Pages), startUp(s)) },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		revision := revisionOf(got[len(got)-1])
		return ofTool(func(_ Subject, tool probes.Value) Ruling {
			schema := tool.At("outputSchema")
			switch {
			case schema.Is(probes.Null):
				return Departs("outputSchema as a JSON object or left out", schema)
			case !schema.Is(probes.Object):
				return Violates("outputSchema as a JSON object", clip("outputSchema "+schema.String()))
			case schema.At("type").Text() != "object" && revision < stateless:
				return Departs("type \"object\" at the root of outputSchema", clip("type "+schema.At("type").String()))
			}
			return Conforms()
		})(s, got)
	},
	Fix: "publish an outputSchema with an object at its root, or none",
})

// eachSchema is every inputSchema and outputSchema that is an object. Others are
// the concern of MCP-SCHEMA-01 and MCP-SCHEMA-03.
func eachSchema(f *Face) []Subject {
	var all []Subject
	for _, s := range eachEntry(f) {
		if s.settled != nil {
			return []Subject{s}
		}
		for _, member := range []string{"inputSchema", "outputSchema"} {
			if s.Tool.Raw.At(member).Is(probes.Object) {
				one := s
				one.Name += "." + member
				all = append(all, one)
			}
		}
	}
	return all
}

// published returns the schema an eachSchema subject is about.
func (s Subject) published() probes.Value {
	return s.Tool.Raw.At(s.Name[strings.LastIndexByte(s.Name, '.')+1:])
}

// compiled reads a schema in the dialect it names, within the budget.
func compiled(schema probes.Value) (*schemas.Published, error) {
	ctx, cancel := budget()
	defer cancel()
	return schemas.Compile(ctx, schema.Raw())
}

// Section mcp/JSON Schema Version. Clients compile the schema before the first
// call; one that no dialect understands makes the tool unusable.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-04",
	On:          eachSchema,
	Ask:         toolPages,
	Judge: ofTool(func(s Subject, _ probes.Value) Ruling {
		schema := s.published()
		known, err := compiled(schema)
		switch {
		case errors.Is(err, schemas.ErrInvalid):
			return Violates("a valid JSON Schema", err)
		case errors.Is(err, schemas.ErrRemote), errors.Is(err, schemas.ErrDangling):
			return NotProven("references that resolve", err).Because("MCP-SCHEMA-05")
		case errors.Is(err, schemas.ErrUnsupported) && foreignDialect(schema):
			return Departs("a published JSON Schema dialect", clip("$schema "+schema.At("$schema").String()))
		case err != nil:
			return NotProven("a schema the checker can read", err)
		case !schema.Has("$schema") && known.Dialect() != schemas.Draft2020:
			return Departs("a schema of dialect 2020-12, or $schema", "a schema of dialect "+string(known.Dialect())+" that does not say so")
		}
		return Conforms()
	}),
	Fix: "correct the schema, and name its dialect in $schema",
})

// foreignDialect reports whether the dialect alone is what cannot be read.
func foreignDialect(schema probes.Value) bool {
	_, err := compiled(probes.ValueOf(map[string]any{"$schema": schema.At("$schema").Text()}))
	return schema.Has("$schema") && errors.Is(err, schemas.ErrUnsupported)
}

// Section mcp/Input Schema Constraints. Whoever reads the schema has nothing but
// the schema: newer revisions forbid fetching what it refers to.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-05",
	On:          only(eachSchema, func(s Subject) bool { return s.settled != nil || refers(s.published(), true) }),
	Ask:         toolPages,
	Judge: ofTool(func(s Subject, _ probes.Value) Ruling {
		_, err := compiled(s.published())
		switch {
		case errors.Is(err, schemas.ErrDangling):
			return Violates("references that resolve inside the schema", err)
		case errors.Is(err, schemas.ErrRemote):
			return Departs("references that resolve inside the schema", err)
		case errors.Is(err, schemas.ErrInvalid), errors.Is(err, schemas.ErrUnsupported):
			return NotProven("a schema whose references can be followed", err).Because("MCP-SCHEMA-04")
		case err != nil:
			return NotProven("a schema the checker can read", err)
		}
		return Conforms()
	}),
	Fix: "put what the schema refers to under $defs",
})

// refers reports whether a schema holds a reference. A member of that name is
// data below const, default, enum and examples, and a name below properties;
// keywords tells which of the two the members of v are.
func refers(v probes.Value, keywords bool) bool {
	for _, m := range v.Members() {
		switch {
		case !keywords:
			if refers(m.Value, true) {
				return true
			}
		case slices.Contains([]string{"const", "default", "enum", "example", "examples"}, m.Name):
		case slices.Contains([]string{"$ref", "$dynamicRef", "$recursiveRef"}, m.Name) && m.Value.Is(probes.String):
			return true
		case refers(m.Value, !slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}, m.Name)):
			return true
		}
	}
	return slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return refers(item, true) })
}

// Section mcp/Handling Edge Cases. A required property that is defined nowhere is
// legal JSON Schema and still leaves a model with nothing to fill in.
var _ = register(Check{
	Requirement: "MCP-SCHEMA-06",
	On:          only(eachSchema, func(s Subject) bool { return s.settled != nil || strings.HasSuffix(s.Name, ".inputSchema") }),
	Ask:         toolPages,
	Judge: ofTool(func(s Subject, _ probes.Value) Ruling {
		schema := s.published()
		if _, err := compiled(schema); errors.Is(err, schemas.ErrInvalid) {
			return NotProven("a valid schema", err).Because("MCP-SCHEMA-04")
		}
		properties, required := schema.At("properties"), schema.At("required")
		isSchema := func(m probes.Member) bool { return m.Value.Is(probes.Object) || m.Value.Is(probes.Boolean) }
		names, open := definedNames(schema, 0)
		var seen []string
		switch {
		case !missingOr(properties, probes.Object), slices.ContainsFunc(properties.Members(), func(m probes.Member) bool { return !isSchema(m) }):
			return Violates("properties as an object of schemas", clip(properties.String()))
		case !missingOr(required, probes.Array):
			return Violates("required as an array of strings", clip(required.String()))
		}
		for _, name := range required.Items() {
			switch {
			case !name.Is(probes.String), slices.Contains(seen, name.Text()):
				return Violates("required as an array of distinct strings", clip(required.String()))
			case !open && !slices.Contains(names, name.Text()):
				return Violates("required properties that are defined", "required "+name.String()+" and no such property")
			}
			seen = append(seen, name.Text())
		}
		return Conforms()
	}),
	Fix: "define every required property, or do not require it",
})

// definedNames returns the properties that a schema and the schemas beside it
// define; open reports that more may be defined out of sight, behind a reference
// or a pattern.
func definedNames(schema probes.Value, depth int) (names []string, open bool) {
	open = schema.Has("$ref") || schema.Has("$dynamicRef") || schema.Has("patternProperties") || depth > 8
	names = schema.At("properties").Names()
	var beside []probes.Value
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		beside = append(beside, schema.At(keyword).Items()...)
	}
	for _, keyword := range []string{"if", "then", "else"} {
		beside = append(beside, schema.At(keyword))
	}
	for _, m := range schema.At("dependentSchemas").Members() {
		beside = append(beside, m.Value)
	}
	for _, s := range beside {
		if s.Is(probes.Object) && depth <= 8 {
			more, further := definedNames(s, depth+1)
			names, open = append(names, more...), open || further
		}
	}
	return names, open
}
