package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The checks on updates need fields with certain roles: a text that the object has from the start,
// an optional text, a free-form object, a list.

// Field returns the field of input with a role: the hinted one, or else the first that fits.
func (obj TestObject) Field(role string, fits func(probes.Parameter) bool) (probes.Parameter, bool) {
	if obj.Adapter == nil {
		return probes.Parameter{}, false // there is no test object
	}
	if name := obj.hintedField(role); name != "" {
		fits = func(p probes.Parameter) bool { return p.Name == name }
	}
	i := slices.IndexFunc(obj.Fields, func(p probes.Parameter) bool { return fits(p) && !obj.unfit[obj.Maker.Name+"."+p.Name] })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return obj.Fields[i], true
}

// FieldHint returns the fix where no field can play a part: the hint that names one, if the types of the
// documented fields leave it open. The part may have an explanation behind its name.
func (obj TestObject) FieldHint(part string) string {
	role, _, _ := strings.Cut(part, " ")
	kind := map[string]string{"object": "object", "list": "array", "number": "integer"}[role]
	open := slices.ContainsFunc(obj.Fields, func(p probes.Parameter) bool {
		kinds, ok := obj.Kinds(p.Type)
		return !ok || slices.Contains(kinds, cmp.Or(kind, "string"))
	})
	if !open {
		return ""
	}
	if kind == "" && role != "spare" {
		role = "text"
	}
	return AddHint(resourceHint+"."+cmp.Or(obj.Noun(obj.Name), "thing")+".fields."+role, "the field of the object that is "+FieldParts[role])
}

// FieldParts say what the fields are that the hint on a kind of object names.
var FieldParts = map[string]string{
	"text": "free text and always present", "spare": "free text and optional", "object": "an object with any members",
	"list": "a list of any strings", "number": "an integer",
}

// FieldAsked returns the part for which a fix asks for a field.
func FieldAsked(fix string) (part string, asked bool) {
	name, asked := HintAsked(fix)
	kind, part, field := strings.Cut(name, ".fields.")
	return part, asked && field && strings.HasPrefix(kind, resourceHint+".")
}

// hintedField is the field that the hints file gives for a role.
func (obj TestObject) hintedField(role string) string {
	r, _ := obj.resource(obj.Name)
	return map[string]string{"text": r.Fields.Text, "spare": r.Fields.Spare, "object": r.Fields.Object, "list": r.Fields.List, "number": r.Fields.Number}[role]
}

// TextField returns a field of free text that the object has from the start.
func (obj TestObject) TextField() (probes.Parameter, bool) {
	return obj.Field("text", obj.acceptsAnyText)
}

// TextFields returns all fields of free text.
func (obj TestObject) TextFields() []probes.Parameter {
	return slices.DeleteFunc(slices.Clone(obj.Fields), func(p probes.Parameter) bool { return !obj.acceptsAnyText(p) })
}

// acceptsAnyText reports whether a field takes any text and returns it unchanged.
func (obj TestObject) acceptsAnyText(p probes.Parameter) bool {
	kinds, ok := obj.valueKinds(p)
	free := !p.Raw.Has("enum") && obj.openPattern(p) && !p.Raw.Has("format") && !p.Raw.At("sensitive").True() && !p.Raw.At("readOnly").True()
	return ok && slices.Equal(kinds, []string{"string"}) && len(obj.EnumOf(p)) == 0 && free && obj.Misfit(p, probes.ValueOf(obj.Gen.Marker("-12345-partly"))) == "" &&
		!obj.Refers(p)
}

// openPattern reports whether a pattern rules out no text that a check may send: one that asks for a letter
// anywhere does not.
func (obj TestObject) openPattern(p probes.Parameter) bool {
	return !p.Raw.Has("pattern") || obj.Misfit(p, probes.ValueOf(obj.Gen.Marker("-1")+" é 東京 שלום \U0001F6B2 e\u0301 a\u2028b <'\"\\&>")) == ""
}

// Refers reports whether a field of input names an object: it is called like a parameter by which the
// operation finds the object, or like a reference, or a trial showed it. A name is a field like any other inside input.
func (obj TestObject) Refers(p probes.Parameter) bool {
	_, identifies := obj.IDs[p.Name]
	return identifies || probes.IsReference(obj.Maker.Op, p) || obj.parents[obj.Maker.Name+"."+p.Name]
}

