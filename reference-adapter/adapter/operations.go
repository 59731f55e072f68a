package adapter

import "slices"

// operation is one row of the table that everything else is derived from:
// introspection prints it, the router finds its endpoint, validation reads its
// parameters, and run does the work.
type operation struct {
	Name        string
	Category    string // one of the five semantic categories (spec 6.1)
	Description string
	Parameters  []parameter
	Returns     typeInfo
	Examples    []example
	Feature     string         // the optional feature that it belongs to; empty for none
	Lifecycle   map[string]any // for operations that start long work (spec 8.4.5)
	Aggregation map[string]any // for operations that can summarize what they find
	Relations   map[string]any // for operations that follow relationships
	Computed    []computedField
	run         func(t task) envelope
}

// example is a request that works as printed against the seed data.
type example struct {
	Description string         `json:"description"`
	Request     map[string]any `json:"request"`
}

// task is one validated request on its way into an operation.
type task struct {
	*Adapter
	session   *session
	operation string
	params    map[string]any // defaults filled in, nothing unknown
	approved  bool           // a person has said yes to this call
}

func (t task) text(name string) string {
	value, _ := t.params[name].(string)
	return value
}

func (a *Adapter) operationNamed(name string) (operation, bool) {
	at := slices.IndexFunc(a.operations, func(op operation) bool { return op.Name == name })
	if at < 0 {
		return operation{}, false
	}
	return a.operations[at], true
}

func operations() []operation {
	return slices.Concat(noteReads(), noteWrites(), folderOperations(), exportOperations(), relationOperations(), loopOperations(), verifyOperations(), confirmedOperations(), backupOperations(), []operation{introspectOperation()})
}

func request(name string, params map[string]any) map[string]any {
	return map[string]any{"operation": name, "params": params}
}

// The parameters below are shared: the same name means the same everywhere
// (operations 4.4.4).

func fieldsParameter() parameter {
	return parameter{
		Name: "fields", Type: "string | string[]", Default: "full", Feature: fieldSelection, Items: map[string]any{"type": "string"},
		Description: "Fields to return: one of the presets 'minimal', 'standard' and 'full', or a list of field paths",
	}
}

func pageParameters() []parameter {
	return []parameter{
		{Name: "first", Type: "integer", Default: 20, Minimum: ref(1), Maximum: ref(100), Feature: paging, Description: "How many items to return at most"},
		{Name: "after", Type: "string", Feature: paging, Description: "Cursor of the item to continue after, taken from pageInfo.endCursor"},
		fieldsParameter(),
	}
}

func statusParameter(description string) parameter {
	return parameter{Name: "status", Type: "NoteStatus", Enum: noteStatus, Description: description}
}
