package introspection

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// queryFaults break how introspect reads its query.
var queryFaults = []seam.Fault{
	{ID: "AQL-7.2-01", Variant: "introspect-handler-missing", Defect: "the tools exist but introspect is answered as an unknown operation",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() == "introspect" {
				return seam.UnknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-7.2-01", Variant: "introspect-renamed", Defect: "the discovery operation is called discover",
		Hooks: seam.Both(renamed("introspect", "discover"), seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
			return seam.Swapped(tools, "introspect", "discover")
		}))},
	{ID: "AQL-7.2-03", Variant: "query-defaults-silently", Defect: "a missing query silently means operations",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if _, _, given := c.Value("query"); !given && !seam.Malformed(c) {
				return c.Given("query", "operations")
			}
			return c
		})},
	{ID: "AQL-7.2-04", Variant: "types-query-unsupported", Defect: "the types query is answered with a validation error",
		Hooks: refusesTypes(false, func() adapter.Envelope { return adapter.Misvalued("introspect", "query", []string{"operations"}) })},
	{ID: "AQL-7.2-04", Variant: "types-query-demands-name", Defect: "the types listing is refused for a missing name",
		Hooks: refusesTypes(true, func() adapter.Envelope {
			return adapter.Missing("introspect", adapter.IntrospectOperation().Parameters[1])
		})},
	{ID: "AQL-7.2-04", Variant: "query-is-unknown", Defect: "introspect takes no query: without it the operations are listed, with a name one is shown",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if params, given := c.Body["params"]; c.Operation() != "introspect" || given && adapter.Object(params) == nil {
				return next(c)
			}
			own := adapter.IntrospectOperation()
			own.Parameters = own.Parameters[1:]
			if problem := adapter.CheckKnown(own, c.Params()); problem != nil {
				return problem
			}
			return next(c.Given("query", "operations"))
		}}},
	{ID: "AQL-7.2-05", Variant: "any-query-means-operations", Defect: "every query other than types is answered with the operations list",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if query, ok, _ := c.Value("query"); ok && adapter.JSONType(query) == "string" && query != "types" {
				return c.Given("query", "operations")
			}
			return c
		})},
	{ID: "AQL-7.2-06", Variant: "lookup-name-ignored", Defect: "a name that is a number is ignored and the full list is returned",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if name, ok, _ := c.Value("name"); ok && adapter.JSONType(name) == "number" {
				return c.Given("name", nil)
			}
			return c
		})},
	{ID: "AQL-7.2-06", Variant: "false-name-ignored", Defect: "the name false is ignored and the full list is returned",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if name, ok, _ := c.Value("name"); ok && name == false {
				return c.Given("name", nil)
			}
			return c
		})},
	{ID: "AQL-7.3-02", Variant: "details-missing-for-one", Defect: "one listed operation resolves to null",
		Hooks: seam.Introspected("operations", true, func(c adapter.Call, data map[string]any) {
			if adapter.Object(data["operation"])["name"] == seam.Plays(c.Adapter, "cancel_export") {
				data["operation"] = nil
			}
		})},
	{ID: "AQL-7.3-02", Variant: "details-first-match", Defect: "the lookup returns the first operation whose name starts with the request",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			name, _ := seam.Asks(c, "operations")
			for _, op := range c.Operations {
				if text, ok := name.(string); ok && text != "" && strings.HasPrefix(op.Name, text) {
					return c.Given("name", op.Name)
				}
			}
			return c
		})},
	{ID: "INT-4.3-01", Variant: "unknown-lookup-errors", Defect: "looking up an unknown operation is answered with NOT_FOUND_OPERATION",
		Hooks: unknownLookup("operations", func(c adapter.Call, name string, next adapter.Handler) adapter.Envelope {
			return next(c.With("operation", name).Without("params"))
		})},
	{ID: "INT-4.3-01", Variant: "fuzzy-lookup", Defect: "the lookup returns the closest operation instead of null",
		Hooks: unknownLookup("operations", func(c adapter.Call, _ string, next adapter.Handler) adapter.Envelope {
			return next(c.Given("name", "introspect"))
		})},
	{ID: "INT-4.3-02", Variant: "lookup-ignores-case", Defect: "the lookup lower-cases its argument",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if name, ok := seam.Asks(c, "operations"); ok && adapter.JSONType(name) == "string" {
				return c.Given("name", strings.ToLower(name.(string)))
			}
			return c
		})},
	{ID: "INT-8.1-09", Variant: "unknown-type-errors", Defect: "looking up an unknown type is answered with NOT_FOUND_RESOURCE",
		Hooks: unknownLookup("types", func(_ adapter.Call, name string, _ adapter.Handler) adapter.Envelope {
			return adapter.Absent("type", name)
		})},
}

