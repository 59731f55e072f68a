package check

import (
	"regexp"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

var (
	// The second may have a fraction: it makes no other form of what is shown, and the
	// clocks of most languages write one.
	dateShown  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$`)
	leapSecond = regexp.MustCompile(`:60((?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))$`)
	dateOther  = regexp.MustCompile(`^(\d{4}-?(\d{2}(-?\d{2})?|W\d{2}(-?\d)?|\d{3}))([Tt ]\d{2}(:?\d{2}(:?\d{2})?)?([.,]\d+)?([Zz]|[+-]\d{2}(:?\d{2})?)?)?$`)
)

// ISOForm says what form of ISO 8601 a value has: "shown" when section 4.7.2 shows it,
// "other" for the rest of the standard, "" when it is no date at all.
func ISOForm(v probes.Value) string {
	text := v.Text()
	switch {
	case !v.Is(probes.String):
		return ""
	case dateShown.MatchString(text):
		layout := time.RFC3339
		if len(text) == len(time.DateOnly) {
			layout = time.DateOnly
		}
		text = strings.Replace(text, "T24:00:00", "T00:00:00", 1)
		text = leapSecond.ReplaceAllString(text, ":59${1}") // leap seconds are real
		if _, err := time.Parse(layout, text); err == nil {
			return "shown"
		}
	case dateOther.MatchString(text):
		day, _, _ := strings.Cut(strings.ToUpper(text), "T")
		if _, err := time.Parse(time.DateOnly, day); err != nil && len(day) == len(time.DateOnly) && !strings.Contains(day, "W") && day[4] == '-' && day[7] == '-' {
			return ""
		}
		return "other"
	}
	return ""
}
