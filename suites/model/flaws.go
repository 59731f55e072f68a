package model

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Flaw is what makes a request invalid by the adapter's own documentation.
type Flaw struct {
	Owner string // the requirement that an adapter breaks that accepts it
	Path  string // parameter, or input.field
	Words string // noun phrase: what is wrong
	Mild  bool   // a lenient reader may take it for something valid
}

// Flaws lists what is wrong with the parameters of a call. certain is false when
// part of the documentation cannot be read, so that validity is anybody's guess.
func (f *Adapter) Flaws(call probes.Probe) (all []Flaw, certain bool) {
	o, _ := f.Operation(call.Operation())
	params := probes.ValueOf(call.Params())
	certain = true
	for _, p := range o.Parameters {
		v := params.At(p.Name)
		switch {
		case v.Is(probes.Absent) && p.Required:
			all = append(all, Flaw{"OPS-5.4-01", p.Name, "no " + p.Name + ", which is required", false})
		case v.Is(probes.Absent):
		case p.Name == "input" && o.Category == "UPDATE":
			inner, sure := f.inputFlaws(o, v)
			all, certain = append(all, inner...), certain && sure
		default:
			why, sure := f.Flaw(p, v)
			all, certain = append(all, why...), certain && sure
		}
	}
	for _, name := range params.Names() {
		if !o.HasParameter(name) {
			all = append(all, Flaw{unknownRow(o, name), name, "a parameter that is not documented", false})
		}
	}
	return all, certain
}

// unknownRow is the requirement that an undocumented name falls under: a near-miss
// of a documented one has a row of its own.
func unknownRow(o probes.Operation, name string) string {
	near := func(p probes.Parameter) bool {
		return vocab.Near(strings.ToLower(p.Name), strings.ToLower(name), 1)
	}
	if slices.ContainsFunc(o.Parameters, near) {
		return "AQL-4.6-06"
	}
	return "AQL-4.6-01"
}

// inputFlaws reads the fields of an update. Section 4.5.3. A field may be null: that
// removes it. Fields that nobody documents are nobody's to judge.
func (f *Adapter) inputFlaws(o probes.Operation, input probes.Value) (all []Flaw, certain bool) {
	if !input.Is(probes.Object) {
		return []Flaw{{"AQL-4.5.3-03", "input", "an input that is no object", looksAlike([]string{"object"}, input)}}, true
	}
	sp, why := f.TestObject(o.Name)
	if why != nil {
		return nil, false
	}
	certain = true
	for _, m := range input.Members() {
		i := slices.IndexFunc(sp.Fields, func(p probes.Parameter) bool { return p.Name == m.Name })
		switch {
		case i < 0 && sp.Declared:
			all = append(all, Flaw{"AQL-4.5.3-06", "input." + m.Name, "a field that is not documented", false})
		case i < 0 || !sp.Declared:
			certain = certain && i >= 0
		case m.Value.Is(probes.Null):
		default:
			inner, sure := f.Flaw(sp.Fields[i], m.Value)
			certain = certain && sure
			for _, fl := range inner {
				if fl.Owner == "" {
					all = append(all, Flaw{"", "input." + fl.Path, fl.Words, fl.Mild})
					continue
				}
				owner := "AQL-4.5.3-05"
				if fl.Owner == "AQL-3.2-04" {
					owner = "AQL-4.5.3-04"
				}
				all = append(all, Flaw{owner, "input." + fl.Path, fl.Words, fl.Mild})
			}
		}
	}
	return all, certain
}

// Flaw says what is wrong with the value of one parameter or field.
func (f *Adapter) Flaw(p probes.Parameter, v probes.Value) (all []Flaw, certain bool) {
	allowed, understood, why := f.Gen.Fits(p, v)
	if allowed || !understood {
		return nil, understood
	}
	kinds, _ := f.Kinds(p.Type)
	owner := flawOwner(why)
	switch {
	case v.Is(probes.Array) && slices.Contains(kinds, "array") && owner != "":
		owner = ""
		if p.Raw.At("items").Has("type") { // what a type expression says of elements binds nobody to check them
			owner = "CMP-ARRAY-01"
		}
	case v.Is(probes.Object) && slices.Contains(kinds, "object"):
		owner = "" // named object types are judged by their container alone
	}
	lenient := looksAlike(kinds, v) || slices.Contains(PageSizes, p.Name) && owner == "OPS-5.4-05" || recasedEnum(f.EnumOf(p), v)
	return []Flaw{{owner, p.Name, "a value, " + why, lenient}}, owner != ""
}

// flawOwner is the requirement that forbids to accept what the documentation
// excludes for a reason; "" where accepting more than is documented breaks none.
func flawOwner(why string) string {
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

// looksAlike reports whether a lenient reader takes the value for one of the kinds:
// a number or boolean for a text, "5" for 5, 1 for true, 1.5 for 1, one value for
// an array of one, JSON within a text for what it says.
func looksAlike(kinds []string, v probes.Value) bool {
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

// recasedEnum reports whether a value differs from a listed one by letter case or
// padding alone.
func recasedEnum(enum []probes.Value, v probes.Value) bool {
	return slices.ContainsFunc(enum, func(e probes.Value) bool {
		return v.Is(probes.String) && strings.EqualFold(e.Text(), strings.TrimSpace(v.Text()))
	})
}
