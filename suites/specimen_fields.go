package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The rows on updates need fields that play certain parts: a text that the object
// has from the start, one it can do without, a free-form object, a list.

// field returns the field of input that plays a part: the one the author named,
// else the first that fits.
func (sp specimen) field(part string, fits func(probes.Parameter) bool) (probes.Parameter, bool) {
	if sp.Face == nil {
		return probes.Parameter{}, false // there is no specimen
	}
	if name := sp.told(part); name != "" {
		fits = func(p probes.Parameter) bool { return p.Name == name }
	}
	i := slices.IndexFunc(sp.fields, fits)
	if i < 0 {
		return probes.Parameter{}, false
	}
	return sp.fields[i], true
}

// told is the field that the author says plays a part.
func (sp specimen) told(part string) string {
	r, _ := sp.resource(sp.Name)
	return map[string]string{"text": r.Fields.Text, "spare": r.Fields.Spare, "object": r.Fields.Object, "list": r.Fields.List, "number": r.Fields.Number}[part]
}

// text is a field of free text that the object has from the start.
func (sp specimen) text() (probes.Parameter, bool) { return sp.field("text", sp.plain) }

// plain reports whether a field takes any text of ours and shows it again.
func (sp specimen) plain(p probes.Parameter) bool {
	kinds, ok := sp.Kinds(p.Type)
	free := !p.Raw.Has("enum") && !p.Raw.Has("pattern") && !p.Raw.Has("format") && !p.Raw.At("sensitive").True() && !p.Raw.At("readOnly").True()
	return ok && slices.Equal(kinds, []string{"string"}) && len(sp.EnumOf(p)) == 0 && free && sp.Misfit(p, probes.ValueOf(sp.Gen.Marker("-12345-partly"))) == "" &&
		!probes.IsReference(sp.Op, p) && !probes.IsReference(sp.maker.Op, p)
}

// spare is a field of free text that the object can do without.
func (sp specimen) spare() (probes.Parameter, bool) {
	text, _ := sp.text()
	return sp.field("spare", func(p probes.Parameter) bool {
		needed := slices.ContainsFunc(sp.maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name && q.Required })
		return sp.plain(p) && p.Name != text.Name && !p.Required && !needed
	})
}

// object is a free-form object field.
func (sp specimen) object() (probes.Parameter, bool) {
	return sp.field("object", func(p probes.Parameter) bool {
		e, err := probes.ParseType(p.Type)
		return err == nil && e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields")
	})
}

// list is a field that holds an array of any strings.
func (sp specimen) list() (probes.Parameter, bool) {
	return sp.field("list", func(p probes.Parameter) bool {
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

// fieldsOf returns the fields an input may hold: those its type declares, else
// what the maker takes besides references.
func (f *Face) fieldsOf(input probes.Parameter, maker probes.Operation) (fields []probes.Parameter, declared bool) {
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
