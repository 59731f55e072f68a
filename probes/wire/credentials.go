package wire

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"slices"
)

// A credential is a secret that a text gives away by its form, or by the name before it.
type credential struct {
	from, to int
	within   int    // how many JSON texts it lies within
	quote    []byte // of a number: the quote that a text in its place has
}

// Credentials returns the secrets that a text gives away by their form, or by the names before
// them. The text may be JSON, also JSON within JSON.
func Credentials(text []byte) []string {
	var all []string
	for _, c := range credentials(text) {
		for _, s := range c.texts(text) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// MaxCredentials is how many credentials are looked for wherever they stand: each has many forms.
// Of an adapter that tells more, the others are found where their form or name tells them.
const MaxCredentials = 256

// MaskCredentials returns the text without the secrets that it gives away.
func MaskCredentials(text []byte) []byte {
	return exchanged(text, func(c credential) []byte { return slices.Concat(c.quote, masked, c.quote) })
}

// exchanged returns the text with something else in the place of each credential; nil leaves it.
func exchanged(text []byte, stand func(credential) []byte) []byte {
	all := credentials(text)
	if len(all) == 0 {
		return text
	}
	slices.SortFunc(all, func(a, b credential) int { return a.from - b.from })
	var out []byte
	done := 0
	for _, c := range all {
		if c.to <= done {
			continue
		}
		other := stand(c)
		if other == nil {
			continue
		}
		out = append(append(out, text[done:max(done, c.from)]...), other...)
		done = c.to
	}
	return append(out, text[done:]...)
}

// texts are what the credential says without escapes; of a key in lines, each of them.
func (c credential) texts(text []byte) []string {
	raw := text[c.from:c.to]
	if c.from >= len(keyBegin) && bytes.HasSuffix(text[:c.from], keyDash) {
		return keyLines(raw)
	}
	s := string(raw)
	for range c.within {
		var plain string
		if json.Unmarshal([]byte(`"`+s+`"`), &plain) != nil {
			break
		}
		s = plain
	}
	return []string{s}
}

// credentials looks at each place where one may begin.
func credentials(b []byte) []credential {
	var all []credential
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == ':' && bytes.HasPrefix(b[i:], []byte("://")):
			if from, to, ok := passwordAt(b, i+3); ok {
				all = append(all, credential{from: from, to: to})
			}
		case b[i] == ':' || b[i] == '=':
			all = append(all, behindName(b, i)...)
		case b[i] == '-' && bytes.HasPrefix(b[i:], keyBegin):
			if from, to, ok := keyAt(b, i); ok {
				all = append(all, credential{from: from, to: to})
				i = to
			}
		case credentialForms[b[i]] != nil && beginsWord(b, i), b[i] == 'e' && beginsWord(b, i):
			if from, to, ok := formedAt(b, i); ok {
				all = append(all, credential{from: from, to: to})
				i = to - 1
			}
		}
	}
	return all
}

// beginsWord reports whether a word begins with the i-th byte. The letter of an escape is of none.
func beginsWord(b []byte, i int) bool {
	return i == 0 || !wordByte(b[i-1]) || i > 1 && b[i-2] == '\\'
}

var (
	keyBegin = []byte("-----BEGIN ")
	keyEnd   = []byte("-----END ")
	keyDash  = []byte("PRIVATE KEY-----")
)

// keyAt returns the body of a private key, also of one that is cut.
func keyAt(b []byte, i int) (from, to int, ok bool) {
	const longestHead = 64
	head := bytes.Index(b[i:min(len(b), i+longestHead)], keyDash)
	if head < 0 {
		return 0, 0, false
	}
	from = i + head + len(keyDash)
	for to = from; to < len(b) && (codedByte(b[to]) || b[to] == '\\' || b[to] == '\n' || b[to] == '\r' || b[to] == ' ' || b[to] == ':' || b[to] == ','); to++ {
		if bytes.HasPrefix(b[to:], keyEnd) {
			break
		}
	}
	return from, to, to > from
}

// keyLines are the lines of the body of a key.
func keyLines(body []byte) []string {
	const least = 16
	var lines []string
	for _, l := range bytes.FieldsFunc(body, func(r rune) bool { return r == '\n' || r == '\r' || r == '\\' || r == ' ' }) {
		l = bytes.TrimLeft(l, "nr") // of an escape; a key that begins so loses a letter to it
		if len(l) >= least {
			lines = append(lines, string(l))
		}
	}
	return lines
}

