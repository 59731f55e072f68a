package adapter

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const ownKinds = "spec 1.3, 1.4" // operations, parameters and resources are the adapter's own

// keyAxes are the forms of what identifies an object.
func keyAxes() []Axis {
	return []Axis{{Name: "key", Habits: []Habit{
		{Name: "counter with a prefix", Section: ownKinds},
		{Name: "integer", Section: ownKinds, From: "a c", hooks: keyed(integerKeys)},
		{Name: "uuid", Section: ownKinds, From: "c", hooks: keyed(digestKeys(true))},
		{Name: "digest", Section: ownKinds, hooks: keyed(digestKeys(false))},
		{Name: "chosen by the client", Section: ownKinds, From: "a b c", hooks: chosenKeys()},
		{Name: "parent and number", Section: ownKinds + "; operations 4.3", From: "b", hooks: compositeKeys(), manner: lessFeatures(fieldSelection)},
		{Name: "inside a nested object", Section: ownKinds + "; operations 3.2", From: "a c", hooks: nestedKeys(), manner: lessFeatures(fieldSelection)},
	}}}
}

// lessFeatures takes optional features away.
func lessFeatures(features ...string) func(*shaped) {
	return func(m *shaped) {
		for _, name := range features {
			m.features += ",-" + name
		}
	}
}

// A keyForm is what identifiers look like on the wire.
type keyForm struct {
	kind  string // JSON type
	wire  func(a *Adapter, id string) any
	heart func(a *Adapter, key any) (id string, ok bool)
}

var integerKeys = keyForm{
	kind: "integer",
	wire: func(_ *Adapter, id string) any { return json.Number(strconv.Itoa(1000 + number(id))) },
	heart: func(_ *Adapter, key any) (string, bool) {
		n, ok := key.(json.Number)
		whole, err := n.Int64()
		return strconv.FormatInt(whole-1000, 10), ok && err == nil
	},
}

