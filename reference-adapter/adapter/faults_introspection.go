package adapter

import "strings"

// queryFaults break how introspect reads its query.
var queryFaults = []Fault{
	{ID: "AQL-7.2-01", Variant: "introspect-handler-missing", Defect: "the tools exist but introspect is answered as an unknown operation",
		hooks: hooks{item: func(c call, next handler) envelope {
			if c.operation() == "introspect" {
				return unknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-7.2-01", Variant: "introspect-renamed", Defect: "the discovery operation is called discover",
		hooks: both(renamed("introspect", "discover"), toolList(func(_ *exchange, tools []any) any {
			return swapped(tools, "introspect", "discover")
		}))},
	{ID: "AQL-7.2-03", Variant: "query-defaults-silently", Defect: "a missing query silently means operations",
		hooks: before(named("introspect"), func(c call, _ operation) call {
			if _, _, given := c.value("query"); !given && !malformed(c) {
				return c.given("query", "operations")
			}
			return c
		})},
	{ID: "AQL-7.2-04", Variant: "types-query-unsupported", Defect: "the types query is answered with a validation error",
		hooks: refusesTypes(false, func() envelope { return misvalued("introspect", "query", []string{"operations"}) })},
	{ID: "AQL-7.2-04", Variant: "types-query-demands-name", Defect: "the types listing is refused for a missing name",
		hooks: refusesTypes(true, func() envelope { return missing("introspect", introspectOperation().Parameters[1]) })},
	{ID: "AQL-7.2-04", Variant: "query-is-unknown", Defect: "introspect takes no query: without it the operations are listed, with a name one is shown",
		hooks: hooks{item: func(c call, next handler) envelope {
			if params, given := c.body["params"]; c.operation() != "introspect" || given && object(params) == nil {
				return next(c)
			}
			own := introspectOperation()
			own.Parameters = own.Parameters[1:]
			if problem := checkKnown(own, c.params()); problem != nil {
				return problem
			}
			return next(c.given("query", "operations"))
		}}},
	{ID: "AQL-7.2-05", Variant: "any-query-means-operations", Defect: "every query other than types is answered with the operations list",
		hooks: before(named("introspect"), func(c call, _ operation) call {
			if query, ok, _ := c.value("query"); ok && jsonType(query) == "string" && query != "types" {
				return c.given("query", "operations")
			}
			return c
		})},
	{ID: "AQL-7.2-06", Variant: "lookup-name-ignored", Defect: "a name that is a number is ignored and the full list is returned",
		hooks: before(named("introspect"), func(c call, _ operation) call {
			if name, ok, _ := c.value("name"); ok && jsonType(name) == "number" {
				return c.given("name", nil)
			}
			return c
		})},
	{ID: "AQL-7.3-02", Variant: "details-missing-for-one", Defect: "one listed operation resolves to null",
		hooks: introspected("operations", true, func(c call, data map[string]any) {
			if object(data["operation"])["name"] == c.plays("cancel_export") {
				data["operation"] = nil
			}
		})},
	{ID: "AQL-7.3-02", Variant: "details-first-match", Defect: "the lookup returns the first operation whose name starts with the request",
		hooks: before(named("introspect"), func(c call, _ operation) call {
			name, _ := c.asks("operations")
			for _, op := range c.operations {
				if text, ok := name.(string); ok && text != "" && strings.HasPrefix(op.Name, text) {
					return c.given("name", op.Name)
				}
			}
			return c
		})},
	{ID: "INT-4.3-01", Variant: "unknown-lookup-errors", Defect: "looking up an unknown operation is answered with NOT_FOUND_OPERATION",
		hooks: unknownLookup("operations", func(c call, name string, next handler) envelope {
			return next(c.with("operation", name).without("params"))
		})},
	{ID: "INT-4.3-01", Variant: "fuzzy-lookup", Defect: "the lookup returns the closest operation instead of null",
		hooks: unknownLookup("operations", func(c call, _ string, next handler) envelope {
			return next(c.given("name", "introspect"))
		})},
	{ID: "INT-4.3-02", Variant: "lookup-ignores-case", Defect: "the lookup lower-cases its argument",
		hooks: before(named("introspect"), func(c call, _ operation) call {
			if name, ok := c.asks("operations"); ok && jsonType(name) == "string" {
				return c.given("name", strings.ToLower(name.(string)))
			}
			return c
		})},
	{ID: "INT-8.1-09", Variant: "unknown-type-errors", Defect: "looking up an unknown type is answered with NOT_FOUND_RESOURCE",
		hooks: unknownLookup("types", func(_ call, name string, _ handler) envelope { return absent("type", name) })},
}

// refusesTypes refuses the types query, or its list alone.
func refusesTypes(listOnly bool, refusal func() envelope) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if name, ok := c.asks("types"); ok && succeeded(e) && (name == nil || !listOnly) {
			return refusal()
		}
		return e
	}}
}

