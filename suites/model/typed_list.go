package model

import "github.com/aql-conform/aql-conform/probes"

// A TypedList is a list of scalars, and two values of it that share no element: a field, or a documented member of one.
type TypedList struct {
	Path    []string // names of the field and of the member
	Was, Is []any
}

// As is an input that gives the list a value.
func (l TypedList) As(items []any) map[string]any {
	if len(l.Path) == 1 {
		return map[string]any{l.Path[0]: items}
	}
	return map[string]any{l.Path[0]: map[string]any{l.Path[1]: items}}
}

// TypedLists returns the first field that is a list of values of a documented form, and the first documented member of an
// object field that is a list.
func (obj TestObject) TypedLists() (all []TypedList) {
	var field, member bool
	for _, p := range obj.Fields {
		e, err := probes.ParseType(p.Type)
		if err != nil || p.Raw.At("readOnly").True() {
			continue
		}
		if l, ok := obj.typedList(p, p.Name); ok && !field && !listsTexts(p) && !obj.unfit[obj.Maker.Name+"."+p.Name] {
			all, field = append(all, l), true
		}
		if e.Form == probes.ListOf {
			continue
		}
		for _, m := range obj.Adapter.Fields(p) {
			if l, ok := obj.typedList(m, p.Name, m.Name); ok && !member && obj.Misfit(p, probes.ValueOf(l.As(l.Was)[p.Name])) == "" {
				all, member = append(all, l), true
			}
		}
	}
	return all
}

// typedList is a list at a path in input, if two values for its items are known.
func (obj TestObject) typedList(list probes.Parameter, path ...string) (TypedList, bool) {
	values := obj.memberValues(itemOf(list))
	if len(values) < 2 || values[0].Equal(values[1]) || list.Raw.At("readOnly").True() {
		return TypedList{}, false
	}
	l := TypedList{path, []any{values[0].Go()}, []any{values[1].Go()}}
	fits := obj.Misfit(list, probes.ValueOf(l.Was)) == "" && obj.Misfit(list, probes.ValueOf(l.Is)) == ""
	return l, fits
}

// itemOf returns what is documented of the items of a list; an unknown type where it is no list.
func itemOf(list probes.Parameter) probes.Parameter {
	e, err := probes.ParseType(list.Type)
	items := list.Raw.At("items")
	switch {
	case err == nil && e.Form == probes.ListOf:
		return probes.Parameter{Name: list.Name, Type: e.Parts[0].Name, Raw: items}
	case err == nil && e.Name == "array" && items.At("type").Is(probes.String):
		return probes.Parameter{Name: list.Name, Type: items.At("type").Text(), Raw: items}
	}
	return probes.Parameter{Name: list.Name}
}
