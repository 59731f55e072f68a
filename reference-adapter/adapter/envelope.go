package adapter

import (
	"encoding/json"
	"maps"
)

// Envelope is the discriminated answer of spec 5.1: success with data, or
// failure with error. It is a plain map so that it prints what it holds.
type Envelope = map[string]any

func Success(data any) Envelope {
	return Envelope{"success": true, "data": Plain(data)}
}

// Failure answers with a code of the error taxonomy, a sentence that says what
// to do, and the details that let a program react.
func Failure(code, message string, details map[string]any) Envelope {
	reason := map[string]any{"code": code, "message": message}
	if len(details) > 0 {
		reason["details"] = Plain(details)
	}
	return Envelope{"success": false, "error": reason}
}

func Succeeded(e Envelope) bool { return e["success"] == true }

// Plain turns any value into maps, slices, strings, numbers and booleans that
// share nothing with the store, so that a caller can never reach into it.
func Plain(value any) any {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // only our own tables and stored JSON come here
	}
	out, err := Decode(raw)
	if err != nil {
		panic(err)
	}
	return out
}

// Merge applies input to target with the deep-merge of spec 4.5.1: objects
// merge key by key, null removes, everything else replaces.
func Merge(target, input map[string]any) map[string]any {
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
			out[key] = Merge(old, value)
		default:
			out[key] = value
		}
	}
	return out
}

// Object and array read a member that may be missing or of another shape.
func Object(value any) map[string]any { o, _ := value.(map[string]any); return o }
func Array(value any) []any           { l, _ := value.([]any); return l }
