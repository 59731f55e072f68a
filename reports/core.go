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
	var titles, fixes []string
	if r.Run.Reach != nil && r.Run.Reach.Unread {
		titles = append(titles, "no operation could be read")
	}
	for _, row := range r.rows {
		if !row.Core || row.Level < 1 || row.Level > r.Run.Level || !r.counts(row) || r.verdicts[row.ID] != NotProven || row.Title == "" {
			continue
		}
		titles = append(titles, row.Title)
		if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Requirement == row.ID && f.Verdict == NotProven && f.Fix != "" }); i >= 0 {
			fixes = append(fixes, r.Findings[i].Fix)
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
// for all.
func oneWay(fixes []string) string {
	if len(fixes) == 0 {
		return ""
	}
	var kinds []string
	for _, fix := range fixes {
		flag, is := strings.CutPrefix(fix, "--allow ")
		switch {
		case !is:
			return fixes[0]
		case strings.ContainsAny(flag, " :"):
			return "add " + fixes[0]
		}
		kinds = Distinct(kinds, strings.Split(flag, ","))
	}
	return "add --allow " + strings.Join(kinds, ",")
}
