package probes

import (
	"fmt"
	"strings"
	"testing"
)

// A type expression is the adapter's text: whatever it is, reading it ends, and
// what was read names a literal with a value and generics with parts.
func FuzzParseType(f *testing.F) {
	for _, s := range []string{
		"string | string[]", "Record<string, Note[]>", `"a" | 'b' | 5 | true | null`, "Partial<Readonly<Note>>?", "((a)", "set<list<int>>!", "1.2.3", "-",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseType(s)
		if err != nil {
			return
		}
		var walk func(e TypeExpr)
		walk = func(e TypeExpr) {
			if e.Form == Literal && e.Literal().Is(Absent) {
				t.Errorf("%q: the literal %q has no value", s, e.Name)
			}
			if (e.Form == ListOf || e.Form == MapOf || e.Form == UnionOf) && len(e.Parts) == 0 {
				t.Errorf("%q: a %s of nothing", s, e.Form)
			}
			for _, part := range e.Parts {
				walk(part)
			}
		}
		walk(e)
	})
}

// An expression deep enough to exhaust the stack is refused before it is read.
func TestTypeExpressionsAreBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat("(", 10_000_000), "a" + strings.Repeat("[]", 10_000_000)} {
		if _, err := ParseType(s); err == nil {
			t.Errorf("an expression of %d bytes was read", len(s))
		}
	}
}

// A number in quotes is a text: "1" | "2" are the values of an enum of strings.
func TestQuotedLiteralsAreTexts(t *testing.T) {
	for expr, want := range map[string]Kind{`"1"`: String, `1`: Number, `'true'`: String, `true`: Boolean} {
		e, err := ParseType(expr)
		if err != nil || e.Literal().Kind() != want {
			t.Errorf("%s is read as %s (%v), want %s", expr, e.Literal().Kind(), err, want)
		}
		if kinds, _ := new(Adapter).Kinds(expr); len(kinds) != 1 || kinds[0] != string(want) {
			t.Errorf("%s has the kinds %v, want %s", expr, kinds, want)
		}
	}
}

// Unions of unions of unions multiply: a registry of a few kilobytes must not keep
// the reader busy for ever.
func TestKindsOfUnionsAreBounded(t *testing.T) {
	a := &Adapter{}
	for level := range 8 {
		members := make([]string, 60)
		for i := range members {
			members[i] = fmt.Sprintf("Union%d", level+1)
		}
		a.Types = append(a.Types, Type{Name: fmt.Sprintf("Union%d", level), Kind: "union", Details: ValueOf(map[string]any{"members": members})})
	}
	a.Types = append(a.Types, Type{Name: "Union8", Kind: "enum"})
	if kinds, ok := a.Kinds("Union0"); ok {
		t.Errorf("got %d kinds", len(kinds))
	}
	if kinds, ok := a.Kinds("Union7"); !ok || len(kinds) != 60 {
		t.Errorf("got %d kinds (%v) of the innermost union, want 60", len(kinds), ok)
	}
}

// A record may name the type of an object beside it, where an example has fields of that type and no others.
func TestTypesNamedBesideAreTheFields(t *testing.T) {
	details, _ := ParseValue([]byte(`{"fields":[{"name":"phone","type":"string"}]}`))
	example := func(value string) *Adapter {
		record, _ := ParseValue([]byte(`{"examples":[{"request":{"operation":"book_seat","params":{"contact":` + value + `}}}]}`))
		a := &Adapter{Operations: []Operation{{Name: "book_seat", Details: record}}}
		for _, name := range []string{"Contact", "Other"} {
			a.Types = append(a.Types, Type{Name: name, Kind: "object", Details: details})
		}
		return a
	}
	told := `{"phone":"1"}`
	for _, c := range []struct {
		record, example string
		want            int
	}{
		{`{"type":"object","type_name":"Contact"}`, told, 1},
		{`{"type":"object","type_name":"Contact"}`, `{}`, 0},
		{`{"type":"object","section":"Contact"}`, `{"phone":"1","hat":"red"}`, 0},
		{`{"type":"object","a":"Contact","b":"Other"}`, told, 0},
		{`{"type":"string","type_name":"Contact"}`, told, 0},
		{`{"type":"object","description":"Contact"}`, told, 0},
		{`{"type":"object","type_name":"Contact","properties":{}}`, told, 0},
		{`{"type":"object","type_name":"Contact","required":false}`, told, 1},
	} {
		raw, _ := ParseValue([]byte(c.record))
		if got := example(c.example).Fields(Parameter{Name: "contact", Type: raw.At("type").Text(), Raw: raw}); len(got) != c.want {
			t.Errorf("%s with %s has %d fields, want %d", c.record, c.example, len(got), c.want)
		}
	}
	raw, _ := ParseValue([]byte(`{"type":"object","type_name":"Contact"}`))
	a, p := example(told), Parameter{Name: "contact", Type: "object", Raw: raw}
	a.Operations[0].Parameters = []Parameter{p}
	a.Operations = append(a.Operations, example(`{"hat":"red"}`).Operations[0])
	if got := a.Fields(p); len(got) != 1 {
		t.Errorf("beside another operation that takes a contact it has %d fields", len(got))
	}
}

// A filter has some fields of what is listed, so the required ones have to stand in the example. An update has some fields as well: there the
// member is known by a creation.
func TestTypesNamedBesideHaveTheirRequiredFields(t *testing.T) {
	details, _ := ParseValue([]byte(`{"fields":[{"name":"title","type":"string","required":true},{"name":"color","type":"string"}]}`))
	raw, _ := ParseValue([]byte(`{"type":"object","about":"Box"}`))
	operation := func(category, parameter, value string) Operation {
		record, _ := ParseValue([]byte(`{"examples":[{"request":{"params":{"` + parameter + `":` + value + `}}}]}`))
		return Operation{Name: category + parameter, Category: category, Details: record, Parameters: []Parameter{{Name: parameter, Type: "object", Raw: raw}}}
	}
	whole, part := `{"title":"a","color":"red"}`, `{"color":"red"}`
	for name, c := range map[string]struct {
		asked Operation
		other string // the example of a creation
		want  int
	}{
		"the required fields": {operation("READ", "box", whole), part, 2},
		"a filter":            {operation("READ", "where", part), whole, 0},
		"an update":           {operation("UPDATE", "changes", part), whole, 2},
		"an update beside a creation that gives few": {operation("UPDATE", "changes", part), part, 0},
		"another field in an update":                 {operation("UPDATE", "changes", `{"hat":"red"}`), whole, 0},
	} {
		a := &Adapter{Types: []Type{{Name: "Box", Kind: "object", Details: details}}, Operations: []Operation{c.asked, operation("CREATE", "data", c.other)}}
		if got := a.Fields(c.asked.Parameters[0]); len(got) != c.want {
			t.Errorf("%s: %d fields, want %d", name, len(got), c.want)
		}
	}
}
