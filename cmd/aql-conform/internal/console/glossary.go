package console

import (
	"regexp"
	"strings"
)

// glossary holds the words of the catalogue for what it names hundreds of times.
var glossary = []struct {
	word    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`(?i)\bthe introspection tool\b`), "the introspection tool: the tool that answers introspect"},
	{regexp.MustCompile(`(?i)\bthe listing of operations\b`), `the listing of operations: introspect with params {"query":"operations"}`},
	{regexp.MustCompile(`(?i)\bthe listing of types\b`), `the listing of types: introspect with params {"query":"types"}`},
	{regexp.MustCompile(`(?i)\bthe details of (type )?\w`), `the details of an operation or type: introspect with its query and its name`},
	{regexp.MustCompile(`\bR0\b`), "R0: the parameters of a request of that operation which succeeded"},
	{regexp.MustCompile(`\bS[12]\b`), "S1, S2: two MCP sessions"},
	{regexp.MustCompile(`\bops?\b`), "op: an operation that the adapter lists"},
	{regexp.MustCompile(`<nonce>`), "<nonce>: eight letters and digits of the run"},
}

// abbreviated are the abbreviations of the catalogue, with the words that replace them for a reader.
var abbreviated = []struct {
	short *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`\btdet\((\w+)\)`), "the details of type $1"},
	{regexp.MustCompile(`\bdet\((\w+)\)`), "the details of $1"},
	{regexp.MustCompile(`\bTR\b`), "the introspection tool"},
	{regexp.MustCompile(`\bLIST\b`), "the listing of operations"},
	{regexp.MustCompile(`\bTYPES\b`), "the listing of types"},
	{regexp.MustCompile(`\bT\(([\w ]+)\)`), "the tool of $1"},
}

// Plain replaces the abbreviations of the catalogue in a text. A sentence begins with a capital letter.
func Plain(text string) string {
	for _, a := range abbreviated {
		text = a.short.ReplaceAllString(text, a.words)
	}
	const call = "CALL("
	for {
		before, rest, found := strings.Cut(text, call)
		if !found {
			break
		}
		end := closing(rest)
		tool, arguments, _ := strings.Cut(rest[:end], ",")
		text = before + "call " + strings.TrimSpace(tool) + " with " + strings.TrimSpace(arguments) + strings.TrimPrefix(rest[end:], ")")
	}
	if strings.HasPrefix(text, "call ") || strings.HasPrefix(text, "the ") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return strings.NewReplacer(". the ", ". The ", ". call ", ". Call ").Replace(text)
}

// closing is where the parenthesis ends that is open at the beginning of a text.
func closing(text string) int {
	open := 1
	for i, r := range text {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 {
			return i
		}
	}
	return len(text)
}

// Glossed explains the words of a text that the catalogue has a meaning of its own for.
func Glossed(text string) string {
	var all []string
	for _, g := range glossary {
		if g.word.MatchString(text) {
			all = append(all, g.meaning)
		}
	}
	return strings.Join(all, "; ")
}
