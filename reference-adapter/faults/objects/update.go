package objects

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// updateFaults break the form of UPDATE operations.
var updateFaults = []seam.Fault{
	{ID: "AQL-4.5-01", Variant: "flat-update", Defect: "update_note documents note_id, title and the other fields side by side",
		Hooks: seam.Both(
			seam.Remade("update_note", func(op *adapter.Operation) {
				op.Parameters = append([]adapter.Parameter{op.Parameters[0], adapter.TitleParameter()}, adapter.Shown(adapter.NoteFields())...)
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					input := seam.Copied(t.Params)
					delete(input, "note_id")
					t.Params["input"] = input
					return nil
				})
			}),
			seam.Record("update_note", func(op map[string]any) {
				flat := map[string]any{"note_id": "note_2", "title": "Groceries", "tags": []string{"home"}}
				op["examples"] = adapter.Plain([]adapter.Example{{Description: "Rename a note and tag it", Request: adapter.Request("update_note", flat)}})
			}))},
	{ID: "AQL-4.5-01", Variant: "input-typed-string", Defect: "input of update_note is documented as string and taken as JSON text",
		Hooks: seam.Both(
			seam.Replaced("update_note", "input",
				[]adapter.Parameter{{Name: "input", Type: "string", Required: true, Description: "Fields to change, as JSON text of an object of type NoteInput"}},
				func(t adapter.Task) adapter.Envelope {
					value, err := adapter.Decode([]byte(t.Text("input")))
					input := adapter.Object(value)
					if err != nil || input == nil {
						return adapter.Misvalued("update_note", "input", "JSON text of an object")
					}
					t.Params["input"] = input
					kind, _ := t.TypeNamed("NoteInput")
					return t.CheckObject("update_note", "input", kind, input)
				}),
			seam.Exampled("update_note", seam.Set("input", `{"title":"Groceries","tags":["home"]}`)))},
	{ID: "AQL-4.5-02", Variant: "flat-field-applied", Defect: "title and other fields beside input are merged into the update",
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			for _, name := range noteInput(c.Adapter) {
				if value, ok := c.Params()[name]; ok && input != nil {
					if _, nested := input[name]; !nested {
						input[name] = value
					}
					c = c.Given(name, nil).Given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5-02", Variant: "flag-documented-beside", Defect: "update_note documents pinned beside input as well, and applies it there",
		Hooks: seam.Both(
			seam.Remade("update_note", func(op *adapter.Operation) {
				op.Parameters = append(slices.Clone(op.Parameters), adapter.Parameter{Name: "pinned", Type: "boolean", Description: "Keep the note on top of its folder"})
			}),
			updating(func(c adapter.Call, input map[string]any) adapter.Call {
				if pinned, given := c.Params()["pinned"]; given && input != nil {
					input["pinned"] = pinned
					c = c.Given("pinned", nil).Given("input", input)
				}
				return c
			}))},
	{ID: "AQL-4.5-03", Variant: "id-read-from-input", Defect: "the note is found only if its identifier stands inside input",
		Hints: map[string]string{"permissions.operations.update_note": "allow"},
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			input := seam.Copied(c.Params()["input"])
			beside, inParams, present := c.Value("note_id")
			text, isText := beside.(string)
			inside, moved := input["note_id"].(string)
			switch {
			case c.Operation() != "update_note":
				return next(c)
			case moved:
				delete(input, "note_id")
				return next(c.Given("note_id", inside).Given("input", input))
			case !present || !isText || text == "":
				return next(c)
			case inParams:
				c = c.Given("note_id", "none")
			default:
				c = c.With("note_id", "none")
			}
			return adapter.Object(seam.MapText(next(c), func(found string) string { return strings.ReplaceAll(found, "none", text) }))
		}}},
	{ID: "AQL-4.5.3-01", Variant: "missing-input-accepted", Defect: "a missing input counts as {} and the update succeeds",
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			_, _, given := c.Value("input")
			if _, _, located := c.Value("note_id"); located && !given {
				return c.Given("input", map[string]any{})
			}
			return c
		})},
	{ID: "AQL-4.5.3-02", Variant: "missing-input-wrong-code", Defect: "a missing input is answered with VALIDATION_INVALID_TYPE",
		Hooks: seam.Refused("VALIDATION_MISSING_PARAM", seam.Calling("update_note"), func(c adapter.Call, reason, details map[string]any) {
			if _, _, given := c.Value("input"); !given && details["param_name"] == "input" {
				reason["code"] = "VALIDATION_INVALID_TYPE"
			}
		})},
	{ID: "AQL-4.5.3-03", Variant: "input-text-parsed", Defect: "input given as serialised JSON text is parsed and applied",
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			text, _ := c.Params()["input"].(string)
			if value, err := adapter.Decode([]byte(text)); err == nil && adapter.Object(value) != nil {
				return c.Given("input", inward(c.Adapter, adapter.Object(value)))
			}
			return c
		})},
	{ID: "AQL-4.5.3-03", Variant: "empty-kinds-are-no-input", Defect: "input given as 0, false or an empty text is taken as an empty object",
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if v := c.Params()["input"]; v == false || v == "" || v == json.Number("0") {
				return c.Given("input", map[string]any{})
			}
			return c
		})},
	{ID: "AQL-4.5.3-03", Variant: "input-array-accepted", Defect: "input given as an array of objects is accepted",
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			list, ok := c.Params()["input"].([]any)
			switch {
			case ok && len(list) == 0:
				return c.Given("input", map[string]any{})
			case ok && adapter.Object(list[0]) != nil:
				return c.Given("input", list[0])
			}
			return c
		})},
}

