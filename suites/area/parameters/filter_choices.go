package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A choice is an optional parameter of a listing, or a field of one, with a value.
type choice struct {
	par, field string // field is empty for the parameter itself
	value      any
	bound      bool // a number that may be a bound
	// condition is an element of the parameter, which is a list of them; field tells it from others.
	condition map[string]any
}

// with returns the request with the choice made beside those that it has.
func (c choice) with(p probes.Probe) probes.Probe {
	if c.condition != nil {
		var all []any
		for _, v := range model.ValueIn(p, c.par).Items() {
			all = append(all, v.Go())
		}
		return p.With(c.par, append(all, c.condition))
	}
	if c.field == "" {
		return p.With(c.par, c.value)
	}
	fields := map[string]any{c.field: c.value}
	for _, m := range model.ValueIn(p, c.par).Members() {
		if m.Name != c.field {
			fields[m.Name] = m.Value.Go()
		}
	}
	return p.With(c.par, fields)
}

func (c choice) same(other choice) bool { return c.par == other.par && c.field == other.field }

// The requests of the script are bounded: so many choices are made, and so many pairs of them.
const (
	mostChoices  = 12
	mostBounds   = 6
	mostPairs    = 4
	mostBounded  = 3 // pairs with a bound
	mostArranged = 2
)

// choicesOf returns the choices of an operation from enumerations, booleans, and what the items show.
func choicesOf(s model.Subject) (all []choice) {
	add := func(p probes.Parameter, par, field string) {
		values := s.EnumOf(p)
		switch {
		case p.Type == "boolean":
			values = []probes.Value{probes.ValueOf(true)}
		case len(values) == 0 && field == "":
			values = sharedValues(s, p)
		}
		for _, v := range values[:min(len(values), 3)] {
			all = append(all, choice{par: par, field: field, value: v.Go()})
		}
	}
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; p.Required || set {
			continue
		}
		fields, _ := s.FieldsOf(p, probes.Operation{})
		needed := len(slices.DeleteFunc(slices.Clone(fields), func(f probes.Parameter) bool { return !f.Required }))
		if len(fields) == 0 {
			add(p, p.Name, "")
		}
		for _, f := range fields {
			if needed == 0 || needed == 1 && f.Required { // an object that wants more than one field is no set of conditions
				add(f, p.Name, f.Name)
			}
		}
	}
	all = slices.Concat(conditionsOf(s), all[:min(len(all), mostChoices)])
	others := len(all)
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; !p.Required && !set && !slices.ContainsFunc(all, func(c choice) bool { return c.par == p.Name }) {
			for _, v := range boundValues(s, p) {
				all = append(all, choice{par: p.Name, value: v.Go(), bound: true})
			}
		}
	}
	return all[:min(len(all), others+mostBounds)]
}

// mostShared is how many values of a member are tried.
const mostShared = 2

// sharedValues are those that several of the listed items have, and not all of them, in the member of the name of a
// parameter, in any style of writing it.
func sharedValues(s model.Subject, p probes.Parameter) (values []probes.Value) {
	items := rowsOf(s.KnownGoodRequest().Reply)
	for _, item := range items {
		v := check.MemberCalled(item, p.Name)
		n := 0
		for _, other := range items {
			if check.MemberCalled(other, p.Name).Equal(v) {
				n++
			}
		}
		if scalar := v.Is(probes.String) || v.Is(probes.Number); scalar && n > 1 && n < len(items) && len(values) < mostShared && !slices.ContainsFunc(values, v.Equal) {
			values = append(values, v)
		}
	}
	return values
}

// boundValues are two numbers of the listed items for a parameter that is called like a bound of them, neither the
// smallest nor the largest: each bound leaves something out, and both together keep something.
func boundValues(s model.Subject, p probes.Parameter) []probes.Value {
	items := rowsOf(s.KnownGoodRequest().Reply)
	if p.Type != "number" && p.Type != "integer" || len(items) == 0 || len(matched(s, filter{p, ""}, items).tried) == 0 {
		return nil
	}
	values := slices.DeleteFunc(telling(filter{p, ""}, items), func(v probes.Value) bool { return s.Misfit(p, v) != "" })
	if len(values) < 4 {
		return nil
	}
	return []probes.Value{values[len(values)/3], values[len(values)-1-len(values)/3]}
}

// The conditions of a listing are bounded too: all comparisons of one member are tried, and the first ones of some others.
const (
	mostComparisons = 8
	mostMembers     = 3
)

// conditionsOf returns choices of a list of conditions: objects with the name of a member, a comparison or none, and a value.
// Names and comparisons are listed values. What a comparison means is seen: some take a value, and some a list of values.
func conditionsOf(s model.Subject) (all []choice) {
	for _, p := range s.Op.Parameters {
		items := p.Raw.At("items")
		name, comparison, value, ok := conditionFields(s, probes.Parameter{Type: items.At("type").Text(), Raw: items})
		if !ok || p.Required || len(all) > 0 {
			continue
		}
		comparisons := s.EnumOf(comparison)
		if comparisons = comparisons[:min(len(comparisons), mostComparisons)]; comparison.Name == "" {
			comparisons = []probes.Value{{}}
		}
		members := 0
		for _, of := range s.EnumOf(name) {
			shared := sharedValues(s, probes.Parameter{Name: of.Text()})
			if len(shared) == 0 || members == mostMembers {
				continue
			}
			members++
			for i, by := range comparisons {
				if members > 1 && i > 1 {
					break
				}
				for _, v := range []any{shared[0].Go(), []any{shared[0].Go()}} {
					c := map[string]any{name.Name: of.Go(), value.Name: v}
					if comparison.Name != "" {
						c[comparison.Name] = by.Go()
					}
					all = append(all, choice{par: p.Name, field: of.Text() + " " + by.Text(), value: shared[0].Go(), condition: c})
				}
			}
		}
	}
	return all
}

// conditionFields are the fields of a condition: two of listed values at most, of which the first names a member that the items have,
// and one other.
func conditionFields(s model.Subject, of probes.Parameter) (name, comparison, value probes.Parameter, ok bool) {
	fields, _ := s.FieldsOf(of, probes.Operation{})
	rows := rowsOf(s.KnownGoodRequest().Reply)
	for _, f := range fields {
		listed := s.EnumOf(f)
		names := len(rows) > 0 && slices.ContainsFunc(listed, func(v probes.Value) bool { return rows[0].Has(v.Text()) })
		switch {
		case names && name.Name == "":
			name = f
		case len(listed) > 0 && comparison.Name == "":
			comparison = f
		case len(listed) == 0 && value.Name == "":
			value = f
		case f.Required:
			return name, comparison, value, false
		}
	}
	return name, comparison, value, name.Name != "" && value.Name != ""
}