// unknownLookup lets a fault answer lookups that yield null, of names that could
// be names.
func unknownLookup(query string, answer func(c call, name string, next handler) envelope) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		wanted, ok := c.asks(query)
		name, _ := wanted.(string)
		data := object(e["data"])
		if !ok || !succeeded(e) || data["operation"] != nil || data["type"] != nil || !couldBeName(query, name) {
			return e
		}
		return answer(c, name, next)
	}}
}

func couldBeName(query, name string) bool {
	if query == "types" {
		return name != "" && !strings.ContainsAny(name, " ./'=")
	}
	return plainName.MatchString(name)
}

// listingFaults break the list of operations.
var listingFaults = []Fault{
	{ID: "AQL-7.3-01", Variant: "listing-of-strings", Defect: "data.operations is an array of bare names",
		hooks: listing(func(_ call, data map[string]any) {
			names := []any{}
			for _, op := range array(data["operations"]) {
				names = append(names, object(op)["name"])
			}
			data["operations"] = names
		})},
	{ID: "AQL-7.3-01", Variant: "listing-under-items", Defect: "the list is delivered under data.items",
		hooks: listing(func(_ call, data map[string]any) {
			data["items"] = data["operations"]
			delete(data, "operations")
		})},
	{ID: "AQL-7.3-06", Variant: "random-operation-subset", Defect: "every listing after the first of a session lacks an operation",
		hooks: listing(func(c call, data map[string]any) {
			if c.begins() {
				if c.session.marked("listed") {
					c.session.mark("shrunk")
				}
				c.session.mark("listed")
			}
			if c.session.marked("shrunk") {
				data["operations"] = dropped(data["operations"], c.plays("cancel_exports"))
			}
		})},
	{ID: "AQL-10.2-02", Variant: "hidden-operation", Defect: "get_folder executes but is not listed",
		hooks: hidden("get_folder")},
	{ID: "AQL-10.2-02", Variant: "enum-name-not-listed", Defect: "the tool schema enum offers get_folder, which works but is hidden from the listing",
		hooks: both(both(hidden("get_folder"), refused("NOT_FOUND_OPERATION", anyCall, withoutAvailable("get_folder"))),
			toolHosting("get_folder", offersNames))},
	{ID: "INT-3.2-04", Variant: "listing-without-description", Defect: "one listing entry has no description",
		hooks: entry("cancel_exports", drop("description"))},
	{ID: "INT-3.2-04", Variant: "listing-blank-description", Defect: "one listing entry has description \"\"",
		hooks: entry("cancel_exports", set("description", ""))},
	{ID: "INT-3.2-05", Variant: "operation-listed-twice", Defect: "create_folder is listed twice with different descriptions",
		hooks: listing(func(_ call, data map[string]any) {
			inList(data["operations"], "create_folder", func(op map[string]any) {
				again := object(plain(op))
				again["description"] = "Add an empty folder to the others"
				data["operations"] = append(array(data["operations"]), again)
			})
		})},
	{ID: "INT-7.3-04", Variant: "listing-shrinks-after-failure", Defect: "the next operation list after a delete lacks an operation",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if name, ok := c.asks("operations"); ok && name == nil {
				if c.begins() {
					delete(c.session.marks, "shrunk")
					if c.session.marked("deleted") {
						c.session.mark("shrunk")
					}
					delete(c.session.marks, "deleted")
				}
				if c.session.marked("shrunk") {
					data := object(e["data"])
					data["operations"] = dropped(data["operations"], c.plays("cancel_exports"))
				}
			}
			if strings.HasPrefix(c.operation(), "delete_") {
				c.session.mark("deleted")
			}
			return e
		}}},
	{ID: "INT-7.3-05", Variant: "lazy-operation-registration", Defect: "tools/list registers an operation for one session, so a fresh session lists fewer",
		hooks: both(
			answering("tools/list", func(x *exchange, _ map[string]any) { x.remember("registered", 1) }),
			listing(func(c call, data map[string]any) {
				if c.recall("registered") > 0 && c.count("sessions") == 0 {
					c.session.mark("registered")
				}
				if !c.session.marked("registered") {
					data["operations"] = dropped(data["operations"], c.plays("cancel_exports"))
				}
			}))},
	{ID: "INT-8.2-07", Variant: "introspect-unlisted", Defect: "the listing omits introspect",
		hooks: listing(func(_ call, data map[string]any) { data["operations"] = dropped(data["operations"], "introspect") })},
}

// hidden keeps an operation out of introspection; it still works.
func hidden(name string) hooks {
	return both(
		both(needs(name, nil), listing(func(_ call, data map[string]any) { data["operations"] = dropped(data["operations"], name) })),
		introspected("operations", true, func(_ call, data map[string]any) {
			if object(data["operation"])["name"] == name {
				data["operation"] = nil
			}
		}))
}

func withoutAvailable(name string) func(call, map[string]any, map[string]any) {
	return func(_ call, _, details map[string]any) {
		kept := []any{}
		for _, other := range array(details["available"]) {
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
	for _, op := range operations() {
		if op.Category == "READ" {
			names = append(names, op.Name)
		}
	}
	object(object(object(tool["inputSchema"])["properties"])["operation"])["enum"] = names
}
