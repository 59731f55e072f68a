package mcp

import (
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section mcp/inputSchema.
var everyToolHasInputSchema = check.Check{
	Requirement: "MCP-SCHEMA-01",
	Rule:        "Each tool has an inputSchema that is a JSON object.",
	Why:         "A model builds its arguments from this schema; true, null or none leaves it to guess.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		if schema := tool.At("inputSchema"); !schema.Is(probes.Object) {
			return ruling.Violates("inputSchema as a JSON object", ruling.Clip("inputSchema "+schema.String()))
		}
		return ruling.Conforms()
	}),
	Fix: "publish an inputSchema for every tool",
}

// Section mcp/Root Type Requirement.
var inputSchemaRootIsObjectType = check.Check{
	Requirement: "MCP-SCHEMA-02",
	Rule:        "The inputSchema root has type equal to the string object.",
	Why:         "Arguments are an object by protocol; clients refuse a tool whose schema allows anything else.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		schema := tool.At("inputSchema")
		switch {
		case !schema.Is(probes.Object):
			return ruling.NotProven("inputSchema as a JSON object", ruling.Clip(schema.String())).Because("MCP-SCHEMA-01")
		case schema.At("type").Text() != "object":
			return ruling.Violates("type \"object\" at the root of inputSchema", ruling.Clip("type "+schema.At("type").String()))
		}
		return ruling.Conforms()
	}),
	Fix: "set \"type\": \"object\" at the root of inputSchema",
}

// Section mcp/Root Type Requirement.
var outputSchemaRootIsObjectType = check.Check{
	Requirement: "MCP-SCHEMA-03",
	Rule:        "An outputSchema, if given, has an object root in the revisions that demand it.",
	Why:         "Up to 2025-11-25 structured content is an object; 2026-07-28 lifted that, and a server of both eras has one schema.",
	On:          entriesWith("outputSchema"),
	Ask: func(s model.Subject) []probes.Probe {
		return append(slices.Clone(s.Pages), check.Handshake(s).As("handshake"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		revision := check.RevisionOf(got.Step("handshake"))
		return check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
			schema := tool.At("outputSchema")
			switch {
			case schema.Is(probes.Null):
				return ruling.Departs("outputSchema as a JSON object or left out", schema)
			case !schema.Is(probes.Object):
				return ruling.Violates("outputSchema as a JSON object", ruling.Clip("outputSchema "+schema.String()))
			case schema.At("type").Text() != "object" && revision < check.StatelessRevision:
				return ruling.Departs("type \"object\" at the root of outputSchema", ruling.Clip("type "+schema.At("type").String()))
			}
			return ruling.Conforms()
		})(s, got)
	},
	Fix: "publish an outputSchema with an object at its root, or none",
}

