package adapter

// constraintFaults refuse what the documented constraints allow.
var constraintFaults = []Fault{
	{ID: "INT-3.4.1-01", Variant: "enum-value-refused", Defect: "enum of match lists exact, the handler refuses it",
		hooks: documented("search_notes", "match", set("enum", []string{"any", "all", "exact"}))},
	{ID: "INT-3.4.1-02", Variant: "maximum-exclusive", Defect: "min_priority documents maximum 10, the handler demands values below",
		hooks: secretly("list_notes", "min_priority", func(p *parameter) { p.Maximum = ref(9) })},
	{ID: "INT-3.4.1-02", Variant: "maximum-refused-in-german", Defect: "min_priority documents maximum 10, the handler demands values below and says in German that it does not like them",
		hooks: both(secretly("list_notes", "min_priority", func(p *parameter) { p.Maximum = ref(9) }), wordless("list_notes", "min_priority"))},
	{ID: "INT-3.4.1-03", Variant: "max-length-refused-in-german", Defect: "query documents maxLength 200, text of exactly 200 characters is refused, in German",
		hooks: both(secretly("search_notes", "query", func(p *parameter) { p.MaxLength = ref(199) }), wordless("search_notes", "query"))},
	{ID: "INT-3.4.1-03", Variant: "max-length-exclusive", Defect: "query documents maxLength 200, text of exactly 200 characters is refused",
		hooks: secretly("search_notes", "query", func(p *parameter) { p.MaxLength = ref(199) })},
	{ID: "INT-3.4.1-04", Variant: "stricter-hidden-pattern", Defect: "name_prefix is held against a stricter pattern than documented",
		hooks: secretly("list_folders", "name_prefix", func(p *parameter) { p.Pattern = "^[A-Z][a-z]+ [0-9]+$" })},
	{ID: "INT-3.4.1-05", Variant: "format-not-honoured", Defect: "format of owner is email, the handler takes only names without @",
		hooks: secretly("list_folders", "owner", func(p *parameter) { p.Format, p.Pattern = "", "^[^@]*$" })},
	{ID: "INT-3.4.1-06", Variant: "items-type-wrong", Defect: "items of tags says string, the handler wants objects that hold a name",
		hooks: both(needs("list_notes", taking("tags")), hooks{item: func(c call, next handler) envelope {
			tags := array(c.params()["tags"])
			if c.operation() != "list_notes" || len(tags) == 0 {
				return next(c)
			}
			names := []any{}
			for _, tag := range tags {
				if name, ok := object(tag)["name"].(string); ok {
					names = append(names, name)
				}
			}
			if len(names) == len(tags) {
				return next(c.given("tags", names))
			}
			if e := next(c.given("tags", nil)); !succeeded(e) {
				return e
			}
			return mistyped("list_notes", "tags", "array of object", tags)
		}})},
}

// enforcementFaults let pass what the documented constraints forbid.
var enforcementFaults = []Fault{
	{ID: "OPS-5.4-04", Variant: "enum-not-enforced", Defect: "any text is accepted for match",
		hooks: secretly("search_notes", "match", func(p *parameter) { p.Enum = nil })},
	{ID: "OPS-5.4-05", Variant: "maximum-not-enforced", Defect: "priority 11 is stored although the maximum is 10",
		hooks: secretly("create_note", "priority", func(p *parameter) { p.Maximum = ref(1 << 30) })},
	{ID: "OPS-5.4-05", Variant: "minimum-not-enforced", Defect: "min_priority 0 is accepted although the minimum is 1",
		hooks: secretly("list_notes", "min_priority", func(p *parameter) { p.Minimum = ref(-1 << 30) })},
	{ID: "OPS-5.4-07", Variant: "pattern-not-enforced", Defect: "name_prefix \"1 + 1\" is accepted against its pattern",
		hooks: secretly("list_folders", "name_prefix", func(p *parameter) { p.Pattern = "" })},
	{ID: "OPS-5.4-08", Variant: "length-not-enforced", Defect: "201 characters are accepted for query although maxLength is 200",
		hooks: secretly("search_notes", "query", func(p *parameter) { p.MaxLength = nil })},
	{ID: "OPS-5.4-09", Variant: "default-not-applied", Defect: "priority documents default 5 but 1 is stored",
		hooks: secretly("create_note", "priority", func(p *parameter) { p.Default = 1 })},
	{ID: "CMP-ARRAY-01", Variant: "elements-unchecked", Defect: "of tags only the array itself is type-checked",
		hooks: secretly("list_notes", "tags", func(p *parameter) { p.Items = nil })},
}

