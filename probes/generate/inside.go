package generate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A pattern may ask for a form that the mark of the run has not, and take it inside of a text of that form,
// as "Pisum sativum aqlc-…" does.

const (
	mostSamples = 24       // texts of the pattern that are drawn
	mostAround  = 24       // characters of such a text
	numbering   = "-12345" // what follows the mark in later texts
)

// Around returns what stands before and behind the mark of the run in a text of a pattern, with room for a
// number behind the mark; ok is false where a short search finds none.
func (g *Generator) Around(p probes.Parameter) (before, behind string, ok bool) {
	t, text := readText(p.Raw).(text)
	mark := g.Marker("")
	if p.Type != "string" || !text || t.pattern == "" || t.format != "" || t.unread != nil || p.Raw.Has("enum") {
		return "", "", false
	}
	room := min(t.most()-len(mark+numbering), mostAround)
	d := drawing{rng: rand.New(rand.NewPCG(1, 1)), match: g.matcher()}
	fits := func(s string) bool {
		return matches(d.match, t.pattern, s) && Misfit(g.Adapter, p, probes.ValueOf(s)) == ""
	}
	for size := range mostSamples {
		sample, found := t.language.search(d, 0, room, size)
		if !found || strings.ContainsAny(sample, "@:/\\") { // an address, or the name of a place
			continue
		}
		letters := []rune(sample)
		for i := range slices.Backward(append(letters, 0)) {
			before, behind = string(letters[:i]), string(letters[i:])
			if fits(before+mark+behind) && fits(before+mark+numbering+behind) {
				return before, behind, true
			}
		}
	}
	return "", "", false
}
