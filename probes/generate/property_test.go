package generate

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
)

// searching is how suites search for patterns; compiled patterns are kept, because
// one run asks for the same ones over and over.
func searching() Match {
	known := map[string]*schemas.Pattern{}
	return func(pattern, text string) (ok, understood bool) {
		p, seen := known[pattern]
		if !seen {
			p, _ = schemas.CompilePattern(pattern)
			known[pattern] = p
		}
		if p == nil {
			return false, false
		}
		ok, err := p.Match(text)
		return ok, err == nil
	}
}

// ecma is the dialect of JSON Schema; no engine but this one is behind the oracle.
type ecma struct{ *regexp2.Regexp }

func (e ecma) MatchString(s string) bool { ok, err := e.Regexp.MatchString(s); return ok && err == nil }

func oracle(t testing.TB, doc map[string]any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "byte", Validate: func(v any) error {
		s, _ := v.(string)
		_, err := base64.StdEncoding.DecodeString(s)
		return err
	}})
	c.RegisterFormat(&jsonschema.Format{Name: "url", Validate: func(v any) error {
		s, _ := v.(string)
		if u, err := url.Parse(s); err != nil || !u.IsAbs() {
			return fmt.Errorf("%q is no URL: %v", s, err)
		}
		return nil
	}})
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		perl := strings.Contains(s, "[[:") || strings.Contains(s, `\x{`) // means something else there, which no author means
		if re, err := regexp2.Compile(s, regexp2.ECMAScript|regexp2.Unicode); err == nil && !perl {
			return ecma{re}, nil
		}
		re, err := regexp2.Compile(s, regexp2.RE2)
		return ecma{re}, err
	})
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = c.AddResource("mem:///p.json", parsed)
	}
	var compiled *jsonschema.Schema
	if err == nil {
		compiled, err = c.Compile("mem:///p.json")
	}
	if err != nil {
		t.Fatalf("the oracle refuses %v: %v", doc, err)
	}
	return compiled
}

// What the generator hands out is judged by a validator that shares nothing with
// it: each value it makes is valid, and of each case at an edge the validator says
// what the case says. That no value is ever wrong would be cheap if none were made,
// so for nearly every schema some have to be, and every operator has to be seen.
func TestAnotherValidatorAgrees(t *testing.T) {
	const parts = 4
	rounds := 10000 / parts
	if testing.Short() {
		rounds = 1000 / parts
	}
	var mu sync.Mutex
	valued, seen := 0, map[string]int{}
	t.Run("seed", func(t *testing.T) {
		for seed := range uint64(parts) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				trial := trial{schemer: schemer{rng: rand.New(rand.NewPCG(7, seed))}, match: searching(), seen: map[string]int{}}
				for range rounds {
					trial.round(t)
				}
				mu.Lock()
				defer mu.Unlock()
				valued += trial.valued
				for name, n := range trial.seen {
					seen[name] += n
				}
			})
		}
	})
	if valued < parts*rounds*95/100 {
		t.Errorf("values for %d of %d schemas, want 95 in 100", valued, parts*rounds)
	}
	for _, op := range operators {
		if seen[op.name] < parts*rounds/1000 {
			t.Errorf("the operator %s made %d cases", op.name, seen[op.name])
		}
	}
	t.Logf("%d schemas, %d with values, cases by operator %v", parts*rounds, valued, seen)
}

// A trial is a sequence of random schemas and what came of them.
type trial struct {
	schemer
	match  Match
	valued int
	seen   map[string]int
}

func (r *trial) round(t *testing.T) {
	r.types = nil
	c := r.schema(0)
	record := map[string]any{"name": "p", "type": c.expr, "required": r.chance(2)}
	maps.Copy(record, c.record)
	g := &Generator{Adapter: &probes.Adapter{Types: r.types}, Match: r.match}
	if r.chance(2) {
		g.Nonce = "k3f9x2ab"
	}
	p := parameter(t, string(probes.ValueOf(record).Raw()))
	d, err := g.Domain(p)
	if err != nil {
		t.Logf("%s: %v", p.Raw, err)
		return
	}
	judge := oracle(t, c.oracle)
	check := func(v probes.Value, want bool, how string) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(v.Raw()))
		if err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		if err := judge.Validate(doc); (err == nil) != want {
			t.Fatalf("%s of %s, types %v\n%s is said to be valid: %v, but the oracle says %v", how, p.Raw, r.types, v, want, err)
		}
	}
	vs, _ := d.Values(r.rng, 4)
	for _, v := range vs {
		check(v, true, "a value")
	}
	if len(vs) > 0 {
		r.valued++
	}
	// What is drawn, confirmed or not, is never surely wrong: the validator is a
	// second reader and no sieve for the first.
	if v, err := d.root.draw(d.drawing(r.rng), r.rng.IntN(12)); err == nil {
		if ok, understood, why := g.Fits(p, v); understood && !ok {
			t.Fatalf("%s was made for %s and is refused: %s", v, p.Raw, why)
		}
	}
	for _, e := range d.Edges() {
		check(e.Value, e.Valid, e.Operator)
		r.seen[e.Operator]++
	}
}

// parameter reads one parameter record.
func parameter(t testing.TB, record string) probes.Parameter {
	t.Helper()
	p, err := parsed(record)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parsed(record string) (probes.Parameter, error) {
	v, err := probes.ParseValue([]byte(record))
	if err != nil {
		return probes.Parameter{}, fmt.Errorf("%s: %w", record, err)
	}
	if ps := probes.ReadParameters(probes.ValueOf(map[string]any{"parameters": []any{v.Go()}})); len(ps) == 1 {
		return ps[0], nil
	}
	return probes.Parameter{}, fmt.Errorf("%s: no record of a parameter", record)
}
