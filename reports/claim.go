package reports

import (
	"fmt"
	"slices"
	"strings"
)

// Claim is the sentence that may be published about the adapter, empty where there is
// none; why says then what stands against it. It names the highest level that the run
// has shown, and what it rests on where that is less than everything: so many of the
// MUSTs, so many of the operations, one kind of text alone, no generated input.
func (r *Report) Claim() (text, why string) {
	level, why := r.claimed()
	if level == 0 {
		return "", why
	}
	basis := []string{"specification " + Inert(r.Run.SpecVersion)}
	if r.Run.Basis == "normative" {
		basis = append(basis, "normative text alone")
	}
	var must Must
	untested := 0
	for _, l := range r.Levels[:level] {
		m := l.Must
		if r.Run.Basis == "normative" {
			m = l.Normative
		}
		must.Passed, must.NotProven = must.Passed+m.Passed, must.NotProven+m.NotProven
		untested += l.Untested
	}
	if must.NotProven > 0 {
		basis = append(basis, fmt.Sprintf("%d of %s proven", must.Passed, plural(must.Passed+must.NotProven, "MUST")))
	}
	if reach := r.Run.Reach; reach != nil && reach.Reached() < reach.documented() {
		basis = append(basis, fmt.Sprintf("%d of %s called", reach.Reached(), plural(reach.documented(), "operation")))
	}
	if untested > 0 {
		basis = append(basis, plural(untested, "requirement")+" not checked")
	}
	if r.Run.Ungenerated {
		basis = append(basis, "without all of the generated input")
	}
	return fmt.Sprintf("MCP-AQL Level %d Conformant (%s)", level, strings.Join(basis, "; ")), ""
}

// claimed is the level that may be claimed, 0 for none, and why there is none.
func (r *Report) claimed() (level int, why string) {
	switch run := r.Run; {
	case len(r.faults) > 0:
		return 0, "the checker itself had an error"
	case run.Interrupted:
		return 0, "the run was cut short"
	case run.Conclusion != "":
		return 0, "nothing could be judged"
	case run.Shard != nil:
		return 0, fmt.Sprintf("this is part %s of a plan; merge combines all parts", run.Shard)
	case len(run.Narrowed) > 0:
		return 0, "the run was narrowed: " + Inert(strings.Join(run.Narrowed, ", "))
	case r.ConformanceLevel == 0:
		return 0, "level 1 is " + string(r.Levels[0].Standing)
	case r.broken() > 0:
		return 0, plural(r.broken(), "requirement") + " of optional features failed"
	}
	if f := r.flaky(); f != nil {
		return 0, fmt.Sprintf("%s is flaky: broken in %d of %d runs", f.Requirement, f.Broken, f.Runs)
	}
	if n := r.Run.Cured; n > 0 {
		return 0, fmt.Sprintf("%s met a transient error, which is flaky", plural(n, "request"))
	}
	level = r.ConformanceLevel
	for level > 0 && r.Run.RequireProof && len(r.openMusts(level)) > 0 {
		level--
	}
	if level == 0 {
		return 0, "a MUST of level 1 is not proven, and --require-proof was given"
	}
	return level, ""
}

// An OpenMust is a MUST that is not proven, and what would prove it: a flag or a line of advice, and
// the lines of a hints file, if that is it.
type OpenMust struct{ Requirement, By, Add string }

// OpenMusts lists the MUSTs of the level asked for that are not proven.
func (r *Report) OpenMusts() []OpenMust {
	var open []OpenMust
	for _, row := range r.openMusts(r.Run.Level) {
		must := OpenMust{row.ID, triedInVain, ""}
		if r.verdicts[row.ID] == "" {
			must.By = "nothing: this version has no check for it"
		}
		if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Requirement == row.ID && f.Verdict == r.verdicts[row.ID] && f.Fix != "" }); i >= 0 {
			must.By, must.Add = r.Findings[i].Fix, r.Findings[i].Add
		}
		open = append(open, must)
	}
	return open
}

// flaky is the first finding that only some of several runs saw broken; nil without one.
func (r *Report) flaky() *Finding {
	for i, f := range r.Findings {
		if f.Flaky() && r.counts(r.byID[f.Requirement]) {
			return &r.Findings[i]
		}
	}
	return nil
}

// claimLine is the claim for a reader; where no level was reached, the verdict has said
// why there is none. What was left out by name is told all the same.
func (r *Report) claimLine() string {
	text, why := r.Claim()
	narrowed := len(r.Run.Narrowed) > 0 && r.standing(r.Run.Level) == Unproven
	if text == "" && (r.ConformanceLevel > 0 || narrowed) {
		return "none: " + why
	}
	return text
}
