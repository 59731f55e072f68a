package reports

import (
	"slices"
	"strings"
)

// A Standing is the verdict on a level.
type Standing string

// The standings, as printed.
const (
	Conformant    Standing = "conformant"    // nothing of the level failed and its core is proven
	Unproven      Standing = "unproven"      // nothing failed, but the core could not be exercised
	Nonconformant Standing = "nonconformant" // at least one requirement failed
)

// Must counts the MUSTs of a level that this version checks, by outcome. What
// the operator skipped is not proven: a skip never hides a MUST.
type Must struct {
	Passed        int `json:"passed"`
	Failed        int `json:"failed"`
	NotProven     int `json:"notProven"`
	NotApplicable int `json:"notApplicable"`
}

func (m *Must) add(v Verdict) {
	switch v {
	case Fail:
		m.Failed++
	case Pass, Warn:
		m.Passed++
	case NotApplicable:
		m.NotApplicable++
	default:
		m.NotProven++
	}
}

// A Level is how the adapter stands on one conformance level (spec 10.1, 10.2).
type Level struct {
	Number    int
	Standing  Standing // under the basis asked for
	Must      Must     // all texts
	Normative Must     // the normative text alone
	Untested  int      // rows of the level that this version does not check yet
}

// judgeLevels judges level 1, then level 2, which presupposes it. A run that was cut
// short, or that left out what the operator named, may have missed a failure: it can
// show that a level is not reached, never that it is.
func (r *Report) judgeLevels() []Level {
	levels := []Level{r.judgeLevel(1), r.judgeLevel(2)}
	for i := range levels {
		if (r.cut() || len(r.Run.Narrowed) > 0) && levels[i].Standing == Conformant {
			levels[i].Standing = Unproven
		}
	}
	if lower := levels[0].Standing; lower == Nonconformant || levels[1].Standing == Conformant {
		levels[1].Standing = lower
	}
	return levels
}

// cut says whether the run may have missed something.
func (r *Report) cut() bool {
	return r.Run.Interrupted || r.Run.Stopped || r.Run.Conclusion != "" || len(r.faults) > 0
}

// judgeLevel judges the rows of one level by themselves.
func (r *Report) judgeLevel(n int) Level {
	l := Level{Number: n, Standing: Unproven}
	var core, coreOpen, coreProven int
	failed := false
	for _, row := range r.rows {
		if row.Level != n {
			continue
		}
		v := r.verdicts[row.ID]
		l.tally(row, v)
		if !r.counts(row) {
			continue
		}
		failed = failed || v == Fail
		if row.Core {
			core++
			switch {
			case proven(v):
				coreProven++
			case v != NotApplicable:
				coreOpen++
			}
		}
	}
	switch {
	case failed:
		l.Standing = Nonconformant
	case n == 1 && r.Run.Reach != nil && r.Run.Reach.Unread:
	case core > 0 && coreOpen == 0 && (coreProven > 0 || n > 1):
		l.Standing = Conformant
	}
	return l
}

func (l *Level) tally(row Requirement, v Verdict) {
	switch {
	case v == "" && row.State == "untested":
		l.Untested++
	case v != "" && row.Severity == "fail":
		l.Must.add(v)
		if row.Authority == "normative" {
			l.Normative.add(v)
		}
	}
}

// counts says whether a row takes part in the verdict under the basis asked for.
func (r *Report) counts(row Requirement) bool {
	return r.Run.Basis != "normative" || row.Authority == "normative"
}

// mended says whether all that failed before was judged again and failed no more. It gives exit
// code 0 and grants no level: the rest of the adapter was not looked at.
func (r *Report) mended() bool {
	return !r.cut() && len(r.Run.Narrowed) > 0 && len(r.Run.Rechecked) > 0 && len(r.stillOpen()) == 0
}

// settled says whether a verdict leaves nothing of a failure: a mend may take away what the rule speaks of.
func settled(v Verdict) bool { return proven(v) || v == NotApplicable }

// stillOpen are those that failed before and that this run did not settle.
func (r *Report) stillOpen() (list []string) {
	for _, failed := range r.Run.Rechecked {
		id, subject, _ := strings.Cut(failed, " ")
		open := func(f Finding) bool {
			return f.Requirement == id && !settled(f.Verdict) && (f.Subject == subject || slices.Contains(f.Instances, subject))
		}
		if !settled(r.verdicts[id]) || slices.ContainsFunc(r.Findings, open) {
			list = append(list, failed)
		}
	}
	return list
}