// SpareField returns an optional field of free text.
func (obj TestObject) SpareField() (probes.Parameter, bool) {
	text, _ := obj.TextField()
	spare := slices.DeleteFunc(slices.Clone(obj.Fields), func(p probes.Parameter) bool {
		return !obj.acceptsAnyText(p) || p.Name == text.Name || obj.needed(p)
	})
	removable := obj.removable(spare)
	return obj.Field("spare", func(p probes.Parameter) bool {
		return removable(p) && slices.ContainsFunc(spare, func(q probes.Parameter) bool { return q.Name == p.Name })
	})
}

// removable returns the test of a field that null may remove: its record has to allow null, where the record of any field does.
func (f *Adapter) removable(fields []probes.Parameter) func(p probes.Parameter) bool {
	if !slices.ContainsFunc(fields, f.TakesNull) {
		return func(probes.Parameter) bool { return true }
	}
	return f.TakesNull
}

// TakesNull reports whether the record of a field allows null.
func (f *Adapter) TakesNull(p probes.Parameter) bool {
	kinds, _ := f.Kinds(p.Type)
	return slices.Contains(kinds, "null") || p.Raw.At("nullable").True()
}

// valueKinds are the kinds of JSON that a field takes beside null.
func (f *Adapter) valueKinds(p probes.Parameter) (kinds []string, ok bool) {
	kinds, ok = f.Kinds(p.Type)
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == "null" }), ok
}

// needed reports whether an object has to have a field.
func (obj TestObject) needed(p probes.Parameter) bool {
	return p.Required || slices.ContainsFunc(obj.taken(obj.Maker.Op), func(q probes.Parameter) bool { return q.Name == p.Name && q.Required })
}

// OptionalField returns an optional field of any scalar type with a value for it, which an object gets
// when it is made.
func (obj TestObject) OptionalField() (probes.Parameter, probes.Value, bool) {
	text, _ := obj.TextField()
	removable := obj.removable(obj.Fields)
	for _, p := range slices.Concat(slices.DeleteFunc(slices.Clone(obj.Fields), func(p probes.Parameter) bool { return !removable(p) }), obj.Fields) {
		made := slices.ContainsFunc(obj.taken(obj.Maker.Op), func(q probes.Parameter) bool { return q.Name == p.Name })
		if values := obj.memberValues(p); made && len(values) > 0 && p.Name != text.Name && !obj.acceptsAnyText(p) && !obj.needed(p) && !obj.unfit[obj.Maker.Name+"."+p.Name] {
			usual := func(v probes.Value) bool { return v.Equal(obj.DefaultOf(p.Name)) } // a removal that gives the default again would not show
			return p, append(slices.DeleteFunc(slices.Clone(values), usual), values[0])[0], true
		}
	}
	return probes.Parameter{}, probes.Value{}, false
}

// ObjectField returns a free-form object field.
func (obj TestObject) ObjectField() (probes.Parameter, bool) {
	return obj.Field("object", func(p probes.Parameter) bool {
		e, err := probes.ParseType(p.Type)
		return err == nil && e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields")
	})
}

// ListField returns a field with an array of arbitrary strings.
func (obj TestObject) ListField() (probes.Parameter, bool) {
	return obj.Field("list", listsTexts)
}

// Elements are those of a list that a script gives its object. The mark comes before them where the object is known by the list alone.
func (obj TestObject) Elements(script string, all ...any) []any {
	if !obj.KnownByList() {
		return all
	}
	return append([]any{obj.ScriptMark(script)}, all...)
}

// KnownByList reports whether the list alone has the mark of an object: no update may empty it.
func (obj TestObject) KnownByList() bool {
	list, ok := obj.ListField()
	if !ok {
		return false
	}
	for _, m := range probes.ValueOf(obj.Maker.ValidCall().Params()).Members() {
		if strings.Contains(m.Value.String(), obj.Gen.Marker("")) && m.Name != list.Name {
			return false
		}
	}
	return strings.Contains(ValueIn(obj.Maker.ValidCall(), list.Name).String(), obj.Gen.Marker(""))
}

