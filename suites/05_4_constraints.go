package suites

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// pageSizes are parameters that say how much to return; guidance on paging
// prefers cutting them down to refusing them.
var pageSizes = strings.Fields("first last limit page_size per_page max_results max_items")

// enumerable reports whether the values of the parameter are listed one by one.
func enumerable(s Subject) bool {
	return len(s.EnumOf(s.Par)) > 0 && s.takes("string", "number", "integer") && !s.takes("array", "object")
}

// alien returns a value outside the enum, of its own JSON type.
func alien(s Subject) any {
	most, text := 0.0, false
	for _, v := range s.EnumOf(s.Par) {
		n, _ := v.Float()
		most, text = max(most, n), text || v.Is(probes.String)
	}
	if text {
		return "aqlx_" + s.Nonce
	}
	return int64(most) + 1
}

// recased returns a listed value in another letter case that is not listed itself.
func recased(s Subject) (string, bool) {
	all := s.EnumOf(s.Par)
	for _, v := range all {
		other := strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, v.Text())
		if other != v.Text() && !slices.ContainsFunc(all, func(w probes.Value) bool { return w.Text() == other }) {
			return other, true
		}
	}
	return "", false
}

// Section 3.2. A value outside the list reaches code that was written for the
// listed ones alone.
var _ = register(Check{
	Requirement: "OPS-5.4-04",
	On:          usable(eachValued(enumerable)),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall(), s.varied(0, alien(s))}
		if other, ok := recased(s); ok {
			ps = append(ps, s.varied(1, other))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		rs := []Ruling{barred(s, got[0], got[1], "a value outside the enum")}
		if len(got) > 2 && got[2].Succeeded() {
			rs = append(rs, Departs("a refusal of another letter case than that of the enum", got[2]).By(got[0]))
		}
		return Worst(rs...)
	},
	Fix: "compare the value with the documented list before the operation runs",
})

// bound returns a documented bound of a number; bounds no double counts exactly
// are not worth trying.
func (s Subject) bound(name string) (float64, bool) {
	v, ok := s.Par.Raw.At(name).Float()
	return v, ok && math.Abs(v) < 1e15
}

// numeric reports whether the parameter documents bounds of a number.
func numeric(s Subject) bool {
	return s.takes("number", "integer") && (s.Par.Raw.At("minimum").Is(probes.Number) || s.Par.Raw.At("maximum").Is(probes.Number))
}

// crossed settles the subjects whose limits leave no value at all.
func crossed(on func(*Face) []Subject) func(*Face) []Subject {
	return func(f *Face) []Subject {
		all := on(f)
		for i, s := range all {
			if pair, wrong := reversed(s); wrong {
				all[i] = s.settle(NotProven("limits that some value fits", pair).Because("INT-3.4-15"))
			}
		}
		return all
	}
}

// outside returns the numbers next to the bounds, beyond them.
func outside(s Subject) []float64 {
	var ns []float64
	if low, ok := s.bound("minimum"); ok {
		ns = append(ns, math.Ceil(low)-1)
	}
	if high, ok := s.bound("maximum"); ok {
		ns = append(ns, math.Floor(high)+1)
	}
	return ns
}

// Section 3.2. Beyond a bound lies what the backend was never asked to bear.
var _ = register(Check{
	Requirement: "OPS-5.4-05",
	On:          crossed(usable(eachValued(numeric))),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, n := range outside(s) {
			ps = append(ps, s.varied(10+i, n))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) == 1 {
			return NotProven("a bound that can be crossed", s.Par.Raw)
		}
		var rs []Ruling
		for _, o := range got[1:] {
			n, _ := valueIn(o.Probe, s.Par.Name).Float()
			high, bounded := s.bound("maximum")
			above, size := bounded && n > high, slices.Contains(pageSizes, s.Par.Name)
			switch {
			case o.Succeeded() && size && above && float64(longest(o.Data())) <= high:
				rs = append(rs, Conforms().By(o).Noting("an oversized page is cut down to the maximum"))
			case o.Succeeded() && size && !above:
				rs = append(rs, Departs("a refusal of a page below the minimum", o).By(got[0]))
			default:
				rs = append(rs, barred(s, got[0], o, "a number out of bounds"))
			}
		}
		return Worst(rs...)
	},
	Fix: "compare the number with the documented bounds before the operation runs",
})

// longest is the length of the longest list in an answer.
func longest(data probes.Value) int {
	most := len(data.Items())
	for _, m := range data.Members() {
		most = max(most, longest(m.Value))
	}
	return most
}

// patterned reports whether the parameter documents a pattern for its text.
func patterned(s Subject) bool { return s.takes("string") && s.Par.Raw.At("pattern").Is(probes.String) }

// unmatched makes a text that the pattern does not match anywhere, as near to a
// matching one as can be, with the length limits met.
func unmatched(s Subject) (string, bool) {
	pattern := s.Par.Raw.At("pattern").Text()
	var starts []string
	for _, n := range []int{6, 3, 1} {
		if text, ok := generate.MatchFor(pattern, n, 64); ok {
			starts = append(starts, text)
		}
	}
	for _, v := range append(s.Gen.Values(s.Op, s.Par), valueIn(s.ValidCall(), s.Par.Name)) {
		starts = append(starts, v.Text())
	}
	bare := s.Par
	bare.Raw = without(bare.Raw, "pattern")
	for _, start := range append(starts, "aaaaaa") {
		runes := []rune(start)
		for i := range min(len(runes), 40) {
			for _, r := range "!~ 0Aa" {
				text := string(runes[:i]) + string(r) + string(runes[i+1:])
				if misses(pattern, text) && s.Misfit(bare, probes.ValueOf(text)) == "" {
					return text, true
				}
			}
		}
	}
	return "", false
}

// without returns an object less one member.
func without(v probes.Value, name string) probes.Value {
	rest := map[string]any{}
	for _, m := range v.Members() {
		if m.Name != name {
			rest[m.Name] = m.Value.Go()
		}
	}
	return probes.ValueOf(rest)
}

// Section 3.2. A pattern guards what the text is used for later: a file name, a
// query, a shell.
var _ = register(Check{
	Requirement: "OPS-5.4-07",
	On:          usable(eachValued(patterned)),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		if text, ok := unmatched(s); ok {
			ps = append(ps, s.varied(20, text))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) == 1 {
			return NotProven("a text that surely does not match", s.Par.Raw.At("pattern"))
		}
		return barred(s, got[0], got[1], "a text that the pattern "+clip(s.Par.Raw.At("pattern").Text())+" does not match")
	},
	Fix: "match the text against the documented pattern before the operation runs",
})
