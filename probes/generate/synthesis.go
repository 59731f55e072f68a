package generate

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

func (g *Generator) synthesize(op probes.Operation, p probes.Parameter) []probes.Value {
	e, err := probes.ParseType(p.Type)
	if err != nil {
		return nil
	}
	s := synthesis{g, op, maxShapes}
	values := slices.Clone(s.build(e, p.Raw, 0)) // an enumeration is that of the document
	var before []probes.Value
	for _, q := range op.Parameters[:max(0, slices.IndexFunc(op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name }))] {
		before = append(before, q.Raw)
	}
	for i, v := range values {
		values[i] = laterThan(before, p.Raw, v)
	}
	return values
}

// A synthesis is the making of one value.
type synthesis struct {
	*Generator
	op   probes.Operation
	left int // types that may still be looked at: unions of unions multiply
}

func (s *synthesis) build(e probes.TypeExpr, r probes.Value, depth int) []probes.Value {
	if s.left--; depth > 6 || s.left < 0 {
		return nil
	}
	if r.Has("const") {
		return []probes.Value{r.At("const")}
	}
	if enum := r.At("enum").Items(); len(enum) > 0 && e.Form == probes.Primitive && e.Name != "array" {
		return enum
	}
	switch e.Form {
	case probes.Literal:
		return []probes.Value{e.Literal()}
	case probes.ListOf:
		inner := s.build(e.Parts[0], r.At("items"), depth+1)
		if len(inner) == 0 {
			return []probes.Value{probes.ValueOf([]any{})}
		}
		return []probes.Value{arrayOf(inner[0])}
	case probes.MapOf:
		return []probes.Value{probes.ValueOf(map[string]any{})}
	case probes.UnionOf:
		var all []probes.Value
		for _, part := range e.Parts {
			all = append(all, s.build(part, r, depth+1)...)
		}
		return all
	case probes.Named:
		return s.buildNamed(e.Name, r, depth)
	}
	return s.buildPrimitive(e.Name, r, depth)
}

func (s *synthesis) buildNamed(name string, r probes.Value, depth int) []probes.Value {
	if alias := probes.Alias(name); alias != "" {
		return s.buildPrimitive(alias, r, depth)
	}
	t, _ := s.Adapter.Type(name)
	switch t.Kind {
	case "enum":
		return t.Details.At("values").Items()
	case "object":
		return s.buildObject(t.Details, depth)
	case "union":
		var all []probes.Value
		for _, m := range t.Details.At("members").Items() {
			if e, err := probes.ParseType(m.Text()); err == nil {
				all = append(all, s.build(e, r, depth+1)...)
			}
		}
		return all
	}
	return nil
}

// buildObject makes an object of the required fields that a record documents, whether of a type or
// beside a parameter.
func (s *synthesis) buildObject(owner probes.Value, depth int) []probes.Value {
	fields, required, _ := documented(owner)
	object := map[string]any{}
	var before []probes.Value
	for _, name := range inOrder(owner) {
		if !required[name] {
			continue
		}
		e, err := probes.ParseType(fields[name].At("type").Text())
		if err != nil {
			return nil
		}
		if values := s.field(e, name, fields[name], depth); len(values) > 0 {
			object[name] = laterThan(before, fields[name], values[0]).Go()
		}
		before = append(before, fields[name])
	}
	s.addEntries(object, owner, depth)
	return []probes.Value{probes.ValueOf(object)}
}

// mostEntries bounds the entries that are made up for an object.
const mostEntries = 10

// addEntries gives an object as many members as its record demands, under made-up names.
func (s *synthesis) addEntries(object map[string]any, owner probes.Value, depth int) {
	least, _ := owner.At("minProperties").Float()
	if len(object) >= int(least) {
		return
	}
	free := owner.At("additionalProperties")
	var value any = "aqlc"
	if e, err := probes.ParseType(free.At("type").Text()); err == nil && free.Is(probes.Object) {
		if values := s.build(e, free, depth+1); len(values) > 0 {
			value = values[0].Go()
		}
	}
	for i := 0; len(object) < int(math.Min(least, mostEntries)); i++ {
		object[fmt.Sprintf("aqlc%c", 'a'+i)] = value
	}
}

