package generate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Fits reports whether the documentation of a parameter allows a value: its type,
// its enum, its bounds, lengths, pattern and format, and the same of all below it.
// understood is false when the documentation leaves it open, be it that a word is
// unknown, that characters may be counted in several ways, or that null may mean
// the same as leaving the parameter out; nothing may then be concluded. why says
// in a few words what speaks against the value or what is open. Introspection
// document, section 3.4.
func (g *Generator) Fits(p probes.Parameter, v probes.Value) (ok, understood bool, why string) {
	f := fitter{adapter: g.Adapter, match: g.matcher(), left: maxFitSteps}
	a := f.expression(p.Type, p.Raw, v, 0)
	if v.Is(probes.Null) && !a.allowed && !p.Required {
		a = open("null for an optional parameter")
	}
	return a.allowed, !a.open, a.why
}

// maxFitSteps bounds the work: record and value may both be the adapter's.
const (
	maxFitSteps = 20000
	maxMembers  = 2000 // of an enum
)

// A fitter judges values. It reads records and types itself, without the shapes
// that values are made from: two readers that share a slip would agree on it.
type fitter struct {
	adapter *probes.Adapter
	match   Match
	left    int
}

// An answer says whether a value is allowed, is not, or that this is open.
type answer struct {
	allowed, open bool
	why           string
}

func yes() answer              { return answer{allowed: true} }
func no(why string) answer     { return answer{why: why} }
func open(why string) answer   { return answer{open: true, why: why} }
func (a answer) refused() bool { return !a.allowed && !a.open }

// all joins answers of which each has to allow: one that refuses decides.
func all(answers ...answer) answer {
	joined := yes()
	for _, a := range answers {
		if a.refused() {
			return a
		}
		if a.open && !joined.open {
			joined = a
		}
	}
	return joined
}

// oneOf joins answers of which one is enough.
func oneOf(answers []answer) answer {
	if len(answers) == 0 {
		return open("a type without members")
	}
	joined := answers[0]
	for _, a := range answers {
		if a.allowed {
			return a
		}
		if a.open {
			joined = a
		}
	}
	return joined
}

// unknownMembers are constraints of JSON Schema that ParameterInfo does not have
// and that are not judged.
var unknownMembers = []string{
	"$ref", "additionalItems", "allOf", "anyOf", "contains", "dependencies", "dependentRequired", "dependentSchemas", "else", "if",
	"maxProperties", "minProperties", "not", "oneOf", "patternProperties", "prefixItems", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
}

// expression judges a value by a type expression and the record beside it.
func (f *fitter) expression(expr string, record, v probes.Value, depth int) answer {
	e, err := probes.ParseType(expr)
	if err != nil {
		return open(err.Error())
	}
	for _, m := range record.Members() {
		if slices.Contains(unknownMembers, m.Name) && !m.Value.Is(probes.Null) {
			return open("the constraint " + m.Name)
		}
	}
	if v.Is(probes.Null) && record.At("nullable").True() {
		return yes()
	}
	if why := f.misplaced(e, record); why != "" {
		return open(why)
	}
	return all(f.typed(e, record, v, depth), f.enumerated(e, record, v), f.bounded(record, v), f.counted(record, v), f.written(record, v))
}

// given returns a member of a record that is not null.
func given(record probes.Value, name string) (probes.Value, bool) {
	v := record.At(name)
	return v, !v.Is(probes.Absent) && !v.Is(probes.Null)
}

// misplaced names a constraint that speaks of no kind of value the type has.
func (f *fitter) misplaced(e probes.TypeExpr, record probes.Value) string {
	may := map[string]bool{}
	f.kinds(e, may, 0)
	if may["?"] {
		return ""
	}
	for _, m := range record.Members() {
		kind := ""
		switch m.Name {
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			kind = "number"
		case "minLength", "maxLength", "pattern":
			kind = "string"
		case "items", "minItems", "maxItems", "uniqueItems":
			kind = "array"
		case "fields", "properties", "additionalProperties":
			kind = "object"
		}
		if kind != "" && !m.Value.Is(probes.Null) && !may[kind] {
			return m.Name + " on a type without a value of the kind " + kind
		}
	}
	return ""
}

// kinds collects the JSON kinds of a type, "?" for what is not known.
func (f *fitter) kinds(e probes.TypeExpr, may map[string]bool, depth int) {
	if f.left--; f.left < 0 || depth > 12 {
		may["?"] = true
		return
	}
	t, registered := f.adapter.Type(e.Name)
	switch {
	case e.Form == probes.ListOf:
		may["array"] = true
	case e.Form == probes.MapOf:
		may["object"] = true
	case e.Form == probes.Literal:
		may[string(e.Literal().Kind())] = true
	case e.Form == probes.UnionOf:
		for _, part := range e.Parts {
			f.kinds(part, may, depth+1)
		}
	case e.Form == probes.Primitive && e.Name == "any":
		may["?"] = true
	case e.Form == probes.Primitive:
		may[strings.Replace(e.Name, "integer", "number", 1)] = true
	case registered && t.Kind == "object":
		may["object"] = true
	case registered && t.Kind == "enum":
		may["string"] = true
	case registered && t.Kind == "union":
		for _, m := range t.Details.At("members").Items() {
			member, err := probes.ParseType(m.Text())
			if err != nil {
				may["?"] = true
				continue
			}
			f.kinds(member, may, depth+1)
		}
	case !registered && probes.Alias(e.Name) != "":
		may[strings.Replace(probes.Alias(e.Name), "integer", "number", 1)] = true
	default:
		may["?"] = true
	}
}

// enumerated judges by enum and const.
func (f *fitter) enumerated(e probes.TypeExpr, record, v probes.Value) answer {
	if only := record.At("const"); !only.Is(probes.Absent) && !only.Equal(v) {
		return no("another value than the one documented")
	}
	enum, there := given(record, "enum")
	if !there {
		return yes()
	}
	members := enum.Items()
	if len(members) == 0 || len(members) > maxMembers {
		return open("an enum without values, or with too many")
	}
	may := map[string]bool{}
	f.kinds(e, may, 0)
	whole := slices.ContainsFunc(members, func(m probes.Value) bool { return m.Is(probes.Array) })
	if may["array"] && !whole {
		return open("an enum of elements or of whole values")
	}
	if slices.ContainsFunc(members, func(m probes.Value) bool { return m.Equal(v) }) {
		return yes()
	}
	return no("outside the enum")
}
