package gate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// An adapter may store a text in one case, and without white space around it and twice within it. A text with
// the letters of this run names nothing of others in any case, so such texts are compared without both.

// ownText matches the beginning of the texts of a run.
var ownText = regexp.MustCompile(`(?i)aqlc-[0-9a-z]{8}`)

// folded is a text of a run without its case and its white space. Other texts are as they are.
func folded(text string) string {
	if !ownText.MatchString(text) {
		return text
	}
	space := func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, space), " "))
}

// oneOf reports whether a text is among others as an adapter may store them.
func oneOf(texts []string, text string) bool {
	text = folded(text)
	return slices.ContainsFunc(texts, func(t string) bool { return folded(t) == text })
}

// SameOwn reports whether two values are the same, or the same text of a run as an adapter may store it.
func SameOwn(a, b probes.Value) bool {
	return a.Equal(b) || a.Is(probes.String) && b.Is(probes.String) && folded(a.Text()) == folded(b.Text())
}

// ofRun reports whether a text holds the letters of a run in any case.
func ofRun(text, nonce string) bool { return strings.Contains(strings.ToLower(text), nonce) }