// passwordAt returns the password of an address whose host, or user, begins with the i-th byte.
func passwordAt(b []byte, i int) (from, to int, ok bool) {
	const longest = 256
	end, colon := i, -1
	for ; end < len(b) && end < i+longest && b[end] != '@'; end++ {
		if bytes.IndexByte([]byte("/?#\"'\\<> \n"), b[end]) >= 0 {
			return 0, 0, false
		}
		if b[end] == ':' && colon < 0 {
			colon = end
		}
	}
	if end == len(b) || b[end] != '@' {
		return 0, 0, false
	}
	if colon < 0 {
		return i, end, drawnByChance(b[i:end])
	}
	return colon + 1, end, believable(b[colon+1:end], secretName)
}

// behindName returns the secrets behind a name that ends before the i-th byte, a colon or an equals
// sign.
func behindName(b []byte, i int) []credential {
	end := i
	for end > 0 && b[end-1] == ' ' && b[i] == ':' {
		end--
	}
	quote, depth := byte(0), 0
	if end > 0 && (b[end-1] == '"' || b[end-1] == '\'') {
		end--
		quote = b[end]
		for end > 0 && b[end-1] == '\\' {
			end, depth = end-1, depth+1
		}
	}
	const longestName = 64
	start := end
	for start > 0 && end-start <= longestName && (dottedByte(b[start-1])) {
		start--
	}
	if start > 0 && b[start-1] == '\\' && start < end { // the letter of an escape, or its number
		if start++; b[start-1] == 'u' {
			start = min(start+4, end)
		}
	}
	kind := kindOfName(b[start:end])
	if kind == plainName || start == end {
		return nil
	}
	value := i + 1
	for value < len(b) && b[value] == ' ' {
		value++
	}
	if quote != 0 && value < len(b) && b[value] == '[' {
		return listedAt(b, value, kind, quote, depth)
	}
	if from, to, ok := quotedAt(b, value); ok {
		return valued(b, from, to, kind, levels(b[from-1], from-1-value))
	}
	if quote != 0 {
		return numberAt(b, value, kind, b[end:end+depth+1])
	}
	to := value
	for to < len(b) && bytes.IndexByte([]byte("&\"'\\;,)}]<>| \t\r\n"), b[to]) < 0 {
		to++
	}
	if b[i] == ':' && kind == secretName {
		kind = doubtfulName // prose has colons too
	}
	if kind == cookieName {
		to = value
		for to < len(b) && bytes.IndexByte([]byte("\"'\\\r\n"), b[to]) < 0 {
			to++
		}
	}
	return valued(b, value, to, kind, 0)
}

// quotedAt returns a quoted text that begins there, within the same number of JSON texts to its end.
func quotedAt(b []byte, at int) (from, to int, ok bool) {
	from = at
	for from < len(b) && b[from] == '\\' {
		from++
	}
	if from == len(b) || b[from] != '"' && b[from] != '\'' {
		return 0, 0, false
	}
	quote, depth := b[from], from-at
	from++
	for run := 0; from+run < len(b); {
		end := bytes.IndexByte(b[from+run:], quote)
		if end < 0 {
			return 0, 0, false
		}
		end += from + run
		escapes := 0
		for end-escapes > from && b[end-escapes-1] == '\\' {
			escapes++
		}
		if escapes <= depth {
			return from, end - escapes, true
		}
		run = end - from + 1
	}
	return 0, 0, false
}

// numberAt is the secret where a whole number stands for it.
func numberAt(b []byte, at int, kind nameKind, quote []byte) []credential {
	const least, most = 4, 18
	to := at
	for to < len(b) && b[to] >= '0' && b[to] <= '9' {
		to++
	}
	if to-at < least || to-at > most || kind == doubtfulName || kind == cookieName || to < len(b) && (dottedByte(b[to]) || b[to] == '+') {
		return nil
	}
	return []credential{{from: at, to: to, quote: quote}}
}

// levels is how many JSON texts a text lies within that so many backslashes quote.
func levels(quote byte, backslashes int) int {
	if quote != '"' {
		return 0
	}
	return bits.Len(uint(backslashes)) + 1
}
