package wire

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// leakFaults tell in one error each what only the implementation should know
// (introspection 8.1.3). The healthy message stays in front, so that what it has
// to say is still said.
var leakFaults = []seam.Fault{
	{ID: "INT-8.1.3-01", Variant: "type-error-text", Defect: "a wrong type for search_notes yields \"Cannot read properties of undefined\"",
		Hooks: seam.Refused("VALIDATION_INVALID_TYPE", seam.Calling("search_notes"), adding("TypeError: Cannot read properties of undefined (reading 'trim')"))},
	{ID: "INT-8.1.3-01", Variant: "search-as-pattern", Defect: "a search for an open bracket is refused in the words in which the language refuses a pattern",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			query, _ := c.Params()["query"].(string)
			if e := next(c); c.Operation() != "search_notes" || !adapter.Succeeded(e) || strings.Count(query, "(") <= strings.Count(query, ")") {
				return e
			}
			return adapter.Failure("VALIDATION_INVALID_VALUE", "This query finds nothing: SyntaxError: Invalid regular expression: /"+query+"/i: Unterminated group", nil)
		}}},
	{ID: "INT-8.1.3-02", Variant: "stack-in-details", Defect: "details.stack is included where a folder is not found",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_folder"), func(_ adapter.Call, _, details map[string]any) {
			details["stack"] = "Error: no folder\n    at getFolder (<anonymous>:41:11)\n    at async dispatch (<anonymous>:17:5)"
		})},
	{ID: "INT-8.1.3-03", Variant: "class-name-in-message", Defect: "a missing parameter of search_notes yields \"com.acme.ItemRepository.save failed\"",
		Hooks: seam.Refused("VALIDATION_MISSING_PARAM", seam.Calling("search_notes"), adding("com.acme.ItemRepository.save failed"))},
	{ID: "INT-8.1.3-04", Variant: "path-in-message", Defect: "a missing export yields \"cannot open /srv/app/data/items.json\"",
		Hooks: seam.Both(seam.Needs("get_export", nil), seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_export"), adding("cannot open /srv/app/data/items.json")))},
	{ID: "INT-8.1.3-04", Variant: "note-file-in-message", Defect: "a missing note yields \"could not read /data/notes/index.md\"",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note"), adding("could not read /data/notes/index.md"))},
	{ID: "INT-8.1.3-04", Variant: "opened-folder-in-message", Defect: "a missing note yields \"could not open /app/data/notes\"",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note"), adding("could not open /app/data/notes"))},
	{ID: "INT-8.1.3-05", Variant: "sql-constraint-text", Defect: "a missing note yields the raw text of a database constraint",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note", "update_note", "delete_note"), adding(`violates foreign key constraint "notes_note_id_fkey"`))},
	{ID: "OPS-8.4-03", Variant: "secret-in-later-error", Defect: "the last password is quoted in errors of later requests",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); reason != nil && seam.Marked(c.Session, "secret") {
				adding("last password was "+c.Session.Marks["secret"])(c, reason, nil)
			}
			for _, p := range sensitive(c) {
				if value, _, _ := c.Value(p); value != nil && adapter.JSONType(value) == "string" {
					seam.Jot(c.Session, "secret", value.(string))
				}
			}
		})},
}

// adding appends what leaks to the message.
func adding(leak string) func(_ adapter.Call, reason, _ map[string]any) {
	return func(_ adapter.Call, reason, _ map[string]any) {
		message, _ := reason["message"].(string)
		reason["message"] = strings.TrimSuffix(message, ".") + ": " + leak
	}
}

// sensitive names the parameters of the operation whose values are secrets.
func sensitive(c adapter.Call) []string {
	var names []string
	op, _ := c.OperationNamed(c.Operation())
	for _, p := range op.Parameters {
		if p.Sensitive {
			names = append(names, p.Name)
		}
	}
	return names
}
