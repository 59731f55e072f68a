package generate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

var textOperators = []operator{
	{"shortest", true, edgesOf(func(t text, _ position, d drawing) []edge {
		if t.low == 0 {
			return nil
		}
		return t.measured(d, t.low, true, "of exactly its documented minimum of %s", t.low)
	})},
	{"too-short", false, edgesOf(func(t text, _ position, d drawing) []edge {
		if t.low == 0 {
			return nil
		}
		return t.measured(d, t.low-1, false, "one character shorter than its documented minimum of %s", t.low)
	})},
	{"longest", true, edgesOf(func(t text, _ position, d drawing) []edge {
		if t.high == nil || *t.high == 0 {
			return nil
		}
		return t.measured(d, *t.high, true, "of exactly its documented maximum of %s", *t.high)
	})},
	{"too-long", false, edgesOf(func(t text, _ position, d drawing) []edge {
		if t.high == nil {
			return nil
		}
		return t.measured(d, *t.high+1, false, "one character longer than its documented maximum of %s", *t.high)
	})},
	{"too-long-astral", false, edgesOf(func(t text, _ position, _ drawing) []edge {
		if t.high == nil || *t.high > maxText || !t.isFree() {
			return nil
		}
		return single(probes.ValueOf(strings.Repeat("𝒜", *t.high+1)), "one character beyond the basic plane longer than its documented maximum of %s", characters(*t.high))
	})},
	{"empty-text", true, edgesOf(func(t text, _ position, d drawing) []edge {
		if !t.zero && (t.pattern == "" || !matches(d.match, t.pattern, "")) {
			return nil // without a word on it, an empty text is often no text
		}
		return single(probes.ValueOf(""), "empty, as its documentation allows")
	})},
	{"combining", true, edgesOf(script("e\u0301o\u0308", "with combining accents"))},
	{"right-to-left", true, edgesOf(script("\u05e9\u05dc\u05d5\u05dd", "with right-to-left letters"))},
	{"astral", true, edgesOf(script("😀𝒜", "with characters beyond the basic plane"))},
	{"long", true, edgesOf(func(t text, _ position, d drawing) []edge {
		if t.high != nil || !t.isFree() || t.low > modest {
			return nil
		}
		return t.measured(d, modest, true, "of %s", modest)
	})},
	{"pattern", false, edgesOf(func(t text, _ position, d drawing) []edge {
		s, ok := t.violation(d)
		if !ok {
			return nil
		}
		return single(probes.ValueOf(s), "with a text that its documented pattern does not match")
	})},
	{"format", false, edgesOf(func(t text, _ position, _ drawing) []edge {
		if t.format == "" {
			return nil
		}
		return single(probes.ValueOf(formats[t.format].broken), "with a text that is no %s", t.format)
	})},
}

// modest is a length that nobody refuses who documents no limit.
const modest = 200

func (t text) isFree() bool { return t.pattern == "" && t.format == "" }

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return fmt.Sprintf("%d characters", n)
}

// measured is a text of exactly n characters. One that is meant to be valid meets
// the pattern as well; of one that is not, the length alone should be wrong.
func (t text) measured(d drawing, n int, valid bool, words string, limit int) []edge {
	if n > maxText+1 || t.format != "" {
		return nil
	}
	s, ok := "", false
	if t.pattern != "" && t.unread == nil {
		for range 1 + edgeTries {
			if s, ok = t.language.search(d, n, n, 0); !ok || valid || solid(s) {
				break
			}
		}
		if ok && !valid && !solid(s) {
			return nil
		}
	}
	if !ok && valid && t.pattern != "" {
		return nil
	}
	if !ok {
		s = strings.Repeat("a", n)
		if len(d.mark) <= n {
			s = d.mark + s[len(d.mark):]
		}
	}
	return single(probes.ValueOf(s), words, characters(limit))
}

// edgeTries is how many more texts of a length are drawn.
const edgeTries = 8

// solid reports whether a text begins and ends with letters or digits. An adapter may drop other signs before it counts: a dot
// behind the name of a host.
func solid(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return word(first) && word(last)
}

// script makes a text with the letters of a script, filled up to its least length.
func script(letters, words string) func(t text, _ position, d drawing) []edge {
	return func(t text, _ position, d drawing) []edge {
		if !t.isFree() || t.low > maxText {
			return nil
		}
		s := letters
		if t.high == nil || len(d.mark)+len(letters) <= *t.high {
			s = d.mark + letters
		}
		if fill := t.low - 2; fill > 0 {
			s = strings.Repeat("a", fill) + s
		}
		return single(probes.ValueOf(s), "%s", words)
	}
}

// violation looks for a text of an allowed length that the pattern finds nowhere,
// one character away from a text that it matches if there is such a one. What a
// lenient reader may mend, blanks around it or letter case, comes last or never.
func (t text) violation(d drawing) (string, bool) {
	if t.pattern == "" {
		return "", false
	}
	beaten := false // a search that took too long once may take as long each time
	fails := func(s string) bool {
		n := len([]rune(s))
		if beaten || n < max(t.low, 1) || n > t.most() || strings.TrimSpace(s) != s {
			return false
		}
		found, understood := d.match(t.pattern, s)
		beaten = !understood
		return understood && !found
	}
	for _, start := range t.starts(d) {
		letters := []rune(start)
		for _, other := range "!~0a A" {
			for i := range min(len(letters), 16) {
				changed := append([]rune(nil), letters...)
				if changed[i] = other; unicode.ToLower(letters[i]) != unicode.ToLower(other) && fails(string(changed)) {
					return string(changed), true
				}
			}
		}
	}
	for _, s := range []string{"!", "~", "0", "a", "aqlc no match", "-"} {
		if s = strings.Repeat(s, max(t.low, 1)); fails(s) {
			return s, true
		}
	}
	return "", false
}

// starts are texts that the pattern matches, of a few lengths.
func (t text) starts(d drawing) []string {
	if t.unread != nil {
		return nil
	}
	var all []string
	for _, n := range []int{6, 3, 1} {
		if s, ok := t.language.search(d, max(t.low, min(n, t.most())), t.most(), 0); ok {
			all = append(all, s)
		}
	}
	return all
}
