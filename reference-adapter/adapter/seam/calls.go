package seam

import (
	"maps"
	"regexp"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// OfBatch lets a fault reach into the entries of batches alone.
func OfBatch(around func(c adapter.Call, next adapter.Handler) adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if !c.Entry {
			return next(c)
		}
		return around(c, next)
	}}
}

// OldestNote is a copy of the first note there is; nil where there is none.
func OldestNote(c adapter.Call) adapter.Note {
	for _, n := range c.Store.NotesWhere(func(adapter.Note) bool { return true }) {
		return maps.Clone(n)
	}
	return nil
}

func Code(other string) func(adapter.Call, map[string]any, map[string]any) {
	return func(_ adapter.Call, reason, _ map[string]any) { reason["code"] = other }
}

// Found rewrites what search_notes answers.
func Found(rewrite func(c adapter.Call, data map[string]any)) adapter.Hooks {
	return After(func(c adapter.Call, e adapter.Envelope) {
		if c.Operation() == "search_notes" && adapter.Succeeded(e) {
			rewrite(c, adapter.Object(e["data"]))
		}
	})
}

func PageSize(name string) adapter.Parameter {
	return adapter.Parameter{Name: name, Type: "integer", Default: 20, Minimum: adapter.Ref(1), Maximum: adapter.Ref(100), Description: "How many items to return at most"}
}

func StartAt(name string) adapter.Parameter {
	return adapter.Parameter{Name: name, Type: "integer", Default: 0, Minimum: adapter.Ref(0), Maximum: adapter.Ref(1000), Description: "How many items to skip from the start of the list"}
}

var (
	ProbeName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	CamelCase = regexp.MustCompile(`^[a-z]+[A-Z]`)
)

func DomainRead(op adapter.Operation) bool { return Domain(op) && op.Category == "READ" }

// DropUnknown drops the unknown names in params that it picks.
func DropUnknown(c adapter.Call, op adapter.Operation, pick func(name string) bool) adapter.Call {
	for _, name := range UnknownNames(c, op) {
		if pick(name) {
			c = c.Given(name, nil)
		}
	}
	return c
}

const UnknownParam = "VALIDATION_UNKNOWN_PARAM"

// This file names the places where a fault can reach into the adapter, so that
// each entry of the tables says only what it breaks.

// UnknownNames returns the names in params that op does not document.
func UnknownNames(c adapter.Call, op adapter.Operation) []string {
	var names []string
	for name := range c.Params() {
		if !Documents(op, name) {
			names = append(names, name)
		}
	}
	return names
}

func Documents(op adapter.Operation, name string) bool {
	for _, p := range op.Parameters {
		if p.Name == name {
			return true
		}
	}
	return false
}

// Domain says whether op is anything but introspect.
func Domain(op adapter.Operation) bool { return op.Name != "introspect" }

// Before lets a fault rewrite the calls of operations that it picks.
func Before(pick func(op adapter.Operation) bool, rewrite func(c adapter.Call, op adapter.Operation) adapter.Call) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		op, ok := c.OperationNamed(c.Operation())
		if ok && pick(op) {
			c = rewrite(c, op)
		}
		return next(c)
	}}
}

func Named(names ...string) func(adapter.Operation) bool {
	return func(op adapter.Operation) bool {
		for _, name := range names {
			if op.Name == name {
				return true
			}
		}
		return false
	}
}

// After lets a fault rewrite every reply in place.
func After(rewrite func(c adapter.Call, e adapter.Envelope)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		rewrite(c, e)
		return e
	}}
}

// Refused lets a fault rewrite the error of refusals with one of the codes, of
// calls that it picks.
func Refused(code string, pick func(c adapter.Call) bool, rewrite func(c adapter.Call, reason, details map[string]any)) adapter.Hooks {
	return After(func(c adapter.Call, e adapter.Envelope) {
		reason := adapter.Object(e["error"])
		if reason["code"] == code && pick(c) {
			rewrite(c, reason, adapter.Object(reason["details"]))
		}
	})
}

func AnyCall(adapter.Call) bool { return true }

func Calling(names ...string) func(adapter.Call) bool {
	return func(c adapter.Call) bool { return Named(names...)(adapter.Operation{Name: c.Operation()}) }
}

