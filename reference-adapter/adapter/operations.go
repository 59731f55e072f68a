package adapter

import "slices"

// Operation is one row of the table that everything else is derived from:
// introspection prints it, the router finds its endpoint, validation reads its
// parameters, and run does the work.
type Operation struct {
	Name        string
	Category    string // one of the five semantic categories (spec 6.1)
	Description string
	Parameters  []Parameter
	Returns     TypeInfo
	Examples    []Example
	Feature     string         // the optional feature that it belongs to; empty for none
	Lifecycle   map[string]any // for operations that start long work (spec 8.4.5)
	Aggregation map[string]any // for operations that can summarize what they find
	Relations   map[string]any // for operations that follow relationships
	Computed    []computedField
	Run         func(t Task) Envelope
}

// Example is a request that works as printed against the seed data.
type Example struct {
	Description string         `json:"description"`
	Request     map[string]any `json:"request"`
}

// Task is one validated request on its way into an operation.
type Task struct {
	*Adapter
	Session   *Session
	Operation string
	Params    map[string]any // defaults filled in, nothing unknown
	Approved  bool           // a person has said yes to this call
}

func (t Task) Text(name string) string {
	value, _ := t.Params[name].(string)
	return value
}

func (a *Adapter) OperationNamed(name string) (Operation, bool) {
	at := slices.IndexFunc(a.Operations, func(op Operation) bool { return op.Name == name })
	if at < 0 {
		return Operation{}, false
	}
	return a.Operations[at], true
}

// Operations are all that there are, in the order in which they are listed.
func Operations(extended []Operation) []Operation {
	return slices.Concat(noteReads(), noteWrites(), folderOperations(), exportOperations(), relationOperations(), extended, confirmedOperations(), backupOperations(), []Operation{IntrospectOperation()})
}

func Request(name string, params map[string]any) map[string]any {
	return map[string]any{"operation": name, "params": params}
}

// The parameters below are shared: the same name means the same everywhere
// (operations 4.4.4).

func fieldsParameter() Parameter {
	return Parameter{
		Name: "fields", Type: "string | string[]", Default: "full", Feature: FieldSelection, Items: map[string]any{"type": "string"},
		Description: "Fields to return: one of the presets 'minimal', 'standard' and 'full', or a list of field paths",
	}
}

func pageParameters() []Parameter {
	return []Parameter{
		{Name: "first", Type: "integer", Default: 20, Minimum: Ref(1), Maximum: Ref(100), Feature: Paging, Description: "How many items to return at most"},
		{Name: "after", Type: "string", Feature: Paging, Description: "Cursor of the item to continue after, taken from pageInfo.endCursor"},
		fieldsParameter(),
	}
}

func statusParameter(description string) Parameter {
	return Parameter{Name: "status", Type: "NoteStatus", Enum: NoteStatus, Description: description}
}
