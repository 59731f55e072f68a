package introspection

import (
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// typeFaults break the registry of types, mostly at FieldSelection: no parameter
// or field refers to it.
var typeFaults = []seam.Fault{
	{ID: "AQL-7.3-03", Variant: "types-as-map", Defect: "data.types is an object keyed by type name",
		Hooks: seam.Introspected("types", false, func(_ adapter.Call, data map[string]any) {
			byName := map[string]any{}
			for _, t := range adapter.Array(data["types"]) {
				byName[adapter.Object(t)["name"].(string)] = t
			}
			data["types"] = byName
		})},
	{ID: "AQL-7.3-03", Variant: "types-under-items", Defect: "the types list is delivered under data.items",
		Hooks: seam.Introspected("types", false, func(_ adapter.Call, data map[string]any) {
			data["items"] = data["types"]
			delete(data, "types")
		})},
	{ID: "AQL-7.3-04", Variant: "union-details-null", Defect: "a union type resolves to null",
		Hooks: seam.Both(seam.NeedsType("FieldSelection"), seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
			if adapter.Object(data["type"])["name"] == "FieldSelection" {
				data["type"] = nil
			}
		}))},
	{ID: "AQL-7.3-04", Variant: "type-details-without-name", Defect: "the lookup returns kind and body without the name",
		Hooks: seam.TypeRecord("FieldSelection", seam.Drop("name"))},
	{ID: "AQL-9.2-01", Variant: "union-member-unregistered", Defect: "a union names a member type that cannot be looked up",
		Hooks: seam.TypeRecord("FieldSelection", seam.Set("members", []string{"string", "FieldPathList"}))},
	{ID: "INT-3.5-02", Variant: "type-without-kind", Defect: "one listed type has no kind", Hooks: seam.TypeEntry("FieldSelection", seam.Drop("kind"))},
	{ID: "INT-3.5-02", Variant: "type-kind-interface", Defect: "one type has kind \"interface\"",
		Hooks: seam.Both(seam.TypeEntry("FieldSelection", seam.Set("kind", "interface")), seam.TypeRecord("FieldSelection", seam.Set("kind", "interface")))},
	{ID: "INT-3.5-03", Variant: "type-description-number", Defect: "description of one type is 0",
		Hooks: seam.Both(seam.TypeEntry("FieldSelection", seam.Set("description", 0)), seam.TypeRecord("FieldSelection", seam.Set("description", 0)))},
	{ID: "INT-3.5-04", Variant: "type-listed-twice", Defect: "one type is listed twice with different descriptions",
		Hooks: seam.Both(seam.NeedsType("FieldSelection"), seam.Introspected("types", false, func(_ adapter.Call, data map[string]any) {
			seam.InList(data["types"], "FieldSelection", func(t map[string]any) {
				again := adapter.Object(adapter.Plain(t))
				again["description"] = "Fields that an answer shall be cut down to"
				data["types"] = append(adapter.Array(data["types"]), again)
			})
		}))},
	{ID: "INT-3.5-05", Variant: "type-kind-differs", Defect: "one type is scalar in the listing and union in the lookup",
		Hooks: seam.TypeEntry("FieldSelection", seam.Set("kind", "scalar"))},
	{ID: "INT-3.6-01", Variant: "enum-type-without-values", Defect: "an enum type has no values", Hooks: seam.TypeRecord("ExportState", seam.Drop("values"))},
	{ID: "INT-3.6-02", Variant: "type-fields-as-map", Defect: "fields is {\"percentage\":\"number\",...}",
		Hooks: seam.TypeRecord("ExportProgress", seam.Set("fields", map[string]any{"percentage": "number", "message": "string"}))},
	{ID: "INT-3.6-02", Variant: "type-field-without-type", Defect: "one field entry has no type",
		Hooks: seam.TypeRecord("ExportProgress", func(t map[string]any) { seam.InList(t["fields"], "message", seam.Drop("type")) })},
	{ID: "INT-3.6-03", Variant: "union-members-inline", Defect: "members holds inline type objects",
		Hooks: seam.TypeRecord("FieldSelection", seam.Set("members", []any{
			map[string]any{"name": "string", "kind": "scalar"}, map[string]any{"name": "string[]", "kind": "scalar"}}))},
	{ID: "INT-3.6-05", Variant: "enum-type-with-fields", Defect: "an enum type also has fields",
		Hooks: seam.TypeRecord("ExportState", seam.Set("fields", []any{adapter.Field("label", "string", false, "Name of the state in words")}))},
	{ID: "INT-5.2.1-01", Variant: "enum-type-overstates", Defect: "the type lists three statuses, list_notes accepts two",
		Hooks: seam.Both(
			seam.Both(seam.NeedsType("NoteStatus"), seam.Documented("list_notes", "status", seam.Drop("enum"))), // else the inline enum would overstate too
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				status, _, _ := c.Value("status")
				e := next(c)
				if c.Operation() == "list_notes" && status == "archived" && adapter.Succeeded(e) {
					return adapter.Misvalued("list_notes", "status", []string{"draft", "published"})
				}
				return e
			}})},
	{ID: "OPS-9.6-02", Variant: "listed-values-differ", Defect: "the listing shows two enum values, the lookup three",
		Hooks: seam.TypeEntry("ExportFormat", seam.Set("values", []string{"markdown", "json"}))},
}

var protocolTypeFaults = []seam.Fault{
	{ID: "AQL-9.1-01", Variant: "extra-semantic-category", Defect: "SemanticCategory also lists AUTHORIZE",
		Hooks: seam.TypeRecord("SemanticCategory", func(t map[string]any) { t["values"] = append(adapter.Array(t["values"]), "AUTHORIZE") })},
	{ID: "AQL-9.1-02", Variant: "result-union-incomplete", Defect: "OperationResult has the single member OperationSuccess",
		Hooks: seam.TypeRecord("OperationResult", seam.Set("members", []string{"OperationSuccess"}))},
	{ID: "INT-5.3-01", Variant: "no-protocol-types", Defect: "the types list holds only domain types",
		Hooks: seam.Both(
			seam.Introspected("types", false, func(_ adapter.Call, data map[string]any) {
				for _, t := range adapter.ProtocolTypes() {
					data["types"] = seam.Dropped(data["types"], t.Name)
				}
			}),
			seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
				for _, t := range adapter.ProtocolTypes() {
					if adapter.Object(data["type"])["name"] == t.Name {
						data["type"] = nil
					}
				}
			}))},
	{ID: "INT-5.3-09", Variant: "params-documented-required", Defect: "OperationInput documents params as required",
		Hooks: seam.TypeRecord("OperationInput", func(t map[string]any) { seam.InList(t["fields"], "params", seam.Set("required", true)) })},
	{ID: "INT-5.3-10", Variant: "permission-type-string", Defect: "EndpointPermissions documents readOnly as string",
		Hooks: seam.TypeRecord("EndpointPermissions", func(t map[string]any) { seam.InList(t["fields"], "readOnly", seam.Set("type", "string")) })},
	{ID: "INT-5.3-10", Variant: "permission-type-union", Defect: "EndpointPermissions documents readOnly as string | boolean",
		Hooks: seam.TypeRecord("EndpointPermissions", func(t map[string]any) {
			seam.InList(t["fields"], "readOnly", seam.Set("type", "string | boolean"))
		})},
}
