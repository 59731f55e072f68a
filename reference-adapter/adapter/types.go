package adapter

import "slices"

var (
	NoteStatus   = []string{"draft", "published", "archived"}
	exportFormat = []string{"markdown", "json", "text"}
	SortField    = []string{"title", "priority", "created_at"}
	sortOrder    = []string{"asc", "desc"}
	exportState  = []string{"pending", "running", "completed", "cancelled"}
)

// TypeInfo is one entry of the type registry (introspection 3.5, 3.6). The body
// member of its kind is shown in lookups only.
type TypeInfo struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"`
	Description string      `json:"description"`
	Values      []string    `json:"values,omitempty"`  // enum
	Fields      []Parameter `json:"fields,omitempty"`  // object
	Members     []string    `json:"members,omitempty"` // union
	Feature     string      `json:"-"`                 // the optional feature that it belongs to; empty for none
}

func (a *Adapter) TypeNamed(name string) (TypeInfo, bool) {
	at := slices.IndexFunc(a.Types, func(t TypeInfo) bool { return t.Name == name })
	if at < 0 {
		return TypeInfo{}, false
	}
	return a.Types[at], true
}

// Types lists the domain types first, then those of the protocol.
func Types() []TypeInfo { return slices.Concat(domainTypes(), relationTypes(), ProtocolTypes()) }

func Field(name, kind string, required bool, description string) Parameter {
	return Parameter{Name: name, Type: kind, Required: required, Description: description}
}

func DateTime(name string, required bool, description string) Parameter {
	return Parameter{Name: name, Type: "string", Required: required, Format: "date-time", Description: description}
}

func List(name, of, description string) Parameter {
	return Parameter{Name: name, Type: "array", Required: true, Items: map[string]any{"type": of}, Description: description}
}

// Shown drops the defaults of fields: they belong to requests, what is stored
// has a value or none.
func Shown(fields []Parameter) []Parameter {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Default = nil
	}
	return out
}

func domainTypes() []TypeInfo {
	return slices.Concat(noteTypes(), of(Lifecycles, exportTypes()), commonTypes(), of(backingUp, backupTypes()))
}

// of files types under the feature that they belong to.
func of(feature string, kinds []TypeInfo) []TypeInfo {
	for i := range kinds {
		kinds[i].Feature = feature
	}
	return kinds
}

func noteTypes() []TypeInfo {
	title := TitleParameter()
	title.Required = false
	note := slices.Concat(
		[]Parameter{Field("note_id", "string", true, "Identifier of the note, never changes"), TitleParameter(),
			Field("folder_id", "string", true, "Identifier of its folder, never changes")},
		Shown(NoteFields()), fileParameters(),
		[]Parameter{DateTime("created_at", true, "When the note was created, UTC, read-only"),
			DateTime("updated_at", true, "When the note was last changed, UTC, read-only"),
			{Name: "_computed", Type: "object", Feature: Computing, Description: "Computed fields by name, those that were asked for"}})
	return []TypeInfo{
		{Name: "NoteStatus", Kind: "enum", Description: "Editorial states of a note", Values: NoteStatus},
		{Name: "ExportFormat", Kind: "enum", Description: "Formats of an export", Values: exportFormat, Feature: Lifecycles},
		{Name: "ExportState", Kind: "enum", Description: "States of an export; completed and cancelled are final", Values: exportState, Feature: Lifecycles},
		{Name: "Note", Kind: "object", Description: "A note in a folder", Fields: note},
		{Name: "NoteInput", Kind: "object", Description: "Fields of a note that an update can change; null removes all but the title",
			Fields: append([]Parameter{title}, Shown(NoteFields())...)},
		{Name: "NoteList", Kind: "object", Description: "One page of notes",
			Fields: []Parameter{List("items", "Note", "Notes of this page"), {Name: "pageInfo", Type: "PageInfo", Required: true, Feature: Paging, Description: "Where this page stands"},
				{Name: "aggregations", Type: "object", Feature: Aggregating, Description: "Summaries by label, where they were asked for"}}},
		{Name: "NoteSortField", Kind: "enum", Description: "Fields that notes can be sorted by", Values: SortField},
		{Name: "SortOrder", Kind: "enum", Description: "Directions of an order; asc has the smallest first", Values: sortOrder},
		{Name: "NoteSort", Kind: "object", Description: "Order of a list of notes", Fields: []Parameter{
			Field("field", "NoteSortField", true, "Field to sort by"),
			{Name: "order", Type: "SortOrder", Default: "asc", Description: "Direction of the order"}}},
		{Name: "NoteFilter", Kind: "object", Description: "Conditions that notes must meet, all of them", Fields: []Parameter{
			Field("status", "NoteStatus", false, "Status of the note"), Field("folder_id", "string", false, "Identifier of its folder"),
			Field("pinned", "boolean", false, "Whether it is kept on top"), minPriority("Least priority of the note")}},
		{Name: "PageInfo", Kind: "object", Feature: Paging, Description: "Position of a page in the whole list", Fields: []Parameter{
			Field("hasNextPage", "boolean", true, "Whether more items follow"), Field("hasPreviousPage", "boolean", true, "Whether items came before"),
			Field("startCursor", "string", false, "Cursor of the first item"), Field("endCursor", "string", false, "Cursor of the last item"),
			Field("totalCount", "integer", true, "Number of items on all pages")}},
		{Name: "Folder", Kind: "object", Description: "A folder that holds notes", Fields: []Parameter{
			Field("folder_id", "string", true, "Identifier of the folder, never changes"), Field("name", "string", true, "Name of the folder"),
			ownerParameter("E-mail address of the person who keeps the folder"), Field("position", "integer", true, "Place of the folder in the list, the first is 1, never changes"),
			DateTime("created_at", true, "When the folder was created, UTC, read-only")}},
		{Name: "FolderList", Kind: "object", Description: "All folders", Fields: []Parameter{List("items", "Folder", "Folders in order of creation")}},
	}
}

func exportTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "Export", Kind: "object", Description: "An export of the notes of a folder", Fields: []Parameter{
			Field("execution_id", "string", true, "Identifier of the export"), Field("folder_id", "string", true, "Folder that is exported"),
			Field("format", "ExportFormat", true, "Format of the text"), Field("status", "ExportState", true, "State of the export"),
			DateTime("started_at", true, "When the export was started, UTC"), DateTime("finished_at", false, "When it reached a final state, UTC"),
			Field("progress", "ExportProgress", true, "How far the export is"), Field("content", "string", false, "Exported text, once completed")}},
		{Name: "ExportList", Kind: "object", Description: "Several exports", Fields: []Parameter{List("items", "Export", "Exports in order of creation")}},
		{Name: "ExportProgress", Kind: "object", Description: "How far an export is", Fields: []Parameter{
			Field("percentage", "number", true, "Share that is done, 0 to 100"), Field("message", "string", true, "The same in words")}},
	}
}

func commonTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "Deletion", Kind: "object", Description: "What a delete operation removed, or would remove", Fields: []Parameter{
			Field("note_id", "string", false, "Identifier of the deleted note"), Field("folder_id", "string", false, "Identifier of the deleted folder"),
			Field("deleted", "boolean", true, "False for a dry run")}},
		{Name: "Introspection", Kind: "object", Description: "Answer of introspect: one member, by the kind of query", Fields: []Parameter{
			Field("operations", "array", false, "All operations in short"), Field("operation", "object", false, "One operation in full, or null"),
			Field("types", "array", false, "All types in short"), Field("type", "object", false, "One type in full, or null")}},
	}
}

func ProtocolTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "SemanticCategory", Kind: "enum", Description: "Standard semantic categories of operations",
			Values: []string{"CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"}},
		{Name: "OperationInput", Kind: "object", Description: "Standard request of every operation", Fields: []Parameter{
			Field("operation", "string", true, "Name of the operation to run"), Field("params", "object", false, "Parameters of the operation")}},
		{Name: "OperationResult", Kind: "union", Description: "Standard answer of every operation", Members: []string{"OperationSuccess", "OperationFailure"}},
		{Name: "OperationSuccess", Kind: "object", Description: "Answer of an operation that worked", Fields: []Parameter{
			Field("success", "boolean", true, "Always true"), Field("data", "object", true, "Result of the operation")}},
		{Name: "OperationFailure", Kind: "object", Description: "Answer of an operation that was refused or failed", Fields: []Parameter{
			Field("success", "boolean", true, "Always false"), Field("error", "object", true, "Code, message and details of the failure")}},
		{Name: "EndpointPermissions", Kind: "object", Description: "What an operation may do to stored state", Fields: []Parameter{
			Field("readOnly", "boolean", true, "True if the operation changes nothing"), Field("destructive", "boolean", true, "True if it can change or remove what exists")}},
		{Name: "FieldSelection", Kind: "union", Feature: FieldSelection, Description: "Value of the parameter fields: a preset name or a list of field paths", Members: []string{"string", "string[]"}},
	}
}
