package objects

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// memberFaults break the deep merge of spec 4.5.1 where the members of metadata are documented.
var memberFaults = []seam.Fault{
	{ID: "AQL-4.5.1-02", Variant: "documented-member-not-added", Defect: "metadata has documented members, and an update adds none",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			for key := range input {
				if _, there := old[key]; !there {
					delete(now, key)
				}
			}
		})},
	{ID: "AQL-4.5.1-02", Variant: "documented-member-not-updated", Defect: "metadata has documented members, and an update changes none that has a value",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			for key, value := range input {
				if old[key] != nil && value != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-03", Variant: "documented-members-replaced", Defect: "metadata has documented members, and an update that changes one removes the others",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			for key, value := range input {
				if old[key] != nil && value != nil {
					clear(now)
					maps.Copy(now, input)
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "documented-member-kept", Defect: "metadata has documented members, and null alone removes none",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			sets := slices.ContainsFunc(slices.Collect(maps.Values(input)), func(v any) bool { return v != nil })
			for key, value := range input {
				if value == nil && old[key] != nil && !sets {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "documented-member-kept-beside-a-value", Defect: "metadata has documented members, and null removes none where another one is set",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			sets := slices.ContainsFunc(slices.Collect(maps.Values(input)), func(v any) bool { return v != nil })
			for key, value := range input {
				if value == nil && old[key] != nil && sets {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "other-documented-member-kept", Defect: "metadata has documented members, and null alone does not remove the place",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			if place, named := input["place"]; named && place == nil && len(input) == 1 && old["place"] != nil {
				now["place"] = old["place"]
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "one-documented-member-stored-as-null", Defect: "metadata has documented members, and null for the mood is stored",
		Hooks: mergedMembers(func(_, input, now map[string]any) {
			if mood, named := input["mood"]; named && mood == nil {
				now["mood"] = nil
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "documented-list-appended", Defect: "metadata has documented members, and a list among them is appended to the stored one",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			if list := adapter.Array(input["feelings"]); list != nil {
				now["feelings"] = append(append([]any{}, adapter.Array(old["feelings"])...), list...)
			}
		}, map[string]any{"name": "feelings", "type": "array", "items": map[string]any{"type": "string"}, "required": false, "description": "What the note makes one feel, in words"})},
	{ID: "AQL-4.5.1-06", Variant: "longer-list-of-objects-kept", Defect: "metadata has documented members, and what a list of objects among them has more than input is kept",
		Hooks: mergedMembers(func(old, input, now map[string]any) {
			before, list := adapter.Array(old["sources"]), adapter.Array(input["sources"])
			if list != nil && len(before) > len(list) {
				now["sources"] = append(append([]any{}, list...), before[len(list):]...)
			}
		}, map[string]any{"name": "sources", "type": "array", "required": false, "description": "Where the note comes from",
			"items": map[string]any{"type": "object", "fields": []any{textMember("writer"), textMember("title")}}})},
	{ID: "AQL-4.5.1-05", Variant: "documented-object-replaced", Defect: "metadata has documented members, and an object among them is replaced",
		Hooks: mergedMembers(func(_, input, now map[string]any) {
			if origin := adapter.Object(input["origin"]); origin != nil {
				now["origin"] = adapter.Plain(origin)
			}
		}, origin())},
	{ID: "AQL-4.5.3-05", Variant: "member-bound-unchecked", Defect: "metadata has a documented member of 1 to 5, and update_note stores any number there",
		Hooks: seam.Both(mergedMembers(func(_, _, _ map[string]any) {}, boundedMember("strength", 5)), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			given, _, _ := c.Value("metadata")
			if n := adapter.Object(given)["strength"]; c.Operation() == "create_note" && n != nil && (adapter.Integer(n) < 1 || adapter.Integer(n) > 5) {
				return adapter.Misvalued("create_note", "metadata.strength", "a whole number from 1 to 5")
			}
			return next(c)
		}})},
	{ID: "AQL-4.5.3-05", Variant: "member-bound-behind-a-quota", Defect: "metadata has a strength of 1 to 5 and copies of 1 to 9, of which update_note refuses a product above 20, and no strength above 5",
		Hooks: seam.Both(mergedMembers(func(_, _, _ map[string]any) {}, boundedMember("strength", 5), boundedMember("copies", 9)), adapter.Hooks{Item: refusesProducts})},
	{ID: "AQL-4.5.3-10", Variant: "range-checked-where-both-ends-are-sent", Defect: "metadata has a least and a most, and update_note stores one that the stored other end forbids",
		Hooks: seam.Both(seam.Both(mergedMembers(func(_, _, _ map[string]any) {}, numberMember("least"), numberMember("most")),
			seam.Documented("create_note", "metadata", func(p map[string]any) { p["example"] = map[string]any{"least": 2, "most": 5} })),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				given, _, _ := c.Value("metadata")
				if input, _, _ := c.Value("input"); input != nil {
					given = adapter.Object(input)["metadata"]
				}
				ends := adapter.Object(given)
				if ends["least"] != nil && ends["most"] != nil && adapter.Integer(ends["least"]) > adapter.Integer(ends["most"]) {
					return adapter.Misvalued(c.Operation(), "metadata", "a least that is not above the most")
				}
				return next(c)
			}})},
	{ID: "AQL-4.5.3-06", Variant: "deep-unknown-member-dropped", Defect: "an object among the documented members of metadata has documented members, and update_note drops unknown ones silently",
		Hooks: seam.Both(documentedMembers(origin()), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			input := seam.Copied(c.Params()["input"])
			if metadata := seam.Copied(input["metadata"]); c.Operation() == "update_note" && adapter.Object(metadata["origin"]) != nil {
				inner := seam.Copied(metadata["origin"])
				maps.DeleteFunc(inner, func(name string, _ any) bool { return name != "town" && name != "street" })
				metadata["origin"], input["metadata"] = inner, metadata
				c = c.Given("input", input)
			}
			return onlyDocumentedMembers(c, next)
		}})},
	{ID: "AQL-4.5.3-06", Variant: "unknown-member-dropped", Defect: "metadata has documented members, and update_note drops unknown ones silently",
		Hooks: seam.Both(documentedMembers(), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if input := adapter.Object(c.Params()["input"]); c.Operation() == "update_note" && input["metadata"] != nil {
				members := adapter.Object(adapter.Plain(input["metadata"]))
				maps.DeleteFunc(members, func(name string, _ any) bool { return name != "mood" && name != "place" })
				input = maps.Clone(input)
				if members != nil {
					input["metadata"] = members
				}
				c = c.Given("input", input)
			}
			return onlyDocumentedMembers(c, next)
		}})},
}

