package gate

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An adapter may store a text in one case, without white space around it and twice within it, and with letters and
// their marks composed. A text with the letters of this run names nothing of others in any case, so such texts are
// compared without all that.

// ownText matches the beginning of the texts of a run.
var ownText = regexp.MustCompile(`(?i)aqlc-[0-9a-z]{8}`)

// folded is a text of a run without its case and its white space, with composed letters. Other texts are as they are.
func folded(text string) string {
	if !ownText.MatchString(text) {
		return text
	}
	space := func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }
	return vocab.Composed(strings.ToLower(strings.Join(strings.FieldsFunc(text, space), " ")))
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

// noteShown notes which fields with our texts a read of an object shows. The lock is not held.
func (g *Gate) noteShown(o *object, shown probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shows[o.op] == nil {
		g.shows[o.op] = map[string]bool{}
	}
	for name, texts := range o.fields {
		g.shows[o.op][name] = g.shows[o.op][name] || o.kind.marked(shown, map[string][]string{name: texts})
	}
}

// visible are the fields with our texts that tell an object: without those that no read has shown of others, such as a
// secret. The lock is held.
func (g *Gate) visible(op string, fields map[string][]string) map[string][]string {
	maps.DeleteFunc(fields, func(name string, _ []string) bool {
		shows, known := g.shows[op][name]
		return known && !shows
	})
	return fields
}

// tells reports whether a creation has a text of ours that a read may show.
func (g *Gate) tells(c *asked) bool {
	fields := MarkedIn(c.params, g.nonce)
	if !g.carriesMark(c.params) || len(fields) == 0 {
		return g.carriesMark(c.params)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.visible(c.op.Name, fields)) > 0
}
