package generate

import (
	"encoding/base64"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// A form judges texts of a format: what is surely one, and what is surely none.
// Between them lies what one reader takes and another does not.
type form struct {
	is  func(s string) bool
	not func(s string) bool
}

var (
	dateForm     = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})$`)
	timeForm     = regexp.MustCompile(`^(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$`)
	durationForm = regexp.MustCompile(`^P(?:\d+D(?:T\d+H)?|T\d+[HMS])$`)
	emailForm    = regexp.MustCompile(`^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$`)
	webForm      = regexp.MustCompile(`^https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?:/[A-Za-z0-9._~-]*)*$`)
	uuidForm     = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	hostForm     = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`)
	digit        = regexp.MustCompile(`\d`)
	beyondHex    = regexp.MustCompile(`[g-zG-Z]`)
)

var forms = map[string]form{
	"date":      {isDate, func(s string) bool { return !digit.MatchString(s) || dateForm.MatchString(s) && !isDate(s) }},
	"date-time": {isDateTime, noDateTime},
	"time":      {isTime, func(s string) bool { return !digit.MatchString(s) || timeForm.MatchString(s) && above(s[:2], 24) }},
	"duration":  {durationForm.MatchString, func(s string) bool { return !digit.MatchString(s) }},
	"email":     {emailForm.MatchString, func(s string) bool { return !strings.Contains(s, "@") }},
	"uri":       {webForm.MatchString, noAddress},
	"url":       {webForm.MatchString, noAddress},
	"uuid":      {uuidForm.MatchString, func(s string) bool { return beyondHex.MatchString(strings.TrimPrefix(s, "urn:uuid:")) }},
	"hostname":  {func(s string) bool { return len(s) < 254 && hostForm.MatchString(s) }, func(s string) bool { return strings.Contains(s, " ") }},
	"ipv4":      {isIPv4, noIPv4},
	"ipv6":      {isIPv6, beyondHex.MatchString},
	"byte":      {isBase64, func(s string) bool { return strings.Contains(s, "*") }},
}

// ofFormat judges a text by a format word; a word that is not known leaves it open.
func ofFormat(word, s string) answer {
	f, known := forms[word]
	switch {
	case !known:
		return open("the format " + word)
	case f.is(s):
		return yes()
	case f.not(s):
		return no("no " + word)
	}
	return open("a text that some take for a " + word)
}

// foreignTo reports whether a pattern has an escape that is a position or a class
// in one dialect and a letter in another.
func foreignTo(pattern string) bool {
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] != '\\' {
			continue
		}
		if i++; strings.IndexByte("ZGKRXhH", pattern[i]) >= 0 {
			return true
		}
	}
	return false
}

func above(digits string, limit int) bool {
	n, err := strconv.Atoi(digits)
	return err == nil && n > limit
}

func isDate(s string) bool {
	m := dateForm.FindStringSubmatch(s)
	if m == nil || m[1] == "0000" {
		return false
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	most := []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		most = 29
	}
	return day <= most
}

func isTime(s string) bool {
	m := timeForm.FindStringSubmatch(s)
	return m != nil && !above(m[1], 23) && !above(m[2], 59) && !above(m[3], 59)
}

func isDateTime(s string) bool {
	date, clock, ok := strings.Cut(s, "T")
	return ok && isDate(date) && isTime(clock)
}

// noDateTime is sure only of what has no digit or names a day there is not.
func noDateTime(s string) bool {
	date, _, _ := strings.Cut(s, "T")
	return !digit.MatchString(s) || dateForm.MatchString(date) && !isDate(date)
}

func noAddress(s string) bool { return strings.Contains(s, " ") && !strings.Contains(s, ":") }

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func noIPv4(s string) bool {
	parts := strings.Split(s, ".")
	return beyondHex.MatchString(s) && !strings.Contains(s, "x") || len(parts) == 4 && above(parts[0], 255)
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}
