package parameters

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// crossed settles the subjects whose limits leave no value at all.
func crossed(on func(*model.Adapter) []model.Subject) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		all := on(f)
		for i, s := range all {
			if pair, wrong := check.ReversedBounds(s); wrong {
				all[i] = s.WithRuling(ruling.NotProven("limits that some value fits", pair).Because("INT-3.4-15"))
			}
		}
		return all
	}
}

// outside returns the numbers next to the bounds, beyond them.
func outside(s model.Subject) []float64 {
	var ns []float64
	if low, ok := check.NumericBound(s, "minimum"); ok {
		ns = append(ns, math.Ceil(low)-1)
	}
	if high, ok := check.NumericBound(s, "maximum"); ok {
		ns = append(ns, math.Floor(high)+1)
	}
	return ns
}

// Section 3.2.
var numberOutsideDocumentedBoundsIsRefused = check.Check{
	Requirement: "OPS-5.4-05",
	Rule:        "Numbers below a documented minimum or above a documented maximum are refused.",
	Why:         "Values beyond a documented bound may break the backend.",
	On:          crossed(check.RequireUsable(check.EachVariableParameter(check.HasNumericBounds))),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, n := range outside(s) {
			ps = append(ps, check.WithValue(s, 10+i, n))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if len(got) == 1 {
			return ruling.NotProven("a bound that can be crossed", s.Par.Raw)
		}
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			n, _ := model.ValueIn(o.Probe, s.Par.Name).Float()
			high, bounded := check.NumericBound(s, "maximum")
			above, size := bounded && n > high, s.Op.Category == "READ" && slices.Contains(model.PageSizes, s.Par.Name)
			switch {
			case o.Succeeded() && size && above && float64(pageLength(o.Data())) <= high:
				rs = append(rs, ruling.Conforms().By(o).Noting("an oversized page is cut down to the maximum"))
			case o.Succeeded() && size && !above:
				rs = append(rs, ruling.Departs("a refusal of a page below the minimum", o).By(got[0]))
			default:
				rs = append(rs, check.JudgeForbiddenValue(s, got[0], o, "a number out of bounds"))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare the number with the documented bounds before the operation runs",
}

// pageLength is the number of items of a page: what stands beside them may be a longer list.
func pageLength(data probes.Value) int {
	if items, _, ok := check.Collection(data); ok {
		return len(items)
	}
	return check.LongestList(data)
}

// patterned reports whether the parameter documents a pattern for its text.
func patterned(s model.Subject) bool {
	return check.AcceptsKind(s, "string") && s.Par.Raw.At("pattern").Is(probes.String)
}

// unmatched makes a text that the pattern does not match anywhere, as near to a
// matching one as can be, with the length limits met.
func unmatched(s model.Subject) (string, bool) {
	pattern := s.Par.Raw.At("pattern").Text()
	var starts []string
	for _, n := range []int{6, 3, 1} {
		if text, ok := generate.MatchFor(pattern, n, 64); ok {
			starts = append(starts, text)
		}
	}
	for _, v := range append(s.Gen.Values(s.Op, s.Par), model.ValueIn(s.ValidCall(), s.Par.Name)) {
		starts = append(starts, v.Text())
	}
	return certain(s, func(yield func(string) bool) {
		for _, start := range append(starts, "aaaaaa") {
			runes := []rune(start)
			for i := range min(len(runes), 40) {
				for _, r := range "!~ 0Aa" {
					if !yield(string(runes[:i]) + string(r) + string(runes[i+1:])) {
						return
					}
				}
			}
		}
	})
}

// overhanging makes a text that begins as the pattern wants it and has more behind that: a pattern that is
// held against the beginning alone lets it pass.
func overhanging(s model.Subject) (string, bool) {
	return certain(s, func(yield func(string) bool) {
		for _, n := range []int{1, 6} {
			start, ok := generate.MatchFor(s.Par.Raw.At("pattern").Text(), n, 64)
			for _, more := range []string{"0", "a", "~"} {
				if ok && !yield(start+more) {
					return
				}
			}
		}
	})
}

// mostFurther bounds the search for a better text.
const mostFurther = 100

// certain returns a text whose letters and digits alone do not match the pattern either: an
// adapter may take out the signs between them first. Where none of the next texts is such,
// it returns the first that does not match as it is.
func certain(s model.Subject, texts iter.Seq[string]) (second string, found bool) {
	pattern, bare := s.Par.Raw.At("pattern").Text(), s.Par
	bare.Raw = without(bare.Raw, "pattern")
	further := 0
	for text := range texts {
		if found {
			further++
		}
		switch {
		case further > mostFurther:
			return second, true
		case !misses(pattern, text) || s.Misfit(bare, probes.ValueOf(text)) != "":
		case misses(pattern, lettersAndDigits(text)):
			return text, true
		case !found:
			second, found = text, true
		}
	}
	return second, found
}

// storedOtherwise reports whether the answer shows a text that matches the pattern in place of one that does not: the text less
// its signs, or in another case.
func storedOtherwise(s model.Subject, o probes.Observation) bool {
	sent := model.ValueIn(o.Probe, s.Par.Name).Text()
	shown := o.Data().Scalars()
	return !slices.Contains(shown, sent) && slices.ContainsFunc(shown, func(text string) bool {
		return strings.EqualFold(text, lettersAndDigits(sent)) && !misses(s.Par.Raw.At("pattern").Text(), text)
	})
}

func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
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

// Section 3.2.
var stringViolatingPatternIsRefused = check.Check{
	Requirement: "OPS-5.4-07",
	Rule:        "Strings that do not match a documented pattern are refused.",
	Why:         "A pattern guards what the text is used for later: a file name, a query, a shell.",
	On:          check.RequireUsable(check.EachVariableParameter(patterned)),
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		text, ok := overhanging(s)
		if ok && ask(check.WithValue(s, 21, text).As("pattern: text with more behind it")).Succeeded() {
			return
		}
		if text, ok := unmatched(s); ok {
			ask(check.WithValue(s, 20, text).As("pattern: text that does not match"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Under("pattern") {
			if o.Succeeded() && storedOtherwise(s, o) {
				rs = append(rs, ruling.NotProven("a text that does not match in any form", "stored in a form that matches").By(o))
				continue
			}
			rs = append(rs, check.JudgeForbiddenValue(s, got[0], o, "a text that the pattern "+ruling.Clip(s.Par.Raw.At("pattern").Text())+" does not match"))
		}
		if len(rs) == 0 {
			return ruling.NotProven("a text that surely does not match", s.Par.Raw.At("pattern"))
		}
		return ruling.Worst(rs...)
	},
	Fix: "match the text against the documented pattern before the operation runs",
}
