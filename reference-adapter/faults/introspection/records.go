package introspection

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// fieldFaults break the record of one field of a type, which has the form of a parameter's record.
var fieldFaults = []seam.Fault{
	{ID: "INT-3.4-04", Variant: "field-format-boolean", Defect: "a field of ExportProgress has format true", Hooks: seam.TypeField("ExportProgress", "message", seam.Set("format", true))},
	{ID: "INT-3.4-05", Variant: "field-default-of-another-type", Defect: "the number percentage of ExportProgress documents default \"none\"",
		Hooks: seam.TypeField("ExportProgress", "percentage", seam.Set("default", "none"))},
	{ID: "INT-3.4-06", Variant: "field-enum-as-text", Defect: "the enum of a field of ExportProgress is the string \"waiting|done\"",
		Hooks: seam.TypeField("ExportProgress", "message", seam.Set("enum", "waiting|done"))},
	{ID: "INT-3.4-07", Variant: "field-minimum-string", Defect: "the percentage of ExportProgress has the minimum \"0\"", Hooks: seam.TypeField("ExportProgress", "percentage", seam.Set("minimum", "0"))},
	{ID: "INT-3.4-07", Variant: "element-minimum-string", Defect: "the elements of a list in ExportProgress have the minimum \"1\"", Hooks: rounds(map[string]any{"type": "integer", "minimum": "1"})},
	{ID: "INT-3.4-09", Variant: "element-min-length-string", Defect: "the elements of a list in ExportProgress have the minLength \"1\"", Hooks: rounds(map[string]any{"type": "string", "minLength": "1"})},
	{ID: "INT-3.4-11", Variant: "element-pattern-does-not-compile", Defect: "the elements of a list in ExportProgress have the pattern \"^[a-z\"", Hooks: rounds(map[string]any{"type": "string", "pattern": "^[a-z"})},
	{ID: "INT-3.4-09", Variant: "field-max-length-fraction", Defect: "a field of ExportProgress has maxLength 80.5", Hooks: seam.TypeField("ExportProgress", "message", seam.Set("maxLength", 80.5))},
	{ID: "INT-3.4-11", Variant: "field-pattern-does-not-compile", Defect: "a field of ExportProgress has the pattern \"^[a-z\"",
		Hooks: seam.TypeField("ExportProgress", "message", seam.Set("pattern", "^[a-z"))},
	{ID: "INT-3.4-11", Variant: "member-pattern-does-not-compile", Defect: "a member of the objects in a list in ExportProgress has the pattern \"^[a-z\"",
		Hooks: rounds(map[string]any{"type": "object", "properties": []any{map[string]any{"name": "text", "type": "string", "required": false, "description": "What was said", "pattern": "^[a-z"}}})},
	{ID: "INT-3.4-13", Variant: "field-items-as-string", Defect: "items of the list of folders is the string \"Folder\"", Hooks: seam.TypeField("FolderList", "items", seam.Set("items", "Folder"))},
	{ID: "INT-3.4-17", Variant: "field-length-on-number", Defect: "the number percentage of ExportProgress documents minLength",
		Hooks: seam.TypeField("ExportProgress", "percentage", seam.Set("minLength", 1))},
	{ID: "AQL-4.7.2-01", Variant: "http-dates-in-a-list", Defect: "folders show a list of times, each like \"Mon, 05 Jan 2026 08:00:00 GMT\"",
		Hooks: seam.Both(
			seam.TypeRecord("Folder", func(t map[string]any) {
				visits := adapter.Field("opened", "array", false, "Times at which the folder was opened, UTC")
				visits.Items = map[string]any{"type": "string", "format": "date-time"}
				t["fields"] = append(adapter.Array(t["fields"]), adapter.Plain(visits))
			}),
			seam.InFolders(func(f map[string]any) { f["opened"] = []any{"Mon, 05 Jan 2026 08:00:00 GMT"} }))},
	{ID: "AQL-4.7.2-04", Variant: "offset-dropped", Defect: "create_folder takes opens_at and keeps it without its offset",
		Hooks: opening("opens_at", "date-time", time.RFC3339, func(at time.Time) string { return at.Format("2006-01-02T15:04:05Z") })},
	{ID: "AQL-4.7.2-04", Variant: "offset-minutes-dropped", Defect: "create_folder takes opens_at and reads whole hours of its offset",
		Hooks: opening("opens_at", "date-time", time.RFC3339, func(at time.Time) string {
			_, offset := at.Zone()
			return at.UTC().Add(time.Duration(offset%3600) * time.Second).Format("2006-01-02T15:04:05Z")
		})},
	{ID: "AQL-4.7.2-04", Variant: "summer-day-moved", Defect: "create_folder takes the day opens_on and keeps the day before in summer",
		Hooks: opening("opens_on", "date", time.DateOnly, func(on time.Time) string {
			if on.Month() > time.March && on.Month() < time.November {
				on = on.AddDate(0, 0, -1)
			}
			return on.Format(time.DateOnly)
		})},
	{ID: "AQL-4.1-04", Variant: "text-params-on-reads", Defect: "READ operations take a text for params as no parameters", Hooks: paramsForgotten("string")},
	{ID: "AQL-4.1-04", Variant: "number-params-on-reads", Defect: "READ operations take a number for params as no parameters", Hooks: paramsForgotten("number")},
	{ID: "AQL-4.1-04", Variant: "false-params-on-reads", Defect: "READ operations take false for params as no parameters", Hooks: paramsForgotten("boolean")},
	{ID: "AQL-4.6-01", Variant: "unknown-field-dropped", Defect: "an unknown field inside the filter of search_notes is dropped",
		Hooks: within("search_notes", "filter", func(filter map[string]any) {
			for name := range filter {
				if !slices.Contains([]string{"status", "folder_id", "pinned", "min_priority"}, name) {
					delete(filter, name)
				}
			}
		})},
	{ID: "AQL-3.2-04", Variant: "mistyped-field-ignored", Defect: "a min_priority of another type inside the filter of search_notes is ignored",
		Hooks: within("search_notes", "filter", func(filter map[string]any) {
			if v, given := filter["min_priority"]; given && adapter.JSONType(v) != "number" {
				delete(filter, "min_priority")
			}
		})},
	{ID: "OPS-5.4-04", Variant: "field-outside-enum-ignored", Defect: "an order that is neither asc nor desc inside the sort of list_notes is taken for asc",
		Hooks: within("list_notes", "sort", func(sort map[string]any) {
			if text, ok := sort["order"].(string); ok && text != "desc" {
				sort["order"] = "asc"
			}
		})},
	{ID: "OPS-5.4-05", Variant: "field-out-of-bounds-clamped", Defect: "a min_priority out of bounds inside the filter of search_notes is taken for the next one",
		Hooks: within("search_notes", "filter", func(filter map[string]any) {
			if v, given := filter["min_priority"]; given && adapter.JSONType(v) == "number" {
				filter["min_priority"] = adapter.Plain(max(1, min(adapter.Integer(v), 10)))
			}
		})},
	{ID: "OPS-5.4-01", Variant: "missing-field-guessed", Defect: "a sort of list_notes without its required member field is not refused but sorts by title",
		Hooks: within("list_notes", "sort", func(sort map[string]any) {
			if _, given := sort["field"]; !given {
				sort["field"] = "title"
			}
		})},
	{ID: "INT-4.3-01", Variant: "inherited-name-found", Defect: "the lookup of an operation named constructor finds an empty record", Hooks: inheritedFound("operations", "operation")},
	{ID: "INT-4.3-01", Variant: "type-found", Defect: "the lookup of an operation finds the record of a type of that name", Hooks: otherFound("operations", "operation", isType)},
	{ID: "INT-8.1-09", Variant: "inherited-type-found", Defect: "the lookup of a type named constructor finds an empty record", Hooks: inheritedFound("types", "type")},
	{ID: "OPS-4.4.3-08", Variant: "short-cursor-page-lost", Defect: "a last page of search_notes that is not full is empty",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			info, after := adapter.Object(data["pageInfo"]), c.Params()["after"]
			if items := adapter.Array(data["items"]); info != nil && after != nil && info["hasNextPage"] == false && len(items) < adapter.Integer(c.Params()["first"]) {
				data["items"] = []any{}
				info["startCursor"], info["endCursor"] = nil, nil
			}
		})},
}

