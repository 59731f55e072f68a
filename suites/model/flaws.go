package model

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Flaw is one reason why a request is invalid according to the adapter's own documentation.
type Flaw struct {
	Requirement  string // requirement that an adapter violates by accepting it
	Path         string // parameter, or input.field
	Description  string // noun phrase
	MayBeCoerced bool   // a lenient adapter may convert the value to a valid one
}

// Flaws lists the flaws in the parameters of a call. certain is false if part of the documentation
// cannot be read, so that the validity is unknown.
func (f *Adapter) Flaws(call probes.Probe) (all []Flaw, certain bool) {
	o, _ := f.Operation(call.Operation())
	params := probes.ValueOf(call.Params())
	certain = true
	for _, p := range o.Parameters {
		v := params.At(p.Name)
		switch {
		case v.Is(probes.Absent) && params.Has(vocab.CamelCase(p.Name)): // an alias, which an adapter may take
			certain = false
		case v.Is(probes.Absent) && p.Required:
			all = append(all, Flaw{"OPS-5.4-01", p.Name, "no " + p.Name + ", which is required", false})
		case v.Is(probes.Absent):
		case p.Name == "input" && o.Category == "UPDATE":
			inner, sure := f.inputFlaws(o, v)
			all, certain = append(all, inner...), certain && sure
		default:
			why, sure := f.ValueFlaws(p, v)
			for i := range why { // what lists nothing has no page to cut down
				why[i].MayBeCoerced = why[i].MayBeCoerced && (o.Category == "READ" || why[i].Requirement != "OPS-5.4-05" || !v.Is(probes.Number))
			}
			all, certain = append(all, why...), certain && sure
		}
	}
	for _, name := range params.Names() {
		if alias := func(p probes.Parameter) bool { return vocab.CamelCase(p.Name) == name }; !slices.ContainsFunc(o.Parameters, alias) && !o.HasParameter(name) {
			all = append(all, Flaw{unknownNameRequirement(o, name), name, "a parameter that is not documented", false})
		}
	}
	return all, certain
}

// unknownNameRequirement is the requirement on an undocumented name. A name close to a documented
// one has its own requirement.
func unknownNameRequirement(o probes.Operation, name string) string {
	near := func(p probes.Parameter) bool {
		return vocab.Near(strings.ToLower(p.Name), strings.ToLower(name), 1)
	}
	if slices.ContainsFunc(o.Parameters, near) {
		return "AQL-4.6-06"
	}
	return "AQL-4.6-01"
}

// inputFlaws lists the flaws in the fields of an update. Section 4.5.3. A field may be null, which
// removes it. Without declared fields an unknown field is not a flaw.
func (f *Adapter) inputFlaws(o probes.Operation, input probes.Value) (all []Flaw, certain bool) {
	if !input.Is(probes.Object) {
		return []Flaw{{"AQL-4.5.3-03", "input", "an input that is no object", coercible([]string{"object"}, input)}}, true
	}
	obj, why := f.TestObject(o.Name)
	if why != nil {
		return nil, false
	}
	certain = true
	for _, m := range input.Members() {
		i := slices.IndexFunc(obj.Fields, func(p probes.Parameter) bool { return p.Name == m.Name })
		switch {
		case i < 0 && obj.Declared:
			all = append(all, Flaw{"AQL-4.5.3-06", "input." + m.Name, "a field that is not documented", false})
		case i < 0 || !obj.Declared:
			certain = certain && i >= 0
		case m.Value.Is(probes.Null):
		default:
			inner, sure := f.ValueFlaws(obj.Fields[i], m.Value)
			certain = certain && sure
			for _, fl := range inner {
				if fl.Requirement == "" {
					all = append(all, Flaw{"", "input." + fl.Path, fl.Description, fl.MayBeCoerced})
					continue
				}
				owner := "AQL-4.5.3-05"
				if fl.Requirement == "AQL-3.2-04" {
					owner = "AQL-4.5.3-04"
				}
				all = append(all, Flaw{owner, "input." + fl.Path, fl.Description, fl.MayBeCoerced})
			}
		}
	}
	return all, certain
}