// documentedMembers documents the members of metadata.
func documentedMembers(more ...any) adapter.Hooks {
	document := func(p map[string]any) {
		p["properties"] = append([]any{textMember("mood"), textMember("place")}, more...)
	}
	return seam.Both(seam.Documented("create_note", "metadata", document), seam.TypeField("NoteInput", "metadata", document))
}

// origin documents a member that is an object.
func origin() map[string]any {
	return map[string]any{"name": "origin", "type": "object", "required": false, "description": "Where the note was written",
		"fields": []any{textMember("town"), textMember("street")}}
}

// textMember documents a member that is a text.
func textMember(name string) map[string]any {
	return map[string]any{"name": name, "type": "string", "required": false, "description": "The " + name + " of the note, in words"}
}

// numberMember documents a member that is a number.
func numberMember(name string) map[string]any {
	return map[string]any{"name": name, "type": "number", "required": false, "description": "The " + name + " of the places of the note"}
}

// boundedMember documents a member that is a number from 1 on.
func boundedMember(name string, most int) map[string]any {
	return map[string]any{"name": name, "type": "number", "minimum": 1, "maximum": most, "required": false, "description": "The " + name + " of the mood"}
}

// refusesProducts checks the bounds of strength and copies, but for a strength that is too great for an update, and refuses a product
// that is too great. There are four copies where none are given.
func refusesProducts(c adapter.Call, next adapter.Handler) adapter.Envelope {
	given, _, _ := c.Value("metadata")
	updates := c.Operation() == "update_note"
	if input, _, _ := c.Value("input"); updates {
		given = adapter.Object(input)["metadata"]
	}
	strength, copies := 1, 4
	for name, at := range map[string]*int{"strength": &strength, "copies": &copies} {
		if n := adapter.Object(given)[name]; n != nil {
			*at = adapter.Integer(n)
		}
	}
	switch {
	case strength < 1 || copies < 1 || copies > 9 || strength > 5 && !updates:
		return adapter.Misvalued(c.Operation(), "metadata", "a strength from 1 to 5, and copies from 1 to 9")
	case strength*copies > 20:
		return adapter.Failure("CONFLICT_QUOTA_EXCEEDED", fmt.Sprintf("%d in all are more than 20; choose fewer", strength*copies), map[string]any{"limit": 20, "actual": strength * copies})
	}
	return next(c)
}

// memberTypes are the members of metadata that faults document, and their types.
var memberTypes = map[string]string{"mood": "string", "place": "string", "feelings": "array", "sources": "array", "origin": "object", "strength": "number", "copies": "number", "least": "number", "most": "number"}

// mergedMembers documents the members of metadata, and changes what an update makes of it.
func mergedMembers(spoil func(old, input, now map[string]any), more ...any) adapter.Hooks {
	ofMembers := func(old, input, now map[string]any) {
		for name := range input {
			if memberTypes[name] != "" { // hints may have other members tried
				spoil(old, input, now)
				return
			}
		}
	}
	return seam.Both(seam.Both(documentedMembers(more...), adapter.Hooks{Item: onlyDocumentedMembers}), mergedInside(ofMembers))
}

// onlyDocumentedMembers refuses members of metadata that mergedMembers does not document, and
// values of another type. A fault that documents members breaks no other rule for it.
func onlyDocumentedMembers(c adapter.Call, next adapter.Handler) adapter.Envelope {
	given, _, _ := c.Value("metadata")
	if input, _, _ := c.Value("input"); input != nil {
		given = adapter.Object(input)["metadata"]
	}
	op := adapter.Operation{Name: c.Operation()}
	for _, name := range slices.Sorted(maps.Keys(memberTypes)) {
		op.Parameters = append(op.Parameters, adapter.Parameter{Name: name})
	}
	members := adapter.Object(given)
	if members == nil || op.Name != "create_note" && op.Name != "update_note" {
		return next(c)
	}
	if unknown := adapter.CheckKnown(op, members); unknown != nil {
		return unknown
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		kind := memberTypes[name]
		if value := members[name]; value != nil && adapter.JSONType(value) != kind {
			return adapter.Mistyped(op.Name, "metadata."+name, kind, value)
		}
	}
	return next(c)
}
