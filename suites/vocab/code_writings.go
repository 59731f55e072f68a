package vocab

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// A writtenForm is one way in which a verification code might be told.
type writtenForm struct {
	name   string
	text   string
	folded bool // the case of letters does not count
}

// shortCode is the number of letters and digits below which a code may occur by
// chance: it counts then only where it stands as a word of its own.
const shortCode = 8

// Bare is a code without what only makes it easier to read.
func Bare(code string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, code)
}

// writingsOf lists the ways to write a code down. Base64 of a text that holds the
// code looks different for each of the three places at which it may begin.
func writingsOf(code string) []writtenForm {
	all := []writtenForm{
		{"as it is", code, true},
		{"reversed", backwards(code), true},
		{"in hex", hex.EncodeToString([]byte(code)), true},
		{"URL-encoded", url.QueryEscape(code), true},
		{"URL-encoded byte by byte", percented(code), true},
		{"escaped for JSON", strings.Trim(string(probes.ValueOf(code).Raw()), `"`), true},
	}
	for shift := range 3 {
		raw := append(make([]byte, shift), code...)
		for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			// What a letter of the code shares with a neighbour is not known.
			text := coding.EncodeToString(raw)[(shift*8+5)/6 : len(raw)*8/6]
			if len(text) >= shortCode {
				all = append(all, writtenForm{"in base64", text, false})
			}
		}
	}
	return all
}

func backwards(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

func percented(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02x", c)
	}
	return b.String()
}

// A searched text is one that codes are looked for in; what is made of it for that
// is made once.
type searched struct {
	plain, folded, core string
}

var escapedByte = regexp.MustCompile(`\\+u00([0-7][0-9a-fA-F])`)

// Search prepares a text. Escapes of JSON for plain letters are undone: nobody
// needs them but who hides something.
func Search(text string) searched {
	text = escapedByte.ReplaceAllStringFunc(text, func(s string) string {
		b, _ := hex.DecodeString(s[len(s)-2:]) // two digits, as matched
		return string(b)
	})
	folded := strings.ToLower(text)
	return searched{text, folded, Bare(folded)}
}

// A Sought code is one with all its writings, made once for many texts.
type Sought struct {
	Code  string
	bare  string // in lower case
	short bool
	forms []writtenForm
}

func Seek(code string) Sought {
	s := Sought{Code: code, bare: strings.ToLower(Bare(code)), forms: writingsOf(code)}
	s.short = len(s.bare) < shortCode
	for i, w := range s.forms {
		if w.folded {
			s.forms[i].text = strings.ToLower(w.text)
		}
	}
	return s
}

// Holds reports whether a text tells a code, and how it is written there.
func (t searched) Holds(s Sought) (how string, found bool) {
	for _, w := range s.forms {
		text := t.plain
		if w.folded {
			text = t.folded
		}
		if w.text != "" && (s.short && isolated(text, w.text) || !s.short && strings.Contains(text, w.text)) {
			return w.name, true
		}
	}
	switch {
	case s.short:
	case strings.Contains(t.core, s.bare):
		return "without its separators", true
	case strings.Contains(t.core, backwards(s.bare)):
		return "reversed without its separators", true
	}
	return "", false
}

// Shares reports whether a text has a part of the code of that length.
func (t searched) Shares(s Sought, length int) bool {
	for i := 0; i+length <= len(s.bare); i++ {
		if strings.Contains(t.core, s.bare[i:i+length]) {
			return true
		}
	}
	return false
}

// isolated reports whether a text has a word that stands between others.
func isolated(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		if !inWordAt(text, at-1) && !inWordAt(text, at+len(word)) {
			return true
		}
		from = at + 1
	}
}

func inWordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
