package vocab

import (
	"cmp"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// WithoutEcho replaces what a request said by a sign, in the forms in which an
// adapter may repeat it: as it stood, in another letter case, escaped, or cut
// short at either end. A text of three bytes, such as NaN, is taken as a whole word in its own
// letter case, and only in quotes unless it has a capital; shorter ones prove nothing and stay.
func WithoutEcho(text string, said []string) string {
	slices.SortFunc(said, func(x, y string) int { return cmp.Compare(len(y), len(x)) })
	for _, s := range slices.Compact(said) {
		for _, form := range echoForms(s) {
			text = cutEcho(text, form)
		}
	}
	return text
}

// echoForms are the ways in which a text may come back.
func echoForms(s string) []string {
	forms := []string{s}
	add := func(form string) {
		if form != s {
			forms = append(forms, form)
		}
	}
	const longest = 64 << 10 // of longer ones the ends that stay as they are tell enough
	if quoted, err := json.Marshal(s); err == nil && len(s) <= longest {
		add(strings.Trim(string(quoted), `"`))
		add(html.EscapeString(s))
		add(url.QueryEscape(s))
		add(url.PathEscape(s))
		add(strings.ReplaceAll(s, `\`, `\\`))
	}
	return forms
}

// LeastEcho is the length from which an echo can be told from chance: below freeEcho only as a word.
const (
	LeastEcho = 3
	freeEcho  = 4
)

// wholeWord is the pattern of a short text as a word that no sentence has by chance.
func wholeWord(said string) *regexp.Regexp {
	word := regexp.QuoteMeta(said)
	if asciiLower(said) == said {
		return regexp.MustCompile(`(['"` + "`" + `])` + word + `(['"` + "`" + `])`)
	}
	return regexp.MustCompile(`(\b)` + word + `(\b)`)
}

// cutEcho replaces every occurrence of said in text; of a long text a stretch of
// at least 16 bytes from its beginning or to its end is enough.
func cutEcho(text, said string) string {
	const stretch = 16
	switch {
	case len(said) < LeastEcho || len(text) < LeastEcho:
		return text
	case len(said) < freeEcho && utf8.ValidString(said): // no sentence has other bytes by chance, and no pattern can
		return wholeWord(said).ReplaceAllString(text, "${1}"+string(Sent)+"${2}")
	}
	said = asciiLower(said)
	if len(said) <= stretch {
		return eachEcho(text, said, nil)
	}
	text = eachEcho(text, said[:stretch], func(low string, _, from, to int) (int, int) {
		for n := to - from; n < len(said) && to < len(low) && low[to] == said[n]; n++ {
			to++
		}
		return from, to
	})
	return eachEcho(text, said[len(said)-stretch:], func(low string, done, from, to int) (int, int) {
		for n := len(said) - stretch - 1; n >= 0 && from > done && low[from-1] == said[n]; n-- {
			from--
		}
		return from, to
	})
}

// eachEcho replaces the occurrences of part, letter case aside. grow says how far
// one reaches, never back before done; nil leaves it as it is.
func eachEcho(text, part string, grow func(low string, done, from, to int) (int, int)) string {
	low := asciiLower(text)
	var b strings.Builder
	done := 0
	for {
		at := strings.Index(low[done:], part)
		if at < 0 {
			break
		}
		from, to := done+at, done+at+len(part)
		if grow != nil {
			from, to = grow(low, done, from, to)
		}
		b.WriteString(text[done:from])
		b.WriteByte(Sent)
		done = to
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// asciiLower keeps the length of the text, which strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lowerByte(b[i])
	}
	return string(b)
}