// digestKeys are made of a digest of the counter, in the form of a UUID or of hex digits.
func digestKeys(uuid bool) keyForm {
	return keyForm{
		kind: "string",
		wire: func(a *Adapter, id string) any {
			sum := fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
			key := sum[:40]
			if uuid {
				key = fmt.Sprintf("%s-%s-4%s-8%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
			}
			a.aside().keys[key] = id
			return key
		},
		heart: func(a *Adapter, key any) (string, bool) {
			text, ok := key.(string)
			if id, known := a.aside().keys[text]; known {
				return id, true
			}
			return text, ok
		},
	}
}

// identifierOf names the kind that an identifier of the heart belongs to.
var identifierOf = map[string]string{"note_id": "note", "folder_id": "folder"}

// keyed shows identifiers in another form, and takes them so.
func keyed(form keyForm) hooks {
	return both(hooks{item: func(c call, next handler) envelope {
		for _, id := range c.store.ids() { // so that a key is known before it was shown
			form.wire(c.Adapter, id)
		}
		wrong := map[string]any{}
		e := next(c.identified(func(name string, key any) any {
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
		if c.operation() == "introspect" {
			return e
		}
		out := object(form.shown(c.Adapter, e, ""))
		form.explain(out, wrong)
		return out
	}}, documentedKeys(form))
}

// explain gives an error about an identifier its documented type.
func (form keyForm) explain(e envelope, wrong map[string]any) {
	reason := object(e["error"])
	details := object(reason["details"])
	name, _ := details["param_name"].(string)
	if identifierOf[name] == "" || details["expected_type"] == nil || form.kind == "string" {
		return
	}
	details["expected_type"] = form.kind
	message, _ := reason["message"].(string)
	message = strings.Replace(message, "Expected: string", "Expected: "+form.kind, 1)
	if key, ok := wrong[name]; ok {
		details["actual_type"] = jsonType(key)
		message = fmt.Sprintf("Parameter '%s' of operation '%s' expected '%s', got '%s'", name, details["operation"], form.kind, jsonType(key))
	}
	reason["message"] = message
}

// identified returns the call with each identifier replaced.
func (c call) identified(as func(name string, key any) any) call {
	body := object(plain(c.body))
	var within func(values map[string]any)
	within = func(values map[string]any) {
		for name, value := range values {
			if identifierOf[name] != "" && value != nil {
				values[name] = as(name, value)
			} else if inner := object(value); inner != nil && name != "metadata" {
				within(inner)
			}
		}
	}
	if c.operation() != "introspect" {
		within(body)
	}
	c.body = body
	return c
}

var internal = regexp.MustCompile(`\b(?:note|folder)_[0-9]+\b`)

// shown puts the identifiers of an answer into their form on the wire.
func (form keyForm) shown(a *Adapter, value any, name string) any {
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
func documentedKeys(form keyForm) hooks {
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
	return both(
		introspected("operations", true, func(c call, data map[string]any) {
			op := object(data["operation"])
			for _, p := range array(op["parameters"]) {
				retype(object(p))
			}
			for _, item := range array(op["examples"]) {
				example := object(item)
				example["request"] = form.shown(c.Adapter, example["request"], "")
			}
		}),
		introspected("types", true, func(_ call, data map[string]any) {
			for _, field := range array(object(data["type"])["fields"]) {
				retype(object(field))
			}
		}))
}

const chosenPattern = "^[a-z][a-z0-9-]{1,39}$"

// chosenKeys has the client choose the key of a note when it creates it.
func chosenKeys() hooks {
	form := keyForm{
		kind: "string",
		wire: func(a *Adapter, id string) any {
			if key, ok := a.aside().chosen[id]; ok {
				return key
			}
			if strings.HasPrefix(id, "note_") { // one of the seeds
				return a.choose(id, "seed-"+strings.ToLower(strings.ReplaceAll(fmt.Sprint(a.store.notes[id]["title"]), " ", "-")))
			}
			return id
		},
		heart: func(a *Adapter, key any) (string, bool) {
			text, ok := key.(string)
			if id, known := a.aside().keys[text]; known {
				return id, true
			}
			return text, ok
		},
	}
	chosen := parameter{Name: "note_id", Type: "string", Required: true, Pattern: chosenPattern,
		Description: "Key of the new note, chosen by you: lower-case letters, digits and hyphens; no other note may have it"}
	return both(keyed(form), hooks{table: func(a *Adapter) {
		for i, op := range a.operations {
			if op.Name != "create_note" {
				continue
			}
			work := op.run
			a.operations[i].Parameters = append([]parameter{chosen}, op.Parameters...)
			a.operations[i].Examples = withKeys(op.Examples)
			a.operations[i].run = func(t task) envelope { return t.createChosen(work) }
		}
	}})
}

func withKeys(examples []example) []example {
	examples = slices.Clone(examples)
	for i, e := range examples {
		params := maps.Clone(object(e.Request["params"]))
		params["note_id"] = fmt.Sprintf("example-%d", i+1)
		examples[i].Request = request("create_note", params)
	}
	return examples
}

func (a *Adapter) choose(id, key string) string {
	a.aside().chosen[id], a.aside().keys[key] = key, id
	return key
}

// createChosen creates a note under the key that the client has chosen.
func (t task) createChosen(work func(task) envelope) envelope {
	key := t.text("note_id")
	if id, taken := t.aside().keys[key]; taken && t.store.notes[id] != nil {
		return conflict("note", "note_id", key)
	}
	delete(t.params, "note_id")
	e := work(t)
	if id, ok := object(e["data"])["note_id"].(string); ok && succeeded(e) {
		t.choose(id, key)
	}
	return e
}

// conflict refuses an object of which there is another with the same value.
func conflict(kind, name, value string) envelope {
	return failure("CONFLICT_ALREADY_EXISTS",
		fmt.Sprintf("There is a %s already whose '%s' is '%s'; choose another one", kind, name, value),
		map[string]any{"resource_type": kind, "param_name": name, "existing": value})
}

// compositeKeys identify a note by its folder and a number that the server gives.
func compositeKeys() hooks {
	number := parameter{Name: "number", Type: "integer", Required: true, Minimum: ref(1), Maximum: ref(1_000_000), Description: "Number of the note, given when it was created"}
	out := documentedNumbers()
	for _, name := range []string{"get_note", "update_note", "delete_note"} {
		folder := parameter{Name: "folder_id", Type: "string", Required: true, MinLength: ref(1), Description: "Identifier of the folder of the note"}
		out = both(out, replaced(name, "note_id", []parameter{folder, number}, func(t task) envelope {
			id := "note_" + strconv.Itoa(integer(t.params["number"]))
			if n, ok := t.store.notes[id]; !ok || n["folder_id"] != t.params["folder_id"] {
				return absent("note", t.text("folder_id")+"/"+strconv.Itoa(integer(t.params["number"])))
			}
			t.params["note_id"] = id
			return nil
		}))
		out = both(out, hooks{table: func(a *Adapter) { a.numberExamples(name) }})
	}
	return both(hooks{item: func(c call, next handler) envelope {
		if id := "note_" + strconv.Itoa(integer(c.params()["number"])); c.store.notes[id]["folder_id"] == c.params()["folder_id"] {
			c.about = id
		}
		e := next(c)
		if succeeded(e) && c.operation() != "introspect" {
			return object(numbered(e))
		}
		return e
	}}, out)
}

// numberExamples gives the examples of an operation both parts of the key.
func (a *Adapter) numberExamples(name string) {
	at := slices.IndexFunc(a.operations, func(op operation) bool { return op.Name == name })
	examples := slices.Clone(a.operations[at].Examples)
	for i, e := range examples {
		params := maps.Clone(object(e.Request["params"]))
		id, _ := params["note_id"].(string)
		delete(params, "note_id")
		params["folder_id"], params["number"] = a.store.notes[id]["folder_id"], number(id)
		examples[i].Request = request(name, params)
	}
	a.operations[at].Examples = examples
}

// numbered shows the number of a note in place of its identifier.
func numbered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range value {
			if id, ok := inner.(string); ok && key == "note_id" {
				out["number"] = json.Number(strconv.Itoa(number(id)))
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

func documentedNumbers() hooks {
	return introspected("types", true, func(_ call, data map[string]any) {
		for _, item := range array(object(data["type"])["fields"]) {
			if field := object(item); field["name"] == "note_id" {
				field["name"], field["type"], field["description"] = "number", "integer", "Number of the note in its folder, never changes"
			}
		}
	})
}

// nestedKeys show the identifier of a note only inside an object of its own.
func nestedKeys() hooks {
	return both(hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if succeeded(e) && c.operation() != "introspect" && c.operation() != "delete_note" {
			return object(nested(e))
		}
		return e
	}}, introspected("types", true, func(_ call, data map[string]any) {
		kind := object(data["type"])
		if kind["name"] != "Note" {
			return
		}
		for _, item := range array(kind["fields"]) {
			if field := object(item); field["name"] == "note_id" {
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
