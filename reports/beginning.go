package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"
)

// What an exchange keeps of a frame: what a document shows, and a margin. A secret that is masked
// later may not be cut in two, and the longest one fits the margin.
const (
	cutMargin = 16 << 10
	keptBytes = evidenceCap + cutMargin
)

// Shorten lets go of what no report shows: a run keeps thousands of exchanges, and a frame may have
// megabytes.
func (e *Exchange) Shorten() {
	if len(e.Sent) >= keptBytes {
		e.SentSha256 = digestOf(e.Sent)
	}
	if len(e.Reply) >= keptBytes {
		e.ReplySha256 = digestOf(e.Reply)
	}
	for _, raw := range e.texts() {
		if len(*raw) >= keptBytes {
			*raw = bytes.Clone((*raw)[:keptBytes])
		}
	}
}

// Mask masks all that the exchange shows. The margin goes: what is left of a secret at its end is
// known to nobody.
func (e *Exchange) Mask(mask func([]byte) []byte) {
	for _, raw := range e.texts() {
		shortened := len(*raw) == keptBytes
		if *raw = mask(*raw); shortened {
			*raw = wholeRunes((*raw)[:max(0, len(*raw)-cutMargin)])
		}
	}
}

func (e *Exchange) texts() []*[]byte { return []*[]byte{&e.Sent, &e.Reply, &e.Asked, &e.Said} }

// wholeRunes leaves out a character at the end of which only a part is there.
func wholeRunes(b []byte) []byte {
	for start := len(b) - 1; start >= max(0, len(b)-utf8.UTFMax); start-- {
		if utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:]) {
				return b[:start]
			}
			break
		}
	}
	return b
}

func digestOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
