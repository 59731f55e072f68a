package mutation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A Stranger is an adapter of the zoo: one that conforms, and the same one with faults.
type Stranger struct {
	Seed      uint64
	Engine    string
	Habits    []string // that differ from those of the reference adapter, as "axis: habit"
	Announced []string // requirements of which a warning is due
	Healthy   Mutant
	Others    []Elsewhere // the same one over other transports and revisions of MCP
	Faults    []Planted
	With      func(habits []string) Mutant // the healthy adapter with these habits
}

// Elsewhere is a healthy stranger over another transport or revision of MCP.
type Elsewhere struct {
	Where string
	Mutant
}

// Planted is a fault of a stranger, judged as by default and with the hints that its
// author would give.
type Planted struct {
	Default, Hinted Mutant
	Shows           func() bool // whether it changes any answer to what the healthy adapter was asked
}

// A Zoo tries strangers.
type Zoo struct {
	Checks []*check.Check
	Jobs   int               // concurrent runs of one stranger
	Thrice func(uint64) bool // seeds of which the digest is compared in three runs
	Shrink bool              // whether to look for the smallest habits that show a wrong verdict
}

// Visit runs the checks on a stranger and on each of its faults.
func (z Zoo) Visit(ctx context.Context, s Stranger) reports.Stranger {
	row := reports.Stranger{Seed: s.Seed, Engine: s.Engine, Habits: s.Habits}
	first := z.healthy(ctx, s, &row)
	if row.Trouble != "" {
		return row
	}
	if z.Thrice != nil && z.Thrice(s.Seed) {
		row.Digests = []string{first}
		for range 2 {
			again := row
			row.Digests = append(row.Digests, z.healthy(ctx, s, &again))
		}
		slices.Sort(row.Digests)
		row.Digests = slices.Compact(row.Digests)
	}
	for _, other := range s.Others {
		z.compare(ctx, s, other, &row)
	}
	row.Faults = z.plantAll(ctx, s, row.Accused)
	if z.Shrink {
		for i := range row.False {
			row.False[i].Smallest = z.smallest(ctx, s, row.False[i].Requirement)
		}
	}
	return row
}

// compare judges the stranger elsewhere, and adds what is wrong there alone.
func (z Zoo) compare(ctx context.Context, s Stranger, elsewhere Elsewhere, row *reports.Stranger) {
	var other reports.Stranger
	s.Healthy = elsewhere.Mutant
	z.healthy(ctx, s, &other)
	if other.Trouble != "" && row.Trouble == "" {
		row.Trouble = elsewhere.Where + ": " + other.Trouble
	}
	row.Left += other.Left
	row.Foreign = append(row.Foreign, other.Foreign...)
	for _, alarm := range other.False {
		if !slices.ContainsFunc(row.False, func(a reports.FalseAlarm) bool { return a.Requirement == alarm.Requirement }) {
			alarm.Subject += " over " + elsewhere.Where
			row.False = append(row.False, alarm)
		}
	}
}

// healthy judges the stranger by all requirements and returns the digest of the verdicts.
func (z Zoo) healthy(ctx context.Context, s Stranger, row *reports.Stranger) string {
	defer func() {
		if r := recover(); r != nil {
			row.Trouble = fmt.Sprintf("the checker panicked: %v", r)
		}
	}()
	server, err := s.Healthy.Start()
	if err != nil {
		row.Trouble = err.Error()
		return ""
	}
	defer server.Close()
	got, err := server.Run(ctx, s.Healthy.Hints, plan.Selection{Checks: z.Checks}, retryCallTime) // on a busy machine as well
	if err != nil {
		row.Trouble = err.Error()
		return ""
	}
	row.Accused = got.Accused()
	row.False = falseAlarms(got.Findings, s.Announced)
	if server.Effects != nil {
		row.Foreign, row.Left = server.Effects()
	}
	if r := got.Plan.Reach(got.Record); r != nil {
		barred := barredKinds(got.Plan, r)
		row.Reach = &reports.ZooReach{Operations: r.Operations, Reached: r.Reached(), Kinds: r.Kinds - barred, Lived: r.Lived(), Barred: barred}
	}
	for _, f := range got.Findings {
		if f.Verdict == reports.Pass {
			row.Passed++
		}
		if f.Verdict == reports.NotProven {
			row.NotProven++
		}
	}
	return digest(got.Findings)
}

// barredKinds counts the kinds of objects that were not made because the gate allows none of their
// creations.
func barredKinds(p *plan.Plan, r *reports.Reach) (n int) {
	for _, missed := range r.NotLived {
		barred := false
		for _, f := range p.Adapters {
			for _, l := range f.Lives() {
				barred = barred || l.Name == missed.Kind && !slices.ContainsFunc(l.Makes, f.Rules.Permitted)
			}
		}
		if barred {
			n++
		}
	}
	return n
}

