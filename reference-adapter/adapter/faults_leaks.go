package adapter

import "strings"

// leakFaults tell in one error each what only the implementation should know
// (introspection 8.1.3). The healthy message stays in front, so that what it has
// to say is still said.
var leakFaults = []Fault{
	{ID: "INT-8.1.3-01", Variant: "type-error-text", Defect: "a wrong type for search_notes yields \"Cannot read properties of undefined\"",
		hooks: refused("VALIDATION_INVALID_TYPE", calling("search_notes"), adding("TypeError: Cannot read properties of undefined (reading 'trim')"))},
	{ID: "INT-8.1.3-02", Variant: "stack-in-details", Defect: "details.stack is included where a folder is not found",
		hooks: refused("NOT_FOUND_RESOURCE", calling("get_folder"), func(_ call, _, details map[string]any) {
			details["stack"] = "Error: no folder\n    at getFolder (<anonymous>:41:11)\n    at async dispatch (<anonymous>:17:5)"
		})},
	{ID: "INT-8.1.3-03", Variant: "class-name-in-message", Defect: "a missing parameter of search_notes yields \"com.acme.ItemRepository.save failed\"",
		hooks: refused("VALIDATION_MISSING_PARAM", calling("search_notes"), adding("com.acme.ItemRepository.save failed"))},
	{ID: "INT-8.1.3-04", Variant: "path-in-message", Defect: "a missing export yields \"cannot open /srv/app/data/items.json\"",
		hooks: both(needs("get_export", nil), refused("NOT_FOUND_RESOURCE", calling("get_export"), adding("cannot open /srv/app/data/items.json")))},
	{ID: "INT-8.1.3-05", Variant: "sql-constraint-text", Defect: "a missing note yields the raw text of a database constraint",
		hooks: refused("NOT_FOUND_RESOURCE", calling("get_note", "update_note", "delete_note"), adding(`violates foreign key constraint "notes_note_id_fkey"`))},
	{ID: "OPS-8.4-03", Variant: "secret-in-later-error", Defect: "the last password is quoted in errors of later requests",
		hooks: after(func(c call, e envelope) {
			if reason := object(e["error"]); reason != nil && c.session.secret != "" {
				adding("last password was "+c.session.secret)(c, reason, nil)
			}
			for _, p := range c.sensitive() {
				if value, _, _ := c.value(p); value != nil && jsonType(value) == "string" {
					c.session.secret = value.(string)
				}
			}
		})},
}

// adding appends what leaks to the message.
func adding(leak string) func(_ call, reason, _ map[string]any) {
	return func(_ call, reason, _ map[string]any) {
		message, _ := reason["message"].(string)
		reason["message"] = strings.TrimSuffix(message, ".") + ": " + leak
	}
}

// sensitive names the parameters of the operation whose values are secrets.
func (c call) sensitive() []string {
	var names []string
	op, _ := c.operationNamed(c.operation())
	for _, p := range op.Parameters {
		if p.Sensitive {
			names = append(names, p.Name)
		}
	}
	return names
}
