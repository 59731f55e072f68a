package generate

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// A text allows strings. Lengths count code points; a nil high is not documented.
type text struct {
	low     int
	zero    bool // minLength is documented as 0
	high    *int
	pattern string
	format  string

	language language // of the pattern
	unread   error    // why there is none
}

// maxText bounds the strings that are made, in characters.
const maxText = 4096

func readText(record probes.Value) shape {
	t := text{}
	var ok bool
	if t.low, t.high, ok = counts(record, "minLength", "maxLength"); !ok {
		return opaque{"limits that count no characters"}
	}
	for _, member := range []string{"pattern", "format"} {
		if says(record, member) && !record.At(member).Is(probes.String) {
			return opaque{"a " + member + " that is no string"}
		}
	}
	t.pattern, t.format = record.At("pattern").Text(), record.At("format").Text()
	if _, known := formats[t.format]; t.format != "" && !known {
		return opaque{fmt.Sprintf("the format %q", t.format)}
	}
	if t.pattern != "" {
		t.language, t.unread = languageOf(t.pattern)
	}
	t.zero = says(record, "minLength") && t.low == 0
	return t
}

// dated is the shape of a type word that stands for a date.
func dated(word string) shape {
	if word == "date" {
		return text{format: "date"}
	}
	return text{format: "date-time"}
}

// most is the greatest length that is made without a reason.
func (t text) most() int {
	if t.high != nil {
		return min(*t.high, maxText)
	}
	return max(t.low+100, 100)
}

func (t text) draw(d drawing, size int) (probes.Value, error) {
	if t.low > maxText {
		return probes.Value{}, fmt.Errorf("a text of %d characters is longer than is made here", t.low)
	}
	for try := range 20 {
		var s string
		switch {
		case t.format != "":
			s = formats[t.format].draw(d)
		case t.pattern != "":
			return t.fromPattern(d, size)
		default:
			s = t.free(d, size)
		}
		if n := utf8.RuneCountInString(s); n < t.low || t.high != nil && n > *t.high || s == "" && try < 19 {
			continue
		}
		if t.pattern == "" || matches(d.match, t.pattern, s) {
			return probes.ValueOf(s), nil
		}
	}
	return probes.Value{}, errors.New("no text of the format meets the length and the pattern")
}

func (t text) fromPattern(d drawing, size int) (probes.Value, error) {
	if t.unread != nil {
		return probes.Value{}, t.unread
	}
	if s, ok := t.language.search(d, t.low, t.most(), size); ok {
		return probes.ValueOf(s), nil
	}
	return probes.Value{}, fmt.Errorf("no text found for the pattern %.60q", t.pattern)
}

// free makes a text without a form: the run's mark where there is room for it, and
// behind it letters of several scripts. Blanks stand inside only, because what is
// put around a text may be trimmed.
func (t text) free(d drawing, size int) string {
	low := max(t.low, 1)
	n := low + d.rng.IntN(min(max(t.most()-low, 0), 2*size)+1)
	var b strings.Builder
	if length := len(d.mark); length > 0 && length <= t.most() {
		b.WriteString(d.mark)
		n = max(n-length, low-length, 0)
	}
	for i := range n {
		letters := plainLetters
		if d.rng.IntN(8) == 0 && t.high == nil && t.low == 0 {
			letters = otherLetters // lengths of these count differently in bytes and characters
		}
		if i > 0 && i < n-1 && d.rng.IntN(8) == 0 {
			letters = []rune{' '}
		}
		b.WriteRune(letters[d.rng.IntN(len(letters))])
	}
	return b.String()
}

var (
	plainLetters = []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
	otherLetters = []rune("éüßñøżλжשع中日한😀𝒜'\"\\/&<>{}%;,.:!?")
)