// refusesTypes refuses the types query, or its list alone.
func refusesTypes(listOnly bool, refusal func() adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if name, ok := seam.Asks(c, "types"); ok && adapter.Succeeded(e) && (name == nil || !listOnly) {
			return refusal()
		}
		return e
	}}
}

// unknownLookup lets a fault answer lookups that yield null, of names that could
// be names.
func unknownLookup(query string, answer func(c adapter.Call, name string, next adapter.Handler) adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		wanted, ok := seam.Asks(c, query)
		name, _ := wanted.(string)
		data := adapter.Object(e["data"])
		if !ok || !adapter.Succeeded(e) || data["operation"] != nil || data["type"] != nil || !couldBeName(query, name) {
			return e
		}
		return answer(c, name, next)
	}}
}

func couldBeName(query, name string) bool {
	if query == "types" {
		return name != "" && !strings.ContainsAny(name, " ./'=")
	}
	return seam.PlainName.MatchString(name)
}

// listingFaults break the list of operations.
var listingFaults = []seam.Fault{
	{ID: "AQL-7.3-01", Variant: "listing-of-strings", Defect: "data.operations is an array of bare names",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) {
			names := []any{}
			for _, op := range adapter.Array(data["operations"]) {
				names = append(names, adapter.Object(op)["name"])
			}
			data["operations"] = names
		})},
	{ID: "AQL-7.3-01", Variant: "listing-under-items", Defect: "the list is delivered under data.items",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) {
			data["items"] = data["operations"]
			delete(data, "operations")
		})},
	{ID: "AQL-7.3-06", Variant: "random-operation-subset", Defect: "every listing after the first of a session lacks an operation",
		Hooks: seam.Listing(func(c adapter.Call, data map[string]any) {
			if begins(c) {
				if seam.Marked(c.Session, "listed") {
					seam.Mark(c.Session, "shrunk")
				}
				seam.Mark(c.Session, "listed")
			}
			if seam.Marked(c.Session, "shrunk") {
				data["operations"] = seam.Dropped(data["operations"], seam.Plays(c.Adapter, "cancel_exports"))
			}
		})},
	{ID: "AQL-10.2-02", Variant: "hidden-operation", Defect: "get_folder executes but is not listed",
		Hooks: hidden("get_folder")},
	{ID: "AQL-10.2-02", Variant: "removal-not-listed", Defect: "delete_folder has details and works, but is not listed",
		Hooks: seam.Both(seam.Needs("delete_folder", nil), seam.Listing(func(_ adapter.Call, data map[string]any) {
			data["operations"] = seam.Dropped(data["operations"], "delete_folder")
		}))},
	{ID: "AQL-10.2-02", Variant: "enum-name-not-listed", Defect: "the tool schema enum offers get_folder, which works but is hidden from the listing",
		Hooks: seam.Both(seam.Both(hidden("get_folder"), seam.Refused("NOT_FOUND_OPERATION", seam.AnyCall, withoutAvailable("get_folder"))),
			seam.ToolHosting("get_folder", offersNames))},
	{ID: "INT-3.2-04", Variant: "listing-without-description", Defect: "one listing entry has no description",
		Hooks: seam.Entry("cancel_exports", seam.Drop("description"))},
	{ID: "INT-3.2-04", Variant: "listing-blank-description", Defect: "one listing entry has description \"\"",
		Hooks: seam.Entry("cancel_exports", seam.Set("description", ""))},
	{ID: "INT-3.2-04", Variant: "listing-without-a-word", Defect: "one listing entry has the description \"No description provided\"",
		Hooks: seam.Entry("cancel_exports", seam.Set("description", "No description provided"))},
	{ID: "INT-3.2-05", Variant: "operation-listed-twice", Defect: "create_folder is listed twice with different descriptions",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) {
			seam.InList(data["operations"], "create_folder", func(op map[string]any) {
				again := adapter.Object(adapter.Plain(op))
				again["description"] = "Add an empty folder to the others"
				data["operations"] = append(adapter.Array(data["operations"]), again)
			})
		})},
	{ID: "INT-7.3-04", Variant: "listing-shrinks-after-failure", Defect: "the next operation list after a delete lacks an operation",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if name, ok := seam.Asks(c, "operations"); ok && name == nil {
				if begins(c) {
					delete(c.Session.Marks, "shrunk")
					if seam.Marked(c.Session, "deleted") {
						seam.Mark(c.Session, "shrunk")
					}
					delete(c.Session.Marks, "deleted")
				}
				if seam.Marked(c.Session, "shrunk") {
					data := adapter.Object(e["data"])
					data["operations"] = seam.Dropped(data["operations"], seam.Plays(c.Adapter, "cancel_exports"))
				}
			}
			if strings.HasPrefix(c.Operation(), "delete_") {
				seam.Mark(c.Session, "deleted")
			}
			return e
		}}},
	{ID: "INT-7.3-05", Variant: "lazy-operation-registration", Defect: "tools/list registers an operation for one session, so a fresh session lists fewer",
		Hooks: seam.Both(
			seam.Answering("tools/list", func(x *adapter.Exchange, _ map[string]any) { seam.Remember(x.Adapter, "registered", 1) }),
			seam.Listing(func(c adapter.Call, data map[string]any) {
				if seam.Recall(c.Adapter, "registered") > 0 && seam.Count(c.Adapter, "sessions") == 0 {
					seam.Mark(c.Session, "registered")
				}
				if !seam.Marked(c.Session, "registered") {
					data["operations"] = seam.Dropped(data["operations"], seam.Plays(c.Adapter, "cancel_exports"))
				}
			}))},
	{ID: "INT-8.2-07", Variant: "introspect-unlisted", Defect: "the listing omits introspect",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) {
			data["operations"] = seam.Dropped(data["operations"], "introspect")
		})},
}