// listsTexts reports whether a parameter takes a list of arbitrary texts.
func listsTexts(p probes.Parameter) bool {
	e, err := probes.ParseType(p.Type)
	items := p.Raw.At("items")
	switch {
	case err != nil || items.Has("enum") || items.Has("pattern") || items.Has("format"):
		return false
	case e.Form == probes.ListOf:
		return e.Parts[0].Form == probes.Primitive && e.Parts[0].Name == "string"
	}
	return e.Form == probes.Primitive && e.Name == "array" && items.At("type").Text() == "string"
}

// CallersSet reports whether an operation that writes takes a value under this name: as a
// parameter, or as a field of one.
func (f *Adapter) CallersSet(name string, v probes.Value) bool {
	takes := func(p probes.Parameter) bool { return p.Name == name && f.Misfit(p, v) == "" }
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
		return o.Category != "READ" && !slices.Contains(Reserved, o.Name) && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
			fields, _ := f.FieldsOf(p, probes.Operation{})
			return takes(p) || slices.ContainsFunc(fields, takes)
		})
	})
}

// FieldsOf returns the possible fields of an input: those that its type declares, or else the
// parameters of the maker without references.
func (f *Adapter) FieldsOf(input probes.Parameter, maker probes.Operation) (fields []probes.Parameter, declared bool) {
	if fields = f.Fields(input); len(fields) > 0 {
		return fields, true
	}
	if told := f.toldFields(input); len(told) > 0 {
		return told, false
	}
	for _, p := range f.taken(maker) {
		if !probes.IsReference(maker, p) {
			fields = append(fields, p)
		}
	}
	return fields, false
}

// Named returns an object with its members under the given names, which an adapter may write in another
// style in its answers: targetText for target_text.
func Named(object probes.Value, names []string) probes.Value {
	return renamed(object, names, func(_ string, v probes.Value) probes.Value { return v })
}

// Named returns an object with its members under the names of the fields of input.
func (obj TestObject) Named(object probes.Value) probes.Value {
	return obj.asFields(object, obj.Fields)
}

// asFields returns an object with the names that the fields of input have, and so the members of these.
func (f *Adapter) asFields(object probes.Value, fields []probes.Parameter) probes.Value {
	names := make([]string, len(fields))
	for i, p := range fields {
		names[i] = p.Name
	}
	return renamed(object, names, func(name string, v probes.Value) probes.Value {
		if i := slices.Index(names, name); i >= 0 && v.Is(probes.Object) {
			return f.asFields(v, f.Fields(fields[i]))
		}
		return v
	})
}

// renamed returns an object with its members under the given names, and each member as inner makes it.
func renamed(object probes.Value, names []string, inner func(name string, v probes.Value) probes.Value) probes.Value {
	members, changed := map[string]any{}, false
	for _, m := range object.Members() {
		name := m.Name
		if !slices.Contains(names, name) {
			if i := slices.IndexFunc(names, func(n string) bool { return vocab.Letters(n) == vocab.Letters(name) }); i >= 0 && !object.Has(names[i]) {
				name = names[i]
			}
		}
		v := inner(name, m.Value)
		changed = changed || name != m.Name || !v.Equal(m.Value)
		members[name] = v.Go()
	}
	if !changed {
		return object
	}
	return probes.ValueOf(members)
}

// A SpareMember is an optional scalar member of an object field, with a value for it.
type SpareMember struct {
	Name  string
	Value probes.Value
}

// mostSpare bounds the members of one field that are set and removed.
const mostSpare = 4

// bare is the object field with the other member alone, and the members that can be set beside it.
func (obj TestObject) bare(typed TypedField) (object map[string]any, spare []SpareMember) {
	object, ok := obj.whole(TypedField{Parameter: typed.Parameter, Changed: typed.Kept, Was: typed.Also})
	for _, m := range obj.Adapter.Fields(typed.Parameter) {
		values := obj.memberValues(m)
		reaches := slices.ContainsFunc(values, func(v probes.Value) bool { return v.True() && gate.Reaches(m, v) })
		if _, given := object[m.Name]; ok && !given && !reaches && len(values) > 0 && !obj.demanded(typed.Parameter, m) && len(spare) < mostSpare {
			spare = append(spare, SpareMember{m.Name, values[len(values)-1]})
		}
	}
	return object, spare
}