// eachSchema is every inputSchema and outputSchema that is an object. Others are
// the concern of MCP-SCHEMA-01 and MCP-SCHEMA-03.
func eachSchema(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range eachEntry(f) {
		if s.Ruling != nil {
			return []model.Subject{s}
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
func published(s model.Subject) probes.Value {
	return s.Tool.Raw.At(s.Name[strings.LastIndexByte(s.Name, '.')+1:])
}

// Section mcp/JSON Schema Version.
var publishedSchemasAreValid = check.Check{
	Requirement: "MCP-SCHEMA-04",
	Rule:        "Published schemas are valid in the dialect they declare or inherit.",
	Why:         "Clients compile the schema before the first call; one that no dialect understands makes the tool unusable.",
	On:          eachSchema,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(s model.Subject, _ probes.Value) ruling.Ruling {
		schema := published(s)
		known, err := check.CompileSchema(schema)
		switch {
		case errors.Is(err, schemas.ErrInvalid):
			return ruling.Violates("a valid JSON Schema", err)
		case errors.Is(err, schemas.ErrRemote), errors.Is(err, schemas.ErrDangling):
			return ruling.NotProven("references that resolve", err).Because("MCP-SCHEMA-05")
		case errors.Is(err, schemas.ErrUnsupported) && foreignDialect(schema):
			return ruling.Departs("a published JSON Schema dialect", ruling.Clip("$schema "+schema.At("$schema").String()))
		case err != nil:
			return ruling.NotProven("a schema the checker can read", err)
		case !schema.Has("$schema") && known.Dialect() != schemas.Draft2020:
			return ruling.Departs("a schema of dialect 2020-12, or $schema", "a schema of dialect "+string(known.Dialect())+" that does not say so")
		}
		return ruling.Conforms()
	}),
	Fix: "correct the schema, and name its dialect in $schema",
}

// foreignDialect reports whether the dialect alone is what cannot be read.
func foreignDialect(schema probes.Value) bool {
	_, err := check.CompileSchema(probes.ValueOf(map[string]any{"$schema": schema.At("$schema").Text()}))
	return schema.Has("$schema") && errors.Is(err, schemas.ErrUnsupported)
}

// Section mcp/Input Schema Constraints.
var schemaReferencesResolveLocally = check.Check{
	Requirement: "MCP-SCHEMA-05",
	Rule:        "Schemas are self-contained: references resolve inside the schema.",
	Why:         "A client has only the schema itself: newer revisions of MCP forbid fetching references.",
	On:          model.Only(eachSchema, func(s model.Subject) bool { return s.Ruling != nil || refers(published(s), true) }),
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(s model.Subject, _ probes.Value) ruling.Ruling {
		_, err := check.CompileSchema(published(s))
		switch {
		case errors.Is(err, schemas.ErrDangling):
			return ruling.Violates("references that resolve inside the schema", err)
		case errors.Is(err, schemas.ErrRemote):
			return ruling.Departs("references that resolve inside the schema", err)
		case errors.Is(err, schemas.ErrInvalid), errors.Is(err, schemas.ErrUnsupported):
			return ruling.NotProven("a schema whose references can be followed", err).Because("MCP-SCHEMA-04")
		case err != nil:
			return ruling.NotProven("a schema the checker can read", err)
		}
		return ruling.Conforms()
	}),
	Fix: "put what the schema refers to under $defs",
}

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

// Section mcp/Handling Edge Cases.
var schemaPropertiesAndRequiredAreWell = check.Check{
	Requirement: "MCP-SCHEMA-06",
	Rule:        "If present, properties is an object of schemas and required an array of distinct strings.",
	Why:         "A required property that is defined nowhere is legal JSON Schema and still leaves a model with nothing to fill in.",
	On:          model.Only(eachSchema, func(s model.Subject) bool { return s.Ruling != nil || strings.HasSuffix(s.Name, ".inputSchema") }),
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(s model.Subject, _ probes.Value) ruling.Ruling {
		schema := published(s)
		if _, err := check.CompileSchema(schema); errors.Is(err, schemas.ErrInvalid) {
			return ruling.NotProven("a valid schema", err).Because("MCP-SCHEMA-04")
		}
		properties, required := schema.At("properties"), schema.At("required")
		isSchema := func(m probes.Member) bool { return m.Value.Is(probes.Object) || m.Value.Is(probes.Boolean) }
		names, open := definedNames(schema, 0)
		var seen []string
		switch {
		case !check.MissingOr(properties, probes.Object), slices.ContainsFunc(properties.Members(), func(m probes.Member) bool { return !isSchema(m) }):
			return ruling.Violates("properties as an object of schemas", ruling.Clip(properties.String()))
		case !check.MissingOr(required, probes.Array):
			return ruling.Violates("required as an array of strings", ruling.Clip(required.String()))
		}
		for _, name := range required.Items() {
			switch {
			case !name.Is(probes.String), slices.Contains(seen, name.Text()):
				return ruling.Violates("required as an array of distinct strings", ruling.Clip(required.String()))
			case !open && !slices.Contains(names, name.Text()):
				return ruling.Violates("required properties that are defined", "required "+name.String()+" and no such property")
			}
			seen = append(seen, name.Text())
		}
		return ruling.Conforms()
	}),
	Fix: "define every required property, or do not require it",
}

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