// ValueFlaws lists the flaws in the value of one parameter or field.
func (f *Adapter) ValueFlaws(p probes.Parameter, v probes.Value) (all []Flaw, certain bool) {
	allowed, understood, why := f.Gen.Fits(p, v)
	if allowed || !understood {
		return nil, understood
	}
	kinds, _ := f.Kinds(p.Type)
	owner := flawRequirement(why)
	switch {
	case v.Is(probes.Array) && slices.Contains(kinds, "array") && owner != "":
		owner = ""
		if p.Raw.At("items").Has("type") { // a type expression alone does not oblige the adapter to check elements
			owner = "CMP-ARRAY-01"
		}
	case v.Is(probes.Object) && slices.Contains(kinds, "object"):
		if inner := f.memberFlaws(p, v); len(inner) > 0 {
			return inner, true
		}
		owner = "" // what is missing in an object, or is not documented, is judged elsewhere
	}
	lenient := coercible(kinds, v) || slices.Contains(PageSizes, p.Name) && owner == "OPS-5.4-05" || f.nearlyListed(p, v)
	return []Flaw{{owner, p.Name, "a value, " + why, lenient}}, owner != ""
}

// memberFlaws lists the flaws in the documented members of an object. A null may remove a member.
func (f *Adapter) memberFlaws(p probes.Parameter, v probes.Value) (all []Flaw) {
	for _, field := range f.Fields(p) {
		m := v.At(field.Name)
		if m.Is(probes.Absent) || m.Is(probes.Null) {
			continue
		}
		why, certain := f.ValueFlaws(field, m)
		for _, flaw := range why {
			if certain {
				flaw.Path = p.Name + "." + flaw.Path
				all = append(all, flaw)
			}
		}
	}
	return all
}

// flawRequirement is the requirement that forbids accepting a value that is excluded for this
// reason; "" if there is none.
func flawRequirement(why string) string {
	for _, w := range []struct{ word, owner string }{
		{"another type", "AQL-3.2-04"}, {"no array", "AQL-3.2-04"}, {"no object", "AQL-3.2-04"}, {"a fraction", "AQL-3.2-04"}, {"null", "AQL-3.2-04"},
		{"enum", "OPS-5.4-04"}, {"literal", "OPS-5.4-04"}, {"beyond the m", "OPS-5.4-05"},
		{"shorter than", "OPS-5.4-08"}, {"longer than", "OPS-5.4-08"}, {"pattern", "OPS-5.4-07"},
	} {
		if strings.Contains(why, w.word) && !strings.Contains(why, "Items") {
			return w.owner
		}
	}
	return ""
}

// coercible reports whether a lenient adapter may convert the value to one of the kinds: a number
// or boolean to a string, "5" to 5, 1 to true, 1.5 to 1, one value to an array, JSON in a string to
// its value.
func coercible(kinds []string, v probes.Value) bool {
	is := func(k string) bool { return slices.Contains(kinds, k) }
	inner, readable := probes.Value{}, false
	if v.Is(probes.String) {
		parsed, err := probes.ParseValue([]byte(strings.TrimSpace(v.Text())))
		inner, readable = parsed, err == nil
	}
	switch {
	case is("string") && (v.Is(probes.Number) || v.Is(probes.Boolean)), is("integer") && v.Is(probes.Number), is("array") && (v.Is(probes.String) || v.Is(probes.Number)):
		return true
	case is("boolean") && v.Is(probes.Number), is("boolean") && v.Is(probes.String) && slices.Contains(strings.Fields("true false yes no on off 0 1"), strings.ToLower(v.Text())):
		return true
	case (is("number") || is("integer")) && (readable && inner.Is(probes.Number) || v.Is(probes.Boolean)):
		return true
	}
	return readable && (is("object") && inner.Is(probes.Object) || is("array") && inner.Is(probes.Array))
}

// nearlyListed reports whether a value equals a listed one apart from letter case and surrounding space, or each element of a list does.
func (f *Adapter) nearlyListed(p probes.Parameter, v probes.Value) bool {
	if items := p.Raw.At("items"); v.Is(probes.Array) {
		element := probes.Parameter{Name: p.Name, Type: items.At("type").Text(), Raw: items}
		return len(v.Items()) > 0 && !slices.ContainsFunc(v.Items(), func(e probes.Value) bool { return !f.nearlyListed(element, e) })
	}
	return slices.ContainsFunc(f.EnumOf(p), func(e probes.Value) bool {
		return v.Is(probes.String) && strings.EqualFold(e.Text(), strings.TrimSpace(v.Text()))
	})
}
