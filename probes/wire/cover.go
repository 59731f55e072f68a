package wire

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A Cover takes secrets out of what is shown. Those that it was told are found in every form;
// others are found if they look like a credential.
type Cover struct {
	told  *strings.Replacer
	words *regexp.Regexp // numbers that are too short to be found within other texts; nil for none
}

// NewCover returns a cover of the secrets.
func NewCover(secrets ...string) *Cover {
	var forms, short, pairs []string
	for _, s := range secrets {
		switch {
		case maskable(s):
			forms = append(forms, Forms(s)...)
		case len(s) >= minSecret && strings.ContainsAny(s, allDigits):
			short = append(short, regexp.QuoteMeta(s))
		}
	}
	// The longest first: a secret that begins with another must not survive in pieces.
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, string(masked))
	}
	c := &Cover{told: strings.NewReplacer(pairs...)}
	if len(short) > 0 {
		c.words = regexp.MustCompile(`(^|[\s"'=(])(?:` + strings.Join(short, "|") + `)($|[\s"'\\.,;)])`)
	}
	return c
}

// Told returns the text without the secrets that the cover was told.
func (c *Cover) Told(text []byte) []byte {
	if hidden := c.told.Replace(string(text)); hidden != string(text) {
		text = []byte(hidden)
	}
	if c.words != nil {
		text = c.words.ReplaceAll(text, []byte("${1}[masked]${2}"))
	}
	return text
}

// Mask returns the text without secrets.
func (c *Cover) Mask(text []byte) []byte { return MaskCredentials(c.Told(text)) }

// OverCredentials puts pseudonyms in the place of the credentials that a line gives away and that
// were not hidden before, but for those that are ours.
func (v *Veil) OverCredentials(line []byte, ours func(string) bool) []byte {
	standing := map[string]bool{}
	for _, stand := range v.stands {
		standing[stand] = true
	}
	return exchanged(line, func(c credential) []byte {
		if texts := c.texts(line); len(texts) != 1 || standing[texts[0]] || ours(texts[0]) {
			return nil
		}
		if raw := line[c.from:c.to]; bytes.IndexByte(raw, '\\') < 0 {
			return []byte(v.cipher.pseudonym(string(raw), 0))
		}
		return masked // letters of escapes are none
	})
}