// falseAlarms are the accusations that nothing announced. The claim of a level is judged
// by the other verdicts, so it is no alarm of its own.
func falseAlarms(findings []reports.Finding, announced []string) []reports.FalseAlarm {
	var alarms []reports.FalseAlarm
	for _, f := range findings {
		known := slices.Contains(announced, f.Requirement) && f.Verdict == reports.Warn || f.Requirement == "INT-4.1.1-10"
		if f.Verdict != reports.Fail && f.Verdict != reports.Warn || known {
			continue
		}
		at := slices.IndexFunc(alarms, func(a reports.FalseAlarm) bool { return a.Requirement == f.Requirement })
		if at < 0 {
			alarms = append(alarms, reports.FalseAlarm{Requirement: f.Requirement, Verdict: string(f.Verdict), Subject: f.Subject, Want: f.Want, Got: f.Got})
		} else if f.Verdict == reports.Fail {
			alarms[at].Verdict = string(f.Verdict)
		}
	}
	return alarms
}

// digest is one for equal verdicts on equal subjects.
func digest(findings []reports.Finding) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Requirement, f.Subject, f.Verdict))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}

// plantAll tries the faults of a stranger.
func (z Zoo) plantAll(ctx context.Context, s Stranger, accused []string) []reports.PlantedFault {
	results := make([]reports.PlantedFault, len(s.Faults))
	limit := make(chan struct{}, max(z.Jobs, 1))
	var workers sync.WaitGroup
	for i, fault := range s.Faults {
		workers.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			results[i] = z.plant(ctx, fault, accused)
		})
	}
	workers.Wait()
	return results
}

// plant judges one fault as by default, and with hints if nobody noticed it.
func (z Zoo) plant(ctx context.Context, fault Planted, accused []string) reports.PlantedFault {
	m := fault.Default
	result := reports.PlantedFault{Requirement: m.Requirement, Fault: m.Fault}
	noticed := func(m Mutant) (found bool) {
		defer func() {
			if r := recover(); r != nil {
				result.Trouble = fmt.Sprintf("the checker panicked: %v", r)
			}
		}()
		got, err := m.attempt(ctx, z.selection(m), callTime)
		if err != nil {
			result.Trouble = err.Error()
			return false
		}
		now := got.Accused()
		result.Others = difference(now, append(m.Want(), accused...))
		if result.Verdict == "" {
			result.Verdict, result.Why = instead(got.Findings, m.Requirement)
		}
		return slices.Contains(now, m.Requirement) && !slices.Contains(accused, m.Requirement)
	}
	if noticed(m) {
		result.Found, result.FoundHinted = true, true
		result.Verdict, result.Why = "", ""
		return result
	}
	result.FoundHinted = noticed(fault.Hinted)
	result.Hidden = !result.FoundHinted && fault.Shows != nil && !fault.Shows()
	return result
}

// instead is the verdict of a requirement that did not notice its fault: PASS where one
// subject passed, else NOT-PROVEN with what was wanted, else NOT-APPLICABLE.
func instead(findings []reports.Finding, requirement string) (verdict, why string) {
	rank := []reports.Verdict{reports.NotApplicable, reports.NotProven, reports.Pass}
	best := -1
	for _, f := range findings {
		if at := slices.Index(rank, f.Verdict); f.Requirement == requirement && at > best {
			best, verdict, why = at, string(f.Verdict), f.Want
		}
	}
	return verdict, why
}

func (z Zoo) selection(m Mutant) plan.Selection {
	sel := plan.Selection{Checks: z.Checks}
	if row, known := catalogue.Lookup(m.Requirement); known && !slices.Contains(NeedAllRequirements, row.ID) {
		sel.Run = append(m.Want(), row.Area)
	}
	return sel
}

// smallest looks for a smallest set of habits that still shows a false alarm.
func (z Zoo) smallest(ctx context.Context, s Stranger, requirement string) []string {
	shows := func(habits []string) bool {
		row := reports.Stranger{}
		z.healthy(ctx, Stranger{Healthy: s.With(habits), Announced: s.Announced}, &row)
		return slices.ContainsFunc(row.False, func(a reports.FalseAlarm) bool { return a.Requirement == requirement })
	}
	return minimized(s.Habits, shows)
}

// minimized is delta debugging (Zeller and Hildebrandt: Simplifying and Isolating
// Failure-Inducing Input, IEEE Transactions on Software Engineering 28(2), 2002).
func minimized(all []string, shows func([]string) bool) []string {
	parts := 2
	for len(all) > 1 {
		size := (len(all) + parts - 1) / parts
		reduced := false
		for from := 0; from < len(all); from += size {
			rest := slices.Concat(all[:from], all[min(from+size, len(all)):])
			if shows(rest) {
				all, parts, reduced = rest, max(parts-1, 2), true
				break
			}
		}
		switch {
		case reduced:
		case size == 1:
			return all
		default:
			parts = min(2*parts, len(all))
		}
	}
	return all
}
