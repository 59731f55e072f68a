package adapter

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
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

// placeholder names a detail in a template.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

//go:embed messages.json
var messagesFile []byte

// Messages are the sentences of refusals: language -> code -> template.
var Messages = sync.OnceValue(func() map[string]map[string]string {
	var all map[string]map[string]string
	if err := json.Unmarshal(messagesFile, &all); err != nil {
		panic(err) // the file is embedded
	}
	return all
})

// said puts the message of a refusal into the language of the adapter. A code without a
// sentence in it keeps its own.
func (a *Adapter) said(e Envelope) Envelope {
	reason := Object(e["error"])
	code, _ := reason["code"].(string)
	template := Messages()[a.Manner.Speaks][code]
	if template == "" {
		return e
	}
	details := Object(reason["details"])
	reason["message"] = placeholder.ReplaceAllStringFunc(template, func(found string) string {
		switch value := details[found[1:len(found)-1]].(type) {
		case nil:
			return "?"
		case []any:
			names := make([]string, len(value))
			for i, name := range value {
				names[i] = fmt.Sprintf("'%v'", name)
			}
			return strings.Join(names, ", ")
		default:
			return fmt.Sprintf("'%v'", value)
		}
	})
	return e
}
