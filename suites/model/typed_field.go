package model

import (
	"math/rand/v2"
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A TypedField is an object field of which two members can be given values: documented ones, or entries of a map with
// values of a documented type.
type TypedField struct {
	probes.Parameter
	Changed, Kept probes.Parameter // members; the first is changed by scripts
	Was, Is, Also probes.Value     // values: of the first before and after, and of the other
	Made          map[string]any   // the object as it is made: the first, and what such an object must have
	Bare          map[string]any   // the same with the other in place of the first
	Spare         []SpareMember    // which Bare lacks
}

// TypedField returns the first of the TypedFields.
func (obj TestObject) TypedField() (TypedField, bool) {
	if all := obj.TypedFields(); len(all) > 0 {
		return all[0], true
	}
	return TypedField{}, false
}

// mostTypedFields bounds the object fields by which an UPDATE is tried.
const mostTypedFields = 3

// TypedFields returns the first object fields whose members have documented types.
func (obj TestObject) TypedFields() (all []TypedField) {
	for _, p := range obj.Fields {
		if e, err := probes.ParseType(p.Type); err != nil || e.Form == probes.ListOf || p.Raw.At("readOnly").True() {
			continue
		}
		typed := obj.typed(p)
		if typed.Was.Is(probes.Absent) || typed.Also.Is(probes.Absent) || obj.Misfit(p, probes.ValueOf(map[string]any{typed.Changed.Name: typed.Was.Go()})) != "" {
			continue
		}
		if made, ok := obj.whole(typed); ok && len(all) < mostTypedFields {
			typed.Made = made
			typed.Bare, typed.Spare = obj.bare(typed)
			all = append(all, typed)
		}
	}
	return all
}

// typed chooses the members of an object field. An object within it is the other one where no scalar is.
func (obj TestObject) typed(p probes.Parameter) TypedField {
	typed := TypedField{Parameter: p}
	members := obj.Adapter.Fields(p)
	if len(members) == 0 {
		members = obj.entries(p)
	}
	sendable := func(m probes.Parameter) []probes.Value {
		values := obj.memberValues(m)
		if slices.ContainsFunc(values, func(v probes.Value) bool { return v.True() && gate.Reaches(m, v) }) {
			return nil
		}
		return values
	}
	nullable := slices.IndexFunc(members, func(m probes.Parameter) bool {
		return obj.TakesNull(m) && len(sendable(m)) > 0 && !obj.demanded(p, m)
	})
	for i, m := range members {
		switch values := sendable(m); {
		case i != nullable && len(values) > 1 && typed.Was.Is(probes.Absent):
			typed.Changed, typed.Was, typed.Is = m, values[0], values[1]
		case (i == nullable || nullable < 0) && len(values) > 0 && !obj.demanded(p, m) && typed.Also.Is(probes.Absent):
			typed.Kept, typed.Also = m, values[len(values)-1]
		}
	}
	for _, m := range members {
		for _, inner := range obj.Adapter.Fields(m) {
			values := obj.memberValues(inner)
			if typed.Also.Is(probes.Absent) && m.Name != typed.Changed.Name && !obj.demanded(p, m) && len(values) > 0 {
				object := probes.ValueOf(map[string]any{inner.Name: values[0].Go()})
				if e, err := probes.ParseType(m.Type); err == nil && e.Form != probes.ListOf && obj.Misfit(m, object) == "" {
					typed.Kept, typed.Also = m, object
				}
			}
		}
	}
	return typed
}

// entries are two members of a map, such as labels: one whose values have a documented type, or one that a trial showed to
// take texts alone.
func (obj TestObject) entries(p probes.Parameter) (all []probes.Parameter) {
	if t, named := obj.Type(p.Type); named && t.Kind == "object" && len(t.Details.At("fields").Items()) == 0 {
		p = probes.Parameter{Name: p.Name, Type: "object", Raw: t.Details} // a map with a name of its own
	}
	values, fits, ok := mapOf(p)
	if obj.flat[obj.Maker.Name+"."+p.Name] {
		values, fits, ok = probes.ValueOf(map[string]any{"type": "string"}), func(string) bool { return true }, true
	}
	for _, name := range []string{"alpha", "gamma", "ALPHA", "GAMMA"} {
		if ok && fits(name) && len(all) < 2 {
			all = append(all, probes.Parameter{Name: name, Type: values.At("type").Text(), Raw: values})
		}
	}
	return all
}

// mapOf returns the record of the values of a map with values of one documented type, and whether a key fits its patterns.
func mapOf(p probes.Parameter) (values probes.Value, fits func(key string) bool, ok bool) {
	var patterns []*regexp.Regexp
	e, err := probes.ParseType(p.Type)
	for _, m := range p.Raw.Members() { // additionalProperties, values, map_of: it has a name of the adapter's own
		switch typed := m.Value.Is(probes.Object) && m.Value.At("type").Is(probes.String); {
		case typed && m.Name != "propertyNames" && !values.Is(probes.Absent):
			return values, nil, false
		case typed && m.Name != "propertyNames":
			values = m.Value
		case m.Value.At("pattern").Is(probes.String):
			names, wrong := regexp.Compile(m.Value.At("pattern").Text())
			if wrong != nil {
				return values, nil, false
			}
			patterns = append(patterns, names)
		}
	}
	fits = func(key string) bool {
		return !slices.ContainsFunc(patterns, func(r *regexp.Regexp) bool { return !r.MatchString(key) })
	}
	return values, fits, err == nil && e.Form == probes.Primitive && e.Name == "object" && values.At("type").Is(probes.String)
}

// takesEntry reports whether a map of texts takes one under the name of the mark.
func takesEntry(p probes.Parameter, text string) bool {
	values, fits, ok := mapOf(p)
	most, bounded := values.At("maxLength").Float()
	return ok && values.At("type").Text() == "string" && !values.Has("enum") && !values.Has("pattern") && !values.Has("format") &&
		fits(markEntry) && (!bounded || int(most) >= len(text))
}

// made is an object field as the maker takes it.
func (obj TestObject) made(p probes.Parameter) (probes.Parameter, bool) {
	takes := obj.taken(obj.Maker.Op)
	i := slices.IndexFunc(takes, func(q probes.Parameter) bool { return q.Name == p.Name })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return takes[i], true
}

// demanded reports whether an object has to have a member, where it is changed or where it is made.
func (obj TestObject) demanded(p, m probes.Parameter) bool {
	q, made := obj.made(p)
	return m.Required || made && slices.ContainsFunc(obj.Adapter.Fields(q), func(f probes.Parameter) bool { return f.Name == m.Name && f.Required })
}

// whole is the object with the member that scripts change, and with those that the maker demands: of the
// documented example, or drawn. Without such members there may be none that the maker takes.
func (obj TestObject) whole(typed TypedField) (object map[string]any, ok bool) {
	object = map[string]any{typed.Changed.Name: typed.Was.Go()}
	q, made := obj.made(typed.Parameter)
	if !made {
		return object, true
	}
	var example probes.Value
	for _, v := range obj.Gen.Values(obj.Maker.Op, q) {
		if v.Is(probes.Object) && example.Is(probes.Absent) {
			example = v
		}
	}
	for _, m := range obj.Adapter.Fields(q) {
		if !m.Required || m.Name == typed.Changed.Name {
			continue
		}
		v := example.At(m.Name)
		if values := obj.memberValues(m); v.Is(probes.Absent) && len(values) > 0 {
			v = values[0]
		}
		if v.Is(probes.Absent) {
			return nil, false
		}
		object[m.Name] = v.Go()
	}
	return object, true
}

// RivalField returns a field that objects of one name may differ in, with two values for it: an optional free text, or
// else a number that the maker takes, an optional one first.
func (obj TestObject) RivalField() (name string, first, second probes.Value, ok bool) {
	if spare, ok := obj.SpareField(); ok {
		return spare.Name, probes.ValueOf(obj.Gen.Marker("-first")), probes.ValueOf(obj.Gen.Marker("-second")), true
	}
	for _, needed := range []bool{false, true} {
		for _, p := range obj.Fields {
			kinds, _ := obj.Kinds(p.Type)
			number := slices.Equal(kinds, []string{"integer"}) || slices.Equal(kinds, []string{"number"})
			q, made := obj.made(p)
			if !made || !number || obj.needed(p) != needed || len(obj.EnumOf(p)) > 0 || obj.ClientChosen(obj.Maker.Op, q) || obj.unfit[obj.Maker.Name+"."+p.Name] {
				continue
			}
			if values := obj.memberValues(q); len(values) > 1 {
				return p.Name, values[0], values[1], true
			}
		}
	}
	return "", first, second, false
}

// memberValues returns up to two scalar values of a field or member that is no reference.
func (obj TestObject) memberValues(m probes.Parameter) []probes.Value {
	kinds, ok := obj.valueKinds(m)
	if !ok || len(kinds) != 1 || !slices.Contains([]string{"string", "number", "integer", "boolean"}, kinds[0]) || obj.Refers(m) || m.Raw.At("readOnly").True() {
		return nil
	}
	if kinds[0] == "string" && obj.acceptsAnyText(m) {
		return []probes.Value{probes.ValueOf(obj.Gen.Marker("-was")), probes.ValueOf(obj.Gen.Marker("-is"))}
	}
	d, err := obj.Gen.Domain(m)
	if err != nil {
		return nil
	}
	values, err := d.Values(rand.New(rand.NewPCG(1, 1)), 4)
	if err != nil {
		return nil
	}
	values = slices.DeleteFunc(values, func(v probes.Value) bool { return v.Is(probes.Null) }) // null removes
	return values[:min(len(values), 2)]
}

// A DeepField is an object within an object field whose members have documented types.
type DeepField struct {
	Field, Within string
	Changed, Kept string         // members of the inner object; the first is changed by scripts
	Was, Is, Also probes.Value   // values: of the first before and after, and of the other
	Made          map[string]any // the field as it is made
}

// Input is an input that changes one member of the inner object.
func (d DeepField) Input() map[string]any {
	return map[string]any{d.Field: map[string]any{d.Within: map[string]any{d.Changed: d.Is.Go()}}}
}

// DeepField returns an object within an object field of which two members can be given values.
func (obj TestObject) DeepField() (DeepField, bool) {
	object := func(p probes.Parameter) bool {
		e, err := probes.ParseType(p.Type)
		return err == nil && e.Form != probes.ListOf && !p.Raw.At("readOnly").True()
	}
	for _, p := range obj.Fields {
		if !object(p) {
			continue
		}
		for _, m := range obj.Adapter.Fields(p) {
			if d, inner := obj.deep(p, m); object(m) && d.Kept != "" {
				made, ok := obj.whole(TypedField{Parameter: p, Changed: m, Was: probes.ValueOf(inner)})
				if d.Made = made; ok && obj.Misfit(p, probes.ValueOf(d.Input()[p.Name])) == "" {
					return d, true
				}
			}
		}
	}
	return DeepField{}, false
}

// deep chooses the members of an object within a field, and gives each that takes a known value one.
func (obj TestObject) deep(p, m probes.Parameter) (d DeepField, inner map[string]any) {
	d, inner = DeepField{Field: p.Name, Within: m.Name}, map[string]any{}
	for _, f := range obj.Adapter.Fields(m) {
		values := obj.memberValues(f)
		switch {
		case len(values) == 0 || slices.ContainsFunc(values, func(v probes.Value) bool { return v.True() && gate.Reaches(f, v) }):
			if f.Required {
				return DeepField{}, nil
			}
			continue
		case d.Changed == "" && len(values) > 1 && !values[0].Equal(values[1]):
			d.Changed, d.Was, d.Is = f.Name, values[0], values[1]
		case d.Kept == "":
			d.Kept, d.Also = f.Name, values[0]
		}
		inner[f.Name] = values[0].Go()
	}
	if d.Changed == "" {
		d.Kept = ""
	}
	return d, inner
}
