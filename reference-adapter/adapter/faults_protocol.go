package adapter

var protocolFaults = []Fault{
	{ID: "AQL-9.3.3-01", Variant: "supports-etag-text", Defect: "supports_etag is \"yes\"", hooks: protocol(set("supports_etag", "yes"))},
	{ID: "AX-R4-05", Variant: "pagination-unannounced", Defect: "cursor paging works while the pagination flag is false",
		hooks: capability("pagination", false)},
	{ID: "INT-4.1.1-01", Variant: "protocol-missing", Defect: "the listing has no _protocol",
		hooks: listing(func(_ call, data map[string]any) { delete(data, "_protocol") })},
	{ID: "INT-4.1.1-01", Variant: "protocol-first-time-only", Defect: "_protocol appears only in the first listing of a session",
		hooks: listing(func(c call, data map[string]any) {
			if c.session.marked("listed") {
				delete(data, "_protocol")
			}
			c.session.mark("listed")
		})},
	{ID: "INT-4.1.1-02", Variant: "version-two-parts", Defect: "version is \"1.0\"", hooks: protocol(set("version", "1.0"))},
	{ID: "INT-4.1.1-04", Variant: "conformance-full", Defect: "conformance is \"full\"", hooks: protocol(set("conformance", "full"))},
	{ID: "INT-4.1.1-05", Variant: "mode-missing", Defect: "_protocol has no mode", hooks: protocol(drop("mode"))},
	{ID: "INT-4.1.1-06", Variant: "mode-multi", Defect: "mode is \"multi\"", hooks: protocol(set("mode", "multi"))},
	{ID: "INT-4.1.1-06", Variant: "mode-crude", Defect: "mode is \"crude\"", hooks: protocol(set("mode", "crude"))},
	{ID: "INT-4.1.1-08", Variant: "capabilities-array", Defect: "capabilities is an array of names",
		hooks: protocol(set("capabilities", []string{"batch", "field_selection", "pagination"}))},
	{ID: "INT-4.1.1-09", Variant: "mode-single-five-tools", Defect: "mode single is stated while endpoint tools are registered",
		hooks: protocol(set("mode", "single"))},
}

// protocol rewrites _protocol.
func protocol(rewrite func(p map[string]any)) hooks {
	return listing(func(_ call, data map[string]any) { rewrite(object(data["_protocol"])) })
}

var levelFaults = []Fault{
	{ID: "AQL-10.1-08", Variant: "single-mode-lacks-deletes", Defect: "the single mode misses the DELETE operations", Mode: "all",
		hooks: both(
			listing(func(c call, data map[string]any) {
				if c.tool == unified {
					data["operations"] = dropped(dropped(data["operations"], "delete_note"), "delete_folder")
				}
			}),
			hooks{item: func(c call, next handler) envelope {
				if c.tool == unified && calling("delete_note", "delete_folder")(c) {
					return unknownAs(c, next)
				}
				return next(c)
			}})},
	{ID: "AQL-10.1-10", Variant: "no-field-selection", Defect: "no READ operation offers fields",
		hooks: both(both(capability("field_selection", false), record("", func(op map[string]any) {
			op["parameters"] = dropped(op["parameters"], "fields")
			if op["name"] == "get_note" { // its other example selects fields
				op["examples"] = array(op["examples"])[:1]
			}
		})), unknownParameter("fields"))},
	{ID: "AQL-10.1-11", Variant: "no-batch", Defect: "the operations shape is refused",
		hooks: both(both(capability("batch", false), hooks{call: func(c call, next handler) envelope {
			return next(c.without("operations"))
		}}), toolList(func(_ *exchange, tools []any) any {
			for _, tool := range tools {
				schema := object(object(tool)["inputSchema"])
				delete(object(schema["properties"]), "operations")
				delete(schema, "anyOf")
				schema["required"] = []any{"operation"}
			}
			return tools
		}))},
}

