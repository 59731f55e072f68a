package model

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The rows on updates need fields that play certain parts: a text that the object
// has from the start, one it can do without, a free-form object, a list.

// Field returns the field of input that plays a part: the one the author named,
// else the first that fits.
func (sp TestObject) Field(part string, fits func(probes.Parameter) bool) (probes.Parameter, bool) {
	if sp.Adapter == nil {
		return probes.Parameter{}, false // there is no specimen
	}
	if name := sp.told(part); name != "" {
		fits = func(p probes.Parameter) bool { return p.Name == name }
	}
	i := slices.IndexFunc(sp.Fields, fits)
	if i < 0 {
		return probes.Parameter{}, false
	}
	return sp.Fields[i], true
}

// told is the field that the author says plays a part.
func (sp TestObject) told(part string) string {
	r, _ := sp.resource(sp.Name)
	return map[string]string{"text": r.Fields.Text, "spare": r.Fields.Spare, "object": r.Fields.Object, "list": r.Fields.List, "number": r.Fields.Number}[part]
}

// Text is a field of free text that the object has from the start.
func (sp TestObject) Text() (probes.Parameter, bool) { return sp.Field("text", sp.plain) }

// plain reports whether a field takes any text of ours and shows it again.
func (sp TestObject) plain(p probes.Parameter) bool {
	kinds, ok := sp.Kinds(p.Type)
	free := !p.Raw.Has("enum") && !p.Raw.Has("pattern") && !p.Raw.Has("format") && !p.Raw.At("sensitive").True() && !p.Raw.At("readOnly").True()
	return ok && slices.Equal(kinds, []string{"string"}) && len(sp.EnumOf(p)) == 0 && free && sp.Misfit(p, probes.ValueOf(sp.Gen.Marker("-12345-partly"))) == "" &&
		!probes.IsReference(sp.Op, p) && !probes.IsReference(sp.Maker.Op, p)
}

// Spare is a field of free text that the object can do without.
func (sp TestObject) Spare() (probes.Parameter, bool) {
	text, _ := sp.Text()
	return sp.Field("spare", func(p probes.Parameter) bool {
		needed := slices.ContainsFunc(sp.Maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name && q.Required })
		return sp.plain(p) && p.Name != text.Name && !p.Required && !needed
	})
}

// Object is a free-form object field.
func (sp TestObject) Object() (probes.Parameter, bool) {
	return sp.Field("object", func(p probes.Parameter) bool {
		e, err := probes.ParseType(p.Type)
		return err == nil && e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields")
	})
}

// List is a field that holds an array of any strings.
func (sp TestObject) List() (probes.Parameter, bool) {
	return sp.Field("list", func(p probes.Parameter) bool {
		e, err := probes.ParseType(p.Type)
		items := p.Raw.At("items")
		switch {
		case err != nil || items.Has("enum") || items.Has("pattern") || items.Has("format"):
			return false
		case e.Form == probes.ListOf:
			return e.Parts[0].Form == probes.Primitive && e.Parts[0].Name == "string"
		}
		return e.Form == probes.Primitive && e.Name == "array" && items.At("type").Text() == "string"
	})
}

// FieldsOf returns the fields an input may hold: those its type declares, else
// what the maker takes besides references.
func (f *Adapter) FieldsOf(input probes.Parameter, maker probes.Operation) (fields []probes.Parameter, declared bool) {
	var records []probes.Value
	named := func(name string, r probes.Value) {
		fields = append(fields, probes.Parameter{Name: name, Type: r.At("type").Text(), Required: r.At("required").True(), Raw: r})
	}
	if e, err := probes.ParseType(input.Type); err == nil {
		for _, name := range e.Leaves() {
			if t, ok := f.Type(name); ok && t.Kind == "object" {
				records = append(records, t.Details.At("fields").Items()...)
			}
		}
	}
	if len(records) == 0 {
		records = input.Raw.At("fields").Items()
		for _, m := range input.Raw.At("properties").Members() {
			named(m.Name, m.Value)
		}
	}
	for _, r := range records {
		if name := r.At("name").Text(); name != "" {
			named(name, r)
		}
	}
	if len(fields) > 0 {
		return fields, true
	}
	for _, p := range maker.Parameters {
		if !probes.IsReference(maker, p) {
			fields = append(fields, p)
		}
	}
	return fields, false
}
