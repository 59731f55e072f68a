package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The record and the registry are the adapter's, so their size must not set ours.
const (
	maxShapes  = 3000
	maxNesting = 6
	maxEnum    = 2000
)

// A reader turns type expressions and records into shapes.
type reader struct {
	adapter *probes.Adapter
	left    int // shapes that may still be made
}

// unread are constraints that mean something and are not read here; a record with
// one of them says more than is known.
var unread = strings.Fields(`oneOf anyOf allOf not if then else $ref contains prefixItems additionalItems unevaluatedItems
	unevaluatedProperties dependentRequired dependentSchemas dependencies patternProperties propertyNames minProperties maxProperties`)

// governs says which kinds of value a constraint speaks of. On a type of none of
// these kinds nobody knows what is meant: minLength on an array may count items.
var governs = []struct{ members, kinds string }{
	{"minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", "integer number"},
	{"minLength maxLength pattern", "string"},
	{"items minItems maxItems uniqueItems", "array"},
	{"fields properties additionalProperties", "object"},
}

func (r *reader) expression(expr string, record probes.Value, depth int) shape {
	e, err := probes.ParseType(expr)
	if err != nil {
		return opaque{err.Error()}
	}
	for _, name := range unread {
		if says(record, name) {
			return opaque{"a record with " + name}
		}
	}
	s := r.read(e, record, depth)
	if kinds := kindsOf(s); !slices.Contains(kinds, "unknown") {
		for _, g := range governs {
			for _, member := range strings.Fields(g.members) {
				if says(record, member) && !slices.ContainsFunc(strings.Fields(g.kinds), func(k string) bool { return slices.Contains(kinds, k) }) {
					return opaque{fmt.Sprintf("%s on the type %s", member, expr)}
				}
			}
		}
	}
	if s = narrowed(s, record); record.At("nullable").True() {
		s = choice{[]shape{s, null{}}}
	}
	return s
}

// says reports whether a record has a member; serializers write null for what is
// not there.
func says(record probes.Value, member string) bool {
	v := record.At(member)
	return !v.Is(probes.Absent) && !v.Is(probes.Null)
}

// narrowed is the shape cut down to the values a record lists.
func narrowed(s shape, record probes.Value) shape {
	switch enum := record.At("enum"); {
	case record.Has("const"):
		return listed{[]probes.Value{record.At("const")}}
	case !says(record, "enum"):
		return s
	case !enum.Is(probes.Array) || len(enum.Items()) == 0 || len(enum.Items()) > maxEnum:
		return opaque{"an enum without values, or with too many"}
	case slices.Contains(kindsOf(s), "array") && !slices.ContainsFunc(enum.Items(), func(v probes.Value) bool { return v.Is(probes.Array) }):
		return opaque{"an enum that may speak of the elements or of the whole"}
	default:
		return listed{enum.Items()}
	}
}

func (r *reader) read(e probes.TypeExpr, record probes.Value, depth int) shape {
	if r.left--; r.left < 0 || depth > maxNesting {
		return opaque{"a type too large or too deep"}
	}
	if slices.Contains(e.Generics, "required") {
		return opaque{"a type with other required fields than it documents"}
	}
	switch e.Form {
	case probes.Literal:
		return listed{[]probes.Value{e.Literal()}}
	case probes.ListOf:
		return r.list(e, record, depth)
	case probes.MapOf:
		return r.table(e, depth)
	case probes.UnionOf:
		var arms []shape
		for _, part := range e.Parts {
			arms = append(arms, r.read(part, record, depth))
		}
		return united(arms)
	case probes.Named:
		return r.named(e, record, depth)
	}
	return r.primitive(e.Name, record, depth)
}

func (r *reader) named(e probes.TypeExpr, record probes.Value, depth int) shape {
	t, known := r.adapter.Type(e.Name)
	switch alias := probes.Alias(e.Name); {
	case known && t.Kind == "enum":
		if values := t.Details.At("values").Items(); len(values) > 0 && len(values) <= maxEnum {
			return listed{values}
		}
		return opaque{"an enum without values, or with too many"}
	case known && t.Kind == "object":
		if says(record, "fields") || says(record, "properties") {
			return opaque{"fields of the type and fields of the record"}
		}
		return r.record(t.Details, slices.Contains(e.Generics, "partial"), depth)
	case known && t.Kind == "union":
		var arms []shape
		for _, m := range t.Details.At("members").Items() {
			member, err := probes.ParseType(m.Text())
			if err != nil {
				return opaque{err.Error()}
			}
			arms = append(arms, r.read(member, probes.Value{}, depth+1))
		}
		return united(arms)
	case known || alias == "":
		return opaque{fmt.Sprintf("the type %q, of which no value is known", e.Name)}
	case alias == "string" && strings.HasPrefix(e.Name, "date"):
		return dated(e.Name)
	default:
		return r.primitive(alias, record, depth)
	}
}

func (r *reader) primitive(word string, record probes.Value, depth int) shape {
	switch word {
	case "boolean":
		return truth{}
	case "null":
		return null{}
	case "integer", "number":
		return readSpan(word == "integer", record)
	case "string":
		return readText(record)
	case "array":
		return r.list(probes.TypeExpr{Form: probes.ListOf}, record, depth)
	case "object":
		return r.record(record, false, depth)
	}
	return opaque{"the type " + word + ", which does not say what is meant"}
}

// kindsOf returns the JSON kinds of a shape's values, integers apart; "unknown"
// among them when a part is not understood.
func kindsOf(s shape) []string {
	switch t := s.(type) {
	case null:
		return []string{"null"}
	case truth:
		return []string{"boolean"}
	case span:
		return []string{"number", "integer"}
	case text:
		return []string{"string"}
	case list:
		return []string{"array"}
	case record, table:
		return []string{"object"}
	case listed:
		var kinds []string
		for _, v := range t.values {
			kinds = append(kinds, string(v.Kind()))
		}
		return kinds
	case choice:
		var kinds []string
		for _, arm := range t.arms {
			kinds = append(kinds, kindsOf(arm)...)
		}
		return kinds
	}
	return []string{"unknown"}
}
