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
	Why:         "A day that goes through a moment of another zone becomes the day before, often in one half of the year alone.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return slices.Contains([]string{"CREATE", "UPDATE"}, s.Op.Category) && why == nil && obj.Viewer.Name != "" && len(seasonsOf(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask, asked := counting(ask)
		taken := false
		for i, d := range seasonsOf(s) {
			if d.past && taken {
				continue
			}
			taken = giveDate(s, ask, *asked, probes.Nth(dayKept, i), d.field.Name, d.day(s).Format(time.DateOnly))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, d := range seasonsOf(s) {
			set, look, shown := givenDate(s, got, probes.Nth(dayKept, i), d.field.Name)
			is, err := time.Parse(time.DateOnly, shown.Text())
			sent := d.day(s)
			switch {
			case !set.Succeeded() || err != nil:
			case is.Equal(sent):
				rs = append(rs, ruling.Conforms().By(look, set))
			case is.Sub(sent).Abs() == 24*time.Hour:
				rs = append(rs, ruling.Violates("the day "+sent.Format(time.DateOnly)+" for "+d.field.Name, shown).By(look, set))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("a READ shows a day as it was set")
		}
		return ruling.Worst(rs...)
	},
	Fix: "store a day as a day, without a zone",
}
