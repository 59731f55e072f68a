package generate

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A language is the texts of a pattern, as far as its syntax tree shows them.
type language struct {
	pattern string
	tree    *syntax.Regexp
	exact   bool // the tree is that of the pattern, not of a simplified one
	lengths map[*syntax.Regexp]lengths
	letters map[*syntax.Regexp][]rune
}

// maxPattern bounds the bytes of a pattern: it is the adapter's.
const maxPattern = 8 << 10

// languageOf reads a pattern as RE2, or else simplified from ECMA-262.
func languageOf(pattern string) (language, error) {
	l := language{pattern: pattern, exact: true, lengths: map[*syntax.Regexp]lengths{}, letters: map[*syntax.Regexp][]rune{}}
	if len(pattern) > maxPattern {
		return l, fmt.Errorf("a pattern of %d bytes, at most %d are read", len(pattern), maxPattern)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		easier, ok := simplified(pattern)
		if !ok || foreign.MatchString(pattern) {
			return l, fmt.Errorf("the pattern %.60q is of a dialect that is not read here", pattern)
		}
		l.exact = false
		if tree, err = syntax.Parse(easier, syntax.Perl); err != nil {
			return l, fmt.Errorf("the pattern %.60q: %w", pattern, err)
		}
	}
	l.tree = tree
	l.measure(tree)
	return l, nil
}

// matches reports whether a text meets the pattern in both of its readings, found
// within the text and spanning it: the specification does not say which is meant.
func matches(match Match, pattern, s string) bool {
	for _, p := range []string{pattern, whole(pattern)} {
		if ok, understood := match(p, s); !ok || !understood {
			return false
		}
	}
	return true
}

func whole(pattern string) string { return `^(?:` + pattern + `)$` }

// search draws texts until one meets the pattern; longer ones with greater size.
func (l language) search(d drawing, low, high, size int) (string, bool) {
	from := max(low, l.lengths[l.tree].low)
	room := min(high, l.lengths[l.tree].high) - from
	if room < 0 {
		return "", false
	}
	tries := 60
	if !l.exact {
		tries = 300
	}
	for try := range tries {
		n := from
		if reach := size + try/4; reach > 0 {
			n += d.rng.IntN(min(room, reach) + 1)
		}
		if s, ok := l.draw(d.rng, n, l.exact && try == 0 && size == 0); ok {
			for _, p := range []string{l.pattern, whole(l.pattern)} {
				found, understood := d.match(p, s)
				if !understood {
					return "", false // the matcher is out of its depth or its time
				}
				if !found {
					s = ""
					break
				}
			}
			if s != "" || n == 0 && matches(d.match, l.pattern, "") {
				return s, true
			}
		}
	}
	return "", false
}

// draw writes a text of exactly n characters along the tree; friendly takes the
// simplest characters. ok is false when the way chosen led nowhere.
func (l language) draw(rng *rand.Rand, n int, friendly bool) (string, bool) {
	w := writer{language: l, rng: rng, friendly: friendly, left: 1 << 14}
	ok := w.write(l.tree, n)
	return w.out.String(), ok && utf8.ValidString(w.out.String())
}

// A writer writes one text along a syntax tree.
type writer struct {
	language
	rng      *rand.Rand
	out      strings.Builder
	friendly bool
	left     int // steps that may still be made
}

func (w *writer) write(t *syntax.Regexp, n int) bool {
	if w.left--; w.left < 0 || !w.lengths[t].has(n) {
		return false
	}
	switch t.Op {
	case syntax.OpLiteral:
		for _, r := range t.Rune {
			w.out.WriteRune(r)
		}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return w.letter(w.letters[t])
	case syntax.OpCapture:
		return w.write(t.Sub[0], n)
	case syntax.OpConcat:
		return w.spread(t.Sub, n)
	case syntax.OpAlternate:
		var fitting []*syntax.Regexp
		for _, sub := range t.Sub {
			if w.lengths[sub].has(n) {
				fitting = append(fitting, sub)
			}
		}
		return len(fitting) > 0 && w.write(fitting[w.pick(len(fitting))], n)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return w.repeat(t, n)
	}
	return t.Op != syntax.OpNoMatch
}

func (w *writer) pick(n int) int {
	if w.friendly {
		return 0
	}
	return w.rng.IntN(n)
}

func (w *writer) letter(letters []rune) bool {
	if len(letters) == 0 {
		return false
	}
	w.out.WriteRune(letters[w.pick(len(letters))])
	return true
}

// repeat chooses how often, and spreads the length over the repetitions.
func (w *writer) repeat(t *syntax.Regexp, n int) bool {
	least, most := counted(t)
	each := w.lengths[t.Sub[0]]
	if n == 0 && least == 0 {
		return true
	}
	if each.high == 0 {
		return n == 0
	}
	fewest := max(least, (n+each.high-1)/each.high, 1)
	times := min(most, n)
	if each.low > 0 {
		times = min(most, n/each.low)
	}
	if times = max(times, fewest); times > most {
		return false
	}
	times = fewest + w.pick(times-fewest+1)
	parts := make([]*syntax.Regexp, times)
	for i := range parts {
		parts[i] = t.Sub[0]
	}
	return w.spread(parts, n)
}

// spread writes the parts one after the other, n characters together.
func (w *writer) spread(parts []*syntax.Regexp, n int) bool {
	low, high := 0, 0
	for _, p := range parts {
		low, high = low+w.lengths[p].low, high+w.lengths[p].high
	}
	for _, p := range parts {
		own := w.lengths[p]
		low, high = low-own.low, high-own.high
		least, most := max(own.low, n-high), min(own.high, n-low)
		if least > most {
			return false
		}
		take := least + w.rng.IntN(most-least+1)
		if !w.write(p, take) {
			return false
		}
		n -= take
	}
	return n == 0
}

var anyLetters = []rune("aA0bcdefghijkmnopqrstuvwxyzBCDEFGHJKLMNPQRSTUVWXYZ123456789_-.!@#$%&*+=?")

// blanks reports whether a node stands for white space alone.
func blanks(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpLiteral:
		return strings.TrimSpace(string(t.Rune)) == ""
	case syntax.OpCharClass: // pairs of a first and a last sign
		for i := 0; i+1 < len(t.Rune); i += 2 {
			if !unicode.IsSpace(t.Rune[i]) || !unicode.IsSpace(t.Rune[i+1]) || t.Rune[i+1]-t.Rune[i] > 10 {
				return false
			}
		}
		return len(t.Rune) > 0
	}
	return false
}

// counted returns how often a node may repeat what it holds.
func counted(t *syntax.Regexp) (least, most int) {
	if blanks(t.Sub[0]) { // an adapter may trim them, and take the text for another one
		if t.Op == syntax.OpPlus {
			return 1, 1
		} else if t.Op == syntax.OpRepeat {
			return t.Min, t.Min
		}
		return 0, 0
	}
	switch t.Op {
	case syntax.OpPlus:
		return 1, unlimited
	case syntax.OpQuest:
		return 0, 1
	case syntax.OpRepeat:
		if t.Max >= 0 {
			return t.Min, t.Max
		}
		return t.Min, unlimited
	}
	return 0, unlimited
}
