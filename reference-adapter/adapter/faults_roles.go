package adapter

// A fault breaks something of a role: an operation, a parameter, a type. A description that
// lacks it is left alone, because there the fault would change nothing that anybody could see.

// standIns play the parts of operations that a small adapter lacks, where any operation serves.
var standIns = map[string]string{"cancel_export": "get_folder", "cancel_exports": "list_folders", "get_export": "get_note"}

// plays returns the operation that a fault breaks.
func (a *Adapter) plays(name string) string {
	if _, ok := a.operationNamed(name); !ok && standIns[name] != "" {
		return standIns[name]
	}
	return name
}

// needs asks for an operation, and for what the fault breaks of it; nil asks for no more.
func needs(name string, has func(op operation) bool) hooks {
	return hooks{table: func(a *Adapter) {
		if op, ok := a.operationNamed(name); !ok || has != nil && !has(op) {
			a.aside().missed = true
		}
	}}
}

// exemplary asks for examples of the operation that plays a part.
func exemplary(name string) hooks {
	return hooks{table: func(a *Adapter) { needs(a.plays(name), exemplified).table(a) }}
}

// needsType asks for a type in the registry.
func needsType(name string) hooks {
	return hooks{table: func(a *Adapter) {
		if _, ok := a.typeNamed(name); !ok {
			a.aside().missed = true
		}
	}}
}

// needsInside asks for a member of notes that holds members of the client's own.
func needsInside() hooks { return needs("create_note", taking("metadata")) }

// taking picks operations that document a parameter.
func taking(name string) func(op operation) bool {
	return func(op operation) bool { return documents(op, name) }
}

// exemplified picks operations with examples.
func exemplified(op operation) bool { return len(op.Examples) > 0 }

// bounded picks operations with a parameter that documents a lower bound.
func bounded(name string) func(op operation) bool {
	return func(op operation) bool {
		for _, p := range op.Parameters {
			if p.Name == name && p.Minimum != nil {
				return true
			}
		}
		return false
	}
}

// needsAbsence asks for reads that refuse what is not there.
func needsAbsence() hooks {
	return hooks{table: func(a *Adapter) { a.aside().missed = a.aside().missed || a.aside().nulls }}
}
