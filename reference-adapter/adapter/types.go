package adapter

import "slices"

var (
	noteStatus   = []string{"draft", "published", "archived"}
	exportFormat = []string{"markdown", "json", "text"}
	sortField    = []string{"title", "priority", "created_at"}
	sortOrder    = []string{"asc", "desc"}
	exportState  = []string{"pending", "running", "completed", "cancelled"}
)

// typeInfo is one entry of the type registry (introspection 3.5, 3.6). The body
// member of its kind is shown in lookups only.
type typeInfo struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"`
	Description string      `json:"description"`
	Values      []string    `json:"values,omitempty"`  // enum
	Fields      []parameter `json:"fields,omitempty"`  // object
	Members     []string    `json:"members,omitempty"` // union
	Feature     string      `json:"-"`                 // the optional feature that it belongs to; empty for none
}

func (a *Adapter) typeNamed(name string) (typeInfo, bool) {
	at := slices.IndexFunc(a.types, func(t typeInfo) bool { return t.Name == name })
	if at < 0 {
		return typeInfo{}, false
	}
	return a.types[at], true
}

// types lists the domain types first, then those of the protocol.
func types() []typeInfo { return slices.Concat(domainTypes(), relationTypes(), protocolTypes()) }

func field(name, kind string, required bool, description string) parameter {
	return parameter{Name: name, Type: kind, Required: required, Description: description}
}

func dateTime(name string, required bool, description string) parameter {
	return parameter{Name: name, Type: "string", Required: required, Format: "date-time", Description: description}
}

func list(name, of, description string) parameter {
	return parameter{Name: name, Type: "array", Required: true, Items: map[string]any{"type": of}, Description: description}
}

// shown drops the defaults of fields: they belong to requests, what is stored
// has a value or none.
func shown(fields []parameter) []parameter {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Default = nil
	}
	return out
}

func domainTypes() []typeInfo {
	return slices.Concat(noteTypes(), of(lifecycles, exportTypes()), commonTypes(), of(backingUp, backupTypes()))
}

// of files types under the feature that they belong to.
func of(feature string, kinds []typeInfo) []typeInfo {
	for i := range kinds {
		kinds[i].Feature = feature
	}
	return kinds
}

func noteTypes() []typeInfo {
	title := titleParameter()
	title.Required = false
	note := slices.Concat(
		[]parameter{field("note_id", "string", true, "Identifier of the note, never changes"), titleParameter(),
			field("folder_id", "string", true, "Identifier of its folder, never changes")},
		shown(noteFields()), fileParameters(),
		[]parameter{dateTime("created_at", true, "When the note was created, UTC, read-only"),
			dateTime("updated_at", true, "When the note was last changed, UTC, read-only"),
			{Name: "_computed", Type: "object", Feature: computing, Description: "Computed fields by name, those that were asked for"}})
	return []typeInfo{
		{Name: "NoteStatus", Kind: "enum", Description: "Editorial states of a note", Values: noteStatus},
		{Name: "ExportFormat", Kind: "enum", Description: "Formats of an export", Values: exportFormat, Feature: lifecycles},
		{Name: "ExportState", Kind: "enum", Description: "States of an export; completed and cancelled are final", Values: exportState, Feature: lifecycles},
		{Name: "Note", Kind: "object", Description: "A note in a folder", Fields: note},
		{Name: "NoteInput", Kind: "object", Description: "Fields of a note that an update can change; null removes all but the title",
			Fields: append([]parameter{title}, shown(noteFields())...)},
		{Name: "NoteList", Kind: "object", Description: "One page of notes",
			Fields: []parameter{list("items", "Note", "Notes of this page"), {Name: "pageInfo", Type: "PageInfo", Required: true, Feature: paging, Description: "Where this page stands"},
				{Name: "aggregations", Type: "object", Feature: aggregating, Description: "Summaries by label, where they were asked for"}}},
		{Name: "NoteSortField", Kind: "enum", Description: "Fields that notes can be sorted by", Values: sortField},
		{Name: "SortOrder", Kind: "enum", Description: "Directions of an order; asc has the smallest first", Values: sortOrder},
		{Name: "NoteSort", Kind: "object", Description: "Order of a list of notes", Fields: []parameter{
			field("field", "NoteSortField", true, "Field to sort by"),
			{Name: "order", Type: "SortOrder", Default: "asc", Description: "Direction of the order"}}},
		{Name: "NoteFilter", Kind: "object", Description: "Conditions that notes must meet, all of them", Fields: []parameter{
			field("status", "NoteStatus", false, "Status of the note"), field("folder_id", "string", false, "Identifier of its folder"),
			field("pinned", "boolean", false, "Whether it is kept on top"), minPriority("Least priority of the note")}},
		{Name: "PageInfo", Kind: "object", Feature: paging, Description: "Position of a page in the whole list", Fields: []parameter{
			field("hasNextPage", "boolean", true, "Whether more items follow"), field("hasPreviousPage", "boolean", true, "Whether items came before"),
			field("startCursor", "string", false, "Cursor of the first item"), field("endCursor", "string", false, "Cursor of the last item"),
			field("totalCount", "integer", true, "Number of items on all pages")}},
		{Name: "Folder", Kind: "object", Description: "A folder that holds notes", Fields: []parameter{
			field("folder_id", "string", true, "Identifier of the folder, never changes"), field("name", "string", true, "Name of the folder"),
			ownerParameter("E-mail address of the person who keeps the folder"), field("position", "integer", true, "Place of the folder in the list, the first is 1, never changes"),
			dateTime("created_at", true, "When the folder was created, UTC, read-only")}},
		{Name: "FolderList", Kind: "object", Description: "All folders", Fields: []parameter{list("items", "Folder", "Folders in order of creation")}},
	}
}

