package adapter

// This file names the places where a fault can reach into the adapter, so that
// each entry of the tables says only what it breaks.

// rightTool returns the tool that op belongs to in semantic mode.
func (c call) rightTool(op operation) string { return family{name: c.profile.of(op)}.tool() }

// unknownNames returns the names in params that op does not document.
func (c call) unknownNames(op operation) []string {
	var names []string
	for name := range c.params() {
		if !documents(op, name) {
			names = append(names, name)
		}
	}
	return names
}

func documents(op operation, name string) bool {
	for _, p := range op.Parameters {
		if p.Name == name {
			return true
		}
	}
	return false
}

// domain says whether op is anything but introspect.
func domain(op operation) bool { return op.Name != "introspect" }

// before lets a fault rewrite the calls of operations that it picks.
func before(pick func(op operation) bool, rewrite func(c call, op operation) call) hooks {
	return hooks{item: func(c call, next handler) envelope {
		op, ok := c.operationNamed(c.operation())
		if ok && pick(op) {
			c = rewrite(c, op)
		}
		return next(c)
	}}
}

func named(names ...string) func(operation) bool {
	return func(op operation) bool {
		for _, name := range names {
			if op.Name == name {
				return true
			}
		}
		return false
	}
}

// after lets a fault rewrite every reply in place.
func after(rewrite func(c call, e envelope)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		rewrite(c, e)
		return e
	}}
}

// refused lets a fault rewrite the error of refusals with one of the codes, of
// calls that it picks.
func refused(code string, pick func(c call) bool, rewrite func(c call, reason, details map[string]any)) hooks {
	return after(func(c call, e envelope) {
		reason := object(e["error"])
		if reason["code"] == code && pick(c) {
			rewrite(c, reason, object(reason["details"]))
		}
	})
}

func anyCall(call) bool { return true }

func calling(names ...string) func(call) bool {
	return func(c call) bool { return named(names...)(operation{Name: c.operation()}) }
}

// malformed picks requests whose outer form is wrong. Their refusal is demanded,
// its code is not, so they are the place to spoil the form of a failure without
// spoiling what another requirement looks at.
func malformed(c call) bool {
	name, isText := c.body["operation"].(string)
	_, hasName := c.body["operation"]
	_, isObject := c.body["params"].(map[string]any)
	return hasName && (!isText || name == "") || c.body["params"] != nil && !isObject
}

// whenMalformed lets a fault rewrite the error object of malformed requests.
func whenMalformed(rewrite func(reason map[string]any)) hooks {
	return after(func(c call, e envelope) {
		if reason := object(e["error"]); reason != nil && malformed(c) {
			rewrite(reason)
		}
	})
}

// asks says whether c is an introspect query; name is nil for a list.
func (c call) asks(query string) (name any, ok bool) {
	kind, _, _ := c.value("query")
	name, _, _ = c.value("name")
	return name, c.operation() == "introspect" && kind == query
}

// begins reports whether a list is asked for from its beginning: it may come in pages.
func (c call) begins() bool {
	return c.params()["after"] == nil && integer(c.params()["offset"]) == 0
}

// introspected lets a fault rewrite the data of a successful introspect query.
func introspected(query string, lookup bool, rewrite func(c call, data map[string]any)) hooks {
	return after(func(c call, e envelope) {
		name, ok := c.asks(query)
		if ok && succeeded(e) && lookup == (name != nil) {
			rewrite(c, object(e["data"]))
		}
	})
}

// listing rewrites the answer that lists all operations.
func listing(rewrite func(c call, data map[string]any)) hooks {
	return introspected("operations", false, rewrite)
}

// entry rewrites the entry of one operation in the list.
func entry(name string, rewrite func(op map[string]any)) hooks {
	return listing(func(c call, data map[string]any) { inList(data["operations"], c.plays(name), rewrite) })
}

// record rewrites the details of one operation; "" means of each.
func record(name string, rewrite func(op map[string]any)) hooks {
	return introspected("operations", true, func(c call, data map[string]any) {
		if op := object(data["operation"]); op != nil && (name == "" || op["name"] == c.plays(name)) {
			rewrite(op)
		}
	})
}

// described rewrites an operation wherever introspection shows it.
func described(name string, rewrite func(op map[string]any)) hooks {
	return both(entry(name, rewrite), record(name, rewrite))
}

// documented rewrites one parameter in the details of an operation.
func documented(operation, name string, rewrite func(p map[string]any)) hooks {
	return both(needs(operation, taking(name)), record(operation, func(op map[string]any) { inList(op["parameters"], name, rewrite) }))
}

func typeEntry(name string, rewrite func(t map[string]any)) hooks {
	return both(needsType(name), introspected("types", false, func(_ call, data map[string]any) { inList(data["types"], name, rewrite) }))
}

func typeRecord(name string, rewrite func(t map[string]any)) hooks {
	return both(needsType(name), introspected("types", true, func(_ call, data map[string]any) {
		if t := object(data["type"]); t != nil && t["name"] == name {
			rewrite(t)
		}
	}))
}

func inList(list any, name string, rewrite func(map[string]any)) {
	for _, item := range array(list) {
		if o := object(item); o != nil && o["name"] == name {
			rewrite(o)
		}
	}
}

// dropped returns list without the item called name.
func dropped(list any, name string) []any {
	kept := []any{}
	for _, item := range array(list) {
		if object(item)["name"] != name {
			kept = append(kept, item)
		}
	}
	return kept
}

func set(name string, value any) func(map[string]any) {
	return func(o map[string]any) { o[name] = plain(value) }
}

func drop(name string) func(map[string]any) {
	return func(o map[string]any) { delete(o, name) }
}
