package encoding

import (
	"fmt"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachDateParameter is every parameter of a callable operation whose format is a
// date or a date with time.
func eachDateParameter(f *model.Adapter) []model.Subject {
	all := model.Only(model.EachParameterWith("format"), func(s model.Subject) bool {
		return isDate(s.Par)
	})(f)
	for i, s := range all {
		switch b := s.KnownGoodRequest(); {
		case s.Op.Category != "READ" && s.Op.Category != "CREATE":
			all[i] = s.WithRuling(ruling.NotProven("a READ or CREATE operation with the parameter", s.Op.Category))
		case b.State != model.Proven:
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Op.Name+" that succeeds", b).Mend(b.Unlock()))
		}
	}
	return all
}

// A moment is one date for a parameter, in one of the forms of section 4.7.2.
type moment struct {
	text   string
	offset bool
}

// moments are dates that a parameter should accept: the documented ones, then the day before the
// run, its day and the day after it.
func moments(s model.Subject) []moment {
	days := []time.Time{}
	for _, v := range s.Gen.Values(s.Op, s.Par) {
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(layout, v.Text()); err == nil {
				days = append(days, t.UTC())
			}
		}
	}
	for _, d := range []int{-1, 0, 1} {
		days = append(days, s.Today.Truncate(24*time.Hour).AddDate(0, 0, d))
	}
	var list []moment
	for _, d := range days[:min(len(days), 4)] {
		if s.Par.Raw.At("format").Text() == "date" {
			list = append(list, moment{d.Format(time.DateOnly), false})
			continue
		}
		east := time.FixedZone("", int((5*time.Hour + 30*time.Minute).Seconds()))
		list = append(list, moment{d.Format(time.RFC3339), false}, moment{d.In(east).Format(time.RFC3339), true})
	}
	return list
}

// rejected reports whether a refusal is about the value of the parameter.
func rejected(s model.Subject, o probes.Observation) bool {
	return o.Refused() && !o.Deferred() && strings.HasPrefix(o.Code(), "VALIDATION_") && (check.BlamesParameter(o, s.Par.Name) || o.Mentions(s.Par.Name))
}

// otherDays are days that a rule of the domain may demand where those near the run are refused: some
// weeks ahead, the first of a month, far ahead and in the past.
func otherDays(s model.Subject) []any {
	day := s.Today.UTC().Truncate(24 * time.Hour)
	next := time.Date(day.Year(), day.Month()+2, 1, 0, 0, 0, 0, time.UTC)
	var all []any
	for _, d := range []time.Time{day.AddDate(0, 0, 40), next, day.AddDate(2, 0, 0), day.AddDate(-1, 0, 0), next.AddDate(-1, 0, 0)} {
		all = append(all, d.Format(layoutOf(s)))
	}
	return all
}

// otherForms are the forms that a parameter may want instead, of a day that was refused in ISO form.
func otherForms(s model.Subject) []any {
	d := s.Today.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	all := []any{d.Unix(), fmt.Sprint(d.Unix()), d.UnixMilli(), fmt.Sprint(d.UnixMilli())}
	for _, layout := range []string{"02/01/2006", "01/02/2006", "02.01.2006", "20060102", "2006/01/02", "2006-01-02 15:04:05", time.RFC1123} {
		all = append(all, d.Format(layout))
	}
	return all
}

func layoutOf(s model.Subject) string {
	if s.Par.Raw.At("format").Text() == "date" {
		return time.DateOnly
	}
	return time.RFC3339
}

// Section 4.7.2.
var dateParametersAcceptIsoForms = check.Check{
	Requirement: "AQL-4.7.2-04",
	Rule:        "Parameters that take dates accept the ISO forms shown.",
	Why:         "The forms shown are the ones a model writes without being told.",
	On:          eachDateParameter,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		refused := func(script string, values []any) bool {
			for i, v := range values {
				step := probes.Nth(script, i)
				if o := ask(s.FreshCall(step).With(s.Par.Name, v).As(step)); o.Succeeded() || o.Deferred() || o.Lost() {
					return false
				}
			}
			return true
		}
		taken := false
		for i, m := range moments(s) {
			step := probes.Nth("date parameter: ISO form", i)
			taken = ask(s.FreshCall(step).With(s.Par.Name, m.text).As(step)).Succeeded() || taken
		}
		if !taken && refused("date parameter: other day", otherDays(s)) {
			refused("date parameter: form instead", otherForms(s))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		plain, offset := 0, 0 // forms refused
		var last probes.Observation
		list, dates := moments(s), got.Under("date parameter: ISO form")
		for i, o := range dates {
			switch {
			case o.Succeeded():
			case !rejected(s, o) && !o.RefusedBelow():
				return ruling.NotProven("a date that only its form can speak against", o).By(got[0])
			case list[i].offset:
				offset, last = offset+1, o
			default:
				plain, last = plain+1, o
			}
		}
		switch {
		case plain+offset == 0:
			return ruling.Conforms().By(got[0], dates[0])
		case plain+offset == len(list):
			// A rule about the day refuses every form of it, so another form that is taken is the control.
			for _, o := range got.Under("date parameter: form instead") {
				if o.Succeeded() {
					return ruling.Violates("an ISO 8601 date accepted", last).By(o)
				}
			}
			return ruling.NotProven("a date that only its form can speak against", last).By(got[0])
		case plain == 0:
			return ruling.Departs("a date with another offset than Z accepted", last).By(got[0])
		}
		return ruling.NotProven("every date of the same form to fare alike", last).By(dates[0])
	},
	Fix: "accept dates as 2026-02-04, 2026-02-04T10:30:00Z and 2026-02-04T10:30:00+05:30",
}

// noDates are what a date parameter should refuse: another order, a word, a number, and a day that no
// calendar has.
var noDates = map[string][]any{
	"date":      {"04/02/2026", "yesterday", 1738665000, "2026-02-30"},
	"date-time": {"04/02/2026", "yesterday", 1738665000, "2026-02-30T10:30:00Z"},
}

// Section 4.7.2.
var otherDateFormsAreRefused = check.Check{
	Requirement: "AQL-4.7.2-05",
	Rule:        "Values that are not ISO 8601 are refused for date parameters.",
	Why:         "A misread date is often noticed only after damage is done.",
	On:          eachDateParameter,
	Lane:        probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range noDates[s.Par.Raw.At("format").Text()] {
			step := probes.Nth("date parameter: other form", i)
			ps = append(ps, s.FreshCall(step).With(s.Par.Name, v).As(step))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		sent := noDates[s.Par.Raw.At("format").Text()]
		for i, o := range got.Under("date parameter: other form") {
			switch {
			case o.Succeeded():
				rs = append(rs, ruling.Departs("a refusal of "+probes.ValueOf(sent[i]).String(), o).By(got[0]))
			case o.Deferred():
				rs = append(rs, ruling.NotProven("a refusal of the date", o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "parse dates as ISO 8601 and refuse everything else",
}
