package habits

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

const ownKinds = "spec 1.3, 1.4" // operations, parameters and resources are the adapter's own

// keyAxes are the forms of what identifies an object.
func keyAxes() []Axis {
	return []Axis{{Name: "key", Habits: []Habit{
		{Name: "counter with a prefix", Section: ownKinds},
		{Name: "integer", Section: ownKinds, From: "a c", Hooks: keyed(integerKeys)},
		{Name: "uuid", Section: ownKinds, From: "c", Hooks: keyed(digestKeys(true))},
		{Name: "digest", Section: ownKinds, Hooks: keyed(digestKeys(false))},
		{Name: "capitals, number and check letter", Section: ownKinds, From: "m", Hooks: keyed(codeKeys)},
		{Name: "chosen by the client", Section: ownKinds, From: "a b c", Hooks: chosenKeys()},
		{Name: "parent and number", Section: ownKinds + "; operations 4.3", From: "b", Hooks: compositeKeys(), manner: lessFeatures(adapter.FieldSelection)},
		{Name: "inside a nested object", Section: ownKinds + "; operations 3.2", From: "a c", Hooks: nestedKeys(), manner: lessFeatures(adapter.FieldSelection)},
	}}}
}

// lessFeatures takes optional features away.
func lessFeatures(features ...string) func(*shaped) {
	return func(m *shaped) {
		for _, name := range features {
			m.Features += ",-" + name
		}
	}
}

// A keyForm is what identifiers look like on the wire.
type keyForm struct {
	kind  string // JSON type
	wire  func(a *adapter.Adapter, id string) any
	heart func(a *adapter.Adapter, key any) (id string, ok bool)
}

var integerKeys = keyForm{
	kind: "integer",
	wire: func(_ *adapter.Adapter, id string) any { return json.Number(strconv.Itoa(1000 + adapter.Number(id))) },
	heart: func(_ *adapter.Adapter, key any) (string, bool) {
		n, ok := key.(json.Number)
		whole, err := n.Int64()
		return strconv.FormatInt(whole-1000, 10), ok && err == nil
	},
}

// codeKeys are capitals for the kind, the counter in five digits, and a letter that follows from it.
var codeKeys = keyForm{
	kind: "string",
	wire: func(a *adapter.Adapter, id string) any {
		kind, _, _ := strings.Cut(id, "_")
		n := adapter.Number(id)
		key := fmt.Sprintf("%s-%05d-%c", strings.ToUpper(kind[:2]), n, 'A'+rune(n*7%26))
		seam.Aside(a).Keys[key] = id
		return key
	},
	heart: knownKey,
}

// knownKey is the identifier that was shown as the key.
func knownKey(a *adapter.Adapter, key any) (string, bool) {
	text, ok := key.(string)
	if id, known := seam.Aside(a).Keys[text]; known {
		return id, true
	}
	return text, ok
}

// digestKeys are made of a digest of the counter, in the form of a UUID or of hex digits.
func digestKeys(uuid bool) keyForm {
	return keyForm{
		kind: "string",
		wire: func(a *adapter.Adapter, id string) any {
			sum := fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
			key := sum[:40]
			if uuid {
				key = fmt.Sprintf("%s-%s-4%s-8%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
			}
			seam.Aside(a).Keys[key] = id
			return key
		},
		heart: knownKey,
	}
}

// identifierOf names the kind that an identifier of the heart belongs to.
var identifierOf = map[string]string{"note_id": "note", "folder_id": "folder"}

// keyed shows identifiers in another form, and takes them so.
func keyed(form keyForm) adapter.Hooks {
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		for _, id := range c.Store.Ids() { // so that a key is known before it was shown
			form.wire(c.Adapter, id)
		}
		wrong := map[string]any{}
		e := next(identified(c, func(name string, key any) any {
			id, ok := form.heart(c.Adapter, key)
			if !ok {
				wrong[name] = key
				return json.Number("0") // of no type that the heart takes
			}
			if form.kind == "integer" {
				id = identifierOf[name] + "_" + id
			}
			return id
		}))
		if c.Operation() == "introspect" {
			return e
		}
		out := adapter.Object(form.shown(c.Adapter, e, ""))
		form.explain(out, wrong)
		return out
	}}, documentedKeys(form))
}

