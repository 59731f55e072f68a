package reports

import "fmt"

// Together makes one list of the findings of several runs of the same plan on the same
// adapter. On each subject the worst verdict stands; where a requirement was broken in
// some runs and not in others, the finding says in how many: what is flaky is never
// granted.
func Together(runs [][]Finding) []Finding {
	if len(runs) == 1 {
		return runs[0]
	}
	type place struct{ requirement, subject string }
	at := map[place]int{}
	broken := map[place]int{}
	var all []Finding
	for _, found := range runs {
		counted := map[place]bool{}
		for _, f := range found {
			p := place{f.Requirement, f.Subject}
			if (f.Verdict == Fail || f.Verdict == Warn) && !counted[p] {
				counted[p] = true
				broken[p]++
			}
			i, seen := at[p]
			switch {
			case !seen:
				at[p] = len(all)
				all = append(all, f)
			case weight(f.Verdict) < weight(all[i].Verdict):
				all[i] = f
			}
		}
	}
	for i, f := range all {
		if n := broken[place{f.Requirement, f.Subject}]; n > 0 {
			all[i].Broken, all[i].Runs = n, len(runs)
			if n < len(runs) {
				all[i].Note = join(fmt.Sprintf("flaky: broken in %d of %d runs", n, len(runs)), f.Note)
			}
		}
	}
	return all
}

// Flaky reports whether the requirement was broken in some runs and not in others.
func (f Finding) Flaky() bool { return f.Broken > 0 && f.Broken < f.Runs }
