package gate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A creation may take the new object whole, in one parameter. Its documented fields are looked at as
// parameters are: one may name what is not ours, or be the key that the client chooses.

// held returns the documented fields of the objects in the parameters of a creation.
func (r *Rules) held(o probes.Operation, params probes.Value) probes.Value {
	fields := map[string]any{}
	for _, p := range o.Parameters {
		for _, m := range params.At(p.Name).Members() {
			if slices.ContainsFunc(r.fieldsOf(p), func(f probes.Parameter) bool { return alike(f.Name, m.Name) }) {
				fields[m.Name] = m.Value.Go()
			}
		}
	}
	return probes.ValueOf(fields)
}

// heldField returns the record of a field in an object that a creation takes.
func (r *Rules) heldField(o probes.Operation, name string) probes.Parameter {
	for _, p := range o.Parameters {
		for _, f := range r.fieldsOf(p) {
			if alike(f.Name, name) {
				return f
			}
		}
	}
	return probes.Parameter{Name: name}
}

// fieldsOf returns the fields of the object that a parameter takes: those of its type, or those
// beside it.
func (r *Rules) fieldsOf(p probes.Parameter) (fields []probes.Parameter) {
	records := p.Raw.At("fields").Items()
	if t, known := r.Type(p.Type); known {
		records = t.Details.At("fields").Items()
	}
	for _, f := range records {
		fields = append(fields, probes.Parameter{Name: f.At("name").Text(), Type: f.At("type").Text(), Required: f.At("required").True(), Raw: f})
	}
	for _, m := range p.Raw.At("properties").Members() {
		fields = append(fields, probes.Parameter{Name: m.Name, Type: m.Value.At("type").Text(), Raw: m.Value})
	}
	return fields
}
