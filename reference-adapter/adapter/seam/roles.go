package seam

import "github.com/aql-conform/aql-conform/reference-adapter/adapter"

// A fault breaks something of a role: an operation, a parameter, a type. A description that
// lacks it is left alone, because there the fault would change nothing that anybody could see.

// standIns play the parts of operations that a small adapter lacks, where any operation serves.
var standIns = map[string]string{"cancel_export": "get_folder", "cancel_exports": "list_folders", "get_export": "get_note"}

// Plays returns the operation that a fault breaks.
func Plays(a *adapter.Adapter, name string) string {
	if _, ok := a.OperationNamed(name); !ok && standIns[name] != "" {
		return standIns[name]
	}
	return name
}

// Needs asks for an operation, and for what the fault breaks of it; nil asks for no more.
func Needs(name string, has func(op adapter.Operation) bool) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		if op, ok := a.OperationNamed(name); !ok || has != nil && !has(op) {
			Aside(a).Missed = true
		}
	}}
}

// exemplary asks for examples of the operation that plays a part.
func exemplary(name string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { Needs(Plays(a, name), exemplified).Table(a) }}
}

// NeedsType asks for a type in the registry.
func NeedsType(name string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		if _, ok := a.TypeNamed(name); !ok {
			Aside(a).Missed = true
		}
	}}
}

// NeedsInside asks for a member of notes that holds members of the client's own.
func NeedsInside() adapter.Hooks { return Needs("create_note", Taking("metadata")) }

// Taking picks operations that document a parameter.
func Taking(name string) func(op adapter.Operation) bool {
	return func(op adapter.Operation) bool { return Documents(op, name) }
}

// exemplified picks operations with examples.
func exemplified(op adapter.Operation) bool { return len(op.Examples) > 0 }

// NeedsAbsence asks for reads that refuse what is not there.
func NeedsAbsence() adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { Aside(a).Missed = Aside(a).Missed || Aside(a).Nulls }}
}
