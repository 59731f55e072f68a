package adapter

import "strings"

// updateFaults break the form of UPDATE operations.
var updateFaults = []Fault{
	{ID: "AQL-4.5-01", Variant: "flat-update", Defect: "update_note documents note_id, title and the other fields side by side",
		hooks: both(
			remade("update_note", func(op *operation) {
				op.Parameters = append([]parameter{op.Parameters[0], titleParameter()}, shown(noteFields())...)
				op.first(func(t task) envelope {
					input := copied(t.params)
					delete(input, "note_id")
					t.params["input"] = input
					return nil
				})
			}),
			record("update_note", func(op map[string]any) {
				flat := map[string]any{"note_id": "note_2", "title": "Groceries", "tags": []string{"home"}}
				op["examples"] = plain([]example{{"Rename a note and tag it", request("update_note", flat)}})
			}))},
	{ID: "AQL-4.5-01", Variant: "input-typed-string", Defect: "input of update_note is documented as string and taken as JSON text",
		hooks: both(
			replaced("update_note", "input",
				[]parameter{{Name: "input", Type: "string", Required: true, Description: "Fields to change, as JSON text of an object of type NoteInput"}},
				func(t task) envelope {
					value, err := decode([]byte(t.text("input")))
					input := object(value)
					if err != nil || input == nil {
						return misvalued("update_note", "input", "JSON text of an object")
					}
					t.params["input"] = input
					kind, _ := t.typeNamed("NoteInput")
					return t.checkObject("update_note", "input", kind, input)
				}),
			exampled("update_note", set("input", `{"title":"Groceries","tags":["home"]}`)))},
	{ID: "AQL-4.5-02", Variant: "flat-field-applied", Defect: "title and other fields beside input are merged into the update",
		hooks: updating(func(c call, input map[string]any) call {
			for _, name := range c.noteInput() {
				if value, ok := c.params()[name]; ok && input != nil {
					if _, nested := input[name]; !nested {
						input[name] = value
					}
					c = c.given(name, nil).given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5-03", Variant: "id-read-from-input", Defect: "the note is found only if its identifier stands inside input",
		Hints: map[string]string{"permissions.operations.update_note": "allow"},
		hooks: hooks{item: func(c call, next handler) envelope {
			input := copied(c.params()["input"])
			beside, inParams, present := c.value("note_id")
			text, isText := beside.(string)
			inside, moved := input["note_id"].(string)
			switch {
			case c.operation() != "update_note":
				return next(c)
			case moved:
				delete(input, "note_id")
				return next(c.given("note_id", inside).given("input", input))
			case !present || !isText || text == "":
				return next(c)
			case inParams:
				c = c.given("note_id", "none")
			default:
				c = c.with("note_id", "none")
			}
			return object(mapText(next(c), func(found string) string { return strings.ReplaceAll(found, "none", text) }))
		}}},
	{ID: "AQL-4.5.3-01", Variant: "missing-input-accepted", Defect: "a missing input counts as {} and the update succeeds",
		hooks: before(named("update_note"), func(c call, _ operation) call {
			_, _, given := c.value("input")
			if _, _, located := c.value("note_id"); located && !given {
				return c.given("input", map[string]any{})
			}
			return c
		})},
	{ID: "AQL-4.5.3-02", Variant: "missing-input-wrong-code", Defect: "a missing input is answered with VALIDATION_INVALID_TYPE",
		hooks: refused("VALIDATION_MISSING_PARAM", calling("update_note"), func(c call, reason, details map[string]any) {
			if _, _, given := c.value("input"); !given && details["param_name"] == "input" {
				reason["code"] = "VALIDATION_INVALID_TYPE"
			}
		})},
	{ID: "AQL-4.5.3-03", Variant: "input-text-parsed", Defect: "input given as serialised JSON text is parsed and applied",
		hooks: before(named("update_note"), func(c call, _ operation) call {
			text, _ := c.params()["input"].(string)
			if value, err := decode([]byte(text)); err == nil && object(value) != nil {
				return c.given("input", c.inward(object(value)))
			}
			return c
		})},
	{ID: "AQL-4.5.3-03", Variant: "input-array-accepted", Defect: "input given as an array of objects is accepted",
		hooks: before(named("update_note"), func(c call, _ operation) call {
			list, ok := c.params()["input"].([]any)
			switch {
			case ok && len(list) == 0:
				return c.given("input", map[string]any{})
			case ok && object(list[0]) != nil:
				return c.given("input", list[0])
			}
			return c
		})},
}

// inputFaults break what is checked inside input.
var inputFaults = []Fault{
	{ID: "AQL-4.5.3-04", Variant: "input-types-unchecked", Defect: "input is stored without any type check",
		hooks: both(typeAsHealthy("NoteInput"), retyped("NoteInput", func(t *typeInfo) {
			for i, f := range t.Fields {
				if f.Type == "NoteStatus" {
					f.Enum = noteStatus // values of the right type are checked as ever
				}
				f.Type, f.Items = "string | number | boolean | array | object", nil
				t.Fields[i] = f
			}
		}))},
	{ID: "AQL-4.5.3-04", Variant: "input-types-coerced", Defect: "an object given for a text inside input is stored as its name in text",
		hooks: updating(func(c call, input map[string]any) call {
			for _, name := range []string{"title", "body"} {
				if _, ok := input[name].(map[string]any); ok {
					input[name] = "[object Object]"
					c = c.given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-05", Variant: "input-enum-unchecked", Defect: "enum checks are skipped inside input",
		hooks: both(typeAsHealthy("NoteInput"), retyped("NoteInput", func(t *typeInfo) {
			for i := range t.Fields {
				if t.Fields[i].Name == "status" {
					t.Fields[i].Type, t.Fields[i].Enum = "string", nil
				}
			}
		}))},
	{ID: "AQL-4.5.3-06", Variant: "unknown-field-dropped", Defect: "unknown fields of input are dropped silently",
		hooks: updating(func(c call, input map[string]any) call {
			for name := range input {
				if !c.isNoteInput(name) && !identifies(name) {
					delete(input, name)
					c = c.given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-07", Variant: "unknown-field-param-code", Defect: "unknown input fields are refused with VALIDATION_UNKNOWN_PARAM",
		hooks: refused("VALIDATION_UNKNOWN_FIELD", calling("update_note"), func(_ call, reason, details map[string]any) {
			for _, name := range array(details["unknown_fields"]) {
				if identifies(name.(string)) {
					return
				}
			}
			reason["code"] = unknownParam
			details["unknown_params"] = details["unknown_fields"]
			details["valid_params"] = []any{"note_id", "input"}
			delete(details, "unknown_fields")
			delete(details, "valid_fields")
		})},
	{ID: "AQL-4.5.3-08", Variant: "id-inside-input-stripped", Defect: "an identifier inside input is stripped and the update succeeds",
		Hints: map[string]string{"permissions.operations.update_note": "allow"},
		hooks: updating(func(c call, input map[string]any) call {
			for _, name := range []string{"note_id", "number"} { // a key of two parts ends in a number
				if _, ok := input[name]; ok {
					delete(input, name)
					c = c.given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-09", Variant: "partial-update-kept", Defect: "the fields of input are applied one by one until the first invalid one",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			reason := object(e["error"])
			about, _ := object(reason["details"])["param_name"].(string)
			if c.operation() != "update_note" || reason["code"] != "VALIDATION_UNKNOWN_FIELD" && !strings.HasPrefix(about, "input.") {
				return e
			}
			next(c.given("input", c.fitting()))
			return e
		}}},
}

// fitting returns the fields of input that would be accepted if each stood alone.
func (c call) fitting() map[string]any {
	kind, _ := c.typeNamed("NoteInput")
	good := map[string]any{}
	for name, value := range object(c.params()["input"]) {
		field := map[string]any{name: value}
		if value != nil && c.checkObject("update_note", "input", kind, field) == nil {
			good[name] = value
		}
	}
	return good
}

// updating lets a fault rewrite the calls of update_note. The input it sees is a
// copy, nil if there is none.
func updating(rewrite func(c call, input map[string]any) call) hooks {
	return before(named("update_note"), func(c call, _ operation) call { return rewrite(c, copied(c.params()["input"])) })
}

func (a *Adapter) noteInput() []string {
	kind, _ := a.typeNamed("NoteInput")
	var names []string
	for _, f := range kind.Fields {
		names = append(names, f.Name)
	}
	return names
}

func (a *Adapter) isNoteInput(name string) bool {
	for _, known := range a.noteInput() {
		if name == known {
			return true
		}
	}
	return false
}

// identifies says whether a field is called like an identifier.
func identifies(name string) bool { return name == "id" || strings.HasSuffix(name, "_id") }
