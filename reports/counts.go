package reports

import (
	"cmp"
	"slices"
)

// Counts are numbers of requirements by their worst verdict.
type Counts struct {
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Warn          int `json:"warn"`
	NotApplicable int `json:"notApplicable"`
	Skipped       int `json:"skipped"`
	NotProven     int `json:"notProven"`
}

func (c *Counts) add(v Verdict) {
	switch v {
	case Pass:
		c.Pass++
	case Fail:
		c.Fail++
	case Warn:
		c.Warn++
	case NotApplicable:
		c.NotApplicable++
	case Skipped:
		c.Skipped++
	case NotProven:
		c.NotProven++
	}
}

// A Category is one area of the catalogue.
type Category struct {
	Name     string  // "routing", "types", ...
	Required bool    // a level depends on at least one of its rows
	Result   Verdict // PASS only when everything judged in it is proven or excused
	Counts   Counts  //
	Untested int     // rows that this version does not check yet
}

// count fills the summary and the categories.
func (r *Report) count() {
	areas := map[string]*Category{}
	for _, row := range r.rows {
		c := areas[row.Area]
		if c == nil {
			c = &Category{Name: row.Area}
			areas[row.Area] = c
		}
		c.Required = c.Required || row.Level > 0
		v := r.verdicts[row.ID]
		if v == "" && row.State == "untested" {
			c.Untested++
		}
		c.Counts.add(v)
		r.Summary.add(v)
	}
	for _, c := range areas {
		c.Result = c.Counts.result()
		r.Categories = append(r.Categories, *c)
	}
	slices.SortFunc(r.Categories, func(a, b Category) int { return cmp.Compare(a.Name, b.Name) })
}

// result sums an area up. Unlike the subjects of one requirement, one proven
// row says nothing of the next, so here NOT-PROVEN and SKIPPED weigh more than
// PASS.
func (c Counts) result() Verdict {
	switch {
	case c.Fail > 0:
		return Fail
	case c.Warn > 0:
		return Warn
	case c.NotProven > 0:
		return NotProven
	case c.Skipped > 0:
		return Skipped
	case c.Pass > 0:
		return Pass
	case c.NotApplicable > 0:
		return NotApplicable
	}
	return NotProven
}

// CountsByLevel counts the requirements of each level by their worst verdicts; those that belong to no level
// are at 0.
func (r *Report) CountsByLevel() map[int]Counts {
	all := map[int]Counts{}
	for id, v := range r.verdicts {
		level := r.byID[id].Level
		c := all[level]
		c.add(v)
		all[level] = c
	}
	return all
}
