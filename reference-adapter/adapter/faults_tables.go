package adapter

import (
	"maps"
	"slices"
)

// This file names the places where a fault can reach into the tables that the
// adapter runs on. What it changes there is documented, validated and done
// alike, unless introspection is told to go on showing the healthy table.

// remade changes one operation in the table.
func remade(name string, change func(op *operation)) hooks {
	return hooks{table: func(a *Adapter) {
		at := slices.IndexFunc(a.operations, func(op operation) bool { return op.Name == name })
		if at < 0 {
			a.aside().missed = true
			return
		}
		change(&a.operations[at])
	}}
}

// retyped changes one type in the registry.
func retyped(name string, change func(t *typeInfo)) hooks {
	return hooks{table: func(a *Adapter) {
		at := slices.IndexFunc(a.types, func(t typeInfo) bool { return t.Name == name })
		if at < 0 {
			a.aside().missed = true
			return
		}
		change(&a.types[at])
	}}
}

// reworked changes one parameter of an operation in the table.
func reworked(of, name string, change func(p *parameter)) hooks {
	return remade(of, func(op *operation) { op.change(name, change) })
}

// secretly changes what is enforced for one parameter; introspection goes on
// showing what was.
func secretly(of, name string, change func(p *parameter)) hooks {
	return both(reworked(of, name, change), asHealthy(of))
}

// asHealthy has introspection show the parameters of the healthy operation.
func asHealthy(name string) hooks {
	healthy := lean()
	op, _ := healthy.operationNamed(name)
	return record(name, set("parameters", op.Parameters))
}

// lean is what introspection shows of an adapter with the usual features.
func lean() *Adapter {
	a := &Adapter{}
	a.features, _ = featuresOf("")
	a.operations, a.types = a.offered(operations()), a.known(types())
	return a
}

// typeAsHealthy has introspection show the fields of the healthy type.
func typeAsHealthy(name string) hooks {
	healthy := lean()
	kind, _ := healthy.typeNamed(name)
	return typeRecord(name, set("fields", kind.Fields))
}

// replaced has an operation take other parameters in place of one; translate
// turns their values into what the healthy code expects, or refuses them.
func replaced(of, name string, with []parameter, translate func(t task) envelope) hooks {
	return remade(of, func(op *operation) {
		at := slices.IndexFunc(op.Parameters, func(p parameter) bool { return p.Name == name })
		op.Parameters = slices.Replace(slices.Clone(op.Parameters), at, at+1, with...)
		op.first(translate)
	})
}

// added has an operation take one parameter more.
func added(to string, p parameter, use func(t task) envelope) hooks {
	return remade(to, func(op *operation) {
		op.Parameters = append(slices.Clone(op.Parameters), p)
		op.first(use)
	})
}

// change changes the parameter of that name; without one it panics, which arrange takes
// for a role that the description does not have.
func (op *operation) change(name string, change func(p *parameter)) {
	at := slices.IndexFunc(op.Parameters, func(p parameter) bool { return p.Name == name })
	change(&op.Parameters[at])
}

// first has the operation do something before its work, and answer with it if it
// is an answer.
func (op *operation) first(do func(t task) envelope) {
	work := op.run
	op.run = func(t task) envelope {
		if e := do(t); e != nil {
			return e
		}
		return work(t)
	}
}

// exampled changes the parameters in the first example of an operation.
func exampled(name string, change func(params map[string]any)) hooks {
	return exampleShown(name, func(_, first map[string]any) { change(object(object(first["request"])["params"])) })
}

// exampleShown changes what introspection shows of an operation and of its first example.
func exampleShown(name string, change func(op, first map[string]any)) hooks {
	return both(exemplary(name), record(name, func(op map[string]any) {
		if examples := array(op["examples"]); len(examples) > 0 {
			change(op, object(examples[0]))
		}
	}))
}

// leftOut returns the parameters but the one called name.
func leftOut(parameters []parameter, name string) []parameter {
	return slices.DeleteFunc(slices.Clone(parameters), func(p parameter) bool { return p.Name == name })
}

// moved takes a value from one key to another.
func moved(values map[string]any, from, to string) {
	if value, ok := values[from]; ok {
		delete(values, from)
		values[to] = value
	}
}

// copied returns a map that can be changed without changing the original.
func copied(value any) map[string]any { return maps.Clone(object(value)) }
