package probes

import "slices"

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