// unknownParameter has a documented parameter refused as unknown by every domain
// operation, and left out of the valid ones.
func unknownParameter(name string) hooks {
	stranger := name + "_x"
	return hooks{item: func(c call, next handler) envelope {
		if _, ok := c.params()[name]; ok && c.operation() != "introspect" {
			c = c.given(stranger, c.params()[name]).given(name, nil)
		}
		e := next(c)
		if details := object(object(e["error"])["details"]); details["valid_params"] != nil {
			details["valid_params"] = without(array(details["valid_params"]), name)
			e["error"] = swapped(e["error"], stranger, name)
		}
		return e
	}}
}

func without(list []any, value any) []any {
	kept := []any{}
	for _, item := range list {
		if item != value {
			kept = append(kept, item)
		}
	}
	return kept
}

var namingFaults = []Fault{
	{ID: "AQL-4.3-01", Variant: "camel-case-parameter", Defect: "search_notes documents and accepts titleOnly",
		hooks: renamedParameter("search_notes", "title_only", "titleOnly")},
	{ID: "AQL-8.5.1-01", Variant: "make-verb", Defect: "the plain create operations are called make_note and make_folder",
		hooks: both(renamed("create_note", "make_note"), renamed("create_folder", "make_folder"))},
	{ID: "AQL-8.5.2-01", Variant: "camel-case-operation", Defect: "an operation is called get_folderById",
		hooks: renamed("get_folder", "get_folderById")},
	{ID: "AQL-8.5.2-02", Variant: "resource-first-name", Defect: "an operation is called folder_create",
		hooks: renamed("create_folder", "folder_create")},
	{ID: "AQL-8.5.3-03", Variant: "unexplained-verb", Defect: "search_notes gives no reason for its verb and never mentions list",
		hooks: described("search_notes", set("description", "Find notes by words in their text"))},
	{ID: "AQL-8.5.4-02", Variant: "execute-agent-in-create", Defect: "execute_agent is listed with category CREATE",
		hooks: both(renamed("create_folder", "execute_agent"), capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-02", Variant: "confirm-operation-in-update", Defect: "confirm_operation is listed with category UPDATE",
		hooks: renamed("update_note", "confirm_operation")},
	{ID: "AQL-8.5.4-03", Variant: "step-report-in-execute", Defect: "record_execution_step is listed with category EXECUTE",
		hooks: both(renamed("cancel_export", "record_execution_step"), capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-03", Variant: "step-report-other-purpose", Defect: "record_execution_step documents neither element_name nor nextActionHint",
		hooks: both(renamed("create_folder", "record_execution_step"), capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-07", Variant: "verify-challenge-in-execute", Defect: "verify_challenge is listed with category EXECUTE",
		hooks: renamed("cancel_export", "verify_challenge")},
	{ID: "AX-R2-04", Variant: "mixed-read-verbs", Defect: "fetch_folder stands next to get_note",
		hooks: renamed("get_folder", "fetch_folder")},
}

// renamedParameter gives one parameter of one operation another name, in what is
// accepted and in what is documented.
func renamedParameter(operation, old, name string) hooks {
	return both(needs(operation, taking(old)), hooks{item: func(c call, next handler) envelope {
		if c.operation() == operation {
			c = c.exchanged(old, name)
		}
		e := next(c)
		record := object(object(e["data"])["operation"])
		switch {
		case c.operation() == operation && !succeeded(e):
			e["error"] = swapped(e["error"], old, name)
		case record["name"] == operation:
			record["parameters"] = swapped(record["parameters"], old, name)
		}
		return e
	}})
}

// exchanged returns the call with two parameter names exchanged, in params and
// at top level.
func (c call) exchanged(a, b string) call {
	swap := func(from map[string]any) map[string]any {
		to := map[string]any{}
		for key, value := range from {
			to[exact(key, a, b).(string)] = value
		}
		return to
	}
	if params := c.params(); params != nil {
		c = c.with("params", swap(params))
	}
	c.body = swap(c.body)
	return c
}
