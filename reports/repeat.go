package reports

import (
	"fmt"
	"slices"
)

// A place is what a finding is about.
type place struct{ requirement, subject string }

func placeOf(f Finding) place { return place{f.Requirement, f.Subject} }

// A worst keeps the finding with the worst verdict of each place, in the order in which
// the places came.
type worst struct {
	all []Finding
	at  map[place]int
}

func (w *worst) add(f Finding) {
	i, seen := w.at[placeOf(f)]
	switch {
	case !seen:
		if w.at == nil {
			w.at = map[place]int{}
		}
		w.at[placeOf(f)] = len(w.all)
		w.all = append(w.all, f)
	case weight(f.Verdict) < weight(w.all[i].Verdict):
		w.all[i] = f
	}
}

// Together makes one list of the findings of several runs of the same plan on the same
// adapter. On each subject the worst verdict stands; where a requirement was broken in
// some runs and not in others, the finding says in how many: what is flaky is never
// granted.
func Together(runs [][]Finding) []Finding {
	if len(runs) == 1 {
		return runs[0]
	}
	broken := map[place]int{}
	var kept worst
	for _, found := range runs {
		counted := map[place]bool{}
		for _, f := range slices.SortedStableFunc(slices.Values(found), compareValues) { // whichever arrived first
			p := placeOf(f)
			if (f.Verdict == Fail || f.Verdict == Warn) && !counted[p] {
				counted[p] = true
				broken[p]++
			}
			kept.add(f)
		}
	}
	for i, f := range kept.all {
		if n := broken[placeOf(f)]; n > 0 {
			kept.all[i].Broken, kept.all[i].Runs = n, len(runs)
			if n < len(runs) {
				kept.all[i].Note = join(fmt.Sprintf("flaky: broken in %d of %d runs", n, len(runs)), f.Note)
			}
		}
	}
	return kept.all
}

// Flaky reports whether the requirement was broken in some runs and not in others.
func (f Finding) Flaky() bool { return f.Broken > 0 && f.Broken < f.Runs }
