package schemas

import (
	"regexp"
	"strings"
)

// freeSpacing finds the flag under which white space and comments mean
// nothing; in such a pattern a stray bracket may be part of a remark.
var freeSpacing = regexp.MustCompile(`\(\?[a-zA-Z]*x`)

// evidentFault names what is wrong with a pattern in every dialect there is, or
// returns "". It is asked only after the engines have refused, and stays on the
// side of the author: what some dialect may allow (a possessive quantifier, a
// verb, a doubled star) is no evident fault.
func evidentFault(p string) string {
	if freeSpacing.MatchString(p) {
		return ""
	}
	// In ECMA-262 "[]" is an empty class, elsewhere the bracket is its first
	// member. Only what is broken in both readings is broken.
	fault := (&scanner{text: p}).scan()
	if fault == "" || (&scanner{text: p, memberFirst: true}).scan() == "" {
		return ""
	}
	return fault
}

// plainRange is a class of one range alone, in which no dialect sees anything else.
var plainRange = regexp.MustCompile(`^\[\^?([a-z0-9])-([a-z0-9])\]$`)

// A scanner knows just enough of regular expressions to balance them.
type scanner struct {
	text        string
	memberFirst bool // a "]" right after "[" is a member of the class
	i           int
	open        int  // groups not yet closed
	target      bool // something stands here that can be repeated
}

func (s *scanner) scan() string {
	for s.i < len(s.text) {
		if fault := s.step(); fault != "" {
			return fault
		}
	}
	if s.open > 0 {
		return "unbalanced group"
	}
	return ""
}

func (s *scanner) step() string {
	switch s.text[s.i] {
	case '\\':
		return s.escape()
	case '[':
		end := s.endOfClass()
		if end < 0 {
			return "unbalanced bracket"
		}
		if r := plainRange.FindStringSubmatch(s.text[s.i:end]); r != nil && r[1] > r[2] {
			return "reversed range"
		}
		s.i, s.target = end, true
		return ""
	case '(':
		return s.group()
	case ')':
		if s.open == 0 {
			return "unbalanced group"
		}
		s.open--
		s.target = true
	case '|':
		s.target = false
	case '*', '+', '?':
		if !s.target {
			return "quantifier without a target"
		}
	default:
		s.target = true
	}
	s.i++
	return ""
}

func (s *scanner) escape() string {
	s.target = true
	if s.i+1 == len(s.text) {
		return "dangling backslash"
	}
	if s.text[s.i+1] != 'Q' {
		s.i += 2
		return ""
	}
	// \Q quotes everything up to \E, or to the end.
	if end := strings.Index(s.text[s.i:], `\E`); end >= 0 {
		s.i += end + 2
	} else {
		s.i = len(s.text)
	}
	return ""
}

// group steps over the opening of a group. Behind an extension whose meaning
// depends on the dialect, a quantifier is nobody's evident fault.
func (s *scanner) group() string {
	rest := s.text[s.i:]
	switch {
	case strings.HasPrefix(rest, "(?#"):
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return "unbalanced group"
		}
		s.i += end + 1
		return ""
	case strings.HasPrefix(rest, "(?:"):
		s.i, s.target = s.i+3, false
	case strings.HasPrefix(rest, "(?"), strings.HasPrefix(rest, "(*"):
		s.i, s.target = s.i+2, true
	default:
		s.i, s.target = s.i+1, false
	}
	s.open++
	return ""
}

// endOfClass returns the index behind the class that opens here, or -1.
func (s *scanner) endOfClass() int {
	i := s.i + 1
	if strings.HasPrefix(s.text[i:], "^") {
		i++
	}
	if s.memberFirst && strings.HasPrefix(s.text[i:], "]") {
		i++
	}
	for ; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case ']':
			return i + 1
		}
	}
	return -1
}
