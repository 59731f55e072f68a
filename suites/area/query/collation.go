package query

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// sorted reports whether values never decrease: numbers by value, times by what they mean,
// and plain texts in one of the orders that are in use. Other texts are in order, because
// their order depends on a language.
func sorted(vs []probes.Value) bool {
	if undisputed(vs) {
		return slices.IsSortedFunc(vs, compareValues)
	}
	if slices.ContainsFunc(vs, func(v probes.Value) bool { return !plainText.MatchString(v.Text()) }) {
		return true
	}
	return slices.ContainsFunc(collations, func(key func(string) string) bool {
		return slices.IsSortedFunc(vs, func(x, y probes.Value) int { return strings.Compare(key(x.Text()), key(y.Text())) })
	})
}

func compareValues(x, y probes.Value) int {
	a, number := x.Float()
	b, both := y.Float()
	if number && both {
		return cmp.Compare(a, b)
	}
	return moment(x.Text()).Compare(moment(y.Text()))
}

func moment(text string) time.Time {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day
	}
	at, _ := time.Parse(time.RFC3339, text)
	return at
}

// plainText matches texts whose order is one of the collations.
var plainText = regexp.MustCompile(`^[ -~]+$`)

var digits = regexp.MustCompile(`[0-9]+`)

// collations give texts the keys by whose bytes they are ordered: byte by byte, without regard
// to case, without regard to all but letters and digits, and with the numbers in them by value.
var collations = []func(string) string{
	func(t string) string { return t },
	strings.ToLower,
	alphanumeric,
	func(t string) string { return byNumber(strings.ToLower(t)) },
	func(t string) string { return byNumber(alphanumeric(t)) },
}

func alphanumeric(t string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, t)
}

func byNumber(t string) string {
	return digits.ReplaceAllStringFunc(t, func(n string) string { return strings.Repeat("0", max(0, 20-len(n))) + n })
}
