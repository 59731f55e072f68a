package schemas

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// Schemas that no count refuses, because their work grows with the instance.
func TestCheckEndsInTime(t *testing.T) {
	twice := `{"allOf":[{"properties":{"c":{"$ref":"#"}}},{"properties":{"c":{"$ref":"#"}}}]}`
	// Failing inside "not" skips most of what a validator calls out for.
	quiet := `{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"object","properties":{"c":{"$ref":"#/$defs/a"}},"dependentSchemas":{"c":{"properties":{"c":{"$ref":"#/$defs/a"}}}}}}}`
	deep := strings.Repeat(`{"c":`, 400) + `0` + strings.Repeat(`}`, 400)
	evil := strings.Repeat("a", 60) + "!"
	for name, c := range map[string]struct{ schema, doc string }{
		"doubling at every level": {twice, deep},
		"doubling under not":      {quiet, deep},
		"a long enum":             {`{"items":{"enum":[` + numbers(20_000) + `]}}`, `[` + strings.Repeat("-1,", 90_000) + `0]`},
		"evil regex":              {`{"pattern":"^(?=a)(a+)+$"}`, `"` + evil + `"`},
		"many evil regexes":       {`{"items":{"pattern":"^(?=a)(a+)+$"}}`, `["` + evil + `","` + evil + `","` + evil + `"]`},
		"evil property name":      {`{"patternProperties":{"^(?=a)(a+)+$":{}}}`, `{"` + evil + `":1}`},
		"huge exponent":           {`{"maximum":3}`, `1e1000000`},
		"too deep":                {`{}`, strings.Repeat("[", 600) + strings.Repeat("]", 600)},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustCompile(t, c.schema)
			start := time.Now()
			found, err := p.Check(t.Context(), []byte(c.doc))
			if !errors.Is(err, ErrBudget) || found != nil {
				t.Errorf("got %v, %v; want it over budget", found, err)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			// The goroutine that was left behind gives its place back.
			select {
			case p.turn <- struct{}{}:
			case <-time.After(5 * time.Second):
				t.Error("the validator still runs")
			}
		})
	}
}

// The time of a check does not include waiting for other checks of the same schema.
func TestWaitingIsNoWork(t *testing.T) {
	p := mustCompile(t, `{"type":"object"}`)
	p.turn <- struct{}{}
	go func() {
		time.Sleep(checkTime + 200*time.Millisecond)
		<-p.turn
	}()
	if found, err := p.Check(t.Context(), []byte(`{}`)); err != nil || found != nil {
		t.Errorf("got %v, %v", found, err)
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i+1)
	}
	return b.String() + "0.5"
}

func TestEvilRegexIsHarmlessWhereItIsLinear(t *testing.T) {
	p := mustCompile(t, `{"pattern":"(a+)+$"}`)
	found, err := p.Check(t.Context(), []byte(`"`+strings.Repeat("a", 100_000)+`!"`))
	if err != nil || len(found) != 1 || found[0].Keyword != "pattern" {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestPatternOfAnotherDialect(t *testing.T) {
	p := mustCompile(t, `{"properties":{"a":{"pattern":"^a++$"}}}`)
	if _, err := p.Check(t.Context(), []byte(`{"a":"x"}`)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v, want %v", err, ErrUnsupported)
	}
	if found, err := p.Check(t.Context(), []byte(`{"b":"x"}`)); err != nil || found != nil {
		t.Errorf("got %v, %v; the pattern does not matter here", found, err)
	}
}

func TestContextEndsTheWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := mustCompile(t, `{}`)
	if _, err := Compile(ctx, []byte(`{}`)); !errors.Is(err, ErrBudget) || !errors.Is(err, context.Canceled) {
		t.Errorf("compile: got %v", err)
	}
	p.turn <- struct{}{} // another check is under way
	if _, err := p.Check(ctx, []byte(`1`)); !errors.Is(err, ErrBudget) || !errors.Is(err, context.Canceled) {
		t.Errorf("check: got %v", err)
	}
	if _, err := p.Check(t.Context(), []byte(`[`)); err == nil || errors.Is(err, ErrBudget) {
		t.Errorf("not JSON: got %v", err)
	}
}

func TestChecksOfOneSchemaAtOnce(t *testing.T) {
	p := mustCompile(t, `{"type":"object","properties":{"a":{"pattern":"^(?!b)"}}}`)
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			want, doc := 0, `{"a":"a"}`
			if i%2 == 1 {
				want, doc = 1, `{"a":"b"}`
			}
			if found, err := p.Check(t.Context(), []byte(doc)); err != nil || len(found) != want {
				t.Errorf("%s: got %v, %v", doc, found, err)
			}
		})
	}
	group.Wait()
}
