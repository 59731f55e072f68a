package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// What is too short for a secret, or for a coded form of one, occurs by chance and
// would blot out the evidence.
const (
	minSecret = 4 // bytes
	minNumber = 8 // digits of a plain number
	minCoded  = 8 // bytes of a form whose letters say nothing any more
)

// maxNesting is how many JSON texts a secret may lie within: an envelope is one in a
// JSON-RPC message, which is one in a line of a transcript.
const maxNesting = 4

func maskable(s string) bool {
	if len(s) < minSecret || s == "true" || s == "false" || s == "null" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil || len(s) >= minNumber
}

// Forms returns the ways in which a secret is usually written, itself first: escaped for
// JSON, and that again for JSON within JSON; for URLs, for HTML; in hex and in base64,
// wherever it begins in what is coded.
func Forms(secret string) []string {
	var distinct []string
	for _, form := range written(secret) {
		if form != "" && !slices.Contains(distinct, form) {
			distinct = append(distinct, form)
		}
	}
	return distinct
}

// written are the forms of a secret in an order that depends on nothing but which of its
// bytes are letters and digits: those of a pseudonym stand at the same places.
func written(secret string) []string {
	query, path := url.QueryEscape(secret), url.PathEscape(secret)
	all := []string{secret}
	plain := []string{secret, query, path, lowerPercent(query), lowerPercent(path), html.EscapeString(secret)}
	if !utf8.ValidString(secret) {
		plain = append(plain, string([]rune(secret))) // with the mark that stands for a byte which is no character
	}
	for _, form := range plain {
		all = append(all, form)
		for _, escape := range []func(string) string{plainJSON, carefulJSON, slashedJSON, asciiJSON} {
			nested := escape(form)
			for range maxNesting {
				all = append(all, nested)
				nested = plainJSON(nested)
			}
		}
	}
	digits := hex.EncodeToString([]byte(secret))
	for _, coded := range append(base64Forms(secret), digits, strings.ToUpper(digits)) {
		if len(coded) >= minCoded {
			all = append(all, coded)
		}
	}
	return all
}

// base64Forms are what a secret makes of base64 text for each of the three places at
// which it may begin, without the letters that it shares with its neighbours.
func base64Forms(secret string) []string {
	var all []string
	for shift := range 3 {
		raw := append(make([]byte, shift), secret...)
		from, to := (shift*8+5)/6, len(raw)*8/6
		for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if text := coding.EncodeToString(raw); from < to {
				all = append(all, text[from:to])
			}
		}
	}
	return all
}

// lowerPercent writes the digits of percent escapes as many do.
func lowerPercent(escaped string) string {
	parts := strings.Split(escaped, "%")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToLower(parts[i][:2]) + parts[i][2:]
	}
	return strings.Join(parts, "%")
}

// carefulJSON is how Go writes a text in JSON: what HTML would take for its own is
// escaped.
func carefulJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}

// plainJSON is how most others do.
func plainJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return s
	}
	return b.String()[1 : b.Len()-2] // the quotes and the line end
}

// slashedJSON is how those do who guard against the end of a script element.
func slashedJSON(s string) string { return strings.ReplaceAll(plainJSON(s), "/", `\/`) }

// asciiJSON is how those do who trust nothing but ASCII.
func asciiJSON(s string) string {
	var b strings.Builder
	for _, r := range plainJSON(s) {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// quoted reports whether a part of a line is the whole of a JSON text.
func quoted(line []byte, from, to int) bool {
	return from > 0 && line[from-1] == '"' && bytes.HasPrefix(bytes.TrimLeft(line[to:], `\`), []byte(`"`))
}

// worded reports whether a text with digits that follows is a word of a sentence or the value of
// an assignment, and so no number of JSON.
func worded(before []byte, text string) bool {
	told := bytes.TrimRight(before, " ")
	if len(told) == 0 || !strings.ContainsAny(text, allDigits) {
		return false
	}
	last := told[len(told)-1]
	return last == '=' || len(told) < len(before) && (last|0x20 >= 'a' && last|0x20 <= 'z')
}
