package parameters

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A value that is stored without a parameter is no default where it follows from something else: from the time of the call, from the sort of
// the object, or from an object to which it refers.

// mostSorts bounds the creations that show whether a value depends on the sort of the object.
const mostSorts = 4

// otherSorts are creations with other values of the required parameters of few values: what an object gets may
// depend on its sort, and no record can write that as one default.
func otherSorts(s model.Subject) iter.Seq2[string, probes.Probe] {
	return func(yield func(string, probes.Probe) bool) {
		n := 0
		for _, p := range s.Op.Parameters {
			for _, v := range s.EnumOf(p) {
				if !p.Required || p.Name == s.Par.Name || v.Equal(model.ValueIn(s.ValidCall(), p.Name)) || n == mostSorts {
					continue
				}
				step := probes.Nth(otherSort, n)
				if n++; !yield(step, s.FreshCall(step).With(p.Name, v.Go())) {
					return
				}
			}
		}
	}
}

const otherSort = "undocumented default: other sort"

// ofTheDay reports whether a value begins with a day, or is a part of the time of the run, such as its year, week or weekday. It may follow
// from the time of the call, and no record can write that as a default.
func ofTheDay(s model.Subject, v probes.Value) bool {
	text := v.Text()
	if _, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))]); err == nil && v.Is(probes.String) {
		return true
	}
	for _, now := range []time.Time{s.Today.AddDate(0, 0, -1), s.Today, s.Today.AddDate(0, 0, 1)} { // time zones differ
		year, week := now.ISOWeek()
		forms := []string{now.Format("2006-01"), now.Format("2006"), now.Format("Monday"), now.Format("Mon"), now.Format("January"), now.Format("Jan"), fmt.Sprintf("%d-W%02d", year, week)}
		if slices.ContainsFunc(forms, func(form string) bool { return strings.EqualFold(form, text) }) || v.Equal(probes.ValueOf(now.Year())) {
			return true
		}
		most, _ := s.Par.Raw.At("maximum").Float()
		for last, n := range map[int]int{12: int(now.Month()), 31: now.Day(), 53: week, 4: (int(now.Month()) + 2) / 3} {
			if most == float64(last) && v.Equal(probes.ValueOf(n)) {
				return true
			}
		}
	}
	// The hour of the call depends on the time zone of the adapter: it may be any.
	most, bounded := s.Par.Raw.At("maximum").Float()
	_, number := v.Float()
	return bounded && number && most == 23
}

// ofAnother reports whether an object of another kind has the value as well, where the creation refers to something. A trip may take its
// length from the line on which it runs.
func ofAnother(s model.Subject, v probes.Value) bool {
	if len([]rune(v.Text())) < 3 || len(s.EnumOf(s.Par)) > 0 {
		return false
	}
	refers := slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		return probes.IsReference(s.Op, p) && !model.ValueIn(s.ValidCall(), p.Name).Is(probes.Absent)
	})
	return refers && slices.ContainsFunc(s.Makers(), func(maker model.Subject) bool {
		return maker.Name != s.Name && slices.Contains(maker.KnownGoodRequest().Reply.Data().Scalars(), v.Text())
	})
}

// depends reports whether an object of another sort got another value.
func depends(s model.Subject, got probes.Answers, first probes.Value) bool {
	return slices.ContainsFunc(got.Under(otherSort), func(o probes.Observation) bool {
		v := check.MadeValue(s, o, s.Par.Name)
		return o.Succeeded() && !v.Is(probes.Absent) && !v.Equal(first)
	})
}
