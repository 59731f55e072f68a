package model

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A TypedList is a list of scalars or of objects with documented members, and two values of it that share no element: a
// field, or a documented member of one.
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
		id := obj.Maker.Name + "." + p.Name
		if l, ok := obj.typedList(p, p.Name); ok && !field && (len(obj.named[id]) > 0 || !listsTexts(p) && !obj.unfit[id]) {
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

// typedList is a list at a path in input, if two values for its items are known. A list of objects is replaced by a
// shorter one where three are.
func (obj TestObject) typedList(list probes.Parameter, path ...string) (TypedList, bool) {
	if objects := obj.itemObjects(itemOf(list)); len(objects) == 3 && !list.Raw.At("readOnly").True() {
		l := TypedList{path, objects[:2], objects[2:]}
		return l, obj.Misfit(list, probes.ValueOf(l.Was)) == "" && obj.Misfit(list, probes.ValueOf(l.Is)) == ""
	}
	values := obj.memberValues(itemOf(list))
	if len(path) == 1 && len(obj.named[obj.Maker.Name+"."+list.Name]) > 0 {
		values = obj.named[obj.Maker.Name+"."+list.Name]
	}
	if len(values) < 2 || values[0].Equal(values[1]) || list.Raw.At("readOnly").True() {
		return TypedList{}, false
	}
	l := TypedList{path, []any{values[0].Go()}, []any{values[1].Go()}}
	fits := obj.Misfit(list, probes.ValueOf(l.Was)) == "" && obj.Misfit(list, probes.ValueOf(l.Is)) == ""
	return l, fits
}

// findNamed finds the list of an object that names other objects, as a page names its labels: it is refused with texts, and
// taken with the key of an object of the run. What it names then are two such objects.
func (f *Adapter) findNamed(ctx context.Context, ask probes.Asker, obj TestObject, step string) {
	for _, p := range obj.Fields {
		id, item := obj.Maker.Name+"."+p.Name, itemOf(p)
		if item.Type != "string" || len(f.EnumOf(item)) > 0 || len(f.named[id]) > 0 {
			continue
		}
		tried := f.fitted(ctx, ask, obj, step+": "+p.Name+" of texts", map[string]any{p.Name: []any{f.Gen.Marker("-absent")}})
		if !strings.HasPrefix(tried.Code(), "NOT_FOUND_") && !strings.HasPrefix(tried.Code(), "VALIDATION_") {
			continue
		}
		for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
			proven := f.provenKeys[maker]
			if maker == obj.Maker.Name || len(proven.values) != 1 || f.Misfit(item, proven.values[0]) != "" {
				continue
			}
			named := map[string]any{p.Name: []any{proven.values[0].Go()}}
			if !f.fitted(ctx, ask, obj, step+": "+p.Name+" of "+maker, named).Succeeded() {
				continue
			}
			if other := f.ownReference(ctx, ask, maker, id, true); !other.Is(probes.Absent) && f.Misfit(item, other) == "" {
				f.named[id] = []probes.Value{proven.values[0], other}
				break
			}
		}
	}
}

// itemObjects are three different objects with the documented members of the items of a list; none where a member that they
// must have takes no known value.
func (obj TestObject) itemObjects(item probes.Parameter) []any {
	first, second := map[string]any{}, map[string]any{}
	var differ []string
	for _, m := range obj.Adapter.Fields(item) {
		values, as := obj.memberValues(m), probes.Value.Go
		if len(values) == 0 {
			values, as = obj.memberValues(itemOf(m)), func(v probes.Value) any { return []any{v.Go()} }
		}
		if len(values) == 0 || slices.ContainsFunc(values, func(v probes.Value) bool { return v.True() && gate.Reaches(m, v) }) {
			if m.Required {
				return nil
			}
			continue
		}
		first[m.Name], second[m.Name] = as(values[0]), as(values[len(values)-1])
		if !values[0].Equal(values[len(values)-1]) {
			differ = append(differ, m.Name)
		}
	}
	if len(differ) < 2 {
		return nil
	}
	third := maps.Clone(first)
	third[differ[0]] = second[differ[0]]
	return []any{first, third, second}
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
