package probes

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A TypeExpr is a parsed type expression of a parameter, such as
// "string | string[]", "Record<string, Note>" or "NoteStatus".
type TypeExpr struct {
	Form     TypeForm
	Name     string     // primitive or type name; for a literal its text
	Parts    []TypeExpr // arms of a union, element of an array, key and value of a map
	Generics []string   // generics it was written as or in, lower case, outermost last: "set", "partial"
	Quoted   bool       // a literal that stood in quotes
}

// A TypeForm is the shape of a type expression.
type TypeForm string

// The forms of a type expression.
const (
	Primitive TypeForm = "primitive"
	Named     TypeForm = "named"
	Literal   TypeForm = "literal"
	ListOf    TypeForm = "array"
	MapOf     TypeForm = "map"
	UnionOf   TypeForm = "union"
)

// primitives are the type words the checker understands, with what they mean.
// Words outside this table and outside the registry are never probed.
var primitives = map[string]string{
	"string": "string", "number": "number", "integer": "integer", "boolean": "boolean",
	"array": "array", "object": "object", "null": "null", "any": "any", "unknown": "any",
}

// typeAliases are spellings of other languages: understood, but worth a warning.
var typeAliases = map[string]string{
	"str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number",
	"bool": "boolean", "list": "array", "dict": "object", "map": "object", "date": "string", "datetime": "string",
}

// maxTypeExpr bounds the bytes of an expression, and with them how deep the
// adapter can make its reader go.
const maxTypeExpr = 4096

// ParseType reads a type expression. An expression outside the grammar, or of more
// than 4096 bytes, is an error: nothing may be concluded from it.
func ParseType(s string) (TypeExpr, error) {
	if len(s) > maxTypeExpr {
		return TypeExpr{}, fmt.Errorf("type expression of %d bytes, at most %d are read", len(s), maxTypeExpr)
	}
	p := typeParser{rest: s}
	e, err := p.union()
	if err == nil && p.skip() != "" {
		err = fmt.Errorf("type expression %q: unexpected %q", s, p.rest)
	}
	return e, err
}

type typeParser struct{ rest string }

func (p *typeParser) skip() string {
	p.rest = strings.TrimSpace(p.rest)
	return p.rest
}

func (p *typeParser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.skip(), prefix)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *typeParser) union() (TypeExpr, error) {
	var arms []TypeExpr
	for {
		arm, err := p.arm()
		if err != nil {
			return arm, err
		}
		arms = append(arms, arm)
		if !p.take("|") {
			break
		}
	}
	if len(arms) == 1 {
		return arms[0], nil
	}
	return TypeExpr{Form: UnionOf, Parts: arms}, nil
}

func (p *typeParser) arm() (TypeExpr, error) {
	e, err := p.atom()
	for err == nil {
		switch {
		case p.take("[]"):
			e = TypeExpr{Form: ListOf, Parts: []TypeExpr{e}}
		case p.take("?"):
			e = TypeExpr{Form: UnionOf, Parts: []TypeExpr{e, {Form: Primitive, Name: "null"}}}
		case p.take("!"):
		default:
			return e, nil
		}
	}
	return e, err
}

func (p *typeParser) atom() (TypeExpr, error) {
	if p.take("(") {
		e, err := p.union()
		if err == nil && !p.take(")") {
			err = fmt.Errorf("type expression: missing )")
		}
		return e, err
	}
	if s := p.skip(); s != "" && strings.ContainsRune(`"'`, rune(s[0])) {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return TypeExpr{}, fmt.Errorf("type expression: unclosed quote")
		}
		p.rest = s[end+2:]
		return TypeExpr{Form: Literal, Name: s[1 : end+1], Quoted: true}, nil
	}
	word := p.word()
	if word == "" {
		return TypeExpr{}, fmt.Errorf("type expression: nothing to read at %q", p.rest)
	}
	if p.take("<") {
		return p.generic(word)
	}
	if strings.ContainsAny(word[:1], "0123456789-") || word == "true" || word == "false" {
		if _, err := ParseValue([]byte(word)); err != nil {
			return TypeExpr{}, fmt.Errorf("type expression: %q is neither a number nor a name", word)
		}
		return TypeExpr{Form: Literal, Name: word}, nil
	}
	if meaning, ok := primitives[word]; ok {
		return TypeExpr{Form: Primitive, Name: meaning}, nil
	}
	return TypeExpr{Form: Named, Name: word}, nil
}

func (p *typeParser) word() string {
	s := p.skip()
	end := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
	})
	if end < 0 {
		end = len(s)
	}
	p.rest = s[end:]
	return s[:end]
}

// generic reads what follows "word<": lists, maps, and wrappers that keep the
// type they wrap.
func (p *typeParser) generic(word string) (TypeExpr, error) {
	var args []TypeExpr
	for {
		e, err := p.union()
		if err != nil {
			return e, err
		}
		args = append(args, e)
		if p.take(">") {
			break
		}
		if !p.take(",") {
			return e, fmt.Errorf("type expression: missing > after %s<", word)
		}
	}
	switch word = strings.ToLower(word); word {
	case "array", "list", "set":
		return TypeExpr{Form: ListOf, Parts: args[:1], Generics: []string{word}}, nil
	case "record", "map", "dict":
		return TypeExpr{Form: MapOf, Parts: args, Generics: []string{word}}, nil
	case "partial", "optional", "nullable", "readonly", "required":
		args[0].Generics = append(args[0].Generics, word)
		return args[0], nil
	}
	return TypeExpr{}, fmt.Errorf("type expression: unknown generic %s<>", word)
}

// Leaves returns the named types the expression mentions.
func (e TypeExpr) Leaves() []string {
	if e.Form == Named {
		return []string{e.Name}
	}
	var names []string
	for _, part := range e.Parts {
		names = append(names, part.Leaves()...)
	}
	return names
}

// Alias returns the primitive a foreign type word stands for; empty for others.
func Alias(word string) string { return typeAliases[word] }

// Literal returns the value a literal stands for.
func (e TypeExpr) Literal() Value {
	if e.Quoted {
		return ValueOf(e.Name)
	}
	v, _ := ParseValue([]byte(e.Name))
	return v
}

// Fields returns the documented fields of the objects that a parameter takes: those that the object
// types in its type declare, or else those of its own record.
func (a *Adapter) Fields(p Parameter) (fields []Parameter) {
	var records []Value
	named := func(name string, r Value) {
		fields = append(fields, Parameter{Name: name, Type: r.At("type").Text(), Required: r.At("required").True(), Raw: r})
	}
	if e, err := ParseType(p.Type); err == nil {
		for _, name := range e.Leaves() {
			if t, ok := a.Type(name); ok && t.Kind == "object" {
				records = append(records, t.Details.At("fields").Items()...)
			}
		}
		if t, ok := a.namedBeside(p, e); ok {
			records = t.Details.At("fields").Items()
		}
	}
	if len(records) == 0 {
		records = slices.Concat(p.Raw.At("fields").Items(), p.Raw.At("properties").Items()) // a list goes by either name
		for _, m := range p.Raw.At("properties").Members() {
			named(m.Name, m.Value)
		}
	}
	for _, r := range records {
		if name := r.At("name").Text(); name != "" {
			named(name, r)
		}
	}
	return fields
}
