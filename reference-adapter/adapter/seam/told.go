package seam

import "github.com/aql-conform/aql-conform/reference-adapter/adapter"

// Capability sets one flag of _protocol.capabilities.
func Capability(flag string, value any) adapter.Hooks {
	return Listing(func(_ adapter.Call, data map[string]any) {
		adapter.Object(adapter.Object(data["_protocol"])["capabilities"])[flag] = value
	})
}

// Warning announces that the adapter warns. Warnings are remembered per session,
// so it also shows which session it is (spec 2.3.5).
func Warning(h adapter.Hooks) adapter.Hooks {
	return Both(Both(Capability("warnings", true), ShowsSession(true, FreshSession)), h)
}

// Warned adds a warning to an answer that is a success.
func Warned(e adapter.Envelope, code, message string) adapter.Envelope {
	if adapter.Succeeded(e) {
		e["warnings"] = append(adapter.Array(e["warnings"]), map[string]any{"code": code, "message": message, "severity": "low"})
	}
	return e
}

// Protocol rewrites _protocol.
func Protocol(rewrite func(p map[string]any)) adapter.Hooks {
	return Listing(func(_ adapter.Call, data map[string]any) { rewrite(adapter.Object(data["_protocol"])) })
}

// UnknownParameter has a documented parameter refused as unknown by every domain
// operation, and left out of the valid ones.
func UnknownParameter(name string) adapter.Hooks {
	stranger := name + "_x"
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if _, ok := c.Params()[name]; ok && c.Operation() != "introspect" {
			c = c.Given(stranger, c.Params()[name]).Given(name, nil)
		}
		e := next(c)
		if details := adapter.Object(adapter.Object(e["error"])["details"]); details["valid_params"] != nil {
			details["valid_params"] = without(adapter.Array(details["valid_params"]), name)
			e["error"] = Swapped(e["error"], stranger, name)
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

// RenamedParameter gives one parameter of one operation another name, in what is
// accepted and in what is documented.
func RenamedParameter(operation, old, name string) adapter.Hooks {
	return Both(Needs(operation, Taking(old)), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() == operation {
			c = Exchanged(c, old, name)
		}
		e := next(c)
		record := adapter.Object(adapter.Object(e["data"])["operation"])
		switch {
		case c.Operation() == operation && !adapter.Succeeded(e):
			e["error"] = Swapped(e["error"], old, name)
		case record["name"] == operation:
			record["parameters"] = Swapped(record["parameters"], old, name)
		}
		return e
	}})
}

// Exchanged returns the call with two parameter names exchanged, in params and
// at top level.
func Exchanged(c adapter.Call, a, b string) adapter.Call {
	swap := func(from map[string]any) map[string]any {
		to := map[string]any{}
		for key, value := range from {
			to[Exact(key, a, b).(string)] = value
		}
		return to
	}
	if params := c.Params(); params != nil {
		c = c.With("params", swap(params))
	}
	c.Body = swap(c.Body)
	return c
}

// InFolders rewrites each folder that an answer shows whole.
func InFolders(rewrite func(f map[string]any)) adapter.Hooks {
	return After(func(c adapter.Call, e adapter.Envelope) {
		data := adapter.Object(e["data"])
		for _, item := range append(adapter.Array(data["items"]), data) {
			if f := adapter.Object(item); f["folder_id"] != nil && f["name"] != nil && Calling("list_folders", "get_folder", "create_folder")(c) {
				rewrite(f)
			}
		}
	})
}

// TypeField rewrites one field in the details of an object type.
func TypeField(kind, name string, rewrite func(f map[string]any)) adapter.Hooks {
	return TypeRecord(kind, func(t map[string]any) { InList(t["fields"], name, rewrite) })
}
