package probes

import (
	"slices"
	"strings"
)

// Kinds returns the JSON kinds a value of the parameter's type may have, "integer"
// apart from "number"; ok is false when the type is not understood, so that
// nothing may be concluded.
func (a *Adapter) Kinds(expr string) (kinds []string, ok bool) {
	e, err := ParseType(expr)
	if err != nil {
		return nil, false
	}
	left := maxKindSteps
	return a.kinds(e, 0, &left)
}

// maxKindSteps bounds the work: unions of unions are the adapter's, and multiply.
const maxKindSteps = 10000

func (a *Adapter) kinds(e TypeExpr, depth int, left *int) ([]string, bool) {
	if *left--; *left < 0 {
		return nil, false
	}
	switch e.Form {
	case Primitive:
		return []string{e.Name}, e.Name != "any"
	case ListOf:
		return []string{"array"}, true
	case MapOf:
		return []string{"object"}, true
	case Literal:
		return []string{string(e.Literal().Kind())}, true
	case UnionOf:
		var all []string
		for _, part := range e.Parts {
			kinds, ok := a.kinds(part, depth+1, left)
			if !ok {
				return nil, false
			}
			all = append(all, kinds...)
		}
		return all, true
	}
	return a.namedKinds(e.Name, depth, left)
}

func (a *Adapter) namedKinds(name string, depth int, left *int) ([]string, bool) {
	if alias := Alias(name); alias != "" {
		return []string{alias}, true
	}
	t, known := a.Type(name)
	if !known || depth > 8 {
		return nil, false
	}
	switch t.Kind {
	case "object":
		return []string{"object"}, true
	case "enum":
		return []string{"string"}, true
	case "union":
		var all []string
		for _, m := range t.Details.At("members").Items() {
			e, err := ParseType(m.Text())
			if err != nil {
				return nil, false
			}
			kinds, ok := a.kinds(e, depth+1, left)
			if !ok {
				return nil, false
			}
			all = append(all, kinds...)
		}
		return all, len(all) > 0
	}
	return nil, false // a scalar says nothing about its JSON kind
}

// namedBeside is the object type that a record without fields names in a member beside its type object, as type_name does. Such a
// member may mean another thing, such as a section of the manual, so a documented example has to bear it out. An update gives some
// fields alone: the examples of another operation bear out the member.
func (a *Adapter) namedBeside(p Parameter, e TypeExpr) (t Type, ok bool) {
	for name, named := range a.besides(p, e) {
		if !a.exampleHas(p, named, false) && !(a.exampleHas(p, named, true) && a.namesTypes(name)) {
			continue
		}
		if ok {
			return Type{}, false
		}
		t, ok = named, true
	}
	return t, ok
}

// besides are the object types that the members of a record name, by member.
func (a *Adapter) besides(p Parameter, e TypeExpr) map[string]Type {
	if e.Form != Primitive || e.Name != "object" || p.Raw.Has("fields") || p.Raw.Has("properties") {
		return nil
	}
	all := map[string]Type{}
	for _, m := range p.Raw.Members() {
		if !m.Value.Is(String) || slices.Contains([]string{"name", "type", "description"}, m.Name) {
			continue
		}
		if t, listed := a.Type(m.Value.Text()); listed && t.Kind == "object" {
			all[m.Name] = t
		}
	}
	return all
}

// namesTypes reports whether examples bear out that a member of some record names its type.
func (a *Adapter) namesTypes(member string) bool {
	for _, o := range a.Operations {
		for _, p := range o.Parameters {
			if t, ok := a.besides(p, TypeExpr{Form: Primitive, Name: p.Type})[member]; ok && a.exampleHas(p, t, false) {
				return true
			}
		}
	}
	return false
}

// exampleHas reports whether documented examples give a parameter or field of that name the required fields of a type and no others; all fields
// where none is required. A filter has some fields of what is listed, and is not of its type. With update, the examples of UPDATE operations
// are read alone, and they may give some of the fields. A parameter is looked for in the examples of its operation.
func (a *Adapter) exampleHas(p Parameter, t Type, update bool) bool {
	fields, required := map[string]bool{}, 0
	for _, f := range t.Details.At("fields").Items() {
		if fields[f.At("name").Text()] = f.At("required").True(); f.At("required").True() {
			required++
		}
	}
	has, other := false, false
	var look func(v Value, depth int)
	look = func(v Value, depth int) {
		for _, m := range v.Members() {
			if depth < 8 { // as deep as examples are
				look(m.Value, depth+1)
			}
			if m.Name != p.Name || !m.Value.Is(Object) {
				continue
			}
			given := 0
			for _, name := range m.Value.Names() {
				needed, known := fields[name]
				if other = other || !known; needed {
					given++
				}
			}
			has, other = true, other || !update && (given < required || required == 0 && len(m.Value.Names()) < len(fields))
		}
	}
	owns := func(o Operation) bool {
		return slices.ContainsFunc(o.Parameters, func(q Parameter) bool { return q.Name == p.Name && q.Raw.Equal(p.Raw) })
	}
	parameter := slices.ContainsFunc(a.Operations, owns)
	for _, o := range a.Operations {
		if parameter && !owns(o) || update && o.Category != "UPDATE" {
			continue
		}
		for _, example := range o.Details.At("examples").Items() {
			look(example.At("request", "params"), 0)
		}
	}
	return has && !other
}

