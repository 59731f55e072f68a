package generate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// typed judges a value by a type alone, and by what the record says of elements
// and fields.
func (f *fitter) typed(e probes.TypeExpr, record, v probes.Value, depth int) answer {
	if f.left--; f.left < 0 || depth > 2*maxNesting {
		return open("a type or a value too large to be judged")
	}
	if slices.Contains(e.Generics, "required") {
		return open("a type whose required fields are not documented")
	}
	if v.Is(probes.Null) && (slices.Contains(e.Generics, "optional") || slices.Contains(e.Generics, "nullable")) {
		return open("null for an optional type")
	}
	switch e.Form {
	case probes.Literal:
		if e.Literal().Equal(v) {
			return yes()
		}
		return no("another value than the literal")
	case probes.UnionOf:
		var arms []answer
		for _, part := range e.Parts {
			arms = append(arms, f.typed(part, record, v, depth))
		}
		return oneOf(arms)
	case probes.ListOf:
		return f.array(e, record, v, depth)
	case probes.MapOf:
		return f.mapped(e, v, depth)
	case probes.Named:
		return f.registered(e, record, v, depth)
	}
	return f.primitive(e.Name, record, v, depth)
}

func (f *fitter) primitive(word string, record, v probes.Value, depth int) answer {
	switch {
	case word == "any":
		return open("the type any")
	case word == "array":
		return f.array(probes.TypeExpr{}, record, v, depth)
	case word == "object":
		return f.object(record, false, v, depth)
	case word == "integer" && v.Is(probes.Number):
		return integral(v)
	case string(v.Kind()) == word:
		return yes()
	}
	return no("another type than " + word)
}

// integral judges whether a number is an integer. One that is written with a point
// is one for some readers only.
func integral(v probes.Value) answer {
	switch plain := !strings.ContainsAny(string(v.Raw()), ".eE"); {
	case plain:
		return yes()
	case v.Whole():
		return open("an integer that is written as a fraction")
	}
	return no("a fraction")
}

func (f *fitter) registered(e probes.TypeExpr, record, v probes.Value, depth int) answer {
	t, known := f.adapter.Type(e.Name)
	if !known {
		return f.alias(e.Name, record, v, depth)
	}
	switch t.Kind {
	case "enum":
		values := t.Details.At("values").Items()
		if len(values) == 0 || len(values) > maxMembers {
			return open("an enum type without values, or with too many")
		}
		if slices.ContainsFunc(values, func(m probes.Value) bool { return m.Equal(v) }) {
			return yes()
		}
		return no("outside the enum " + e.Name)
	case "object":
		for _, own := range []string{"fields", "properties"} {
			if _, both := given(record, own); both {
				return open("fields of the type and fields of the record")
			}
		}
		return f.object(t.Details, slices.Contains(e.Generics, "partial"), v, depth)
	case "union":
		var members []answer
		for _, m := range t.Details.At("members").Items() {
			member, err := probes.ParseType(m.Text())
			if err != nil {
				return open(err.Error())
			}
			members = append(members, f.typed(member, probes.Value{}, v, depth+1))
		}
		return oneOf(members)
	}
	return open("the type " + e.Name)
}

// alias judges by a type word of another language. Dates, decimals and long
// integers travel in more than one kind.
func (f *fitter) alias(word string, record, v probes.Value, depth int) answer {
	switch stands := probes.Alias(word); {
	case stands == "":
		return open("the type " + word)
	case word == "date" || word == "datetime":
		form := map[string]string{"date": "date", "datetime": "date-time"}[word]
		if v.Is(probes.String) && ofFormat(form, v.Text()).allowed {
			return yes()
		}
		return open("the type " + word)
	default:
		a := f.primitive(stands, record, v, depth)
		if a.refused() && (word == "decimal" || word == "long") {
			return open("the type " + word)
		}
		return a
	}
}

// array judges an array and its elements.
func (f *fitter) array(e probes.TypeExpr, record, v probes.Value, depth int) answer {
	if !v.Is(probes.Array) {
		return hollow(v, "no array")
	}
	items, there := given(record, "items")
	if there && !items.At("type").Is(probes.String) {
		return open("items without a type")
	}
	if !there && len(e.Parts) > 0 {
		for _, name := range []string{"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "fields", "properties"} {
			if _, scalar := given(record, name); scalar {
				return open(name + " of the array or of its elements")
			}
		}
	}
	answers := []answer{yes()}
	for _, element := range v.Items() {
		if there {
			answers = append(answers, f.expression(items.At("type").Text(), items, element, depth+1))
		}
		for _, part := range e.Parts {
			answers = append(answers, f.typed(part, items, element, depth+1))
		}
	}
	seen := map[string]bool{}
	for _, element := range v.Items() {
		if key := element.Canonical(nil); !seen[key] {
			seen[key] = true
		} else if record.At("uniqueItems").True() {
			answers = append(answers, no("an element twice"))
		} else if slices.Contains(e.Generics, "set") {
			answers = append(answers, open("an element twice in a set"))
		}
	}
	return all(answers...)
}

// hollow refuses a value of another kind, unless it is an empty array or object:
// there are languages that know but one of the two.
func hollow(v probes.Value, why string) answer {
	if (v.Is(probes.Array) || v.Is(probes.Object)) && len(v.Items())+len(v.Members()) == 0 {
		return open(why + ", but empty")
	}
	return no(why)
}

// mapped judges an object by the type of its values.
func (f *fitter) mapped(e probes.TypeExpr, v probes.Value, depth int) answer {
	if !v.Is(probes.Object) {
		return hollow(v, "no object")
	}
	if len(e.Parts) > 2 || len(e.Parts) == 2 && e.Parts[0].Name != "string" {
		return open("a map with keys of a form")
	}
	answers := []answer{yes()}
	for _, m := range v.Members() {
		a := f.typed(e.Parts[len(e.Parts)-1], probes.Value{}, m.Value, depth+1)
		if m.Value.Is(probes.Null) && a.refused() {
			a = open("a null in a map")
		}
		answers = append(answers, a)
	}
	return all(answers...)
}
