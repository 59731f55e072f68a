package generate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// object judges an object by its documented fields. Where none is documented, any
// object will do.
func (f *fitter) object(owner probes.Value, partial bool, v probes.Value, depth int) answer {
	if !v.Is(probes.Object) {
		return hollow(v, "no object")
	}
	fields, required, a := documented(owner)
	if !a.allowed || len(fields) == 0 {
		return a
	}
	names := v.Names()
	slices.Sort(names)
	if len(slices.Compact(names)) < len(v.Members()) {
		return open("a field twice")
	}
	answers := []answer{yes()}
	for name, record := range fields {
		value := v.At(name)
		switch {
		case value.Is(probes.Absent) && required[name] && !partial:
			answers = append(answers, no("no field "+name))
		case value.Is(probes.Absent):
		default:
			a := f.expression(record.At("type").Text(), record, value, depth+1)
			if value.Is(probes.Null) && a.refused() {
				a = open("null for the field " + name) // it may stand for leaving it out
			}
			answers = append(answers, a)
		}
	}
	for _, m := range v.Members() {
		if _, known := fields[m.Name]; known {
			continue
		}
		if owner.At("additionalProperties").False() {
			answers = append(answers, no("a field that is not documented"))
		}
		answers = append(answers, open("a field that is not documented"))
	}
	return all(answers...)
}

// documented returns the records of the fields by name and which of them are
// required, from either of the two ways to write them.
func documented(owner probes.Value) (fields map[string]probes.Value, required map[string]bool, a answer) {
	fields, required = map[string]probes.Value{}, map[string]bool{}
	_, listed := given(owner, "fields")
	_, mapped := given(owner, "properties")
	list, table := recordsOf(owner)
	mapped = mapped && !table.Is(probes.Absent)
	if listed && mapped || listed && !list.Is(probes.Array) || mapped && !table.Is(probes.Object) {
		return nil, nil, open("fields that are not listed in one way")
	}
	for _, m := range table.Members() {
		fields[m.Name], required[m.Name] = m.Value, m.Value.At("required").True()
	}
	for _, record := range list.Items() {
		name := record.At("name").Text()
		fields[name], required[name] = record, record.At("required").True()
	}
	if _, nameless := fields[""]; nameless || len(fields) < len(list.Items())+len(table.Members()) {
		return nil, nil, open("a field without a name of its own")
	}
	if mapped {
		for _, name := range owner.At("required").Items() {
			required[name.Text()] = true
		}
	}
	return fields, required, yes()
}