// howMended says how what failed before is settled.
func (r *Report) howMended() string {
	for _, failed := range r.Run.Rechecked {
		id, _, _ := strings.Cut(failed, " ")
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Requirement == id && f.Verdict == NotApplicable }) {
			return "what failed before passed now, or the rule no longer applies"
		}
	}
	return "what failed before passed now"
}

// stillWarned reports whether something that was judged again departs from what is recommended.
func (r *Report) stillWarned() bool {
	return slices.ContainsFunc(r.Run.Rechecked, func(failed string) bool {
		id, _, _ := strings.Cut(failed, " ")
		return r.verdicts[id] == Warn
	})
}

// exitCode applies the precedence 6 > 130 > 4 > 1 > 5 > 2 > 0. Code 3 (usage)
// ends a run before there is a report. A feature that the adapter offers and that is
// broken gives code 1 as well, though it belongs to no level and takes none away: who
// reads nothing but the code must not be told that all is well.
//
// With a baseline the code is that of a gate, which asks whether this run brings
// anything that was not known: a departure from the baseline gives 1, and failures that
// are all known give none. That is 0 and no code of its own, since a gate that stops
// for what was accepted would be switched off, and with it all that it guards; who
// wants the verdict reads the headline, the level or the badge, which a baseline
// leaves as they are. A core that could not be tried gives 5 all the same: behind it a
// new failure would go unseen.
func (r *Report) exitCode() int {
	switch asked := r.standing(r.Run.Level); {
	case len(r.faults) > 0:
		return 6
	case r.Run.Interrupted:
		return 130
	case r.Run.Conclusion != "":
		return 4
	case r.Run.Certify && (r.flaky() != nil || r.Run.Cured > 0):
		return 1
	case r.Baseline == nil && (asked == Nonconformant || r.broken() > 0), r.Baseline != nil && len(r.Baseline.Departures) > 0:
		return 1
	case asked != Conformant && !(asked == Nonconformant && r.triedCore()) && !r.mended(), r.Run.RequireProof && len(r.openMusts(r.Run.Level)) > 0:
		return 5
	case r.Run.Strict && r.departed():
		return 2
	}
	return 0
}

// standing is the verdict on level n. There is no level above 2: no adapter
// can reach it, and who fails level 2 fails it too.
func (r *Report) standing(n int) Standing {
	if n <= len(r.Levels) {
		return r.Levels[n-1].Standing
	}
	if r.Levels[len(r.Levels)-1].Standing == Nonconformant {
		return Nonconformant
	}
	return Unproven
}

// triedCore says whether every core row of the level asked for was tried, whatever came of it.
func (r *Report) triedCore() bool {
	return !slices.ContainsFunc(r.rows, func(row Requirement) bool {
		v := r.verdicts[row.ID]
		return row.Core && row.Level >= 1 && row.Level <= r.Run.Level && r.counts(row) &&
			!proven(v) && v != NotApplicable && v != Fail
	})
}

// weighs says whether a finding bears on the exit code: by the level asked for, or as
// one of a feature.
func (r *Report) weighs(f Finding) bool {
	row := r.byID[f.Requirement]
	return row.Level <= r.Run.Level && r.counts(row)
}

// openMusts are the MUSTs up to a level that are not proven, be it that they could not be exercised
// or that this version does not check them.
func (r *Report) openMusts(level int) (open []Requirement) {
	for _, row := range r.rows {
		if row.Level < 1 || row.Level > level || row.Severity != "fail" || !r.counts(row) {
			continue
		}
		switch v := r.verdicts[row.ID]; {
		case v == NotProven, v == Skipped, v == "" && row.State == "untested":
			open = append(open, row)
		}
	}
	return open
}

// broken counts the failed requirements that belong to no level: those of features.
func (r *Report) broken() int {
	n := 0
	for _, row := range r.rows {
		if row.Level == 0 && r.counts(row) && r.verdicts[row.ID] == Fail {
			n++
		}
	}
	return n
}

// departed says whether anything but the levels not asked for drew a WARN.
func (r *Report) departed() bool {
	for _, row := range r.rows {
		v := r.verdicts[row.ID]
		if row.Level <= r.Run.Level && r.counts(row) && v == Warn {
			return true
		}
	}
	return false
}
