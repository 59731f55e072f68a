package wire

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unsafe"
)

// A Veil puts pseudonyms in the place of secrets that a verdict rests on: codes that a
// person was shown, tokens of confirmations. A mask would make them all alike and break
// what holds between them; under a veil equal ones stay equal, and whoever looks for one
// finds its pseudonym at the same places, in the same writings. It is not safe for
// concurrent use.
type Veil struct {
	cipher *cipher
	narrow bool
	stands map[string]string // the pseudonym of each secret
	hidden []string          // in the order in which they became known
	left   []string          // without a pseudonym

	pairs [][2]string        // coded forms, and those of the pseudonym
	exact *strings.Replacer  // of the pairs; nil when one is new
	long  map[string][]match // by their first letters
	short map[string][]match // by their first word

	longest int // letters of a secret
}

// A match is a text to look for, and what stands for it.
type match struct {
	text, stand string // as they are
	core, other string // their letters alone, in lower case
}

// shortSecret is the number of letters below which a secret stands in other texts by
// chance: it is exchanged only where it is a word of its own.
const shortSecret = 8

// A secret is exchanged in parts of at most mostOfSecret bytes, and so much of it: no value of an
// environment is longer. What is behind comes from an adapter, and each letter has a table of its own.
const (
	mostOfSecret  = 4 << 10
	longestSecret = 128 << 10
)

// NewVeil returns a veil that nobody lifts without the key. A narrow one exchanges short
// secrets only where they are the whole of a JSON text, and numbers within a sentence: one of
// them may be a word that all answers use.
func NewVeil(key []byte, narrow bool) *Veil {
	return &Veil{cipher: newCipher(key), narrow: narrow, stands: map[string]string{}, long: map[string][]match{}, short: map[string][]match{}}
}

// Hide exchanges a secret from now on, but for its first letters, of which so many are
// none. kin are the ways in which texts were made of it that stand in the record too.
func (v *Veil) Hide(secret string, keep int, kin ...func(string) string) {
	secret = secret[:min(len(secret), longestSecret)]
	parts := (len(secret) + mostOfSecret - 1) / mostOfSecret // equal ones: a short part would stand by chance
	for n := parts; n > 0; n-- {
		part := string(prefix([]byte(secret), (len(secret)+n-1)/n))
		if n == 1 {
			part = secret
		}
		v.hide(part, keep, kin...)
		secret, keep = secret[len(part):], 0
	}
}

func (v *Veil) hide(secret string, keep int, kin ...func(string) string) {
	if _, known := v.stands[secret]; known || slices.Contains(v.left, secret) {
		return
	}
	stand := v.cipher.pseudonym(secret, keep)
	if stand == secret {
		v.left = append(v.left, secret)
		return
	}
	v.hidden = append(v.hidden, secret)
	v.add(secret, stand)
	for _, k := range kin {
		v.add(k(secret), k(stand))
	}
}

// Hides reports whether there is anything to exchange.
func (v *Veil) Hides() bool { return len(v.stands) > 0 }

// Secrets are those that it was told to hide.
func (v *Veil) Secrets() []string { return append(slices.Clone(v.hidden), v.left...) }

// Left are the secrets that have no pseudonym: they have no letter to exchange, or chance
// gave them their own.
func (v *Veil) Left() []string { return v.left }

// Over returns a line of JSON under the veil; a line without a secret as it is. parts
// says that parts of a secret are secret in it too.
func (v *Veil) Over(line []byte, parts bool) []byte {
	if !v.Hides() {
		return line
	}
	if v.exact == nil {
		v.exact = v.coder()
	}
	if !bytes.Contains(line, codedHead) {
		return v.over(line, parts)
	}
	return v.over(coded.ReplaceAllFunc(line, func(b []byte) []byte {
		var o struct {
			Base64 []byte `json:"base64"`
		}
		if json.Unmarshal(b, &o) != nil {
			return b
		}
		return []byte(`{"base64":"` + base64.StdEncoding.EncodeToString(v.over(o.Base64, parts)) + `"}`)
	}), parts)
}

// coded matches bytes that are no text: what an adapter says stands in JSON text, where
// quotes are escaped.
var (
	coded     = regexp.MustCompile(`\{"base64":"[A-Za-z0-9+/=]*"\}`)
	codedHead = []byte(`{"base64":"`)
)

// A line is read in stretches, because a reading takes six times its bytes. Behind each one stands as
// much as the longest secret may take up, however its letters are escaped.
const (
	stretch = 256 << 10
	beyond  = 64 << 10 // at least
	escaped = 16       // bytes of a letter, several times escaped
)

