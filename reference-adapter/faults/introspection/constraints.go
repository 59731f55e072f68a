package introspection

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// constraintFaults refuse what the documented constraints allow.
var constraintFaults = []seam.Fault{
	{ID: "INT-3.4.1-01", Variant: "enum-value-refused", Defect: "enum of match lists exact, the handler refuses it",
		Hooks: seam.Documented("search_notes", "match", seam.Set("enum", []string{"any", "all", "exact"}))},
	{ID: "INT-3.4.1-02", Variant: "maximum-exclusive", Defect: "min_priority documents maximum 10, the handler demands values below",
		Hooks: seam.Secretly("list_notes", "min_priority", func(p *adapter.Parameter) { p.Maximum = adapter.Ref(9) })},
	{ID: "INT-3.4.1-02", Variant: "maximum-refused-in-german", Defect: "min_priority documents maximum 10, the handler demands values below and says in German that it does not like them",
		Hooks: seam.Both(seam.Secretly("list_notes", "min_priority", func(p *adapter.Parameter) { p.Maximum = adapter.Ref(9) }), wordless("list_notes", "min_priority"))},
	{ID: "INT-3.4.1-03", Variant: "max-length-refused-in-german", Defect: "query documents maxLength 200, text of exactly 200 characters is refused, in German",
		Hooks: seam.Both(seam.Secretly("search_notes", "query", func(p *adapter.Parameter) { p.MaxLength = adapter.Ref(199) }), wordless("search_notes", "query"))},
	{ID: "INT-3.4.1-03", Variant: "max-length-exclusive", Defect: "query documents maxLength 200, text of exactly 200 characters is refused",
		Hooks: seam.Secretly("search_notes", "query", func(p *adapter.Parameter) { p.MaxLength = adapter.Ref(199) })},
	{ID: "INT-3.4.1-03", Variant: "length-in-bytes", Defect: "maxLength 200 of query counts bytes, so that 150 letters with accents are refused",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			text, _ := c.Params()["query"].(string)
			if c.Operation() == "search_notes" && len(text) > 200 && utf8.RuneCountInString(text) <= 200 {
				return adapter.Misvalued("search_notes", "query", "text of at most 200 characters")
			}
			return next(c)
		}}},
	{ID: "INT-3.4.1-04", Variant: "stricter-hidden-pattern", Defect: "name_prefix is held against a stricter pattern than documented",
		Hooks: seam.Secretly("list_folders", "name_prefix", func(p *adapter.Parameter) { p.Pattern = "^[A-Z][a-z]+ [0-9]+$" })},
	{ID: "INT-3.4.1-05", Variant: "format-not-honoured", Defect: "format of owner is email, the handler takes only names without @",
		Hooks: seam.Secretly("list_folders", "owner", func(p *adapter.Parameter) { p.Format, p.Pattern = "", "^[^@]*$" })},
	{ID: "INT-3.4.1-06", Variant: "items-type-wrong", Defect: "items of tags says string, the handler wants objects that hold a name",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("tags")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			tags := adapter.Array(c.Params()["tags"])
			if c.Operation() != "list_notes" || len(tags) == 0 {
				return next(c)
			}
			names := []any{}
			for _, tag := range tags {
				if name, ok := adapter.Object(tag)["name"].(string); ok {
					names = append(names, name)
				}
			}
			if len(names) == len(tags) {
				return next(c.Given("tags", names))
			}
			if e := next(c.Given("tags", nil)); !adapter.Succeeded(e) {
				return e
			}
			return adapter.Mistyped("list_notes", "tags", "array of object", tags)
		}})},
}

