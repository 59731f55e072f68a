package probes

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
