package adapter

import (
	"regexp"
	"slices"
)

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)

// replay answers calls one after the other, as text without times.
func (a *Adapter) replay(calls []Call) []string {
	s := &session{}
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = moment.ReplaceAllString(printed(a.answer(s, a.heartTool(c.Tool), c.Arguments)), "T")
	}
	return out
}

// Shows reports whether a fault changes the answer to any of the calls. What a fault does
// to messages outside of calls is not looked at; such a fault shows.
func (d Description) Shows(f Fault, calls []Call) bool {
	h := f.hooks
	if h.ask != nil || h.answer != nil || h.notified != nil || h.sent != nil || h.input != nil || h.fatal != nil || h.silent || len(calls) == 0 {
		return true
	}
	cfg := Config{Mode: f.Mode, Profile: f.Profile, Description: d, Features: ""}
	broken := cfg
	broken.Fault = f.ID + "." + f.Variant
	if f.Features != "" {
		return true // the healthy adapter that was asked does not offer them
	}
	healthy, err := New(cfg)
	if err != nil {
		return true
	}
	faulty, err := New(broken)
	if err != nil {
		return true
	}
	return !slices.Equal(healthy.replay(calls), faulty.replay(calls))
}