// enforcementFaults let pass what the documented constraints forbid.
var enforcementFaults = []seam.Fault{
	{ID: "OPS-5.4-04", Variant: "enum-not-enforced", Defect: "any text is accepted for match",
		Hooks: seam.Secretly("search_notes", "match", func(p *adapter.Parameter) { p.Enum = nil })},
	{ID: "OPS-5.4-04", Variant: "value-with-more-taken", Defect: "a text that begins with a listed value is accepted for match",
		Hooks: loosely(strings.HasPrefix)},
	{ID: "OPS-5.4-04", Variant: "end-of-value-taken", Defect: "the end of a listed value is accepted for match",
		Hooks: loosely(func(given, listed string) bool { return given != "" && strings.HasSuffix(listed, given) })},
	{ID: "OPS-5.4-05", Variant: "maximum-not-enforced", Defect: "priority 11 is stored although the maximum is 10",
		Hooks: seam.Secretly("create_note", "priority", func(p *adapter.Parameter) { p.Maximum = adapter.Ref(1 << 30) })},
	{ID: "OPS-5.4-05", Variant: "minimum-not-enforced", Defect: "min_priority 0 is accepted although the minimum is 1",
		Hooks: seam.Secretly("list_notes", "min_priority", func(p *adapter.Parameter) { p.Minimum = adapter.Ref(-1 << 30) })},
	{ID: "OPS-5.4-07", Variant: "pattern-not-enforced", Defect: "name_prefix \"1 + 1\" is accepted against its pattern",
		Hooks: seam.Secretly("list_folders", "name_prefix", func(p *adapter.Parameter) { p.Pattern = "" })},
	{ID: "OPS-5.4-07", Variant: "tail-unmatched", Defect: "only the beginning of name_prefix is held against its pattern",
		Hooks: seam.Secretly("list_folders", "name_prefix", func(p *adapter.Parameter) { p.Pattern = strings.TrimSuffix(adapter.FolderName, "$") })},
	{ID: "OPS-5.4-08", Variant: "length-not-enforced", Defect: "201 characters are accepted for query although maxLength is 200",
		Hooks: seam.Secretly("search_notes", "query", func(p *adapter.Parameter) { p.MaxLength = nil })},
	{ID: "OPS-5.4-09", Variant: "default-not-applied", Defect: "priority documents default 5 but 1 is stored",
		Hooks: seam.Secretly("create_note", "priority", func(p *adapter.Parameter) { p.Default = 1 })},
	{ID: "OPS-5.4-09", Variant: "default-left-out", Defect: "priority documents default 5 but none is stored without it",
		Hooks: seam.Secretly("create_note", "priority", func(p *adapter.Parameter) { p.Default = nil })},
	{ID: "OPS-5.4-09", Variant: "one-default-for-all", Defect: "the description of priority names another default for each status, and that of a draft is stored for all",
		Hooks: seam.Both(
			seam.Reworked("create_note", "priority", func(p *adapter.Parameter) {
				p.Default, p.Description = nil, "Importance of the note, 10 is highest. If omitted it depends on the status: draft 3, published 7"
			}),
			seam.Before(seam.Named("create_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
				if value, _, _ := c.Value("priority"); value == nil {
					c = c.Given("priority", json.Number("3"))
				}
				return c
			}))},
	{ID: "OPS-5.4-09", Variant: "zero-replaced", Defect: "priority may be 0, and create_note stores the default 5 for it",
		Hooks: seam.Both(
			seam.Reworked("create_note", "priority", func(p *adapter.Parameter) { p.Minimum = adapter.Ref(0) }),
			seam.Before(seam.Named("create_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
				if value, _, _ := c.Value("priority"); value != nil && adapter.JSONType(value) == "number" && adapter.Integer(value) == 0 {
					c = c.Given("priority", nil)
				}
				return c
			}))},
	{ID: "CMP-ARRAY-01", Variant: "elements-unchecked", Defect: "of tags only the array itself is type-checked",
		Hooks: seam.Secretly("list_notes", "tags", func(p *adapter.Parameter) { p.Items = nil })},
}

// truthFaults leave out of introspection what a caller needs to know.
var truthFaults = []seam.Fault{
	{ID: "INT-1.2-01", Variant: "hidden-min-length", Defect: "a query shorter than five characters is refused, nothing documents it",
		Hooks: seam.Both(
			seam.Reworked("search_notes", "query", func(p *adapter.Parameter) { p.MinLength, p.MaxLength = adapter.Ref(5), nil }),
			seam.Documented("search_notes", "query", seam.Drop("minLength")))},
	{ID: "INT-3.4.1-08", Variant: "secret-unmarked", Defect: "password of execute_export lacks sensitive",
		Hooks: seam.Documented("execute_export", "password", seam.Drop("sensitive"))},
	{ID: "INT-8.2-03", Variant: "undocumented-default", Defect: "priority 5 is stored although no default is documented",
		Hooks: seam.Documented("create_note", "priority", seam.Drop("default"))},
	{ID: "INT-8.2.2-01", Variant: "silent-read-only-field", Defect: "created_at stands in the input type and is refused as read-only, nothing documents it",
		Hooks: seam.Both(
			seam.Both(
				seam.Retyped("Note", func(t *adapter.TypeInfo) { redescribe(t, "created_at", "When the note was created, UTC") }),
				seam.Retyped("NoteInput", func(t *adapter.TypeInfo) {
					t.Fields = append(t.Fields, adapter.DateTime("created_at", false, "When the note was created, UTC"))
				})),
			seam.Remade("update_note", func(op *adapter.Operation) {
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					if adapter.Object(t.Params["input"])["created_at"] == nil {
						return nil
					}
					return adapter.Misvalued("update_note", "input.created_at", "no value; the field is read-only")
				})
			}))},
	{ID: "INT-8.2.2-02", Variant: "nesting-undocumented", Defect: "body must sit in metadata.body but is documented as body",
		Hooks: seam.Both(seam.NeedsInside(), seam.Remade("create_note", func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				if t.Params["body"] != nil {
					return adapter.Failure("VALIDATION_INVALID_VALUE", "Parameter 'body' of operation 'create_note' must be given as metadata.body",
						map[string]any{"param_name": "body", "operation": "create_note", "expected_path": "metadata.body"})
				}
				metadata := seam.Copied(t.Params["metadata"])
				if body, ok := metadata["body"].(string); ok {
					delete(metadata, "body")
					t.Params["body"], t.Params["metadata"] = body, metadata
				}
				return nil
			})
		}))},
	{ID: "INT-8.2.2-03", Variant: "enum-value-inapplicable", Defect: "list_notes lists drawing in the enum of type but always refuses it as not applicable",
		Hooks: seam.Added("list_notes", adapter.Parameter{Name: "type", Type: "string", Enum: []string{"text", "drawing"}, Description: "Return only notes of this type"},
			func(t adapter.Task) adapter.Envelope {
				if t.Text("type") != "drawing" {
					return nil
				}
				return adapter.Failure("CONFLICT_TYPE_NOT_APPLICABLE", "Operation 'list_notes' does not apply to the type 'drawing'",
					map[string]any{"operation": "list_notes", "param_name": "type", "value": "drawing"})
			})},
	{ID: "INT-8.1.2-04", Variant: "bare-filter-object", Defect: "filter is documented as object without description or named type",
		Hooks: seam.Documented("search_notes", "filter", func(p map[string]any) {
			p["type"] = "object"
			delete(p, "description")
		})},
}

