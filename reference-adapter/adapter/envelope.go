package adapter

import (
	"encoding/json"
	"maps"
)

// envelope is the discriminated answer of spec 5.1: success with data, or
// failure with error. It is a plain map so that it prints what it holds.
type envelope = map[string]any

func success(data any) envelope {
	return envelope{"success": true, "data": plain(data)}
}

// failure answers with a code of the error taxonomy, a sentence that says what
// to do, and the details that let a program react.
func failure(code, message string, details map[string]any) envelope {
	reason := map[string]any{"code": code, "message": message}
	if len(details) > 0 {
		reason["details"] = plain(details)
	}
	return envelope{"success": false, "error": reason}
}

func succeeded(e envelope) bool { return e["success"] == true }

// plain turns any value into maps, slices, strings, numbers and booleans that
// share nothing with the store, so that a caller can never reach into it.
func plain(value any) any {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // only our own tables and stored JSON come here
	}
	out, err := decode(raw)
	if err != nil {
		panic(err)
	}
	return out
}

// merge applies input to target with the deep-merge of spec 4.5.1: objects
// merge key by key, null removes, everything else replaces.
func merge(target, input map[string]any) map[string]any {
	out := maps.Clone(target)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range input {
		switch value := value.(type) {
		case nil:
			delete(out, key)
		case map[string]any:
			old, _ := out[key].(map[string]any)
			out[key] = merge(old, value)
		default:
			out[key] = value
		}
	}
	return out
}

// object and array read a member that may be missing or of another shape.
func object(value any) map[string]any { o, _ := value.(map[string]any); return o }
func array(value any) []any           { l, _ := value.([]any); return l }
