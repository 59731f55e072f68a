package update

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// besideInput rules on the documentation: an updateable field may not stand beside input. What is no field of the
// objects guards, locates or shapes, and may.
func besideInput(s model.Subject) ruling.Ruling {
	for _, p := range s.Op.Parameters {
		if !slices.Contains(beside, p.Name) && !probes.IsReference(s.Op, p) && updateable(s, p) {
			return ruling.Departs("updateable fields inside input", "the parameter "+p.Name+" beside it")
		}
	}
	return ruling.Conforms()
}

// updateable reports whether a parameter beside input is a field of the objects that an operation changes. A boolean may
// be a flag of the request, and a required parameter may locate: both count only where the creation takes
// the field and the type of the objects has it.
func updateable(s model.Subject, p probes.Parameter) bool {
	obj, why := s.TestObject(s.Name)
	if why != nil {
		return p.Type != "boolean" && !p.Required && namedAnywhere(s, p.Name)
	}
	made, creatable := check.Parameter(obj.Maker, p.Name)
	typed := slices.ContainsFunc(s.Types, func(t probes.Type) bool {
		id := slices.ContainsFunc(slices.Collect(maps.Keys(obj.IDs)), func(id string) bool { _, has := fieldNamed(t, id); return has })
		field, has := fieldNamed(t, p.Name)
		return id && has && !field.At("readOnly").True()
	})
	switch {
	case p.Required: // what locates is no option of the creation, or locates for others too; a unit is no member of the object
		shown := obj.ObjectIn(obj.Maker.KnownGoodRequest().Reply)
		return creatable && !made.Required && typed && shown.Has(p.Name) && !locates(s, p.Name)
	case p.Type == "boolean":
		return creatable && typed
	}
	input, _ := check.InputOf(s.Op)
	return creatable || typed || slices.ContainsFunc(s.Fields(input), func(f probes.Parameter) bool { return f.Name == p.Name })
}

func fieldNamed(t probes.Type, name string) (probes.Value, bool) {
	fields := t.Details.At("fields").Items()
	at := slices.IndexFunc(fields, func(f probes.Value) bool { return f.At("name").Text() == name })
	if at < 0 {
		return probes.Value{}, false
	}
	return fields[at], true
}

// namedAnywhere reports whether some type has a field, or some creation takes a parameter, of the name.
func namedAnywhere(s model.Subject, name string) bool {
	return slices.ContainsFunc(s.Types, func(t probes.Type) bool { _, has := fieldNamed(t, name); return has }) ||
		slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return o.Category == "CREATE" && o.HasParameter(name) })
}

// locates reports whether a READ or a DELETE requires the parameter.
func locates(s model.Subject, name string) bool {
	return slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
		p, has := check.Parameter(model.Subject{Op: o}, name)
		return has && p.Required && (o.Category == "READ" || o.Category == "DELETE")
	})
}
