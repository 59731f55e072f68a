package generate

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A record allows objects with documented fields. What other fields it allows is
// not known, so none is ever made up.
type record struct{ fields []field }

type field struct {
	name     string
	shape    shape
	required bool
}

// record reads the fields of an object: a list of parameter records called fields,
// or a map of them called properties with required as list of names or as flag of
// each. partial makes every field optional.
func (r *reader) record(owner probes.Value, partial bool, depth int) shape {
	if says(owner, "fields") && says(owner, "properties") {
		return opaque{"both fields and properties"}
	}
	list, table := recordsOf(owner)
	var rec record
	add := func(name string, of probes.Value, required bool) {
		rec.fields = append(rec.fields, field{name, r.expression(of.At("type").Text(), of, depth+1), required && !partial})
	}
	for _, f := range list.Items() {
		add(f.At("name").Text(), f, f.At("required").True())
	}
	for _, m := range table.Members() {
		named := slices.ContainsFunc(owner.At("required").Items(), func(v probes.Value) bool { return v.Text() == m.Name })
		add(m.Name, m.Value, named || m.Value.At("required").True())
	}
	seen := map[string]bool{}
	for _, f := range rec.fields {
		if f.name == "" || seen[f.name] {
			return opaque{"a field without a name of its own"}
		}
		seen[f.name] = true
	}
	if says(owner, "fields") && !list.Is(probes.Array) || says(owner, "properties") && !list.Is(probes.Array) && !table.Is(probes.Object) {
		return opaque{"fields that are no list of records"}
	}
	return rec
}

// recordsOf returns the fields of an object as a list of records, or as a map of them. Some adapters
// call the list properties.
func recordsOf(owner probes.Value) (list, table probes.Value) {
	list, table = owner.At("fields"), owner.At("properties")
	if list.Is(probes.Absent) && table.Is(probes.Array) {
		return table, probes.Value{}
	}
	return list, table
}

func (r record) draw(d drawing, size int) (probes.Value, error) {
	return r.with(d, size, "", probes.Value{})
}

// with makes an object that holds the field named, or that value for it when it is
// given. Optional fields come with the size.
func (r record) with(d drawing, size int, name string, value probes.Value) (probes.Value, error) {
	var members []probes.Member
	for _, f := range r.fields {
		if f.name == name && !value.Is(probes.Absent) {
			members = append(members, probes.Member{Name: f.name, Value: value})
			continue
		}
		if !f.required && f.name != name && (size == 0 || d.rng.IntN(3) == 0) {
			continue
		}
		v, err := f.shape.draw(d, size)
		switch {
		case err == nil:
			members = append(members, probes.Member{Name: f.name, Value: v})
		case f.required || f.name == name:
			return probes.Value{}, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return objectOf(members), nil
}

// A table allows objects with any names and values of one shape.
type table struct{ values shape }

func (r *reader) table(e probes.TypeExpr, depth int) shape {
	if len(e.Parts) > 2 {
		return opaque{"a map of more than keys and values"}
	}
	if len(e.Parts) == 2 {
		if key := e.Parts[0]; key.Form != probes.Primitive || key.Name != "string" {
			return opaque{"a map whose keys are not plain strings"}
		}
	}
	return table{r.read(e.Parts[len(e.Parts)-1], probes.Value{}, depth+1)}
}

func (t table) draw(d drawing, size int) (probes.Value, error) {
	var members []probes.Member
	for i := range min(size, 4) {
		v, err := t.values.draw(d, size/2)
		if err != nil {
			break // nothing is known of the values: the empty map is still one
		}
		members = append(members, probes.Member{Name: fmt.Sprintf("key_%d", i+1), Value: v})
	}
	return objectOf(members), nil
}

// objectOf puts members into an object, in their order.
func objectOf(members []probes.Member) probes.Value {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, probes.ValueOf(m.Name).Raw()...)
		b = append(b, ':')
		b = append(b, m.Value.Raw()...)
	}
	v, _ := probes.ParseValue(append(b, '}'))
	return v
}
