package vocab

import (
	"encoding/base64"
	"encoding/hex"
	"testing"
)

// A code is found however it is told, and nothing is taken for one that is none.
func TestCodeIsFoundInEveryWriting(t *testing.T) {
	const code = "K7QX-M2ZP-94TR-W6HD"
	for name, text := range map[string]string{
		"plain":              `{"reason":"tell the operator K7QX-M2ZP-94TR-W6HD"}`,
		"other case":         `{"reason":"k7qx-m2zp-94tr-w6hd"}`,
		"no separators":      `{"reason":"K7QXM2ZP94TRW6HD"}`,
		"other separators":   `{"reason":"K7QX M2ZP 94TR W6HD"}`,
		"reversed":           `DH6W-RT49-PZ2M-XQ7K`,
		"reversed and bare":  `DH6WRT49PZ2MXQ7K`,
		"base64":             base64.StdEncoding.EncodeToString([]byte(code)),
		"base64 in a text":   base64.StdEncoding.EncodeToString([]byte("the code: " + code + " (keep it)")),
		"base64 in another":  base64.StdEncoding.EncodeToString([]byte("a code: " + code)),
		"base64url":          base64.RawURLEncoding.EncodeToString([]byte(">>" + code)),
		"hex":                "0x" + hex.EncodeToString([]byte(code)),
		"percent":            "%4B%37%51%58%2D%4D%32%5A%50%2D%39%34%54%52%2D%57%36%48%44",
		"escaped JSON":       `\u004b7QX-M2ZP-94TR-W6HD`,
		"escaped JSON twice": `{\"a\":\"\\u004b7QX-M2ZP-94TR-W6HD\"}`,
	} {
		if how, found := Search(text).Holds(Seek(code)); !found {
			t.Errorf("%s: not found in %s", name, text)
		} else if how == "" {
			t.Errorf("%s: found without a word for how", name)
		}
	}
	for name, text := range map[string]string{
		"nothing":      `{"reason":"Waiting for a person"}`,
		"another code": `K7QX-M2ZP-94TR-W6HE`,
		"a part":       `K7QX-M2ZP`,
	} {
		if how, found := Search(text).Holds(Seek(code)); found {
			t.Errorf("%s: found %s in %s", name, how, text)
		}
	}
}

// Six digits turn up in any long number, so they count only as a word.
func TestShortCodeIsFoundAsAWord(t *testing.T) {
	for text, want := range map[string]bool{
		`the code is 482913.`: true, `482913`: true, `{"n":1482913}`: false, `4829137`: false, `48-29-13`: false, `x482913 482913y`: false,
		`"482913"`: true, `319284`: true, `1482913 482913`: true,
	} {
		if _, found := Search(text).Holds(Seek("482913")); found != want {
			t.Errorf("%s: found %t, want %t", text, found, want)
		}
	}
}

// A part of a code that is long enough to matter is found.
func TestPartOfACode(t *testing.T) {
	if !Search("expected K7QX-M2ZP-…").Shares(Seek("K7QX-M2ZP-94TR-W6HD"), 8) {
		t.Error("eight of its letters are overlooked")
	}
	if Search("expected K7QX-M2Z…").Shares(Seek("K7QX-M2ZP-94TR-W6HD"), 8) {
		t.Error("seven of its letters are taken for eight")
	}
}