// limits are the members of a record that say which values it takes.
var limits = strings.Fields("pattern format enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength example examples")

// scalarOf is the primitive on which a scalar type is based, by a member of its details that is one, and what else its values have to be. A
// pattern, a format or a length without such a member is that of a text. A member may say how values are stored, and not how they are sent: an
// example of another kind rules it out.
func (t Type) scalarOf() (base string, bounds map[string]any) {
	if t.Kind != "scalar" {
		return "", nil
	}
	bounds = map[string]any{}
	for _, m := range t.Details.Members() {
		if slices.Contains(limits, m.Name) {
			bounds[m.Name] = m.Value.Go()
			continue
		}
		word := m.Value.Text()
		if e, err := ParseType(word); m.Name == "name" || m.Name == "description" || word == "" || err != nil || e.Form != Primitive {
			continue
		}
		if base != "" && base != word {
			return "", nil
		}
		base = word
	}
	text := slices.ContainsFunc([]string{"pattern", "format", "minLength", "maxLength"}, func(name string) bool { return bounds[name] != nil })
	if base == "" && text {
		base = "string"
	}
	for _, v := range append(t.Details.At("examples").Items(), t.Details.At("example")) {
		if kind := string(v.Kind()); !v.Is(Absent) && kind != base && !(base == "integer" && v.Is(Number)) {
			return "", nil
		}
	}
	return base, bounds
}

// maxUnfold bounds how deep the fields of a record are unfolded.
const maxUnfold = 8

// A scalar is what a scalar type stands for.
type scalar struct {
	base   string
	bounds map[string]any
}

// scalars are the scalar types that tell what they stand for, by name.
type scalars map[string]scalar

// unfold returns a record with the primitive and the limits of a scalar type in place of its name, and so the records of its elements and
// fields. What the record says itself counts first.
func (known scalars) unfold(record Value, depth int) Value {
	if !record.Is(Object) || depth > maxUnfold {
		return record
	}
	members, changed := map[string]any{}, false
	put := func(name string, v any) { members[name], changed = v, true }
	for _, m := range record.Members() {
		members[m.Name] = m.Value.Go()
	}
	if of, named := known[record.At("type").Text()]; named {
		put("type", of.base)
		for name, v := range of.bounds {
			if !record.Has(name) {
				members[name] = v
			}
		}
	}
	if items := record.At("items"); items.Is(Object) {
		if unfolded := known.unfold(items, depth+1); !unfolded.Equal(items) {
			put("items", unfolded.Go())
		}
	}
	for _, name := range []string{"fields", "properties"} {
		if unfolded := known.unfoldAll(record.At(name), depth+1); !unfolded.Equal(record.At(name)) {
			put(name, unfolded.Go())
		}
	}
	if !changed {
		return record
	}
	return ValueOf(members)
}

// unfoldAll unfolds the records of a list, or of an object by name.
func (known scalars) unfoldAll(records Value, depth int) Value {
	switch {
	case records.Is(Array):
		var all []any
		for _, r := range records.Items() {
			all = append(all, known.unfold(r, depth).Go())
		}
		if all != nil {
			return ValueOf(all)
		}
	case records.Is(Object):
		all := map[string]any{}
		for _, m := range records.Members() {
			all[m.Name] = known.unfold(m.Value, depth).Go()
		}
		return ValueOf(all)
	}
	return records
}

// unfoldScalars gives the parameters of all operations and the fields of all types the limits of the scalar types that they name.
func (a *Adapter) unfoldScalars() {
	known := scalars{}
	for _, t := range a.Types {
		if base, bounds := t.scalarOf(); base != "" {
			known[t.Name] = scalar{base, bounds}
		}
	}
	if len(known) == 0 {
		return
	}
	for _, o := range a.Operations {
		for i, p := range o.Parameters {
			if r := known.unfold(p.Raw, 0); !r.Equal(p.Raw) {
				o.Parameters[i].Raw, o.Parameters[i].Type = r, r.At("type").Text()
			}
		}
	}
	for i, t := range a.Types {
		if t.Kind == "object" {
			a.Types[i].Details = known.unfold(t.Details, 0)
		}
	}
}
