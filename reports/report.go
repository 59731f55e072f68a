package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Report is what a run amounts to: the findings in order, the verdict on each
// level and the exit code. Conclude makes it; the Write methods only print it.
type Report struct {
	Run              Run
	Findings         []Finding   // grouped; by requirement, verdict (worst first), subject
	Levels           []Level     // level 1, then level 2
	ConformanceLevel int         // highest level achieved: 0, 1 or 2; never merely asked for
	Summary          Counts      // requirements by their worst verdict
	Categories       []Category  // the areas of the catalogue, by name
	Digest           string      // sha256 over what was found; the same for the same behaviour
	ExitCode         int         // 0, 1, 2, 4, 5, 6 or 130
	Evidence         *Evidence   // what was observed, for the format evidence alone; nil when nobody gathered it
	Baseline         *Acceptance // what Accept made of known failures; nil without a baseline

	rows     []Requirement // by id
	byID     map[string]Requirement
	verdicts map[string]Verdict // requirement -> worst verdict; absent when untested or excluded
	faults   []string           // what the checker itself did wrong
	singles  []*Finding         // what Findings holds, before it was grouped; shared with the caller of Conclude
}

// Conclude settles what the findings say about the adapter. The order in which
// findings arrive changes nothing. A checked row without a finding is
// NOT-PROVEN, so an empty run proves nothing; a finding that belongs to no row
// is a fault of the checker and gives exit code 6.
func Conclude(run Run, rows []Requirement, findings []Finding) *Report {
	run.Level = max(run.Level, 1)
	r := &Report{Run: run, byID: map[string]Requirement{}, verdicts: map[string]Verdict{}}
	for _, row := range rows {
		r.byID[row.ID] = row
	}
	r.singles = r.settle(findings)
	r.singles = append(r.singles, r.withoutEvidence(rows)...)
	r.Findings = group(r.singles)
	for _, f := range r.Findings {
		if v, seen := r.verdicts[f.Requirement]; !seen || weight(f.Verdict) < weight(v) {
			r.verdicts[f.Requirement] = f.Verdict
		}
	}
	for _, row := range r.byID {
		r.rows = append(r.rows, row)
	}
	slices.SortFunc(r.rows, func(a, b Requirement) int { return compareID(a.ID, b.ID) })

	r.Levels = r.judgeLevels()
	for _, l := range r.Levels {
		if l.Standing == Conformant {
			r.ConformanceLevel = l.Number
		}
	}
	r.count()
	r.Digest = r.digest()
	r.ExitCode = r.exitCode()
	return r
}

// settle puts each finding in order with the catalogue: the row, not the check,
// sets the weight, and what cannot be weighed must not vanish. A finding that it changes
// is a copy: a run has tens of thousands, and few of them change.
func (r *Report) settle(findings []Finding) []*Finding {
	out := make([]*Finding, len(findings))
	for i := range findings {
		f := &findings[i]
		row, known := r.byID[f.Requirement]
		if !known {
			r.faults = append(r.faults, fmt.Sprintf("a finding names %q, which is no row of the catalogue", f.Requirement))
			r.byID[f.Requirement] = Requirement{ID: f.Requirement, Title: "no such row in the catalogue", State: "checked"}
		}
		if weight(f.Verdict) < 0 {
			r.faults = append(r.faults, fmt.Sprintf("a finding of %s has the unknown verdict %q", f.Requirement, f.Verdict))
			f = f.clone()
			f.Verdict = NotProven
		}
		if f.Verdict == Fail && (row.Severity == "warn" || row.Severity == "info") {
			f = f.clone()
			f.Verdict = Warn
		}
		if f.Verdict == Fail && f.Reason == "" {
			f = f.clone()
			f.Reason = Reason(*f)
		}
		out[i] = f
	}
	slices.Sort(r.faults)
	r.faults = slices.Compact(r.faults)
	return out
}

func (f *Finding) clone() *Finding { copied := *f; return &copied }

// withoutEvidence stands in for the checks that said nothing.
func (r *Report) withoutEvidence(rows []Requirement) []*Finding {
	heard := map[string]bool{}
	for _, f := range r.singles {
		heard[f.Requirement] = true
	}
	var out []*Finding
	for _, row := range rows {
		if row.State == "checked" && !heard[row.ID] {
			heard[row.ID] = true
			out = append(out, &Finding{
				Requirement: row.ID, Verdict: NotProven, Subject: "adapter",
				Want: "evidence for this requirement", Got: "no evidence",
				Fix: "a run that finds something to ask about it",
			})
		}
	}
	return out
}

// order lists the verdicts, the one that decides a requirement first. PASS
// stands before NOT-PROVEN: one subject on which the rule was seen to hold
// proves that the adapter knows it.
var order = []Verdict{Fail, Warn, Pass, NotProven, Skipped, NotApplicable}

func weight(v Verdict) int { return slices.Index(order, v) }

// proven says whether the behaviour behind a MUST was seen: a WARN on such a
// row is a departure in something the MUST does not cover.
func proven(v Verdict) bool { return v == Pass || v == Warn }

// digest is the fingerprint of the verdicts: one line "requirement verdict
// subject" for each instance, sorted. Times, ports, nonces and the seed are not
// in it, so two runs on an unchanged adapter can be compared.
func (r *Report) digest() string {
	var lines []string
	for _, f := range r.Findings {
		for _, subject := range subjects(f) {
			lines = append(lines, fmt.Sprintf("%s %s %s\n", f.Requirement, f.Verdict, subject))
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "")))
	return hex.EncodeToString(sum[:])
}

// compareID orders ids as a reader of the specification does: 4.6 before 10.1,
// and all of 6.2 before 6.2.1.
func compareID(a, b string) int {
	if a == b {
		return 0
	}
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		c := cmp.Compare(a[0], b[0])
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			c = cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y), cmp.Compare(m, n))
		}
		if c != 0 {
			return c
		}
		a, b = a[max(m, 1):], b[max(n, 1):]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is the length of the number that s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
