package generate

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

func drawing7() drawing {
	return drawing{rng: rand.New(rand.NewPCG(7, 7)), match: searching()}
}

// An adapter may trim white space at the ends, and drop a dot behind a name: no text has more of either than its pattern demands, and one that is
// too long ends with a letter or a digit.
func TestTextsHaveNoBlanksToTrim(t *testing.T) {
	const host = `^\s*[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]+)*\.?\s*$`
	if s, ok := MatchFor(host, 12, 40); !ok || strings.TrimSpace(s) != s {
		t.Errorf("got %q, %v", s, ok)
	}
	for pattern, want := range map[string]bool{host: true, `^\s+x\s?$`: false} {
		l, err := languageOf(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 60 {
			if s, ok := l.search(drawing7(), n, n+4, 0); ok && (strings.TrimSpace(s) == s) != want {
				t.Errorf("%s: got %q", pattern, s)
			}
		}
	}
	for s, want := range map[string]bool{"a.b": true, "a.b.": false, " a": false, "": false} {
		if solid(s) != want {
			t.Errorf("%q is solid: %v", s, !want)
		}
	}
}

// Every pattern of the list has texts, of which the generator finds some, and at
// the lengths it has, one of each.
func TestEveryPatternYieldsTexts(t *testing.T) {
	if len(patterns) < 60 {
		t.Errorf("the list has %d patterns, want 60", len(patterns))
	}
	for _, p := range patterns {
		l, err := languageOf(p)
		if err != nil {
			t.Error(err)
			continue
		}
		if s, ok := l.search(drawing7(), 0, 100, 0); !ok || !matches(searching(), p, s) {
			t.Errorf("%s: got %q, %v", p, s, ok)
		}
	}
	for p, n := range map[string]int{`^[a-z]+(-[a-z]{2})*$`: 37, `^(?=.*\d)\w{8,}$`: 64, `^\d{3}$`: 3, `(ab|cdef)+`: 6} {
		l, err := languageOf(p)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := l.search(drawing7(), n, n, 0); !ok || utf8.RuneCountInString(s) != n {
			t.Errorf("%s at %d characters: got %q, %v", p, n, s, ok)
		}
	}
}

// A matcher that gives up ends the search at once: it may have cost its whole time.
func TestSearchEndsWithItsMatcher(t *testing.T) {
	asked := 0
	d := drawing7()
	d.match = func(string, string) (bool, bool) { asked++; return false, false }
	l, err := languageOf(`^(a+)+(?=b)b$`)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := l.search(d, 0, 40, 3); ok || asked != 1 {
		t.Errorf("got %q after %d questions, want none after 1", s, asked)
	}
}

// A pattern is the adapter's text: whatever it is, the search ends, and what it
// found is matched in both readings.
func FuzzPatterns(f *testing.F) {
	for _, p := range patterns {
		f.Add(p, 0, 40)
	}
	f.Add(`(((((a{1000}){2}){3}`, 0, 4096)
	f.Add(`(a)\1\1\1\1\1(\1\1\1\1)(\2\2\2\2)(\3\3\3\3)(\4\4\4\4)`, 0, 4096)
	match := searching()
	f.Fuzz(func(t *testing.T, pattern string, low, high int) {
		l, err := languageOf(pattern)
		if err != nil || low < 0 || high > maxText {
			return
		}
		d := drawing{rng: rand.New(rand.NewPCG(1, 1)), match: match}
		if s, ok := l.search(d, low, high, 3); ok {
			if n := utf8.RuneCountInString(s); n < low || n > high {
				t.Errorf("%q has %d characters, want %d to %d", s, n, low, high)
			}
			if !matches(match, pattern, s) {
				t.Errorf("%q does not meet %q", s, pattern)
			}
		}
		shape := text{pattern: pattern, high: &high, language: l}
		if s, ok := shape.violation(d); ok {
			if found, understood := match(pattern, s); found || !understood {
				t.Errorf("%q violates %q only in name", s, pattern)
			}
		}
	})
}

// A record is the adapter's as well: whatever it says, reading it ends, and each
// case is confirmed.
func FuzzRecords(f *testing.F) {
	for _, r := range []string{
		`{"name":"p","type":"string | Point[]","minItems":1}`, `{"name":"p","type":"Record<string, Either>","enum":[{}]}`, `{"name":"p","type":"object","properties":{"a":{"type":"Tree"}}}`,
		`{"name":"p","type":"number","minimum":1e-300,"multipleOf":3e-9}`, `{"name":"p","type":"Branch","default":{"below":[]}}`, `{"name":"p","type":"string","pattern":"(?=a)b","minLength":4096}`,
	} {
		f.Add(r)
	}
	g := generator()
	f.Fuzz(func(t *testing.T, record string) {
		v, err := parsed(record)
		if err != nil {
			return
		}
		d, err := g.Domain(v)
		if err != nil {
			return
		}
		vs, _ := d.Values(rand.New(rand.NewPCG(1, 1)), 5)
		for _, v := range vs {
			if ok, understood, why := g.Fits(d.Parameter, v); !ok || !understood {
				t.Errorf("%s: %s %s", record, v, why)
			}
		}
		for _, c := range d.Edges() {
			if ok, understood, why := g.Fits(d.Parameter, c.Value); ok != c.Valid || !understood {
				t.Errorf("%s: %s %s", record, c.Sentence, why)
			}
		}
	})
}

func BenchmarkValues(b *testing.B) {
	for name, record := range map[string]string{
		"text": `"type":"string","maxLength":80`, "pattern": `"type":"string","pattern":"^[a-z][a-z0-9-]{2,30}$"`,
		"lookahead": `"type":"string","pattern":"^(?=.*\\d)(?=.*[a-z]).{8,20}$"`, "object": `"type":"Point[]","minItems":2`,
	} {
		b.Run(name, func(b *testing.B) {
			d, err := generator().Domain(parameter(b, `{"name":"p",`+record+`}`))
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				if _, err := d.Values(rng, 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A pattern of digits beside a format does not make a day that no calendar has.
func TestFormatsComeBeforeTheirPatterns(t *testing.T) {
	for format, pattern := range map[string]string{"date": `^\d{4}-\d{2}-\d{2}$`, "uri": `^https?://\S+$`, "email": `^[^@\s]+@[^@\s]+$`} {
		raw := probes.ValueOf(map[string]any{"type": "string", "format": format, "pattern": pattern})
		p := probes.Parameter{Name: "value", Type: "string", Required: true, Raw: raw}
		g := &Generator{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}
		values := g.Values(probes.Operation{Name: "create_thing", Category: "CREATE"}, p)
		if len(values) == 0 || strings.Contains(values[0].Text(), "0000") || format == "uri" && !strings.Contains(values[0].Text(), "example.com") {
			t.Errorf("%s: %v", format, values)
		}
	}
}
