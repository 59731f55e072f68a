package model

import "github.com/aql-conform/aql-conform/probes"

// A TypedList is a list of scalars among the documented members of an object field, and two values of it that
// share no element.
type TypedList struct {
	probes.Parameter
	List    probes.Parameter
	Was, Is []any
}

// TypedList returns an object field with a list among its documented members.
func (obj TestObject) TypedList() (TypedList, bool) {
	for _, p := range obj.Fields {
		if e, err := probes.ParseType(p.Type); err != nil || e.Form == probes.ListOf || p.Raw.At("readOnly").True() {
			continue
		}
		for _, m := range obj.Adapter.Fields(p) {
			typed := TypedList{Parameter: p, List: m}
			values := obj.memberValues(itemOf(m))
			if len(values) < 2 || values[0].Equal(values[1]) || m.Raw.At("readOnly").True() {
				continue
			}
			typed.Was, typed.Is = []any{values[0].Go()}, []any{values[1].Go()}
			whole := func(list []any) probes.Value { return probes.ValueOf(map[string]any{m.Name: list}) }
			if obj.Misfit(p, whole(typed.Was)) == "" && obj.Misfit(p, whole(typed.Is)) == "" {
				return typed, true
			}
		}
	}
	return TypedList{}, false
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
