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

// namedBeside is the object type that a record without fields names in a member beside its type object, as type_name does. Such a
// member may mean another thing, such as a section of the manual, so a documented example has to bear it out.
func (a *Adapter) namedBeside(p Parameter, e TypeExpr) (t Type, ok bool) {
	if e.Form != Primitive || e.Name != "object" || p.Raw.Has("fields") || p.Raw.Has("properties") {
		return t, false
	}
	for _, m := range p.Raw.Members() {
		if slices.Contains([]string{"name", "type", "description"}, m.Name) || !m.Value.Is(String) {
			continue
		}
		named, listed := a.Type(m.Value.Text())
		if !listed || named.Kind != "object" || !a.exampleHas(p, named) {
			continue
		}
		if ok {
			return Type{}, false
		}
		t, ok = named, true
	}
	return t, ok
}

// exampleHas reports whether documented examples give what is called so, at any depth, fields of a type and no others. A
// parameter is looked for in the examples of its operation.
func (a *Adapter) exampleHas(p Parameter, t Type) bool {
	fields := map[string]bool{}
	for _, f := range t.Details.At("fields").Items() {
		fields[f.At("name").Text()] = true
	}
	has, other := false, false
	var look func(v Value, depth int)
	look = func(v Value, depth int) {
		for _, m := range v.Members() {
			if depth < 8 { // as deep as examples are
				look(m.Value, depth+1)
			}
			for _, inner := range m.Value.Members() {
				has, other = has || m.Name == p.Name, other || m.Name == p.Name && !fields[inner.Name]
			}
		}
	}
	owns := func(o Operation) bool {
		return slices.ContainsFunc(o.Parameters, func(q Parameter) bool { return q.Name == p.Name && q.Raw.Equal(p.Raw) })
	}
	parameter := slices.ContainsFunc(a.Operations, owns)
	for _, o := range a.Operations {
		if parameter && !owns(o) {
			continue
		}
		for _, example := range o.Details.At("examples").Items() {
			look(example.At("request", "params"), 0)
		}
	}
	return has && !other
}
