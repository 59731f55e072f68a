package schemas

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCompilePattern(t *testing.T) {
	for pattern, want := range map[string]error{
		`^[a-z`:                    ErrBadPattern,
		`[`:                        ErrBadPattern,
		`[^`:                       ErrBadPattern,
		`[a\]`:                     ErrBadPattern,
		`(a`:                       ErrBadPattern,
		`a)`:                       ErrBadPattern,
		`(?=a`:                     ErrBadPattern,
		`((a)`:                     ErrBadPattern,
		`a\`:                       ErrBadPattern,
		`\`:                        ErrBadPattern,
		`*a`:                       ErrBadPattern,
		`+`:                        ErrBadPattern,
		`a|?`:                      ErrBadPattern,
		`(*)`:                      ErrPatternUnsupported, // Perl has verbs
		`(?:+)`:                    ErrBadPattern,
		`a**`:                      ErrPatternUnsupported, // allowed in Ruby
		`a++`:                      ErrPatternUnsupported, // possessive
		`(?x) a++ # a ( or [ trap`: ErrPatternUnsupported, // a remark
		`\p{NoSuchScript}`:         ErrPatternUnsupported,
		`^[z-a]$`:                  ErrBadPattern,
		`[z-a&&b]`:                 ErrPatternUnsupported,
		`(?#[)(a`:                  ErrBadPattern,
		`\Q(\E(`:                   ErrBadPattern,

		strings.Repeat("a", 9000):        ErrBudget,
		strings.Repeat(`.{1000}`, 100):   ErrBudget,
		strings.Repeat(`(.{1000})`, 800): ErrBudget,
	} {
		if _, err := CompilePattern(pattern); !errors.Is(err, want) {
			t.Errorf("%.40q: got %v, want %v", pattern, err, want)
		}
	}
}

func TestPatternMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, subject string
		match, re2       bool
	}{
		{``, ``, true, true},
		{`b`, `abc`, true, true},
		{`^b`, `abc`, false, true},
		{`^\d+$`, `12`, true, true},
		{`^\d+$`, `१२`, false, true},
		{`^a{2,3}$`, `aaaa`, false, true},
		{`(?i)^a$`, `A`, true, true},
		{`^[\w.-]+@[\w-]+$`, `a.b@c`, true, true},
		{`^(?=.*\d).{3}$`, `ab1`, true, false},
		{`^(?!x)`, `x`, false, false},
		{`^(?<=a)b`, `b`, false, false},
		{`^(a)\1$`, `aa`, true, false},
		{`^\u0041$`, `A`, true, false},
		{`^\u{1F600}$`, `😀`, true, false},
		{`^\cA$`, "\x01", true, false},
		{`^[^]$`, `x`, true, false},
		{`^a{2000}$`, strings.Repeat("a", 2000), true, false},
		{`^.$`, `ü`, true, true},
		{`^\p{Script=Latin}+$`, `aé`, true, false},
		{`^\p{sc=Greek}+$`, `aé`, false, false},
		{`^(?=\P{gc=Lu})\p{L}`, `ab`, true, false},
	} {
		p, err := CompilePattern(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		ok, err := p.Match(c.subject)
		if err != nil || ok != c.match || p.RE2() != c.re2 || p.String() != c.pattern {
			t.Errorf("%q on %.20q: match %v (%v), RE2 %v; want %v, %v", c.pattern, c.subject, ok, err, p.RE2(), c.match, c.re2)
		}
	}
}

func TestMatchOverBudget(t *testing.T) {
	for _, c := range []struct{ name, pattern, subject string }{
		{"catastrophic", `(?=a)(a+)+$`, strings.Repeat("a", 60) + "!"},
		{"long for a backtracking engine", `(?=a)a`, strings.Repeat("b", 2<<20)},
		{"long for many instructions", "^" + strings.Repeat(".{1000}", 9) + "x", strings.Repeat("b", 1<<20)},
	} {
		p, err := CompilePattern(c.pattern)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		start := time.Now()
		if ok, err := p.Match(c.subject); ok || !errors.Is(err, ErrBudget) {
			t.Errorf("%s: got %v, %v", c.name, ok, err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s took %v", c.name, took)
		}
	}
}
