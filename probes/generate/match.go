package generate

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// MatchFor returns a string that the whole pattern matches, with a length within
// the bounds; ok is false when RE2 cannot read the pattern or none was found.
func MatchFor(pattern string, low, high int) (s string, ok bool) {
	pattern = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`).ReplaceAllString(pattern, `\x{$1}`)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	whole, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil {
		return "", false
	}
	for extra := 0; extra <= max(low, 1) && extra < 4096; extra++ {
		grow := extra
		s = expand(tree, &grow)
		if utf8.RuneCountInString(s) >= low && utf8.RuneCountInString(s) <= high && whole.MatchString(s) {
			return s, true
		}
	}
	return "", false
}

// expand writes the shortest match of the tree, repeating what may repeat as long
// as grow lasts.
func expand(t *syntax.Regexp, grow *int) string {
	switch t.Op {
	case syntax.OpLiteral:
		return string(t.Rune)
	case syntax.OpCharClass:
		return string(printable(t.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return expandRepeat(t, grow)
	case syntax.OpCapture, syntax.OpConcat:
		var b strings.Builder
		for _, sub := range t.Sub {
			b.WriteString(expand(sub, grow))
		}
		return b.String()
	case syntax.OpAlternate:
		return expand(t.Sub[0], grow)
	}
	return ""
}

func expandRepeat(t *syntax.Regexp, grow *int) string {
	low, high := 0, 1<<12
	switch t.Op {
	case syntax.OpPlus:
		low = 1
	case syntax.OpQuest:
		high = 1
	case syntax.OpRepeat:
		low = t.Min
		if t.Max >= 0 {
			high = t.Max
		}
	}
	if blanks(t.Sub[0]) {
		high = low
	}
	more := min(*grow, high-low)
	*grow -= more
	var b strings.Builder
	for range low + more {
		none := 0
		b.WriteString(expand(t.Sub[0], &none))
	}
	return b.String()
}

// printable picks the friendliest rune of a character class.
func printable(class []rune) rune {
	for _, want := range "a0A_-" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= want && want <= class[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		if class[i+1] >= ' ' {
			return max(class[i], ' ')
		}
	}
	return 'a'
}
