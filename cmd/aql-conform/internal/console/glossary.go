package console

import (
	"regexp"
	"strings"
)

// glossary holds the short words of the catalogue, which says the same thing hundreds of
// times, and what they stand for.
var glossary = []struct {
	word    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`\bCALL\(`), "CALL(T, X): tools/call of the tool T with the arguments X"},
	{regexp.MustCompile(`\bT\(op\)`), "T(op): the tool that op belongs to"},
	{regexp.MustCompile(`\bTR\b`), "TR: the tool that answers introspect"},
	{regexp.MustCompile(`\bLIST\b`), `LIST: introspect with the query "operations"`},
	{regexp.MustCompile(`\bR0\b`), "R0: a request of that operation which was seen to succeed"},
	{regexp.MustCompile(`\bS[12]\b`), "S1, S2: two MCP sessions"},
	{regexp.MustCompile(`\bop\b`), "op: an operation that the adapter lists"},
	{regexp.MustCompile(`<nonce>`), "<nonce>: eight letters and digits of the run"},
}

// Glossed explains the short words of a text.
func Glossed(text string) string {
	var all []string
	for _, g := range glossary {
		if g.word.MatchString(text) {
			all = append(all, g.meaning)
		}
	}
	return strings.Join(all, "; ")
}
