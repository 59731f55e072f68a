package vocab

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain are the letters that stand for letters with a mark: the Latin-1 supplement and
// the Latin letters beyond it that European languages use. The first of each entry is
// what remains.
var plain = func() map[rune]string {
	letters := map[rune]string{}
	for _, line := range strings.Fields(`a:àáâãäåāăą c:çćĉċč d:ďđð e:èéêëēĕėęě g:ĝğġģ h:ĥħ i:ìíîïĩīĭįı
		j:ĵ k:ķ l:ĺļľŀł n:ñńņňŉ o:òóôõöøōŏő r:ŕŗř s:śŝşšș t:ţťŧț u:ùúûüũūŭůűų w:ŵ y:ýÿŷ z:źżž
		ss:ß ae:æ oe:œ th:þ`) {
		ascii, marked, _ := strings.Cut(line, ":")
		for _, r := range marked {
			letters[r] = ascii
		}
	}
	return letters
}()

// Fold takes accents and umlauts from a word: lösche is losche, ß is ss.
func Fold(word string) string { return respell(word, nil) }

// umlauts are the letters that German writes with two where it lacks the marked one.
var umlauts = map[rune]string{'ä': "ae", 'ö': "oe", 'ü': "ue"}

// spread folds a word in the German manner: lösche is loesche.
func spread(word string) string {
	for letter, marked := range map[string]string{"a": "ä", "o": "ö", "u": "ü"} {
		word = strings.ReplaceAll(word, letter+"\u0308", marked)
	}
	return respell(word, umlauts)
}

func respell(word string, first map[rune]string) string {
	var b strings.Builder
	for _, r := range word {
		l := unicode.ToLower(r)
		switch {
		case first[l] != "":
			b.WriteString(first[l])
		case plain[l] != "":
			b.WriteString(plain[l])
		case unicode.Is(unicode.Mn, r) && r < 0x370: // the combining accents of Latin
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Composed returns a text with each letter and the marks on it in one character, where Unicode has one.
func Composed(text string) string { return norm.NFC.String(text) }

// IsDryRun reports whether a parameter asks for a dry run, in any style of writing (operations document, section 4.4.1).
func IsDryRun(name string) bool { return Letters(name) == "dryrun" }
