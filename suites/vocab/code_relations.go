package vocab

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Issue is one code that a person was shown, with what the agent was told of it.
type Issue struct {
	Challenge string
	Code      string
	Told      time.Time // the time in the notification; zero where none could be read
}

// leastKin is how many letters a code has to share with what it may be made of.
const leastKin = 6

// kin reports whether a code is made of a text: one begins with the other, in so
// many letters that it is no chance over several codes.
func kin(code, text string) bool {
	a, b := strings.ToLower(Bare(code)), strings.ToLower(Bare(text))
	n := min(len(a), len(b))
	return n >= leastKin && a[:n] == b[:n]
}

// A codeSource makes texts of a seed that a code may be a part of.
type codeSource struct {
	name string
	make func(seed string) string
}

// codeSources are the ways in which a careless hand makes a code of something known.
var codeSources = slices.Concat(
	[]codeSource{{"the %s itself", func(s string) string { return s }}, {"the %s reversed", backwards}},
	digests("md5", func(b []byte) []byte { d := md5.Sum(b); return d[:] }),
	digests("sha1", func(b []byte) []byte { d := sha1.Sum(b); return d[:] }),
	digests("sha256", func(b []byte) []byte { d := sha256.Sum256(b); return d[:] }),
	digests("sha512", func(b []byte) []byte { d := sha512.Sum512(b); return d[:] }),
	[]codeSource{
		{"the %s in hex", func(s string) string { return hex.EncodeToString([]byte(s)) }},
		{"the %s in base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	},
)

func digests(name string, digest func([]byte) []byte) []codeSource {
	return []codeSource{
		{name + " of the %s", func(s string) string { return hex.EncodeToString(digest([]byte(s))) }},
		{name + " of the %s in base64", func(s string) string { return base64.StdEncoding.EncodeToString(digest([]byte(s))) }},
		{name + " of the %s in base32", func(s string) string { return base32.StdEncoding.EncodeToString(digest([]byte(s))) }},
	}
}

// Derived returns how the codes are made of something the agent knows: the
// challenge id, or the time at which it was told of the challenge. They are only if
// all of them are made so.
func Derived(issues []Issue) (how string, found bool) {
	for _, r := range codeSources {
		for _, spelling := range spellings {
			all := func(i Issue) bool { return kin(i.Code, r.make(spelling(i.Challenge))) }
			if len(issues) > 0 && every(issues, all) {
				return strings.ReplaceAll(r.name, "%s", "challenge id"), true
			}
		}
	}
	if len(issues) == 0 || slices.ContainsFunc(issues, func(i Issue) bool { return i.Told.IsZero() }) {
		return "", false
	}
	for _, r := range codeSources {
		for _, unit := range clockUnits {
			// The first code alone rules out nearly every recipe.
			if _, fits := fitsClock(issues[0], r, unit); !fits {
				continue
			}
			if every(issues, func(i Issue) bool { _, fits := fitsClock(i, r, unit); return fits }) {
				return strings.ReplaceAll(r.name, "%s", "time"), true
			}
		}
	}
	return "", false
}

func every(issues []Issue, holds func(Issue) bool) bool {
	return !slices.ContainsFunc(issues, func(i Issue) bool { return !holds(i) })
}

// spellings are the ways to write a challenge id before it is made something of.
var spellings = []func(string) string{
	func(s string) string { return s }, Bare, strings.ToUpper, strings.ToLower,
	func(s string) string { raw, _ := hex.DecodeString(Bare(s)); return string(raw) },
}

// clockUnits are the units in which clocks are usually read. Finer ones show as
// codes in order.
var clockUnits = []time.Duration{time.Second, time.Millisecond}

// clockSlack is how far the time of a code may lie from that of the notification.
const clockSlack = 5 * time.Second

// fitsClock returns the time near that of the notification that a recipe makes the
// code of.
func fitsClock(i Issue, r codeSource, unit time.Duration) (at time.Time, fits bool) {
	for t := i.Told.Add(-clockSlack).Truncate(unit); !t.After(i.Told.Add(clockSlack)); t = t.Add(unit) {
		n := t.UnixNano() / int64(unit)
		if kin(i.Code, r.make(strconv.FormatInt(n, 10))) || r.name == codeSources[0].name && kin(i.Code, strconv.FormatInt(n, 16)) {
			return t, true
		}
	}
	return time.Time{}, false
}
