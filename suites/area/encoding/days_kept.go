package encoding

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const dayKept = "day of a season"

// A season is a day that is given to a field. Many zones are an hour further from UTC in one half of the year.
type season struct {
	field probes.Parameter
	month time.Month
	past  bool // some fields take no day that is still to come
}

// day is a Wednesday in the middle of the month, before or after the run. An adapter may move a day to the beginning of its
// week or to a working day, and neither is a day away.
func (d season) day(s model.Subject) time.Time {
	years := 1
	if d.past {
		years = -1
	}
	day := time.Date(s.Today.UTC().Year()+years, d.month, 12, 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, (int(time.Wednesday)-int(day.Weekday())+7)%7)
}

// laterDay ends the steps about another day, on another day of the week: an adapter may move a day for a holiday, or to its
// next day of delivery.
const laterDay, daysLater = ": a later day", 8

// moved is -1 where a field shows the day before another one, 1 where it shows the day after, and 0 otherwise.
func moved(day time.Time, shown probes.Value) int {
	is, err := time.Parse(time.DateOnly, shown.Text())
	if by := is.Sub(day); err == nil && by.Abs() == 24*time.Hour {
		return int(by / (24 * time.Hour))
	}
	return 0
}

// mostDays bounds how many fields of one operation are tried.
const mostDays = 3

// seasonsOf are the days that a creation or an update is given, those to come first.
func seasonsOf(s model.Subject) (all []season) {
	for _, p := range datedFields(s, "date", mostDays) {
		for _, month := range []time.Month{time.January, time.July} {
			all = append(all, season{p, month, false}, season{p, month, true})
		}
	}
	return all
}

// Section 4.7.2.
var daysAreKept = check.Check{
	Requirement: "AQL-4.7.2-04",
	Why:         "An adapter that converts a day to a moment of another zone shows the day before, often in one half of the year alone.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return slices.Contains([]string{"CREATE", "UPDATE"}, s.Op.Category) && why == nil && obj.Viewer.Name != "" && len(seasonsOf(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		t, taken := &tally{ask: ask}, false
		for i, d := range seasonsOf(s) {
			if d.past && taken {
				continue
			}
			step, day, shown := probes.Nth(dayKept, i), d.day(s), probes.Value{}
			if taken, shown = giveDate(s, t, step, d.field.Name, day.Format(time.DateOnly)); moved(day, shown) != 0 {
				giveDate(s, t, step+laterDay, d.field.Name, day.AddDate(0, 0, daysLater).Format(time.DateOnly))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, d := range seasonsOf(s) {
			step, day := probes.Nth(dayKept, i), d.day(s)
			want := "the day " + day.Format(time.DateOnly) + " for " + d.field.Name
			set, look, shown := givenDate(s, got, step, d.field.Name)
			again, lookAgain, later := givenDate(s, got, step+laterDay, d.field.Name)
			switch {
			case !set.Succeeded():
			case shown.Text() == day.Format(time.DateOnly):
				rs = append(rs, ruling.Conforms().By(look, set))
			case moved(day, shown) != 0 && again.Succeeded() && moved(day.AddDate(0, 0, daysLater), later) == moved(day, shown):
				rs = append(rs, ruling.Violates(want, shown).By(look, set, lookAgain, again))
			case moved(day, shown) != 0:
				rs = append(rs, ruling.NotProven(want+", and another day moved alike", shown).By(look, set))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("a READ shows a day as it was set")
		}
		return ruling.Worst(rs...)
	},
	Fix: "store a day as a day, without a zone",
}
