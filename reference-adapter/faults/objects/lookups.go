package objects

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// lookupFaults find something under a text that is not its name or identifier.
var lookupFaults = []seam.Fault{
	{ID: "AQL-3.2-01", Variant: "beginning-dispatched", Defect: "the beginning of the name of an operation runs it",
		Hooks: dispatchedBy(func(name, given string) bool { return len(given) > 3 && strings.HasPrefix(name, given) })},
	{ID: "OPS-2.4-01", Variant: "hyphens-for-underscores", Defect: "an operation runs under its name with hyphens for underscores",
		Hooks: dispatchedBy(func(name, given string) bool { return strings.ReplaceAll(given, "-", "_") == name })},
	{ID: "OPS-2.4-01", Variant: "padded-name-dispatched", Defect: "an operation runs under its name with blanks around it", Hooks: dispatchedBy(padded)},
	{ID: "INT-4.3-01", Variant: "lookup-by-beginning", Defect: "the beginning of the name of an operation finds its record", Hooks: lookedUpBy("operations", strings.HasPrefix)},
	{ID: "INT-4.3-01", Variant: "lookup-by-part", Defect: "a part of the name of an operation finds its record", Hooks: lookedUpBy("operations", strings.Contains)},
	{ID: "INT-4.3-02", Variant: "lookup-of-padded-name", Defect: "a lookup takes the blanks from around the name", Hooks: lookedUpBy("operations", padded)},
	{ID: "INT-4.3-02", Variant: "lookup-ignores-trailing-blank", Defect: "a lookup takes the blanks from behind the name",
		Hooks: lookedUpBy("operations", func(name, given string) bool { return name != given && strings.TrimRight(given, " ") == name })},
	{ID: "INT-4.3-02", Variant: "lookup-ignores-first-letter-case", Defect: "a lookup ignores the case of the first letter",
		Hooks: lookedUpBy("operations", func(name, given string) bool {
			return name != given && strings.EqualFold(name, given) && name[1:] == given[1:]
		})},
	{ID: "INT-4.3-02", Variant: "type-in-any-letter-case", Defect: "a type is found in any letter case", Hooks: lookedUpBy("types", strings.EqualFold)},
	{ID: "INT-8.1-09", Variant: "type-by-beginning", Defect: "the beginning of the name of a type finds its record", Hooks: lookedUpBy("types", strings.HasPrefix)},
	{ID: "OPS-8.1-03", Variant: "read-by-beginning", Defect: "get_note shows the first note whose identifier begins so", Hooks: seam.Both(seam.NeedsAbsence(), foundBy("note_id", strings.HasPrefix, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "read-by-part", Defect: "get_note shows the first note whose identifier holds the text", Hooks: seam.Both(seam.NeedsAbsence(), foundBy("note_id", strings.Contains, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "read-by-wildcard", Defect: "get_note takes % and * for any identifier",
		Hooks: seam.Both(seam.NeedsAbsence(), foundBy("note_id", func(_, given string) bool { return given == "%" || given == "*" }, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "rest-of-text-ignored", Defect: "get_note ignores what stands behind an identifier",
		Hooks: seam.Both(seam.NeedsAbsence(), foundBy("note_id", func(key, given string) bool { return strings.HasPrefix(given, key) }, "get_note"))},
	{ID: "OPS-8.1-03", Variant: "inherited-member-found", Defect: "get_note finds what every object of JavaScript inherits under constructor and __proto__",
		Hooks: seam.Both(seam.NeedsAbsence(), inheriting(map[string]any{"success": true, "data": map[string]any{}}))},
	{ID: "OPS-8.1-03", Variant: "inherited-member-crashes", Defect: "get_note ends in INTERNAL_ERROR under constructor and __proto__",
		Hooks: seam.Both(seam.NeedsAbsence(), inheriting(adapter.Failure("INTERNAL_ERROR", "The note could not be read", nil)))},
	{ID: "AQL-8.1-04", Variant: "update-in-any-letter-case", Defect: "get_note wants the identifier as it is, update_note takes it in any letter case", Hooks: foundBy("note_id", strings.EqualFold, "update_note")},
	{ID: "AQL-8.1-04", Variant: "update-of-padded-identifier", Defect: "get_note wants the identifier as it is, update_note takes it with blanks around it", Hooks: foundBy("note_id", padded, "update_note")},
	{ID: "AQL-8.1-06", Variant: "delete-in-any-letter-case", Defect: "get_note wants the identifier as it is, delete_note takes it in any letter case", Hooks: foundBy("note_id", strings.EqualFold, "delete_note")},
}

// foundBy finds an object by a text that is not its identifier.
func foundBy(member string, alike func(stored, given string) bool, operations ...string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		value, _, _ := c.Value(member)
		given, _ := value.(string)
		if !seam.Calling(operations...)(c) || given == "" || c.Store.Notes[given] != nil || c.Store.Folders[given] != nil || seam.Aside(c.Adapter).Keys[given] != "" {
			return next(c)
		}
		for _, id := range c.Store.Ids() {
			if !strings.HasPrefix(id, strings.TrimSuffix(member, "id")) {
				continue
			}
			names := []string{id}
			for wire, heart := range seam.Aside(c.Adapter).Keys {
				if heart == id {
					names = append(names, wire)
				}
			}
			if slices.ContainsFunc(names, func(name string) bool { return alike(name, given) }) {
				return next(c.Given(member, id))
			}
		}
		return next(c)
	}}
}

// inheriting gives another answer where a note is not found under a name that objects inherit.
func inheriting(found adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		value, _, _ := c.Value("note_id")
		e := next(c)
		if seam.Calling("get_note")(c) && (value == "constructor" || value == "__proto__") && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e) {
			return maps.Clone(found)
		}
		return e
	}}
}

// dispatchedBy runs an operation under a text that is not its name.
func dispatchedBy(same func(name, given string) bool) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		given := c.Operation()
		if _, known := c.OperationNamed(given); !known {
			for _, op := range c.Operations {
				if same(op.Name, given) {
					return next(c.With("operation", op.Name))
				}
			}
		}
		return next(c)
	}}
}

// lookedUpBy has introspect find an item under a text that is not its name.
func lookedUpBy(query string, same func(name, given string) bool) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		name, ok := seam.Asks(c, query)
		given, _ := name.(string)
		names := map[string][]string{"operations": operationNames(c.Adapter), "types": typeNames(c.Adapter)}[query]
		if !ok || given == "" || slices.Contains(names, given) {
			return next(c)
		}
		if at := slices.IndexFunc(names, func(n string) bool { return same(n, given) }); at >= 0 {
			return next(c.Given("name", names[at]))
		}
		return next(c)
	}}
}

func operationNames(a *adapter.Adapter) (names []string) {
	for _, op := range a.Operations {
		names = append(names, op.Name)
	}
	return names
}

func typeNames(a *adapter.Adapter) (names []string) {
	for _, t := range a.Types {
		names = append(names, t.Name)
	}
	return names
}

func padded(name, given string) bool { return name != given && strings.TrimSpace(given) == name }
