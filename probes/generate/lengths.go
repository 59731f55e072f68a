package generate

import (
	"regexp/syntax"
	"unicode"
)

// lengths are the least and the greatest length of the texts of a tree, in
// characters; between them some may be missing.
type lengths struct{ low, high int }

// unlimited stands for no upper limit; nothing so long is ever made.
const unlimited = 1 << 20

func (l lengths) has(n int) bool { return l.low <= n && n <= l.high }

// measure notes the lengths of a tree and of all below it, and the letters of its
// classes.
func (l language) measure(t *syntax.Regexp) lengths {
	var m lengths
	for i, sub := range t.Sub {
		s := l.measure(sub)
		if t.Op == syntax.OpAlternate && i > 0 {
			m = lengths{min(m.low, s.low), max(m.high, s.high)}
		} else {
			m = lengths{min(m.low+s.low, unlimited), min(m.high+s.high, unlimited)}
		}
	}
	switch t.Op {
	case syntax.OpLiteral:
		m = lengths{len(t.Rune), len(t.Rune)}
	case syntax.OpCharClass:
		m = lengths{1, 1}
		l.letters[t] = membersOf(t.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m = lengths{1, 1}
		l.letters[t] = anyLetters
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := counted(t)
		m = lengths{min(m.low*least, unlimited), min(m.high*most, unlimited)}
	}
	l.lengths[t] = m
	return m
}

// membersOf returns the characters of a class that are drawn: the friendliest
// first, of printable ASCII as far as it goes, because there all dialects agree.
func membersOf(class []rune) []rune {
	var friendly, printable, others []rune
	for _, r := range "a0A_-" {
		if inClass(class, r) {
			friendly = append(friendly, r)
		}
	}
	for r := '!'; r <= '~'; r++ {
		if inClass(class, r) {
			printable = append(printable, r)
		}
	}
	if printable = append(friendly, printable...); len(printable) > 0 {
		return printable
	}
	if inClass(class, ' ') {
		return []rune{' '}
	}
	left := 1 << 12 // there are ranges of a hundred thousand that hold nothing printable
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1] && len(others) < 64 && left > 0; r++ {
			if left--; unicode.IsPrint(r) {
				others = append(others, r)
			}
		}
	}
	return others
}

func inClass(class []rune, r rune) bool {
	for i := 0; i+1 < len(class); i += 2 {
		if class[i] <= r && r <= class[i+1] {
			return true
		}
	}
	return false
}