func redescribe(t *adapter.TypeInfo, name, description string) {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			t.Fields[i].Description = description
		}
	}
}

// deprecationFaults deprecate parameters without saying so in introspection.
var deprecationFaults = []seam.Fault{
	{ID: "INT-8.2.4-01", Variant: "deprecated-unlisted", Defect: "label is still accepted for tags with a deprecation warning but no longer listed",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("tags")), seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() != "list_notes" {
				return next(c)
			}
			if label, ok := c.Params()["label"].(string); ok {
				c = c.Given("label", nil).Given("tags", []any{label})
			}
			return seam.Warned(next(c), "DEPRECATED_PARAM", "Parameter 'label' of operation 'list_notes' is deprecated; use 'tags' instead")
		}}))},
	{ID: "INT-8.2.4-01", Variant: "deprecated-unmarked", Defect: "an answer warns that title_only is deprecated, but the description in introspection does not say so",
		Hooks: seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if _, _, given := c.Value("title_only"); given && c.Operation() == "search_notes" {
				return seam.Warned(e, "DEPRECATED_PARAM", "Parameter 'title_only' of operation 'search_notes' is deprecated; use 'filter' instead")
			}
			return e
		}}))},
	{ID: "INT-8.2.4-01", Variant: "deprecated-in-details", Defect: "the details of a warning name title_only as deprecated, but the description in introspection does not say so",
		Hooks: seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if _, _, given := c.Value("title_only"); given && c.Operation() == "search_notes" {
				e = seam.Warned(e, "DEPRECATED_PARAMETER", "A parameter of this request is deprecated and will be removed in version 2")
				for _, w := range adapter.Array(e["warnings"]) {
					adapter.Object(w)["details"] = map[string]any{"param_name": "title_only"}
				}
			}
			return e
		}}))},
	{ID: "INT-8.2.4-02", Variant: "deprecated-without-guidance", Defect: "a description just says \"This parameter is deprecated.\"",
		Hooks: seam.Documented("list_notes", "min_priority", seam.Set("description", "This parameter is deprecated."))},
	{ID: "INT-8.2.4-02", Variant: "only-forbidden", Defect: "a description says \"Deprecated, do not use.\" and no more",
		Hooks: seam.Documented("list_notes", "min_priority", seam.Set("description", "Deprecated, do not use."))},
	{ID: "INT-8.2.4-02", Variant: "word-of-another", Defect: "a deprecated parameter mentions the status, which is no replacement",
		Hooks: seam.Documented("list_notes", "min_priority", seam.Set("description", "Deprecated. Lowest priority, whatever the status."))},
}

// wordless refuses values of one parameter in a sentence that tells a program nothing.
func wordless(operation, name string) adapter.Hooks {
	return seam.Refused("VALIDATION_INVALID_VALUE", seam.Calling(operation), func(_ adapter.Call, reason, details map[string]any) {
		if details["param_name"] == name {
			reason["message"] = "Der Wert von '" + name + "' gefällt uns leider nicht; bitte wähle einen anderen"
			delete(details, "allowed")
		}
	})
}

// loosely takes a text for match that is like a listed value for that value.
func loosely(like func(given, listed string) bool) adapter.Hooks {
	return seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
		given, _ := c.Params()["match"].(string)
		for _, listed := range []string{"any", "all"} {
			if like(given, listed) {
				return c.Given("match", listed)
			}
		}
		return c
	})
}
