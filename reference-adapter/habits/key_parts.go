package habits

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// compositeKeys identify a note by its folder and a number that the server gives.
func compositeKeys() adapter.Hooks {
	number := adapter.Parameter{Name: "number", Type: "integer", Required: true, Minimum: adapter.Ref(1), Maximum: adapter.Ref(1_000_000), Description: "Number of the note, given when it was created"}
	out := documentedNumbers()
	for _, name := range []string{"get_note", "update_note", "delete_note"} {
		folder := adapter.Parameter{Name: "folder_id", Type: "string", Required: true, MinLength: adapter.Ref(1), Description: "Identifier of the folder of the note"}
		out = seam.Both(out, seam.Replaced(name, "note_id", []adapter.Parameter{folder, number}, func(t adapter.Task) adapter.Envelope {
			id := "note_" + strconv.Itoa(adapter.Integer(t.Params["number"]))
			if n, ok := t.Store.Notes[id]; !ok || n["folder_id"] != t.Params["folder_id"] {
				return adapter.Absent("note", t.Text("folder_id")+"/"+strconv.Itoa(adapter.Integer(t.Params["number"])))
			}
			t.Params["note_id"] = id
			return nil
		}))
		out = seam.Both(out, adapter.Hooks{Table: func(a *adapter.Adapter) { numberExamples(a, name) }})
	}
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if id := "note_" + strconv.Itoa(adapter.Integer(c.Params()["number"])); c.Store.Notes[id]["folder_id"] == c.Params()["folder_id"] {
			c.About = id
		}
		e := next(c)
		if adapter.Succeeded(e) && c.Operation() != "introspect" {
			return adapter.Object(numbered(e))
		}
		return e
	}}, out)
}

// numberExamples gives the examples of an operation both parts of the key.
func numberExamples(a *adapter.Adapter, name string) {
	at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == name })
	examples := slices.Clone(a.Operations[at].Examples)
	for i, e := range examples {
		params := maps.Clone(adapter.Object(e.Request["params"]))
		id, _ := params["note_id"].(string)
		delete(params, "note_id")
		params["folder_id"], params["number"] = a.Store.Notes[id]["folder_id"], adapter.Number(id)
		examples[i].Request = adapter.Request(name, params)
	}
	a.Operations[at].Examples = examples
}

// numbered shows the number of a note in place of its identifier.
func numbered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range value {
			if id, ok := inner.(string); ok && key == "note_id" {
				out["number"] = json.Number(strconv.Itoa(adapter.Number(id)))
				continue
			}
			if key == "metadata" {
				out[key] = inner
				continue
			}
			out[key] = numbered(inner)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = numbered(inner)
		}
		return out
	}
	return value
}

func documentedNumbers() adapter.Hooks {
	return seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
		for _, item := range adapter.Array(adapter.Object(data["type"])["fields"]) {
			if field := adapter.Object(item); field["name"] == "note_id" {
				field["name"], field["type"], field["description"] = "number", "integer", "Number of the note in its folder, never changes"
			}
		}
	})
}

// nestedKeys show the identifier of a note only inside an object of its own.
func nestedKeys() adapter.Hooks {
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if adapter.Succeeded(e) && c.Operation() != "introspect" && c.Operation() != "delete_note" {
			return adapter.Object(nested(e))
		}
		return e
	}}, seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
		kind := adapter.Object(data["type"])
		if kind["name"] != "Note" {
			return
		}
		for _, item := range adapter.Array(kind["fields"]) {
			if field := adapter.Object(item); field["name"] == "note_id" {
				field["name"], field["type"], field["description"] = "reference", "object", "What identifies the note: an object with note_id"
			}
		}
	}))
}

func nested(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range value {
			if key == "note_id" && value["title"] != nil {
				out["reference"] = map[string]any{"note_id": inner}
				continue
			}
			if key == "metadata" {
				out[key] = inner
				continue
			}
			out[key] = nested(inner)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = nested(inner)
		}
		return out
	}
	return value
}