// field makes values for one field of an object. A field that names another object gets one that was
// seen, if any was.
func (s *synthesis) field(e probes.TypeExpr, name string, r probes.Value, depth int) []probes.Value {
	p := probes.Parameter{Name: name, Type: r.At("type").Text(), Raw: r}
	if s.Harvest != nil && probes.IsReference(s.op, p) {
		if seen := s.Harvest(s.op, p); len(seen) > 0 {
			return seen
		}
	}
	return s.build(e, r, depth+1)
}

func (s *synthesis) buildPrimitive(word string, r probes.Value, depth int) []probes.Value {
	switch word {
	case "boolean":
		return []probes.Value{probes.ValueOf(true), probes.ValueOf(false)}
	case "integer", "number":
		return []probes.Value{probes.ValueOf(wholeWithin(r))}
	case "string":
		return s.strings(r)
	case "array":
		items := r.At("items")
		if e, err := probes.ParseType(items.At("type").Text()); err == nil && items.Is(probes.Object) {
			if inner := s.build(e, items, depth+1); len(inner) > 0 {
				return []probes.Value{arrayOf(inner[0])}
			}
		}
		return []probes.Value{probes.ValueOf([]any{}), probes.ValueOf([]any{"aqlc"})}
	case "object", "any":
		return s.buildObject(r, depth)
	case "null":
		return nil
	}
	return nil
}

// wholeWithin returns an integer inside [minimum, maximum], preferring small
// positive ones, because large numbers tend to mean large work.
func wholeWithin(r probes.Value) int64 {
	low, hasLow := r.At("minimum").Float()
	high, hasHigh := r.At("maximum").Float()
	n := 1.0
	if hasLow {
		n = math.Max(n, math.Ceil(low))
	}
	if hasHigh && n > high {
		n = math.Floor(high)
	}
	return int64(n)
}

// unreadVersion is a version that no object is likely to have. It stands for the one that is read before the request, and
// must not be taken for one that a check has chosen.
func unreadVersion(p probes.Parameter) []probes.Value {
	if p.Type == "string" {
		return nil
	}
	n := 987654321.0
	if most, bounded := p.Raw.At("maximum").Float(); bounded {
		n = math.Min(n, math.Floor(most))
	}
	return []probes.Value{probes.ValueOf(int64(n))}
}

// samples are values for the format words of section 3.4.1 of the introspection
// document; none of them points outside the documentation ranges.
var samples = map[string]string{
	"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z", "duration": "PT1H",
	"email": "aqlc.%s@example.com", "uri": "https://example.com/aqlc/%s", "url": "https://example.com/aqlc/%s",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "YXFsYw==",
}

func (g *Generator) strings(r probes.Value) []probes.Value {
	if f, ok := samples[r.At("format").Text()]; ok && r.Has("pattern") {
		// A pattern of digits alone takes a day that no calendar has.
		if sample := probes.ValueOf(strings.Replace(f, "%s", g.Nonce, 1)); Misfit(g.Adapter, probes.Parameter{Type: "string", Raw: r}, sample) == "" {
			return []probes.Value{sample}
		}
	}
	if pattern := r.At("pattern").Text(); pattern != "" {
		if re, err := regexp.Compile(pattern); err == nil && g.markable(r) && re.MatchString(g.Marker("")) {
			return []probes.Value{probes.ValueOf(g.Marker(""))}
		}
		s, ok := MatchFor(pattern, lengthOf(r, "minLength", 0), lengthOf(r, "maxLength", 64))
		if !ok {
			return nil
		}
		return []probes.Value{probes.ValueOf(s)}
	}
	if f, ok := samples[r.At("format").Text()]; ok {
		if strings.Contains(f, "%s") {
			f = fmt.Sprintf(f, g.Nonce)
		}
		return []probes.Value{probes.ValueOf(f)}
	}
	s := g.Marker("")
	if low := lengthOf(r, "minLength", 0); len(s) < low {
		s += strings.Repeat("x", low-len(s))
	}
	if high := lengthOf(r, "maxLength", len(s)); len(s) > high {
		s = s[:high]
	}
	return []probes.Value{probes.ValueOf(s)}
}

// markable reports whether the run's mark fits the documented lengths.
func (g *Generator) markable(r probes.Value) bool {
	n := len(g.Marker(""))
	return lengthOf(r, "minLength", 0) <= n && n <= lengthOf(r, "maxLength", n)
}

// lengthOf reads a length limit; values beyond a megabyte are not worth building.
func lengthOf(r probes.Value, name string, otherwise int) int {
	n, ok := r.At(name).Float()
	if !ok || n < 0 || n > 1<<20 {
		return otherwise
	}
	return int(n)
}
