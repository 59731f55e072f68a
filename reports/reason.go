package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// Reason names how f broke its requirement: 16 hexadecimal digits that are the same
// from run to run while the same thing is wrong. It is of the requirement and of what
// was wanted and got, without what only one run has in them: the subject's own name,
// values that are cited, and every word with a number or a mark of ours in it (names,
// identifiers, times, counts). The numbers of a protocol stay: an error with another
// code is another reason. The subject itself is no part: what a baseline accepts for
// create_* it accepts for the same reason on each of them.
func Reason(f Finding) string {
	sum := sha256.Sum256([]byte(f.Requirement + "\n" + essence(f.Want, f.Subject) + "\n" + essence(f.Got, f.Subject)))
	return hex.EncodeToString(sum[:8])
}

// citation is a string that a text cites from an answer; it may be cut.
var citation = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|$)`)

// Words that a run coins: what has a digit in it, and what bears the prefix of our own
// objects and names, whose marks need no digit.
var coined = regexp.MustCompile(`[0-9]|aql[cx][-_]`)

// protocol is a number that stands for itself: an error code of JSON-RPC, or a status
// of HTTP behind that word.
var protocol = regexp.MustCompile(`^-32[0-9]{3}$`)
var status = regexp.MustCompile(`^[1-5][0-9]{2}$`)

// essence is a text without what only one run has in it.
func essence(text, subject string) string {
	words := strings.Fields(citation.ReplaceAllString(text, "…"))
	before := ""
	for i, w := range words {
		bare := strings.Trim(w, ",;:.()")
		switch {
		case bare == subject:
			words[i] = "…"
		case protocol.MatchString(bare), status.MatchString(bare) && strings.EqualFold(before, "http"):
			words[i] = bare
		case coined.MatchString(w):
			words[i] = "…"
		}
		before = bare
	}
	return strings.Join(words, " ")
}
