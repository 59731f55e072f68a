package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
)

// A schema is a random parameter, said twice: as the record and type expression
// of introspection, and as JSON Schema for a validator that is none of ours.
type schema struct {
	expr   string
	record map[string]any
	oracle map[string]any
}

// A schemer invents schemas and the registered types they name.
type schemer struct {
	rng   *rand.Rand
	types []probes.Type
}

func (s *schemer) chance(n int) bool { return s.rng.IntN(n) == 0 }

func (s *schemer) schema(depth int) schema {
	makers := []func(int) schema{s.text, s.number, s.boolean, s.enum, s.literals, s.patterned, s.formatted, s.text, s.number, s.patterned}
	if depth < 2 || depth < 4 && s.chance(4) {
		makers = append(makers, s.array, s.listOf, s.object, s.registered, s.union, s.table)
	}
	return makers[s.rng.IntN(len(makers))](depth)
}

// plain is a schema without a record of its own, so that its expression can stand
// within another one.
func (s *schemer) plain(depth int) schema {
	for {
		if c := s.schema(depth); len(c.record) == 0 {
			return c
		}
	}
}

// both puts a constraint into the record and into the oracle.
func (c schema) both(name string, v any) { c.record[name], c.oracle[name] = v, v }

func (s *schemer) text(int) schema {
	c := schema{"string", map[string]any{}, map[string]any{"type": "string"}}
	low := s.rng.IntN(30)
	if s.chance(2) {
		c.both("minLength", low)
	}
	if s.chance(2) {
		c.both("maxLength", low+s.rng.IntN(60))
	}
	return c
}

func (s *schemer) number(int) schema {
	word := []string{"integer", "number"}[s.rng.IntN(2)]
	c := schema{word, map[string]any{}, map[string]any{"type": word}}
	low := json.Number(fmt.Sprintf("%.*f", s.rng.IntN(3), s.rng.Float64()*400-200))
	n, _ := low.Float64()
	high := json.Number(fmt.Sprintf("%.*f", s.rng.IntN(3), n+5+s.rng.Float64()*2000))
	if s.chance(2) {
		c.both([]string{"minimum", "exclusiveMinimum"}[s.rng.IntN(2)], low)
	}
	if s.chance(2) {
		c.both([]string{"maximum", "exclusiveMaximum"}[s.rng.IntN(2)], high)
	}
	if s.chance(4) {
		c.both("multipleOf", []json.Number{"2", "0.5", "3", "0.25"}[s.rng.IntN(4)])
	}
	return c
}

func (s *schemer) boolean(int) schema {
	return schema{"boolean", map[string]any{}, map[string]any{"type": "boolean"}}
}

var words = []string{"draft", "Open", "closed", "in review", "x", "ß", "über", "5", "true", "日本"}

func (s *schemer) enum(int) schema {
	var members []any
	for _, w := range s.rng.Perm(len(words))[:1+s.rng.IntN(4)] {
		members = append(members, words[w])
	}
	if s.chance(3) {
		name := fmt.Sprintf("Enum%d", len(s.types))
		s.types = append(s.types, probes.Type{Name: name, Kind: "enum", Details: probes.ValueOf(map[string]any{"values": members})})
		return schema{name, map[string]any{}, map[string]any{"enum": members}}
	}
	if s.chance(3) {
		members = []any{1, 2, 3.5, 8}[:1+s.rng.IntN(4)]
		return schema{"number", map[string]any{"enum": members}, map[string]any{"type": "number", "enum": members}}
	}
	return schema{"string", map[string]any{"enum": members}, map[string]any{"type": "string", "enum": members}}
}

func (s *schemer) literals(int) schema {
	return []schema{
		{`"a" | 'b c'`, map[string]any{}, map[string]any{"enum": []any{"a", "b c"}}},
		{`"1" | 2`, map[string]any{}, map[string]any{"enum": []any{"1", 2}}},
		{`true | "auto"`, map[string]any{}, map[string]any{"enum": []any{true, "auto"}}},
	}[s.rng.IntN(3)]
}

func (s *schemer) patterned(int) schema {
	c := schema{"string", map[string]any{}, map[string]any{"type": "string"}}
	c.both("pattern", patterns[s.rng.IntN(len(patterns))])
	if s.chance(3) {
		c.both("maxLength", 20+s.rng.IntN(40))
	}
	if s.chance(6) {
		c.both("minLength", s.rng.IntN(8))
	}
	return c
}

func (s *schemer) formatted(int) schema {
	words := []string{"date", "date-time", "time", "duration", "email", "uri", "url", "uuid", "hostname", "ipv4", "ipv6", "byte"}
	c := schema{"string", map[string]any{}, map[string]any{"type": "string"}}
	c.both("format", words[s.rng.IntN(len(words))])
	return c
}

func (s *schemer) array(depth int) schema {
	item := s.schema(depth + 1)
	items := map[string]any{"type": item.expr}
	for name, v := range item.record {
		items[name] = v
	}
	c := schema{"array", map[string]any{"items": items}, map[string]any{"type": "array", "items": item.oracle}}
	s.count(c)
	return c
}

func (s *schemer) count(c schema) {
	low := s.rng.IntN(3)
	if s.chance(2) {
		c.both("minItems", low)
	}
	if s.chance(2) {
		c.both("maxItems", low+s.rng.IntN(4))
	}
	if s.chance(3) {
		c.both("uniqueItems", true)
	}
}