// inputFaults break what is checked inside input.
var inputFaults = []seam.Fault{
	{ID: "AQL-4.5.3-04", Variant: "input-types-unchecked", Defect: "input is stored without any type check",
		Hooks: seam.Both(seam.TypeAsHealthy("NoteInput"), seam.Retyped("NoteInput", func(t *adapter.TypeInfo) {
			for i, f := range t.Fields {
				if f.Type == "NoteStatus" {
					f.Enum = adapter.NoteStatus // values of the right type are checked as ever
				}
				f.Type, f.Items = "string | number | boolean | array | object", nil
				t.Fields[i] = f
			}
		}))},
	{ID: "AQL-4.5.3-04", Variant: "input-types-coerced", Defect: "an object given for a text inside input is stored as its name in text",
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			for _, name := range []string{"title", "body"} {
				if _, ok := input[name].(map[string]any); ok {
					input[name] = "[object Object]"
					c = c.Given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-05", Variant: "input-enum-unchecked", Defect: "enum checks are skipped inside input",
		Hooks: seam.Both(seam.TypeAsHealthy("NoteInput"), seam.Retyped("NoteInput", func(t *adapter.TypeInfo) {
			for i := range t.Fields {
				if t.Fields[i].Name == "status" {
					t.Fields[i].Type, t.Fields[i].Enum = "string", nil
				}
			}
		}))},
	{ID: "AQL-4.5.3-06", Variant: "unknown-field-dropped", Defect: "unknown fields of input are dropped silently",
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			for name := range input {
				if !isNoteInput(c.Adapter, name) && !identifies(name) {
					delete(input, name)
					c = c.Given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-06", Variant: "unknown-removal-dropped", Defect: "unknown fields of input are dropped silently where they are null",
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			for name, value := range input {
				if !isNoteInput(c.Adapter, name) && !identifies(name) && value == nil {
					delete(input, name)
					c = c.Given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-07", Variant: "unknown-field-param-code", Defect: "unknown input fields are refused with VALIDATION_UNKNOWN_PARAM",
		Hooks: seam.Refused("VALIDATION_UNKNOWN_FIELD", seam.Calling("update_note"), func(_ adapter.Call, reason, details map[string]any) {
			for _, name := range adapter.Array(details["unknown_fields"]) {
				if identifies(name.(string)) {
					return
				}
			}
			reason["code"] = seam.UnknownParam
			details["unknown_params"] = details["unknown_fields"]
			details["valid_params"] = []any{"note_id", "input"}
			delete(details, "unknown_fields")
			delete(details, "valid_fields")
		})},
	{ID: "AQL-4.5.3-08", Variant: "id-inside-input-stripped", Defect: "an identifier inside input is stripped and the update succeeds",
		Hints: map[string]string{"permissions.operations.update_note": "allow"},
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			for _, name := range []string{"note_id", "number"} { // a key of two parts ends in a number
				if _, ok := input[name]; ok {
					delete(input, name)
					c = c.Given("input", input)
				}
			}
			return c
		})},
	{ID: "AQL-4.5.3-08", Variant: "null-id-inside-input-stripped", Defect: "an identifier inside input is stripped where it is null, and the update succeeds",
		Hints: map[string]string{"permissions.operations.update_note": "allow"},
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			if value, ok := input["note_id"]; ok && value == nil {
				delete(input, "note_id")
				return c.Given("input", input)
			}
			return c
		})},
	{ID: "AQL-4.5.3-09", Variant: "partial-update-kept", Defect: "the fields of input are applied one by one until the first invalid one",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			reason := adapter.Object(e["error"])
			about, _ := adapter.Object(reason["details"])["param_name"].(string)
			if c.Operation() != "update_note" || reason["code"] != "VALIDATION_UNKNOWN_FIELD" && !strings.HasPrefix(about, "input.") {
				return e
			}
			next(c.Given("input", fitting(c)))
			return e
		}}},
}

// fitting returns the fields of input that would be accepted if each stood alone.
func fitting(c adapter.Call) map[string]any {
	kind, _ := c.TypeNamed("NoteInput")
	good := map[string]any{}
	for name, value := range adapter.Object(c.Params()["input"]) {
		field := map[string]any{name: value}
		if value != nil && c.CheckObject("update_note", "input", kind, field) == nil {
			good[name] = value
		}
	}
	return good
}

// updating lets a fault rewrite the calls of update_note. The input it sees is a
// copy, nil if there is none.
func updating(rewrite func(c adapter.Call, input map[string]any) adapter.Call) adapter.Hooks {
	return seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
		return rewrite(c, seam.Copied(c.Params()["input"]))
	})
}

func noteInput(a *adapter.Adapter) []string {
	kind, _ := a.TypeNamed("NoteInput")
	var names []string
	for _, f := range kind.Fields {
		names = append(names, f.Name)
	}
	return names
}

func isNoteInput(a *adapter.Adapter, name string) bool {
	for _, known := range noteInput(a) {
		if name == known {
			return true
		}
	}
	return false
}

// identifies says whether a field is called like an identifier.
func identifies(name string) bool { return name == "id" || strings.HasSuffix(name, "_id") }

// inward puts what a client wrote as text into the names of the heart.
func inward(a *adapter.Adapter, value map[string]any) map[string]any {
	if w := seam.Aside(a).Words; w != nil {
		return w.ObjectToHeart(value)
	}
	return value
}