// rounds documents a list in ExportProgress that is never shown, with elements as given.
func rounds(items map[string]any) adapter.Hooks {
	return seam.TypeRecord("ExportProgress", func(t map[string]any) {
		list := adapter.Field("rounds", "array", false, "What each round of the export did")
		list.Items = items
		t["fields"] = append(adapter.Array(t["fields"]), adapter.Plain(list))
	})
}

// within rewrites an object that stands in a parameter of an operation.
func within(name, member string, rewrite func(inner map[string]any)) adapter.Hooks {
	return seam.Before(seam.Named(name), func(c adapter.Call, _ adapter.Operation) adapter.Call {
		value, _, given := c.Value(member)
		if !given || adapter.Object(value) == nil {
			return c
		}
		inner := adapter.Object(adapter.Plain(value))
		rewrite(inner)
		return c.Given(member, inner)
	})
}

// paramsForgotten runs READ operations without parameters where params is of the type.
func paramsForgotten(kind string) adapter.Hooks {
	return seam.Before(seam.DomainRead, func(c adapter.Call, _ adapter.Operation) adapter.Call {
		if params := c.Body["params"]; params != nil && adapter.JSONType(params) == kind {
			return c.With("params", map[string]any{})
		}
		return c
	})
}

// inheritedFound finds an empty record under the names that every object of a language has.
func inheritedFound(query, member string) adapter.Hooks {
	return seam.Introspected(query, true, func(c adapter.Call, data map[string]any) {
		if name, _ := seam.Asks(c, query); name == "constructor" || name == "__proto__" {
			data[member] = map[string]any{}
		}
	})
}