// Malformed picks requests whose outer form is wrong. Their refusal is demanded,
// its code is not, so they are the place to spoil the form of a failure without
// spoiling what another requirement looks at.
func Malformed(c adapter.Call) bool {
	name, isText := c.Body["operation"].(string)
	_, hasName := c.Body["operation"]
	_, isObject := c.Body["params"].(map[string]any)
	return hasName && (!isText || name == "") || c.Body["params"] != nil && !isObject
}

// WhenMalformed lets a fault rewrite the error object of malformed requests.
func WhenMalformed(rewrite func(reason map[string]any)) adapter.Hooks {
	return After(func(c adapter.Call, e adapter.Envelope) {
		if reason := adapter.Object(e["error"]); reason != nil && Malformed(c) {
			rewrite(reason)
		}
	})
}

// Asks says whether c is an introspect query; name is nil for a list.
func Asks(c adapter.Call, query string) (name any, ok bool) {
	kind, _, _ := c.Value("query")
	name, _, _ = c.Value("name")
	return name, c.Operation() == "introspect" && kind == query
}

// Introspected lets a fault rewrite the data of a successful introspect query.
func Introspected(query string, lookup bool, rewrite func(c adapter.Call, data map[string]any)) adapter.Hooks {
	return After(func(c adapter.Call, e adapter.Envelope) {
		name, ok := Asks(c, query)
		if ok && adapter.Succeeded(e) && lookup == (name != nil) {
			rewrite(c, adapter.Object(e["data"]))
		}
	})
}

// Listing rewrites the answer that lists all operations.
func Listing(rewrite func(c adapter.Call, data map[string]any)) adapter.Hooks {
	return Introspected("operations", false, rewrite)
}

// Entry rewrites the entry of one operation in the list.
func Entry(name string, rewrite func(op map[string]any)) adapter.Hooks {
	return Listing(func(c adapter.Call, data map[string]any) { InList(data["operations"], Plays(c.Adapter, name), rewrite) })
}

// Record rewrites the details of one operation; "" means of each.
func Record(name string, rewrite func(op map[string]any)) adapter.Hooks {
	return Introspected("operations", true, func(c adapter.Call, data map[string]any) {
		if op := adapter.Object(data["operation"]); op != nil && (name == "" || op["name"] == Plays(c.Adapter, name)) {
			rewrite(op)
		}
	})
}

// Described rewrites an operation wherever introspection shows it.
func Described(name string, rewrite func(op map[string]any)) adapter.Hooks {
	return Both(Entry(name, rewrite), Record(name, rewrite))
}

// Documented rewrites one parameter in the details of an operation.
func Documented(operation, name string, rewrite func(p map[string]any)) adapter.Hooks {
	return Both(Needs(operation, Taking(name)), Record(operation, func(op map[string]any) { InList(op["parameters"], name, rewrite) }))
}

func TypeEntry(name string, rewrite func(t map[string]any)) adapter.Hooks {
	return Both(NeedsType(name), Introspected("types", false, func(_ adapter.Call, data map[string]any) { InList(data["types"], name, rewrite) }))
}

func TypeRecord(name string, rewrite func(t map[string]any)) adapter.Hooks {
	return Both(NeedsType(name), Introspected("types", true, func(_ adapter.Call, data map[string]any) {
		if t := adapter.Object(data["type"]); t != nil && t["name"] == name {
			rewrite(t)
		}
	}))
}

func InList(list any, name string, rewrite func(map[string]any)) {
	for _, item := range adapter.Array(list) {
		if o := adapter.Object(item); o != nil && o["name"] == name {
			rewrite(o)
		}
	}
}

// Dropped returns list without the item called name.
func Dropped(list any, name string) []any {
	kept := []any{}
	for _, item := range adapter.Array(list) {
		if adapter.Object(item)["name"] != name {
			kept = append(kept, item)
		}
	}
	return kept
}

func Set(name string, value any) func(map[string]any) {
	return func(o map[string]any) { o[name] = adapter.Plain(value) }
}

func Drop(name string) func(map[string]any) {
	return func(o map[string]any) { delete(o, name) }
}