func (s *schemer) listOf(depth int) schema {
	item := s.plain(depth + 1)
	expr := []string{"(%s)[]", "Array<%s>", "list<%s>"}[s.rng.IntN(3)]
	c := schema{fmt.Sprintf(expr, item.expr), map[string]any{}, map[string]any{"type": "array", "items": item.oracle}}
	if s.chance(2) {
		s.count(c)
	}
	return c
}

func (s *schemer) table(depth int) schema {
	value := s.plain(depth + 1)
	return schema{"Record<string, " + value.expr + ">", map[string]any{}, map[string]any{"type": "object", "additionalProperties": value.oracle}}
}

// fields are some documented fields, and what JSON Schema says of them.
func (s *schemer) fields(depth int) (records []any, properties map[string]any, required []any) {
	properties, required = map[string]any{}, []any{}
	for i := range 1 + s.rng.IntN(3) {
		name := fmt.Sprintf("field_%d", i)
		f := s.schema(depth + 1)
		r := map[string]any{"name": name, "type": f.expr, "required": s.chance(2)}
		for k, v := range f.record {
			r[k] = v
		}
		if r["required"].(bool) {
			required = append(required, name)
		}
		records, properties[name] = append(records, r), f.oracle
	}
	return records, properties, required
}

func (s *schemer) object(depth int) schema {
	records, properties, required := s.fields(depth)
	c := schema{"object", map[string]any{}, map[string]any{"type": "object", "properties": properties, "required": required}}
	if s.chance(2) {
		c.record["fields"] = records
		return c
	}
	table := map[string]any{}
	for _, r := range records {
		own := r.(map[string]any)
		table[own["name"].(string)] = own
	}
	c.record["properties"] = table
	return c
}

func (s *schemer) registered(depth int) schema {
	records, properties, required := s.fields(depth)
	name := fmt.Sprintf("Type%d", len(s.types))
	s.types = append(s.types, probes.Type{Name: name, Kind: "object", Details: probes.ValueOf(map[string]any{"fields": records})})
	if s.chance(4) {
		return schema{"Partial<" + name + ">", map[string]any{}, map[string]any{"type": "object", "properties": properties}}
	}
	return schema{name, map[string]any{}, map[string]any{"type": "object", "properties": properties, "required": required}}
}

func (s *schemer) union(depth int) schema {
	a, b := s.plain(depth+1), s.plain(depth+1)
	oracle := map[string]any{"anyOf": []any{a.oracle, b.oracle}}
	if s.chance(3) {
		name := fmt.Sprintf("Union%d", len(s.types))
		s.types = append(s.types, probes.Type{Name: name, Kind: "union", Details: probes.ValueOf(map[string]any{"members": []any{a.expr, b.expr}})})
		return schema{name, map[string]any{}, oracle}
	}
	if s.chance(3) {
		return schema{a.expr + " | " + b.expr + " | null", map[string]any{}, map[string]any{"anyOf": []any{a.oracle, b.oracle, map[string]any{"type": "null"}}}}
	}
	return schema{a.expr + " | " + b.expr, map[string]any{}, oracle}
}

// patterns are such as authors write: identifiers, dates, versions, paths, and
// those of ECMA-262 that RE2 refuses.
var patterns = []string{
	`^[a-z]+$`, `^[a-z][a-z0-9_]*$`, `^[A-Z]{2,5}-\d+$`, `^\d{4}-\d{2}-\d{2}$`, `^v?\d+\.\d+\.\d+$`, `^#[0-9a-fA-F]{6}$`, `^[^\s@]+@[^\s@]+$`,
	`^(draft|open|closed)$`, `^https?://`, `\.md$`, `[0-9]`, `^.{3,}$`, `^\S+$`, `^\w+(\.\w+)*$`, `^/(?:[a-z]+/)*[a-z]*$`, `^[\w.-]+$`,
	`^\+?[1-9]\d{6,14}$`, `^([01]\d|2[0-3]):[0-5]\d$`, `^[A-Za-z0-9+/]+={0,2}$`, `^(?i)abc$`, `(?i)^note`, `^a|b$`, `^(a|b)(c|d)+e?$`, `^x{3}$`,
	`^[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}$`, `^-?\d+(\.\d+)?$`, `^\d{1,3}(,\d{3})*$`, `^[^<>]*$`, `^\p{L}+$`, `^\p{Lu}`, `^[[:alpha:]]+$`, `\bcat\b`,
	`^[a-z]{2}(_[A-Z]{2})?$`, `^(?P<year>\d{4})$`, `^(?<word>\w+)$`, `^\x41\x{42}$`, `^"[^"]*"$`, `^\(\d{3}\) \d{3}-\d{4}$`, `^$|^[a-z]{3}$`, `.+`,
	`^(?=.*\d).{6,12}$`, `^(?=.*[a-z])(?=.*[A-Z]).{8,}$`, `^(?!admin)[a-z]+$`, `^(?!.*--)[a-z-]+$`, `^[a-z]+(?<!x)$`, `^(\w)\1$`, `^(['"]).*\1$`, `^(?<q>['"])\w+\k<q>$`,
	`^[a-z\u00e0]+$`, `^[A-]+$`, `^\u0061+$`, `^[^]{2}$`, `^\cJ?x$`, `^.{1,5000}$`, `^(?:(?!foo).)*$`, `^\p{Greek}+$`, `^\/api\/\w+$`, `^[\d\-]+$`, `foo(?=bar)bar`, `^(?=[^_]+_?[^_]+$)\w{3,63}$`,
	`^(a+)+$`, `^(?:a|ab)(?:c|bcd)$`,
}
