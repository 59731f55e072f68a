package seam

import (
	"maps"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// This file names the places where a fault can reach into the tables that the
// adapter runs on. What it changes there is documented, validated and done
// alike, unless introspection is told to go on showing the healthy table.

// Remade changes one operation in the table.
func Remade(name string, change func(op *adapter.Operation)) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == name })
		if at < 0 {
			Aside(a).Missed = true
			return
		}
		change(&a.Operations[at])
	}}
}

// Retyped changes one type in the registry.
func Retyped(name string, change func(t *adapter.TypeInfo)) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		at := slices.IndexFunc(a.Types, func(t adapter.TypeInfo) bool { return t.Name == name })
		if at < 0 {
			Aside(a).Missed = true
			return
		}
		change(&a.Types[at])
	}}
}

// Reworked changes one parameter of an operation in the table.
func Reworked(of, name string, change func(p *adapter.Parameter)) adapter.Hooks {
	return Remade(of, func(op *adapter.Operation) { Change(op, name, change) })
}

// Secretly changes what is enforced for one parameter; introspection goes on
// showing what was.
func Secretly(of, name string, change func(p *adapter.Parameter)) adapter.Hooks {
	return Both(Reworked(of, name, change), AsHealthy(of))
}

// AsHealthy has introspection show the parameters of the healthy operation.
func AsHealthy(name string) adapter.Hooks {
	healthy := lean()
	op, _ := healthy.OperationNamed(name)
	return Record(name, Set("parameters", op.Parameters))
}

// lean is what introspection shows of an adapter with the usual features. A dozen faults need it as soon as
// the program starts, so it is made once.
var lean = sync.OnceValue(func() *adapter.Adapter {
	a := &adapter.Adapter{}
	a.Features, _ = adapter.FeaturesOf("")
	a.Operations, a.Types = a.Offered(adapter.Operations(nil)), a.Known(adapter.Types())
	return a
})

// TypeAsHealthy has introspection show the fields of the healthy type.
func TypeAsHealthy(name string) adapter.Hooks {
	healthy := lean()
	kind, _ := healthy.TypeNamed(name)
	return TypeRecord(name, Set("fields", kind.Fields))
}

// Replaced has an operation take other parameters in place of one; translate
// turns their values into what the healthy code expects, or refuses them.
func Replaced(of, name string, with []adapter.Parameter, translate func(t adapter.Task) adapter.Envelope) adapter.Hooks {
	return Remade(of, func(op *adapter.Operation) {
		at := slices.IndexFunc(op.Parameters, func(p adapter.Parameter) bool { return p.Name == name })
		op.Parameters = slices.Replace(slices.Clone(op.Parameters), at, at+1, with...)
		First(op, translate)
	})
}

// Added has an operation take one parameter more.
func Added(to string, p adapter.Parameter, use func(t adapter.Task) adapter.Envelope) adapter.Hooks {
	return Remade(to, func(op *adapter.Operation) {
		op.Parameters = append(slices.Clone(op.Parameters), p)
		First(op, use)
	})
}

// Change changes the parameter of that name; without one it panics, which is taken
// for a role that the description does not have.
func Change(op *adapter.Operation, name string, change func(p *adapter.Parameter)) {
	at := slices.IndexFunc(op.Parameters, func(p adapter.Parameter) bool { return p.Name == name })
	change(&op.Parameters[at])
}

// First has the operation do something before its work, and answer with it if it
// is an answer.
func First(op *adapter.Operation, do func(t adapter.Task) adapter.Envelope) {
	work := op.Run
	op.Run = func(t adapter.Task) adapter.Envelope {
		if e := do(t); e != nil {
			return e
		}
		return work(t)
	}
}

// Exampled changes the parameters in the first example of an operation.
func Exampled(name string, change func(params map[string]any)) adapter.Hooks {
	return ExampleShown(name, func(_, first map[string]any) { change(adapter.Object(adapter.Object(first["request"])["params"])) })
}

// ExampleShown changes what introspection shows of an operation and of its first example.
func ExampleShown(name string, change func(op, first map[string]any)) adapter.Hooks {
	return Both(exemplary(name), Record(name, func(op map[string]any) {
		if examples := adapter.Array(op["examples"]); len(examples) > 0 {
			change(op, adapter.Object(examples[0]))
		}
	}))
}

// LeftOut returns the parameters but the one called name.
func LeftOut(parameters []adapter.Parameter, name string) []adapter.Parameter {
	return slices.DeleteFunc(slices.Clone(parameters), func(p adapter.Parameter) bool { return p.Name == name })
}

// Moved takes a value from one key to another.
func Moved(values map[string]any, from, to string) {
	if value, ok := values[from]; ok {
		delete(values, from)
		values[to] = value
	}
}

// Copied returns a map that can be changed without changing the original.
func Copied(value any) map[string]any { return maps.Clone(adapter.Object(value)) }
