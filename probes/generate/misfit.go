package generate

import (
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// Misfit says in a few words why the value does not fit the parameter's record,
// or "" when it does as far as the record is understood.
func Misfit(a *probes.Adapter, p probes.Parameter, v probes.Value) string {
	if kinds, ok := a.Kinds(p.Type); ok && !slices.ContainsFunc(kinds, func(k string) bool { return kindFits(k, v) }) {
		return "another type than " + p.Type
	}
	if enum := a.EnumOf(p); len(enum) > 0 && v.Is(probes.String) {
		if !slices.ContainsFunc(enum, func(e probes.Value) bool { return e.Equal(v) }) {
			return "outside the enum"
		}
	}
	if f, ok := v.Float(); ok {
		if low, has := p.Raw.At("minimum").Float(); has && f < low {
			return "below minimum " + strconv.FormatFloat(low, 'g', -1, 64)
		}
		if high, has := p.Raw.At("maximum").Float(); has && f > high {
			return "above maximum " + strconv.FormatFloat(high, 'g', -1, 64)
		}
	}
	if v.Is(probes.String) {
		n := utf8.RuneCountInString(v.Text())
		if low, has := p.Raw.At("minLength").Float(); has && float64(n) < low {
			return "shorter than minLength"
		}
		if high, has := p.Raw.At("maxLength").Float(); has && float64(n) > high {
			return "longer than maxLength"
		}
		if re, err := regexp.Compile(p.Raw.At("pattern").Text()); err == nil && !re.MatchString(v.Text()) {
			return "not matching the pattern"
		}
	}
	return ""
}

func kindFits(kind string, v probes.Value) bool {
	switch kind {
	case "integer":
		return v.Whole()
	case "any":
		return true
	}
	return string(v.Kind()) == kind
}