// explain gives an error about an identifier its documented type.
func (form keyForm) explain(e adapter.Envelope, wrong map[string]any) {
	reason := adapter.Object(e["error"])
	details := adapter.Object(reason["details"])
	name, _ := details["param_name"].(string)
	if identifierOf[name] == "" || details["expected_type"] == nil || form.kind == "string" {
		return
	}
	details["expected_type"] = form.kind
	message, _ := reason["message"].(string)
	message = strings.Replace(message, "Expected: string", "Expected: "+form.kind, 1)
	if key, ok := wrong[name]; ok {
		details["actual_type"] = adapter.JSONType(key)
		message = fmt.Sprintf("Parameter '%s' of operation '%s' expected '%s', got '%s'", name, details["operation"], form.kind, adapter.JSONType(key))
	}
	reason["message"] = message
}

// identifierSpelt is the identifier that a name stands for, also where a habit takes other spellings.
func identifierSpelt(name string) string {
	for id := range identifierOf {
		if name == id || name == camelSpelling(id) {
			return id
		}
	}
	return ""
}

// identified returns the call with each identifier replaced.
func identified(c adapter.Call, as func(name string, key any) any) adapter.Call {
	body := adapter.Object(adapter.Plain(c.Body))
	var within func(values map[string]any)
	within = func(values map[string]any) {
		for name, value := range values {
			if id := identifierSpelt(name); id != "" && value != nil {
				values[name] = as(id, value)
			} else if inner := adapter.Object(value); inner != nil && name != "metadata" {
				within(inner)
			}
		}
	}
	if c.Operation() != "introspect" {
		within(body)
	}
	c.Body = body
	return c
}

var internal = regexp.MustCompile(`\b(?:note|folder)_[0-9]+\b`)

// shown puts the identifiers of an answer into their form on the wire.
func (form keyForm) shown(a *adapter.Adapter, value any, name string) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range value {
			if key == "metadata" || key == "input" {
				out[key] = inner
				continue
			}
			out[key] = form.shown(a, inner, key)
		}
		return out
	case []any:
		var out []any = make([]any, len(value))
		for i, inner := range value {
			out[i] = form.shown(a, inner, name)
		}
		return out
	case string:
		switch {
		case (identifierOf[name] != "" || name == "resource_id") && internal.FindString(value) == value && value != "":
			return form.wire(a, value)
		case name == "message":
			return internal.ReplaceAllStringFunc(value, func(id string) string { return fmt.Sprint(form.wire(a, id)) })
		}
	}
	return value
}

// documentedKeys has introspection show identifiers in their form.
func documentedKeys(form keyForm) adapter.Hooks {
	retype := func(field map[string]any) {
		name, _ := field["name"].(string)
		if identifierOf[name] == "" {
			return
		}
		field["type"] = form.kind
		if text, ok := field["description"].(string); ok {
			field["description"] = strings.TrimSuffix(text, ", such as note_1")
		}
		if form.kind != "string" {
			delete(field, "minLength")
		}
	}
	return seam.Both(
		seam.Introspected("operations", true, func(c adapter.Call, data map[string]any) {
			op := adapter.Object(data["operation"])
			for _, p := range adapter.Array(op["parameters"]) {
				retype(adapter.Object(p))
			}
			for _, item := range adapter.Array(op["examples"]) {
				example := adapter.Object(item)
				example["request"] = form.shown(c.Adapter, example["request"], "")
			}
		}),
		seam.Introspected("types", true, func(_ adapter.Call, data map[string]any) {
			for _, field := range adapter.Array(adapter.Object(data["type"])["fields"]) {
				retype(adapter.Object(field))
			}
		}))
}