func (v *Veil) over(line []byte, parts bool) []byte {
	var own bytes.Buffer
	own.Grow(len(line))
	_, _ = v.exact.WriteString(&own, unsafe.String(unsafe.SliceData(line), len(line))) // Replace makes three copies
	line = own.Bytes()
	r, size, ahead := &reading{}, stretch, max(beyond, escaped*v.longest)
	for from, i := 0, 0; ; {
		to := min(len(line), from+size+ahead)
		r.read(line[from:to])
		i = v.exchange(r, i, parts, func(i int) bool { return to < len(line) && int(r.at[i]) >= size })
		switch last := r.begins(i - 1); {
		case to == len(line):
			return line
		case last <= 0: // the letter that this stretch began with is followed by none
			i, size = min(i, 1), 2*size
		default: // a word that goes on does not begin there
			from, i, size = from+int(r.at[last]), i-last, stretch
		}
	}
}

// exchange exchanges all secrets from the i-th letter on, until the end or a letter that is beyond it. It
// returns which that is.
func (v *Veil) exchange(r *reading, i int, parts bool, over func(int) bool) int {
	for i < len(r.core) && !over(i) {
		n := v.longAt(r, i, parts)
		if n == 0 && !r.joined(i) {
			n = v.shortAt(r, i)
		}
		i += max(n, 1)
	}
	return i
}

// longAt exchanges the secret, or part of one, that begins with the i-th letter, and
// returns how many letters it has.
func (v *Veil) longAt(r *reading, i int, parts bool) int {
	if i+shortSecret > len(r.core) {
		return 0
	}
	for _, m := range v.long[string(r.core[i:i+shortSecret])] {
		for from := 0; from+shortSecret <= len(m.core) && (from == 0 || parts); from++ {
			n := common(r.core[i:], m.core[from:])
			if n < shortSecret || n < len(m.core) && !parts {
				continue
			}
			for k := range n {
				r.put(i+k, m.other[from+k])
			}
			return n
		}
	}
	return 0
}

// shortAt exchanges the short secret that stands there as a word, or as several.
func (v *Veil) shortAt(r *reading, i int) int {
	end := i + 1
	for r.joined(end) {
		end++
	}
	if end-i >= shortSecret {
		return 0
	}
	for _, m := range v.short[string(r.core[i:end])] {
		n, at := len(m.core), int(r.at[i])
		if !hasFold(r.line[at:], m.text) || r.joined(i+n) || v.narrow && !quoted(r.line, at, at+len(m.text)) && !worded(r.line[:at], m.text) {
			continue
		}
		for k := range n {
			r.put(i+k, m.other[k])
		}
		return n
	}
	return 0
}

func hasFold(line []byte, text string) bool {
	return len(line) >= len(text) && strings.EqualFold(string(line[:len(text)]), text)
}

func common(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// add looks for a text from now on.
func (v *Veil) add(secret, stand string) {
	if _, known := v.stands[secret]; known || secret == stand {
		return
	}
	v.stands[secret], v.exact = stand, nil
	own, others := written(secret), written(stand)
	for i, form := range own {
		if len(form) >= minCoded && i < len(others) && form != others[i] && !slices.Contains(own[:i], form) {
			v.pairs = append(v.pairs, [2]string{form, others[i]})
		}
	}
	m := match{secret, stand, string(readLetters([]byte(secret)).core), string(readLetters([]byte(stand)).core)}
	v.longest = max(v.longest, len(m.core))
	switch {
	case len(m.core) != len(m.other) || m.core == "":
	case len(m.core) < shortSecret:
		v.addShort(m)
	default:
		v.addLong(m)
		v.addLong(match{core: backwards(m.core), other: backwards(m.other)})
	}
}

// coder exchanges the coded forms, the longest first: a secret may lie in another.
func (v *Veil) coder() *strings.Replacer {
	slices.SortFunc(v.pairs, func(a, b [2]string) int { return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0])) })
	var list []string
	for _, p := range v.pairs {
		list = append(list, p[0], p[1])
	}
	return strings.NewReplacer(list...)
}

// addLong finds a secret by any letters of it: parts may be looked for.
func (v *Veil) addLong(m match) {
	for from := 0; from+shortSecret <= len(m.core); from++ {
		begins := m.core[from : from+shortSecret]
		if slices.Contains(v.long[begins], m) {
			continue
		}
		all := append(v.long[begins], m)
		slices.SortFunc(all, func(a, b match) int {
			return cmp.Or(len(b.core)-len(a.core), strings.Compare(a.core, b.core), strings.Compare(a.text, b.text))
		})
		v.long[begins] = all
	}
}

func (v *Veil) addShort(m match) {
	m.text = strings.TrimFunc(m.text, func(c rune) bool { return c < 0x80 && !alphanumeric(byte(c)) })
	word := readLetters([]byte(m.text))
	n := 1
	for word.joined(n) {
		n++
	}
	v.short[m.core[:n]] = append(v.short[m.core[:n]], m)
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
