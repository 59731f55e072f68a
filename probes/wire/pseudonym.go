package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A cipher makes pseudonyms. Each letter and digit is exchanged for another of its kind,
// by a table of its place: equal texts stay equal, what is the same in all texts stays
// so, and the look of a text, which is all that its strength can be read from, is kept.
type cipher struct {
	key    []byte
	tables map[string][]byte
}

func newCipher(key []byte) *cipher { return &cipher{key, map[string][]byte{}} }

// Kinds of letters. Those of base32 have digits of their own, and codes of nothing but
// 0 and 1 are a kind as well.
const (
	binaryDigits = "01"
	base32Digits = "234567"
	allDigits    = "0123456789"
)

var letterKinds = []string{"abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"}

var (
	// A UUID says its version and its variant, which are no chance.
	uuidShape = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	// What a signed token begins with, and each of its objects.
	tokenLabel = regexp.MustCompile(`(?:^|\.)eyJ`)
	base32Code = regexp.MustCompile(`^[^0189a-z]*[A-Z][^0189a-z]*$`)
	binaryCode = regexp.MustCompile(`^[^2-9A-Za-z]*[01][^2-9A-Za-z]*$`)
)

// pseudonym is the text with its letters exchanged, but for so many of the first ones.
func (c *cipher) pseudonym(text string, keep int) string {
	digits := allDigits
	switch {
	case base32Code.MatchString(text):
		digits = base32Digits
	case binaryCode.MatchString(text):
		digits = binaryDigits
	}
	fixed := map[int]bool{}
	for _, label := range append(tokenLabel.FindAllStringIndex(text, -1), []int{0, max(len(ownLabel(text)), len(labelOf(text)))}) {
		for i := label[0]; i < label[1]; i++ {
			fixed[i] = true
		}
	}
	if uuidShape.MatchString(text) {
		const version, variant = 14, 19
		fixed[version], fixed[variant] = true, true
	}
	wholeNumber := text != "" && text[0] != '0' && strings.Trim(text, allDigits) == ""
	out, place := []byte(text), 0
	for i, b := range out {
		if !alphanumeric(b) {
			continue
		}
		if place++; place > keep && !fixed[i] {
			kind := digits
			if wholeNumber && place == 1 {
				kind = allDigits[1:] // no JSON number begins with 0
			}
			out[i] = c.other(place, b, kind)
		}
	}
	return string(out)
}

// ownLabel is the word before the chance in conf_7f3a91c2: a documented pattern may want
// it. Where only words follow, it may be the first of a phrase that is the secret.
func ownLabel(text string) string {
	label := labelled.FindString(text)
	if rest := text[len(label):]; len(rest) < shortSecret || !strings.ContainsAny(rest, allDigits) {
		return ""
	}
	return label
}

var labelled = regexp.MustCompile(`^[A-Za-z]{1,8}[_:.-]`)

// other is the letter that stands for another at a place.
func (c *cipher) other(place int, b byte, digits string) byte {
	kind := digits
	for _, k := range letterKinds {
		if strings.IndexByte(k, b) >= 0 {
			kind = k
		}
	}
	return c.table(place, kind)[strings.IndexByte(kind, b)]
}

// table is a shuffle of a kind of letters.
func (c *cipher) table(place int, kind string) []byte {
	name := fmt.Sprintf("%d %s", place, kind)
	if t, known := c.tables[name]; known {
		return t
	}
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte(name))
	seed := mac.Sum(nil)
	draw := rand.New(rand.NewPCG(binary.BigEndian.Uint64(seed), binary.BigEndian.Uint64(seed[8:])))
	t := []byte(kind)
	draw.Shuffle(len(t), func(i, j int) { t[i], t[j] = t[j], t[i] })
	c.tables[name] = t
	return t
}

func alphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