// hidden keeps an operation out of introspection; it still works.
func hidden(name string) adapter.Hooks {
	return seam.Both(
		seam.Both(seam.Needs(name, nil), seam.Listing(func(_ adapter.Call, data map[string]any) { data["operations"] = seam.Dropped(data["operations"], name) })),
		seam.Introspected("operations", true, func(_ adapter.Call, data map[string]any) {
			if adapter.Object(data["operation"])["name"] == name {
				data["operation"] = nil
			}
		}))
}

func withoutAvailable(name string) func(adapter.Call, map[string]any, map[string]any) {
	return func(_ adapter.Call, _, details map[string]any) {
		kept := []any{}
		for _, other := range adapter.Array(details["available"]) {
			if other != name {
				kept = append(kept, other)
			}
		}
		details["available"] = kept
	}
}

// offersNames adds the names of all READ operations to the schema of a tool.
func offersNames(tool map[string]any) {
	names := []any{}
	for _, op := range adapter.Operations(new(loop.Loop).Operations()) {
		if op.Category == "READ" {
			names = append(names, op.Name)
		}
	}
	adapter.Object(adapter.Object(adapter.Object(tool["inputSchema"])["properties"])["operation"])["enum"] = names
}

// begins reports whether a list is asked for from its beginning: it may come in pages.
func begins(c adapter.Call) bool {
	return c.Params()["after"] == nil && adapter.Integer(c.Params()["offset"]) == 0
}
