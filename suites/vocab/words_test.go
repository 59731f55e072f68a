package vocab

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"create_note": "create note", "getNote": "get note", "GetNote": "get note", "get-note": "get note", "get.note": "get note",
		"notes/get": "notes get", "notes::get": "notes get", "get note": "get note", "GET_NOTE": "get note", "DELETE_ALL": "delete all",
		"getHTTPResponse": "get http response", "userID": "user id", "userIDs": "user ids", "listPDFsOf": "list pdfs of",
		"HTTPServer": "http server", "item2": "item 2", "2fa": "2 fa", "sha256sum": "sha 256 sum", "v1/notes": "v 1 notes",
		"löscheNotiz": "lösche notiz", "LÖSCHE_NOTIZ": "lösche notiz", "Über": "über", "notizLöschen": "notiz löschen",
		"notizÖffnen": "notiz öffnen", "artículo": "artículo", "получитьЗаметку": "получить заметку", "ノートを削除": "ノートを削除",
		"lo\u0308scheNotiz": "lo\u0308sche notiz", "O\u0308ffne": "o\u0308ffne", "": "", "__": "", "a": "a", "A": "a", "aB": "a b", "AB": "ab",
		"__proto__": "proto", "x--y": "x y", "drop table; --": "drop table", "it's": "it s", "get\tnote\n": "get note", "DELETEAll": "delete all",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for word, want := range map[string]string{
		"lösche": "losche", "artículo": "articulo", "straße": "strasse", "œuvre": "oeuvre", "smørrebrød": "smorrebrod", "note": "note",
		"lo\u0308sche": "losche", "": "", "ñandú": "nandu", "čeština": "cestina", "удалить": "удалить", "Å": "a",
	} {
		if got := Fold(word); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// All spellings of a verb have the same effect.
func TestSpellings(t *testing.T) {
	for _, w := range fields("löschen loschen loeschen LÖSCHEN lo\u0308schen lösche loesche eliminación supprimer détruire detruire esvaziar vacía vacia") {
		if got := EffectOf(w); got != Removes {
			t.Errorf("%q is %v", w, got)
		}
	}
	if got := EffectOf("zaehle"); got != Reads {
		t.Errorf("zaehle counts, it is %v", got)
	}
}

func TestSingular(t *testing.T) {
	for noun, want := range pairs(`notes note note note categories category boxes box classes class statuses status status status
		series series keys key dishes dish branches branch addresses address address address analyses analysis people person
		children child indices index houses house cases case responses response databases database files file movies movie
		cookies cookie cities city days day heroes hero wolves wolf news news buses bus gas gas ids id x x is is glass glass
		viruses virus process process processes process quizzes quiz data data aliases alias caches cache shoes shoe
		prices price pages page purchases purchase taxes tax houses house leaves leaf us us`) {
		if got := Singular(noun); got != want {
			t.Errorf("%s: got %s, want %s", noun, got, want)
		}
	}
}

// FuzzWords wants no letter and no digit of a name to be lost.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"create_note", "getHTTPResponse", "userIDs", "löscheNotiz", "DELETE_ALL", "item2", "", "\xff\xfe", "a\u0308B", "ǅungla", "ſ", "İ", "９a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		words := Words(name)
		var kept strings.Builder
		for _, r := range name {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
				kept.WriteRune(unicode.ToLower(r))
			}
		}
		if got := strings.Join(words, ""); got != kept.String() {
			t.Errorf("%q: got %q, want %q", name, got, kept.String())
		}
		if slices.Contains(words, "") {
			t.Errorf("%q: an empty word in %q", name, words)
		}
		if e := NameEffect(name); e < None || e > Reaches {
			t.Errorf("%q: %v", name, e)
		}
		if e := TextEffect(name); e < None || e > Reaches {
			t.Errorf("%q: %v", name, e)
		}
		for _, w := range words {
			EffectOf(w)
			Singular(Fold(w))
		}
	})
}