func exportTypes() []typeInfo {
	return []typeInfo{
		{Name: "Export", Kind: "object", Description: "An export of the notes of a folder", Fields: []parameter{
			field("execution_id", "string", true, "Identifier of the export"), field("folder_id", "string", true, "Folder that is exported"),
			field("format", "ExportFormat", true, "Format of the text"), field("status", "ExportState", true, "State of the export"),
			dateTime("started_at", true, "When the export was started, UTC"), dateTime("finished_at", false, "When it reached a final state, UTC"),
			field("progress", "ExportProgress", true, "How far the export is"), field("content", "string", false, "Exported text, once completed")}},
		{Name: "ExportList", Kind: "object", Description: "Several exports", Fields: []parameter{list("items", "Export", "Exports in order of creation")}},
		{Name: "ExportProgress", Kind: "object", Description: "How far an export is", Fields: []parameter{
			field("percentage", "number", true, "Share that is done, 0 to 100"), field("message", "string", true, "The same in words")}},
	}
}

func commonTypes() []typeInfo {
	return []typeInfo{
		{Name: "Deletion", Kind: "object", Description: "What a delete operation removed, or would remove", Fields: []parameter{
			field("note_id", "string", false, "Identifier of the deleted note"), field("folder_id", "string", false, "Identifier of the deleted folder"),
			field("deleted", "boolean", true, "False for a dry run")}},
		{Name: "Introspection", Kind: "object", Description: "Answer of introspect: one member, by the kind of query", Fields: []parameter{
			field("operations", "array", false, "All operations in short"), field("operation", "object", false, "One operation in full, or null"),
			field("types", "array", false, "All types in short"), field("type", "object", false, "One type in full, or null")}},
	}
}

func protocolTypes() []typeInfo {
	return []typeInfo{
		{Name: "SemanticCategory", Kind: "enum", Description: "Standard semantic categories of operations",
			Values: []string{"CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"}},
		{Name: "OperationInput", Kind: "object", Description: "Standard request of every operation", Fields: []parameter{
			field("operation", "string", true, "Name of the operation to run"), field("params", "object", false, "Parameters of the operation")}},
		{Name: "OperationResult", Kind: "union", Description: "Standard answer of every operation", Members: []string{"OperationSuccess", "OperationFailure"}},
		{Name: "OperationSuccess", Kind: "object", Description: "Answer of an operation that worked", Fields: []parameter{
			field("success", "boolean", true, "Always true"), field("data", "object", true, "Result of the operation")}},
		{Name: "OperationFailure", Kind: "object", Description: "Answer of an operation that was refused or failed", Fields: []parameter{
			field("success", "boolean", true, "Always false"), field("error", "object", true, "Code, message and details of the failure")}},
		{Name: "EndpointPermissions", Kind: "object", Description: "What an operation may do to stored state", Fields: []parameter{
			field("readOnly", "boolean", true, "True if the operation changes nothing"), field("destructive", "boolean", true, "True if it can change or remove what exists")}},
		{Name: "FieldSelection", Kind: "union", Feature: fieldSelection, Description: "Value of the parameter fields: a preset name or a list of field paths", Members: []string{"string", "string[]"}},
	}
}