// otherFound answers the lookup of what is listed for the other query with a record.
func otherFound(query, member string, other func(string) bool) adapter.Hooks {
	return seam.Introspected(query, true, func(c adapter.Call, data map[string]any) {
		asked, _ := seam.Asks(c, query)
		if name, _ := asked.(string); other(name) {
			data[member] = map[string]any{"name": name}
		}
	})
}

func isType(name string) bool {
	return slices.ContainsFunc(adapter.Types(), func(t adapter.TypeInfo) bool { return t.Name == name })
}

// opening lets folders have a date on which they open, in a field that creations take and reads show. kept tells
// what is shown.
func opening(field, format, layout string, kept func(time.Time) string) adapter.Hooks {
	p := adapter.Parameter{Name: field, Type: "string", Format: format, Description: "When the folder opens, in UTC"}
	return seam.Both(
		seam.TypeRecord("Folder", func(t map[string]any) { t["fields"] = append(adapter.Array(t["fields"]), adapter.Plain(p)) }),
		seam.Both(
			seam.Record("create_folder", func(op map[string]any) { op["parameters"] = append(adapter.Array(op["parameters"]), adapter.Plain(p)) }),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				return opened(c, next, field, layout, kept)
			}}))
}

func opened(c adapter.Call, next adapter.Handler, field, layout string, kept func(time.Time) string) adapter.Envelope {
	text, given := c.Params()[field].(string)
	at, err := time.Parse(layout, text)
	if given = given && err == nil; given && c.Operation() == "create_folder" {
		c = c.Given(field, nil)
	}
	e := next(c)
	data := adapter.Object(e["data"])
	id, _ := data["folder_id"].(string)
	switch details := adapter.Object(adapter.Object(e["error"])["details"]); {
	case c.Operation() == "create_folder" && details["valid_params"] != nil:
		details["valid_params"] = append(adapter.Array(details["valid_params"]), field)
	case c.Operation() == "create_folder" && given && adapter.Succeeded(e):
		seam.Jot(c.Session, "opens "+id, kept(at))
	}
	if shown := c.Session.Marks["opens "+id]; shown != "" && (c.Operation() == "create_folder" || c.Operation() == "get_folder") {
		data[field] = shown
	}
	return e
}
