package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// ListVerbs are the verbs of operations that return a collection.
var ListVerbs = strings.Fields("list search query find")

// Parameter returns the documented parameter with the name.
func Parameter(s model.Subject, name string) (probes.Parameter, bool) {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return s.Op.Parameters[i], true
}

// UTCDatePattern matches a date, or a date-time in UTC.
var UTCDatePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$`)

// TypeLeaves returns the names of the types in a type expression.
func TypeLeaves(expr string) []string {
	e, err := probes.ParseType(expr)
	if err != nil {
		return nil
	}
	return e.Leaves()
}

// Column returns the scalars that items have under a name.
func Column(items []probes.Value, name string) []probes.Value {
	var vs []probes.Value
	for _, item := range items {
		if v := item.At(name); v.Is(probes.String) || v.Is(probes.Number) {
			vs = append(vs, v)
		}
	}
	return vs
}

// ComputedFieldNames returns the computed fields in a record of introspection, without the prefix
// that requests use.
func ComputedFieldNames(record probes.Value) []string {
	var names []string
	for _, f := range record.At("computed_fields").Items() {
		if name := f.At("name").Text(); name != "" {
			names = append(names, strings.TrimPrefix(name, "_computed."))
		}
	}
	return names
}

// FieldsTaken returns those of some names that the parameter fields of an operation may take in a list: where the
// elements have documented values, the identifier may be none of them, because it is answered anyway.
func FieldsTaken(s model.Subject, names ...string) []string {
	p, _ := Parameter(s, "fields")
	var values []probes.Value // those of a type that is no list alone are presets
	of, list := strings.CutSuffix(p.Type, "[]")
	if items := p.Raw.At("items"); items.Is(probes.Object) {
		values = s.EnumOf(probes.Parameter{Type: items.At("type").Text(), Raw: items})
	} else if list && !strings.ContainsAny(of, "| ") {
		values = s.EnumOf(probes.Parameter{Type: of, Raw: p.Raw})
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return len(values) > 0 && !slices.ContainsFunc(values, probes.ValueOf(name).Equal)
	})
}

// UntoldFields reports whether the parameter fields takes a text alone, of a form that nothing documents.
func UntoldFields(s model.Subject) bool {
	p, _ := Parameter(s, "fields")
	given := func(e example) bool {
		return e.Request.At("params", p.Name).Is(probes.String) || e.Request.At(p.Name).Is(probes.String)
	}
	return !HasKind(s, p.Name, "array") && len(s.EnumOf(p)) == 0 && !slices.ContainsFunc([]string{"default", "pattern", "example", "examples"}, p.Raw.Has) &&
		!slices.ContainsFunc(Examples(s), given)
}

// SelectableRecord returns the object whose members can be selected: the answered object, or the
// first item of its collection, or what stands alone inside a wrapper. list is the name of the
// collection. An array in an object that was read by its identifier is no collection.
func SelectableRecord(f *model.Adapter, o probes.Observation) (v probes.Value, list string) {
	data := o.Data()
	one := f.Rules != nil && f.Rules.Views(o.Probe.Operation())
	if items, name, ok := Collection(data); ok && !one && len(items) > 0 && items[0].Is(probes.Object) {
		return items[0], name
	}
	for m := data.Members(); len(m) == 1 && m[0].Value.Is(probes.Object); m = data.Members() {
		data = m[0].Value
	}
	return data, ""
}
