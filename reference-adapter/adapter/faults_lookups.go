package adapter

import (
	"maps"
	"slices"
	"strings"
)

// lookupFaults find something under a text that is not its name or identifier.
var lookupFaults = []Fault{
	{ID: "AQL-3.2-01", Variant: "beginning-dispatched", Defect: "the beginning of the name of an operation runs it",
		hooks: dispatchedBy(func(name, given string) bool { return len(given) > 3 && strings.HasPrefix(name, given) })},
	{ID: "OPS-2.4-01", Variant: "hyphens-for-underscores", Defect: "an operation runs under its name with hyphens for underscores",
		hooks: dispatchedBy(func(name, given string) bool { return strings.ReplaceAll(given, "-", "_") == name })},
	{ID: "OPS-2.4-01", Variant: "padded-name-dispatched", Defect: "an operation runs under its name with blanks around it", hooks: dispatchedBy(padded)},
	{ID: "INT-4.3-01", Variant: "lookup-by-beginning", Defect: "the beginning of the name of an operation finds its record", hooks: lookedUpBy("operations", strings.HasPrefix)},
	{ID: "INT-4.3-01", Variant: "lookup-by-part", Defect: "a part of the name of an operation finds its record", hooks: lookedUpBy("operations", strings.Contains)},
	{ID: "INT-4.3-02", Variant: "lookup-of-padded-name", Defect: "a lookup takes the blanks from around the name", hooks: lookedUpBy("operations", padded)},
	{ID: "INT-4.3-02", Variant: "type-in-any-letter-case", Defect: "a type is found in any letter case", hooks: lookedUpBy("types", strings.EqualFold)},
	{ID: "INT-8.1-09", Variant: "type-by-beginning", Defect: "the beginning of the name of a type finds its record", hooks: lookedUpBy("types", strings.HasPrefix)},
	{ID: "OPS-8.1-03", Variant: "read-by-beginning", Defect: "get_note shows the first note whose identifier begins so", hooks: both(needsAbsence(), foundBy("note_id", strings.HasPrefix, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "read-by-part", Defect: "get_note shows the first note whose identifier holds the text", hooks: both(needsAbsence(), foundBy("note_id", strings.Contains, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "read-by-wildcard", Defect: "get_note takes % and * for any identifier",
		hooks: both(needsAbsence(), foundBy("note_id", func(_, given string) bool { return given == "%" || given == "*" }, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "rest-of-text-ignored", Defect: "get_note ignores what stands behind an identifier",
		hooks: both(needsAbsence(), foundBy("note_id", func(key, given string) bool { return strings.HasPrefix(given, key) }, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "inherited-member-found", Defect: "get_note finds what every object of JavaScript inherits under constructor and __proto__",
		hooks: both(needsAbsence(), inheriting(map[string]any{"success": true, "data": map[string]any{}}))},
	{ID: "OPS-8.1-03", Variant: "inherited-member-crashes", Defect: "get_note ends in INTERNAL_ERROR under constructor and __proto__",
		hooks: both(needsAbsence(), inheriting(failure("INTERNAL_ERROR", "The note could not be read", nil)))},
	{ID: "AQL-8.1-04", Variant: "update-in-any-letter-case", Defect: "get_note wants the identifier as it is, update_note takes it in any letter case", hooks: foundBy("note_id", strings.EqualFold, "update_note")},
	{ID: "AQL-8.1-04", Variant: "update-of-padded-identifier", Defect: "get_note wants the identifier as it is, update_note takes it with blanks around it", hooks: foundBy("note_id", padded, "update_note")},
	{ID: "AQL-8.1-06", Variant: "delete-in-any-letter-case", Defect: "get_note wants the identifier as it is, delete_note takes it in any letter case", hooks: foundBy("note_id", strings.EqualFold, "delete_note")},
}

// foundBy finds an object by a text that is not its identifier.
func foundBy(member string, alike func(stored, given string) bool, operations ...string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		value, _, _ := c.value(member)
		given, _ := value.(string)
		if !calling(operations...)(c) || given == "" || c.store.notes[given] != nil || c.store.folders[given] != nil || c.aside().keys[given] != "" {
			return next(c)
		}
		for _, id := range c.store.ids() {
			if !strings.HasPrefix(id, strings.TrimSuffix(member, "id")) {
				continue
			}
			names := []string{id}
			for wire, heart := range c.aside().keys {
				if heart == id {
					names = append(names, wire)
				}
			}
			if slices.ContainsFunc(names, func(name string) bool { return alike(name, given) }) {
				return next(c.given(member, id))
			}
		}
		return next(c)
	}}
}

// inheriting gives another answer where a note is not found under a name that objects inherit.
func inheriting(found envelope) hooks {
	return hooks{item: func(c call, next handler) envelope {
		value, _, _ := c.value("note_id")
		e := next(c)
		if calling("get_note")(c) && (value == "constructor" || value == "__proto__") && failedWith("NOT_FOUND_RESOURCE")(nil, e) {
			return maps.Clone(found)
		}
		return e
	}}
}

// dispatchedBy runs an operation under a text that is not its name.
func dispatchedBy(same func(name, given string) bool) hooks {
	return hooks{item: func(c call, next handler) envelope {
		given := c.operation()
		if _, known := c.operationNamed(given); !known {
			for _, op := range c.operations {
				if same(op.Name, given) {
					return next(c.with("operation", op.Name))
				}
			}
		}
		return next(c)
	}}
}

// lookedUpBy has introspect find an item under a text that is not its name.
func lookedUpBy(query string, same func(name, given string) bool) hooks {
	return hooks{item: func(c call, next handler) envelope {
		name, ok := c.asks(query)
		given, _ := name.(string)
		names := map[string][]string{"operations": c.operationNames(), "types": c.typeNames()}[query]
		if !ok || given == "" || slices.Contains(names, given) {
			return next(c)
		}
		if at := slices.IndexFunc(names, func(n string) bool { return same(n, given) }); at >= 0 {
			return next(c.given("name", names[at]))
		}
		return next(c)
	}}
}

func (a *Adapter) operationNames() (names []string) {
	for _, op := range a.operations {
		names = append(names, op.Name)
	}
	return names
}

func (a *Adapter) typeNames() (names []string) {
	for _, t := range a.types {
		names = append(names, t.Name)
	}
	return names
}

func padded(name, given string) bool { return name != given && strings.TrimSpace(given) == name }