// truthFaults leave out of introspection what a caller needs to know.
var truthFaults = []Fault{
	{ID: "INT-1.2-01", Variant: "hidden-min-length", Defect: "a query shorter than five characters is refused, nothing documents it",
		hooks: both(
			reworked("search_notes", "query", func(p *parameter) { p.MinLength, p.MaxLength = ref(5), nil }),
			documented("search_notes", "query", drop("minLength")))},
	{ID: "INT-3.4.1-08", Variant: "secret-unmarked", Defect: "password of execute_export lacks sensitive",
		hooks: documented("execute_export", "password", drop("sensitive"))},
	{ID: "INT-8.2-03", Variant: "undocumented-default", Defect: "priority 5 is stored although no default is documented",
		hooks: documented("create_note", "priority", drop("default"))},
	{ID: "INT-8.2.2-01", Variant: "silent-read-only-field", Defect: "created_at stands in the input type and is refused as read-only, nothing documents it",
		hooks: both(
			both(
				retyped("Note", func(t *typeInfo) { t.redescribe("created_at", "When the note was created, UTC") }),
				retyped("NoteInput", func(t *typeInfo) {
					t.Fields = append(t.Fields, dateTime("created_at", false, "When the note was created, UTC"))
				})),
			remade("update_note", func(op *operation) {
				op.first(func(t task) envelope {
					if object(t.params["input"])["created_at"] == nil {
						return nil
					}
					return misvalued("update_note", "input.created_at", "no value; the field is read-only")
				})
			}))},
	{ID: "INT-8.2.2-02", Variant: "nesting-undocumented", Defect: "body must sit in metadata.body but is documented as body",
		hooks: both(needsInside(), remade("create_note", func(op *operation) {
			op.first(func(t task) envelope {
				if t.params["body"] != nil {
					return failure("VALIDATION_INVALID_VALUE", "Parameter 'body' of operation 'create_note' must be given as metadata.body",
						map[string]any{"param_name": "body", "operation": "create_note", "expected_path": "metadata.body"})
				}
				metadata := copied(t.params["metadata"])
				if body, ok := metadata["body"].(string); ok {
					delete(metadata, "body")
					t.params["body"], t.params["metadata"] = body, metadata
				}
				return nil
			})
		}))},
	{ID: "INT-8.2.2-03", Variant: "enum-value-inapplicable", Defect: "list_notes lists drawing in the enum of type but always refuses it as not applicable",
		hooks: added("list_notes", parameter{Name: "type", Type: "string", Enum: []string{"text", "drawing"}, Description: "Return only notes of this type"},
			func(t task) envelope {
				if t.text("type") != "drawing" {
					return nil
				}
				return failure("CONFLICT_TYPE_NOT_APPLICABLE", "Operation 'list_notes' does not apply to the type 'drawing'",
					map[string]any{"operation": "list_notes", "param_name": "type", "value": "drawing"})
			})},
	{ID: "INT-8.1.2-04", Variant: "bare-filter-object", Defect: "filter is documented as object without description or named type",
		hooks: documented("search_notes", "filter", func(p map[string]any) {
			p["type"] = "object"
			delete(p, "description")
		})},
}

func (t *typeInfo) redescribe(name, description string) {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			t.Fields[i].Description = description
		}
	}
}

// deprecationFaults deprecate parameters without saying so in introspection.
var deprecationFaults = []Fault{
	{ID: "INT-8.2.4-01", Variant: "deprecated-unlisted", Defect: "label is still accepted for tags with a deprecation warning but no longer listed",
		hooks: both(needs("list_notes", taking("tags")), warning(hooks{item: func(c call, next handler) envelope {
			if c.operation() != "list_notes" {
				return next(c)
			}
			if label, ok := c.params()["label"].(string); ok {
				c = c.given("label", nil).given("tags", []any{label})
			}
			return warned(next(c), "DEPRECATED_PARAM", "Parameter 'label' of operation 'list_notes' is deprecated; use 'tags' instead")
		}}))},
	{ID: "INT-8.2.4-01", Variant: "deprecated-unmarked", Defect: "a warning calls title_only deprecated, its description does not",
		hooks: both(needs("search_notes", taking("title_only")), warning(hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if _, _, given := c.value("title_only"); given && c.operation() == "search_notes" {
				return warned(e, "DEPRECATED_PARAM", "Parameter 'title_only' of operation 'search_notes' is deprecated; use 'filter' instead")
			}
			return e
		}}))},
	{ID: "INT-8.2.4-02", Variant: "deprecated-without-guidance", Defect: "a description just says \"This parameter is deprecated.\"",
		hooks: documented("list_notes", "min_priority", set("description", "This parameter is deprecated."))},
	{ID: "INT-8.2.4-02", Variant: "only-forbidden", Defect: "a description says \"Deprecated, do not use.\" and no more",
		hooks: documented("list_notes", "min_priority", set("description", "Deprecated, do not use."))},
	{ID: "INT-8.2.4-02", Variant: "word-of-another", Defect: "a deprecated parameter mentions the status, which is no replacement",
		hooks: documented("list_notes", "min_priority", set("description", "Deprecated. Lowest priority, whatever the status."))},
}

// warning announces that the adapter warns. Warnings are remembered per session,
// so it also shows which session it is (spec 2.3.5).
func warning(h hooks) hooks {
	return both(both(capability("warnings", true), showsSession(true, freshSession)), h)
}

// warned adds a warning to an answer that is a success.
func warned(e envelope, code, message string) envelope {
	if succeeded(e) {
		e["warnings"] = append(array(e["warnings"]), map[string]any{"code": code, "message": message, "severity": "low"})
	}
	return e
}

// wordless refuses values of one parameter in a sentence that tells a program nothing.
func wordless(operation, name string) hooks {
	return refused("VALIDATION_INVALID_VALUE", calling(operation), func(_ call, reason, details map[string]any) {
		if details["param_name"] == name {
			reason["message"] = "Der Wert von '" + name + "' gefällt uns leider nicht; bitte wähle einen anderen"
			delete(details, "allowed")
		}
	})
}
