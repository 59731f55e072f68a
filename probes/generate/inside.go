package generate

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
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

// Lettered returns a text that has no room for the mark, with the letters of the run in it and room for a number behind
// them, which may be a Short one.
func (g *Generator) Lettered(p probes.Parameter) (v probes.Value, ok bool) {
	if p.Type != "string" || p.Raw.Has("enum") {
		return v, false
	}
	text, pattern := "", p.Raw.At("pattern").Text()
	if most := lengthOf(p.Raw, "maxLength", 64) - len(g.Nonce) - leastShort; pattern != "" {
		text, ok = MatchFor(pattern, lengthOf(p.Raw, "minLength", 0), most)
	} else {
		ok = most >= 0
	}
	fits := func(s string) bool {
		return (pattern == "" || matches(g.matcher(), pattern, s)) && Misfit(g.Adapter, p, probes.ValueOf(s)) == ""
	}
	for i := range slices.Backward([]byte(text + ".")) {
		for _, letters := range []string{g.Nonce, strings.ToUpper(g.Nonce)} {
			before, behind := text[:i]+letters, text[i:]
			long, short := before+strings.TrimPrefix(numbering, "-")+behind, before+"12"+behind
			if ok && fits(before+behind) && (fits(long) || fits(short)) {
				return probes.ValueOf(before + behind), true
			}
		}
	}
	return v, false
}

// leastShort is the length of the shortest Short number, and mostShort that of the longest.
const (
	leastShort = 2
	mostShort  = 4
)

// Short returns writings of a number for a text without much room, the longest first. Two numbers may have one of them. The numbers of
// steps end alike, so the writings are taken from a hash.
func Short(number int) (all []string) {
	sum := fnv.New64a()
	fmt.Fprint(sum, number)
	digits := strconv.FormatUint(sum.Sum64(), 36)
	for n := mostShort; n >= leastShort; n-- {
		all = append(all, digits[len(digits)-n:])
	}
	return all
}
