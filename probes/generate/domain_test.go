package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// registry are the types the records below name.
var registry = []probes.Type{
	registered("Status", `{"kind":"enum","values":["open","closed"]}`),
	registered("Point", `{"kind":"object","fields":[{"name":"x","type":"number","required":true},{"name":"label","type":"string","required":false}]}`),
	registered("Tree", `{"kind":"object","fields":[{"name":"left","type":"Tree","required":true}]}`),
	registered("Branch", `{"kind":"object","fields":[{"name":"below","type":"Branch[]","required":true}]}`),
	registered("Scalar", `{"kind":"scalar"}`),
	registered("Either", `{"kind":"union","members":["Status","integer"]}`),
}

func registered(name, details string) probes.Type {
	v, _ := probes.ParseValue([]byte(details))
	return probes.Type{Name: name, Kind: v.At("kind").Text(), Details: v}
}

func generator() *Generator {
	return &Generator{Adapter: &probes.Adapter{Types: registry}, Nonce: "k3f9x2ab", Match: searching()}
}

// A value is allowed, forbidden, or neither, because somebody may read the record
// in another way: the third answer is what keeps a legal adapter out of trouble.
func TestFitsKnowsWhatIsOpen(t *testing.T) {
	const allowed, forbidden, undecided = "allowed", "forbidden", "open"
	for _, c := range []struct{ record, value, want string }{
		{`"type":"string"`, `"x"`, allowed},
		{`"type":"string"`, `5`, forbidden},
		{`"type":"Widget"`, `5`, undecided},    // a type nobody registered
		{`"type":"Scalar"`, `"x"`, undecided},  // of any JSON kind
		{`"type":"any"`, `"x"`, undecided},     // says nothing
		{`"type":"Status"`, `"open"`, allowed}, //
		{`"type":"Status"`, `"ajar"`, forbidden},
		{`"type":"Either"`, `3`, allowed},
		{`"type":"Either"`, `"ajar"`, forbidden},
		{`"type":"Status | Widget"`, `"ajar"`, undecided}, // it may be a Widget
		{`"type":"string"`, `null`, undecided},            // may mean: left out
		{`"type":"string","required":true`, `null`, forbidden},
		{`"type":"string | null","required":true`, `null`, allowed},
		{`"type":"string","required":true,"nullable":true`, `null`, allowed},
		{`"type":"Nullable<string>","required":true`, `null`, undecided},
		{`"type":"integer"`, `2.5`, forbidden},
		{`"type":"integer"`, `2.0`, undecided}, // an integer for some readers
		{`"type":"integer"`, `9007199254740993`, undecided},
		{`"type":"integer","maximum":3`, `4`, forbidden},
		{`"type":"integer","minimum":9,"maximum":3`, `4`, undecided},
		{`"type":"number","exclusiveMaximum":3`, `3`, forbidden},
		{`"type":"number","maximum":3,"exclusiveMaximum":true`, `3`, forbidden},
		{`"type":"number","multipleOf":0.1`, `0.25`, undecided}, // rounding
		{`"type":"number","multipleOf":3`, `4`, forbidden},
		{`"type":"string","maxLength":3`, `"ééé"`, undecided}, // six bytes
		{`"type":"string","maxLength":3`, `"éééé"`, forbidden},
		{`"type":"string","minLength":2`, `"e\u0301"`, undecided}, // one letter as a reader counts
		{`"type":"string[]","maxLength":1`, `["a","b"]`, undecided},
		{`"type":"array","minLength":1`, `[]`, undecided}, // counts items, say some
		{`"type":"array","enum":["a"]`, `["a"]`, undecided},
		{`"type":"string","pattern":"^a+\\Z"`, `"b"`, undecided}, // an end in some dialects, a letter in others
		{`"type":"string","pattern":"^a+$"`, `"b"`, forbidden},
		{`"type":"string","pattern":"^a+$"`, `"a\n"`, undecided}, // $ matches before the last line break in some dialects
		{`"type":"string","pattern":"^a+$"`, `"b\n"`, forbidden},
		{`"type":"string","format":"isbn"`, `"b"`, undecided},
		{`"type":"string","format":"date"`, `"2026-02-30"`, forbidden},
		{`"type":"string","format":"date"`, `"20260230"`, undecided},
		{`"type":"string","format":"email"`, `"nobody"`, forbidden},
		{`"type":"string","format":"uri"`, `"/relative"`, undecided},
		{`"type":"date"`, `5`, undecided},
		{`"type":"decimal"`, `"1.5"`, undecided}, // travels as text with some
		{`"type":"int"`, `"1"`, forbidden},
		{`"type":"Point"`, `{"x":1}`, allowed},
		{`"type":"Point"`, `{"label":"a"}`, forbidden},
		{`"type":"Partial<Point>"`, `{"label":"a"}`, allowed},
		{`"type":"Required<Point>"`, `{"x":1}`, undecided},
		{`"type":"Point"`, `{"x":1,"y":2}`, undecided}, // nobody said that there is no y
		{`"type":"Point"`, `{"x":null}`, undecided},
		{`"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false`, `{"x":1,"y":2}`, forbidden},
		{`"type":"set<string>"`, `["a","a"]`, undecided},
		{`"type":"object"`, `[]`, undecided}, // the same in some languages
		{`"type":"string[]"`, `{}`, undecided},
		{`"type":"object"`, `["a"]`, forbidden},
		{`"type":"string"`, `[]`, forbidden},
		{`"type":"string","not":{"const":"a"}`, `"b"`, undecided},
		{`"type":"string","enum":[]`, `"b"`, undecided},
		{`"type":"string","maxLength":null`, `"b"`, allowed}, // null is how serializers write nothing
	} {
		v, err := probes.ParseValue([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		got := undecided
		if ok, understood, _ := generator().Fits(parameter(t, `{"name":"p",`+c.record+`}`), v); ok {
			got = allowed
		} else if understood {
			got = forbidden
		}
		if got != c.want {
			t.Errorf("{%s} takes %s: got %s, want %s", c.record, c.value, got, c.want)
		}
	}
}

// What is not understood yields no value and no case.
func TestNothingIsMadeOfWhatIsNotUnderstood(t *testing.T) {
	for _, record := range []string{
		`"type":"Widget"`, `"type":"Scalar"`, `"type":"any"`, `"type":"Tree"`, `"type":["string"]`, `"type":"string","oneOf":[{"minLength":3}]`,
		`"type":"string","format":"isbn"`, `"type":"string","pattern":"(?<=a"`, `"type":"string","pattern":"^a\\Zb"`, `"type":"integer","minimum":3,"maximum":2`,
		`"type":"integer","minimum":"3"`, `"type":"string","minLength":9,"maxLength":2`, `"type":"string","minLength":1000000`, `"type":"array","items":"string","minItems":1`,
		`"type":"number","exclusiveMinimum":1,"exclusiveMaximum":1`, `"type":"integer","minimum":4,"maximum":5,"multipleOf":3`, `"type":"string","maxLength":2,"pattern":"^abc$"`,
	} {
		d, err := generator().Domain(parameter(t, `{"name":"p",`+record+`}`))
		if err != nil {
			continue
		}
		if vs, err := d.Values(rand.New(rand.NewPCG(1, 1)), 5); err == nil {
			t.Errorf("{%s} yields %v", record, vs)
		}
		for _, c := range d.Edges() {
			if c.Valid {
				t.Errorf("{%s} yields the valid case %s: %s", record, c.Sentence, c.Value)
			}
		}
	}
}

// Equal seeds yield equal values, small ones first.
func TestValuesAreDeterministic(t *testing.T) {
	for _, record := range []string{`"type":"string"`, `"type":"Point[]"`, `"type":"Branch"`, `"type":"string","pattern":"^(?=.*\\d)[a-z0-9]{3,40}$"`} {
		d, err := generator().Domain(parameter(t, `{"name":"p",`+record+`}`))
		if err != nil {
			t.Fatal(err)
		}
		draw := func(seed uint64) string {
			vs, err := d.Values(rand.New(rand.NewPCG(seed, 1)), 6)
			if err != nil {
				t.Fatal(err)
			}
			if len(vs) > 2 && len(vs[0].Raw()) > len(vs[len(vs)-1].Raw()) {
				t.Errorf("{%s} begins with %s and ends with %s", record, vs[0], vs[len(vs)-1])
			}
			return arrayOf(vs...).String()
		}
		if again := draw(3); draw(3) != again {
			t.Errorf("{%s}: the same seed yields other values", record)
		}
		if record != `"type":"Branch"` && draw(3) == draw(4) {
			t.Errorf("{%s}: another seed yields the same values", record)
		}
	}
}

// What a parameter publishes comes first, as far as it fits its own record.
func TestPublishedValuesComeFirst(t *testing.T) {
	d, err := generator().Domain(parameter(t, `{"name":"p","type":"string","maxLength":30,"default":"draft","examples":["`+strings.Repeat("x", 40)+`","final"]}`))
	if err != nil {
		t.Fatal(err)
	}
	vs, _ := d.Values(rand.New(rand.NewPCG(1, 1)), 3)
	var texts []string
	for _, v := range vs {
		texts = append(texts, v.Text())
	}
	if len(texts) != 3 || !slices.Equal(texts[:2], []string{"draft", "final"}) {
		t.Errorf("got %q, want draft and final first", texts)
	}
}

// numbered is a list of n different texts.
func numbered(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint("member ", i)
	}
	return probes.ValueOf(texts).String()
}

// A registry that multiplies, records that nest and lists that are long are read in
// bounded time; without the bounds this test would not end.
func TestHostileRecordsAreBounded(t *testing.T) {
	a := &probes.Adapter{Types: []probes.Type{registered("Union8", `{"kind":"enum","values":["a"]}`)}}
	for level := range 8 {
		members := slices.Repeat([]string{fmt.Sprintf("Union%d", level+1)}, 60)
		details := probes.ValueOf(map[string]any{"kind": "union", "members": members})
		a.Types = append(a.Types, probes.Type{Name: fmt.Sprintf("Union%d", level), Kind: "union", Details: details})
	}
	g := &Generator{Adapter: a, Match: searching()}
	nested := `"type":"string"`
	for range 300 {
		nested = `"type":"array","items":{` + nested + `}`
	}
	for _, record := range []string{
		`"type":"Union0"`, `"type":"Union0[] | Union1"`, nested, `"type":"array","items":{"type":"Union0"},"minItems":2000000000`,
		`"type":"string","enum":` + numbered(50000), `"type":"` + strings.Repeat("string | ", 450) + `null"`,
		`"type":"string","pattern":"` + strings.Repeat("(a|b)*", 1300) + `"`, `"type":"number","minimum":1e400,"multipleOf":1e-400`,
	} {
		p := parameter(t, `{"name":"p",`+record+`}`)
		g.Values(probes.Operation{}, p)
		d, err := g.Domain(p)
		if err != nil {
			continue
		}
		vs, _ := d.Values(rand.New(rand.NewPCG(1, 1)), 20)
		for _, v := range vs {
			if len(v.Raw()) > 1<<20 {
				t.Errorf("%.60s: a value of %d bytes", record, len(v.Raw()))
			}
		}
		if n := len(d.Edges()); n > maxCases {
			t.Errorf("%.60s: %d cases", record, n)
		}
	}
}
