package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A flaw is what makes a request invalid by the adapter's own documentation.
type flaw struct {
	owner string // the requirement that an adapter breaks that accepts it
	path  string // parameter, or input.field
	words string // noun phrase: what is wrong
}

// flaws lists what is wrong with the parameters of a call. certain is false when
// part of the documentation cannot be read, so that validity is anybody's guess.
func (f *Face) flaws(call probes.Probe) (all []flaw, certain bool) {
	o, _ := f.Operation(call.Operation())
	params := probes.ValueOf(call.Params())
	certain = true
	for _, p := range o.Parameters {
		v := params.At(p.Name)
		switch {
		case v.Is(probes.Absent) && p.Required:
			all = append(all, flaw{"OPS-5.4-01", p.Name, "no " + p.Name + ", which is required,"})
		case v.Is(probes.Absent):
		case p.Name == "input" && o.Category == "UPDATE":
			inner, sure := f.inputFlaws(o, v)
			all, certain = append(all, inner...), certain && sure
		default:
			why, sure := f.flaw(p, v)
			all, certain = append(all, why...), certain && sure
		}
	}
	for _, name := range params.Names() {
		if !o.HasParameter(name) {
			all = append(all, flaw{"AQL-4.6-01", name, "a parameter that is not documented"})
		}
	}
	return all, certain
}

// inputFlaws reads the fields of an update. Section 4.5.3. A field may be null: that
// removes it. Fields that nobody documents are nobody's to judge.
func (f *Face) inputFlaws(o probes.Operation, input probes.Value) (all []flaw, certain bool) {
	if !input.Is(probes.Object) {
		return []flaw{{"AQL-4.5.3-03", "input", "an input that is no object"}}, true
	}
	sp, why := f.specimen(o.Name)
	if why != nil {
		return nil, false
	}
	certain = true
	for _, m := range input.Members() {
		i := slices.IndexFunc(sp.fields, func(p probes.Parameter) bool { return p.Name == m.Name })
		switch {
		case i < 0 && sp.declared:
			all = append(all, flaw{"AQL-4.5.3-06", "input." + m.Name, "a field that is not documented"})
		case i < 0 || !sp.declared:
			certain = certain && i >= 0
		case m.Value.Is(probes.Null):
		default:
			inner, sure := f.flaw(sp.fields[i], m.Value)
			certain = certain && sure
			for _, fl := range inner {
				owner := "AQL-4.5.3-05"
				if fl.owner == "AQL-3.2-04" {
					owner = "AQL-4.5.3-04"
				}
				all = append(all, flaw{owner, "input." + fl.path, fl.words})
			}
		}
	}
	return all, certain
}

// flaw says what is wrong with the value of one parameter or field.
func (f *Face) flaw(p probes.Parameter, v probes.Value) (all []flaw, certain bool) {
	kinds, understood := f.Kinds(p.Type)
	if !understood {
		return nil, p.Type == "any"
	}
	if v.Is(probes.Null) && !slices.Contains(kinds, "null") {
		return nil, false // may count as absent (ODD-09)
	}
	why := f.Misfit(p, v)
	owner := ""
	switch {
	case why == "" && v.Is(probes.Array):
		return f.itemFlaws(p, v)
	case why == "":
		return nil, true
	case strings.HasPrefix(why, "another type"):
		owner = "AQL-3.2-04"
	case strings.Contains(why, "enum"):
		owner = "OPS-5.4-04"
	case strings.Contains(why, "Length"):
		owner = "OPS-5.4-08"
	case strings.Contains(why, "pattern"):
		owner = "OPS-5.4-07"
	default:
		owner = "OPS-5.4-05"
	}
	return []flaw{{owner, p.Name, "a value " + why}}, true
}

// itemFlaws looks at each element of an array by the record that documents them.
func (f *Face) itemFlaws(p probes.Parameter, v probes.Value) (all []flaw, certain bool) {
	item := probes.Parameter{Name: p.Name, Type: p.Raw.At("items", "type").Text(), Raw: p.Raw.At("items")}
	if e, err := probes.ParseType(p.Type); err == nil && e.Form == probes.ListOf && item.Type == "" && e.Parts[0].Form == probes.Primitive {
		item.Type = e.Parts[0].Name
	}
	if item.Type == "" {
		return nil, len(v.Items()) == 0
	}
	certain = true
	for _, inner := range v.Items() {
		why, sure := f.flaw(item, inner)
		certain = certain && sure
		for _, fl := range why {
			return []flaw{{"CMP-ARRAY-01", p.Name, "an element that is " + strings.TrimPrefix(fl.words, "a value ")}}, certain
		}
	}
	return nil, certain
}
