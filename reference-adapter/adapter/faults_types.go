package adapter

// typeFaults break the registry of types, mostly at FieldSelection: no parameter
// or field refers to it.
var typeFaults = []Fault{
	{ID: "AQL-7.3-03", Variant: "types-as-map", Defect: "data.types is an object keyed by type name",
		hooks: introspected("types", false, func(_ call, data map[string]any) {
			byName := map[string]any{}
			for _, t := range array(data["types"]) {
				byName[object(t)["name"].(string)] = t
			}
			data["types"] = byName
		})},
	{ID: "AQL-7.3-03", Variant: "types-under-items", Defect: "the types list is delivered under data.items",
		hooks: introspected("types", false, func(_ call, data map[string]any) {
			data["items"] = data["types"]
			delete(data, "types")
		})},
	{ID: "AQL-7.3-04", Variant: "union-details-null", Defect: "a union type resolves to null",
		hooks: both(needsType("FieldSelection"), introspected("types", true, func(_ call, data map[string]any) {
			if object(data["type"])["name"] == "FieldSelection" {
				data["type"] = nil
			}
		}))},
	{ID: "AQL-7.3-04", Variant: "type-details-without-name", Defect: "the lookup returns kind and body without the name",
		hooks: typeRecord("FieldSelection", drop("name"))},
	{ID: "AQL-9.2-01", Variant: "union-member-unregistered", Defect: "a union names a member type that cannot be looked up",
		hooks: typeRecord("FieldSelection", set("members", []string{"string", "FieldPathList"}))},
	{ID: "INT-3.5-02", Variant: "type-without-kind", Defect: "one listed type has no kind", hooks: typeEntry("FieldSelection", drop("kind"))},
	{ID: "INT-3.5-02", Variant: "type-kind-interface", Defect: "one type has kind \"interface\"",
		hooks: both(typeEntry("FieldSelection", set("kind", "interface")), typeRecord("FieldSelection", set("kind", "interface")))},
	{ID: "INT-3.5-03", Variant: "type-description-number", Defect: "description of one type is 0",
		hooks: both(typeEntry("FieldSelection", set("description", 0)), typeRecord("FieldSelection", set("description", 0)))},
	{ID: "INT-3.5-04", Variant: "type-listed-twice", Defect: "one type is listed twice with different descriptions",
		hooks: both(needsType("FieldSelection"), introspected("types", false, func(_ call, data map[string]any) {
			inList(data["types"], "FieldSelection", func(t map[string]any) {
				again := object(plain(t))
				again["description"] = "Fields that an answer shall be cut down to"
				data["types"] = append(array(data["types"]), again)
			})
		}))},
	{ID: "INT-3.5-05", Variant: "type-kind-differs", Defect: "one type is scalar in the listing and union in the lookup",
		hooks: typeEntry("FieldSelection", set("kind", "scalar"))},
	{ID: "INT-3.6-01", Variant: "enum-type-without-values", Defect: "an enum type has no values", hooks: typeRecord("ExportState", drop("values"))},
	{ID: "INT-3.6-02", Variant: "type-fields-as-map", Defect: "fields is {\"percentage\":\"number\",...}",
		hooks: typeRecord("ExportProgress", set("fields", map[string]any{"percentage": "number", "message": "string"}))},
	{ID: "INT-3.6-02", Variant: "type-field-without-type", Defect: "one field entry has no type",
		hooks: typeRecord("ExportProgress", func(t map[string]any) { inList(t["fields"], "message", drop("type")) })},
	{ID: "INT-3.6-03", Variant: "union-members-inline", Defect: "members holds inline type objects",
		hooks: typeRecord("FieldSelection", set("members", []any{
			map[string]any{"name": "string", "kind": "scalar"}, map[string]any{"name": "string[]", "kind": "scalar"}}))},
	{ID: "INT-3.6-05", Variant: "enum-type-with-fields", Defect: "an enum type also has fields",
		hooks: typeRecord("ExportState", set("fields", []any{field("label", "string", false, "Name of the state in words")}))},
	{ID: "INT-5.2.1-01", Variant: "enum-type-overstates", Defect: "the type lists three statuses, list_notes accepts two",
		hooks: both(
			both(needsType("NoteStatus"), documented("list_notes", "status", drop("enum"))), // else the inline enum would overstate too
			hooks{item: func(c call, next handler) envelope {
				status, _, _ := c.value("status")
				e := next(c)
				if c.operation() == "list_notes" && status == "archived" && succeeded(e) {
					return misvalued("list_notes", "status", []string{"draft", "published"})
				}
				return e
			}})},
	{ID: "OPS-9.6-02", Variant: "listed-values-differ", Defect: "the listing shows two enum values, the lookup three",
		hooks: typeEntry("ExportFormat", set("values", []string{"markdown", "json"}))},
}

var protocolTypeFaults = []Fault{
	{ID: "AQL-9.1-01", Variant: "extra-semantic-category", Defect: "SemanticCategory also lists AUTHORIZE",
		hooks: typeRecord("SemanticCategory", func(t map[string]any) { t["values"] = append(array(t["values"]), "AUTHORIZE") })},
	{ID: "AQL-9.1-02", Variant: "result-union-incomplete", Defect: "OperationResult has the single member OperationSuccess",
		hooks: typeRecord("OperationResult", set("members", []string{"OperationSuccess"}))},
	{ID: "INT-5.3-01", Variant: "no-protocol-types", Defect: "the types list holds only domain types",
		hooks: both(
			introspected("types", false, func(_ call, data map[string]any) {
				for _, t := range protocolTypes() {
					data["types"] = dropped(data["types"], t.Name)
				}
			}),
			introspected("types", true, func(_ call, data map[string]any) {
				for _, t := range protocolTypes() {
					if object(data["type"])["name"] == t.Name {
						data["type"] = nil
					}
				}
			}))},
	{ID: "INT-5.3-09", Variant: "params-documented-required", Defect: "OperationInput documents params as required",
		hooks: typeRecord("OperationInput", func(t map[string]any) { inList(t["fields"], "params", set("required", true)) })},
	{ID: "INT-5.3-10", Variant: "permission-type-string", Defect: "EndpointPermissions documents readOnly as string",
		hooks: typeRecord("EndpointPermissions", func(t map[string]any) { inList(t["fields"], "readOnly", set("type", "string")) })},
}
