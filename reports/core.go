package reports

import (
	"fmt"
	"slices"
	"strings"
)

// mostCore is how many open rows of the core a headline names.
const mostCore = 3

// unexercised says which part of the core is not proven and what would prove it, for the headline
// of exit code 5. It begins with a colon, or is empty where nothing more is known.
func (r *Report) unexercised() string {
	var titles []string
	var fixes [][]string // of each row
	if r.Run.Reach != nil && r.Run.Reach.Unread {
		titles = append(titles, "no operation could be read")
	}
	for _, row := range r.rows {
		if !row.Core || row.Level < 1 || row.Level > r.Run.Level || !r.counts(row) || r.verdicts[row.ID] != NotProven || row.Title == "" {
			continue
		}
		titles = append(titles, row.Title)
		var some []string
		for _, f := range r.Findings {
			if f.Requirement == row.ID && f.Verdict == NotProven && f.Fix != "" {
				some = append(some, f.Fix)
			}
		}
		if len(some) > 0 {
			fixes = append(fixes, some)
		}
	}
	if len(titles) == 0 {
		return ""
	}
	said := ": " + strings.Join(titles[:min(mostCore, len(titles))], ", ")
	if n := len(titles) - mostCore; n > 0 {
		said += fmt.Sprintf(", and %d more", n)
	}
	if fix := oneWay(fixes); fix != "" {
		said += "; " + fix
	}
	return said
}

// oneWay puts the permissions that are missing into one flag; of anything else the first stands
// for all. fixes are those of each row, in the order of its findings.
func oneWay(fixes [][]string) string {
	if len(fixes) == 0 {
		return ""
	}
	var kinds []string
	for _, of := range fixes {
		flag, is := strings.CutPrefix(of[0], "--allow ")
		switch {
		case !is:
			return fixes[0][0]
		case strings.ContainsAny(flag, " :"):
			return "add " + widest(fixes)
		}
		kinds = Distinct(kinds, strings.Split(flag, ","))
	}
	return "add --allow " + strings.Join(kinds, ",")
}

// widest returns the fix that the findings of most rows have, of several the first. The permission to
// create what can be changed and removed as well proves more of the core than any other.
func widest(fixes [][]string) (best string) {
	rows := func(fix string) (n int) {
		for _, of := range fixes {
			if slices.Contains(of, fix) {
				n++
			}
		}
		return n
	}
	for _, of := range fixes {
		for _, fix := range of {
			if strings.HasPrefix(fix, "--allow ") && rows(fix) > rows(best) {
				best = fix
			}
		}
	}
	return best
}
