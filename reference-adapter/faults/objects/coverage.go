package objects

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// coverageFaults wait for one value of one parameter or field: a bound, a length,
// a listed value, a type.
var coverageFaults = []seam.Fault{
	{ID: "OPS-5.1-02", Variant: "conflict-after-write", Defect: "update_note archives a note without tags and then answers that only a note with tags can be archived",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			input := adapter.Object(c.Params()["input"])
			note := adapter.Object(e["data"])
			if c.Operation() == "update_note" && adapter.Succeeded(e) && input["status"] == "archived" && len(adapter.Array(note["tags"])) == 0 {
				return adapter.Failure("CONFLICT_INVALID_STATE", "A note can be archived with tags only; add tags first", nil)
			}
			return e
		}}},
	{ID: "INT-3.4.1-01", Variant: "second-status-refused-on-update", Defect: "update_note refuses published, the second of three listed values of input.status",
		Hooks: balksAtInput(func(input map[string]any) adapter.Envelope {
			if input["status"] != "published" {
				return nil
			}
			return adapter.Misvalued("update_note", "input.status", []string{"draft", "archived"})
		})},
	{ID: "INT-3.4.1-02", Variant: "maximum-exclusive-on-update", Defect: "input.priority documents maximum 10, update_note demands values below",
		Hooks: balksAtInput(func(input map[string]any) adapter.Envelope {
			if adapter.Integer(input["priority"]) < 10 {
				return nil
			}
			return adapter.Misvalued("update_note", "input.priority", "1 to 9")
		})},
	{ID: "INT-3.4.1-03", Variant: "longest-title-refused-on-update", Defect: "input.title documents at most 200 characters, update_note demands fewer",
		Hooks: balksAtInput(func(input map[string]any) adapter.Envelope {
			if title, _ := input["title"].(string); len(title) < 200 {
				return nil
			}
			return adapter.Misvalued("update_note", "input.title", "text of at most 199 characters")
		})},
	{ID: "INT-3.4.1-04", Variant: "underscore-refused", Defect: "name_prefix is refused for an underscore, which its pattern allows",
		Hooks: balks("list_folders", func(t adapter.Task) adapter.Envelope {
			if !strings.Contains(t.Text("name_prefix"), "_") {
				return nil
			}
			return adapter.Misvalued("list_folders", "name_prefix", "text that matches the pattern ^[A-Za-z][A-Za-z0-9 -]*$")
		})},
	{ID: "INT-3.4.1-06", Variant: "empty-element-refused", Defect: "an empty text among tags of list_notes is refused as no string",
		Hooks: balks("list_notes", func(t adapter.Task) adapter.Envelope {
			if !slices.Contains(adapter.Array(t.Params["tags"]), any("")) {
				return nil
			}
			return adapter.Mistyped("list_notes", "tags", "array of string", []any{})
		})},
	{ID: "INT-5.2.1-01", Variant: "filter-status-refused", Defect: "NoteStatus lists archived, the status of a filter cannot be it",
		Hooks: balks("search_notes", func(t adapter.Task) adapter.Envelope {
			if adapter.Object(t.Params["filter"])["status"] != "archived" {
				return nil
			}
			return adapter.Misvalued("search_notes", "filter.status", []string{"draft", "published"})
		})},
	{ID: "INT-8.1.1-02", Variant: "filter-wants-text-for-boolean", Defect: "pinned in a filter is documented as boolean and refused as no string",
		Hooks: balks("search_notes", func(t adapter.Task) adapter.Envelope {
			pinned := adapter.Object(t.Params["filter"])["pinned"]
			if pinned == nil {
				return nil
			}
			return adapter.Mistyped("search_notes", "filter.pinned", "string", pinned)
		})},
	{ID: "OPS-5.4-04", Variant: "padded-value-taken", Defect: "match is accepted with blanks around a listed value",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if match, _ := c.Params()["match"].(string); slices.Contains([]string{"any", "all"}, strings.TrimSpace(match)) {
				return c.Given("match", strings.TrimSpace(match))
			}
			return c
		})},
	{ID: "OPS-5.4-05", Variant: "negative-zero-accepted", Defect: "min_priority documents minimum 1 and takes -0 for no value",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			least, _ := c.Params()["min_priority"].(json.Number)
			if n, err := least.Float64(); err == nil && n == 0 && least[0] == '-' {
				return c.Given("min_priority", nil)
			}
			return c
		})},
	{ID: "OPS-5.4-08", Variant: "length-without-blanks", Defect: "the length of query is taken without the blanks at its end, so 200 letters and a blank pass",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			query, _ := c.Params()["query"].(string)
			if utf8.RuneCountInString(query) > 200 {
				return c.Given("query", strings.TrimRight(query, " "))
			}
			return c
		})},
	{ID: "CMP-ARRAY-01", Variant: "third-element-unchecked", Defect: "of tags in list_notes only the first two elements are type-checked",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			tags := adapter.Array(c.Params()["tags"])
			if len(tags) < 3 {
				return c
			}
			texts := slices.DeleteFunc(slices.Clone(tags[2:]), func(tag any) bool { return adapter.JSONType(tag) != "string" })
			return c.Given("tags", append(slices.Clone(tags[:2]), texts...))
		})},
	{ID: "AQL-3.2-04", Variant: "array-around-text-taken", Defect: "query of search_notes is taken out of an array that holds nothing else",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if list := adapter.Array(c.Params()["query"]); len(list) == 1 && adapter.JSONType(list[0]) == "string" {
				return c.Given("query", list[0])
			}
			return c
		})},
	{ID: "AQL-4.5.3-04", Variant: "array-stored-as-body", Defect: "update_note stores an array as the text body",
		Hooks: stores("body", func(value any) bool { return adapter.JSONType(value) == "array" }, "text")},
	{ID: "AQL-4.5.3-05", Variant: "upper-case-status-stored", Defect: "update_note stores a listed status in upper case, which is not listed",
		Hooks: stores("status", func(value any) bool {
			status, _ := value.(string)
			return !slices.Contains(adapter.NoteStatus, status) && slices.Contains(adapter.NoteStatus, strings.ToLower(status))
		}, "draft")},
}
