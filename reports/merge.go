package reports

import (
	"fmt"
	"slices"
	"strings"
)

// A Shard is one part of a plan that is judged in parts: the Index-th of Of, from 1.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// A Part is the report of one shard, under the name that errors call it by, and what
// its document says came of it.
type Part struct {
	Name     string
	Run      Run
	Findings []Finding
	Digest   string
	ExitCode int
	Summary  Counts
	Baseline *Baseline // what it was held against; nil without one
}

// Sound holds a part against the verdict that its own findings give by the rows of the
// catalogue. The error says that somebody took a finding out, or put one in.
func (p Part) Sound(rows []Requirement) error {
	r := Conclude(p.Run, rows, p.Findings)
	if p.Baseline != nil {
		r.Accept(*p.Baseline)
	}
	switch {
	case r.Digest != p.Digest:
		return fmt.Errorf("the findings give digest %.12s…, the report says %.12s…: it was edited", r.Digest, p.Digest)
	case r.ExitCode != p.ExitCode || r.Summary != p.Summary:
		return fmt.Errorf("the findings give exit code %d and counts %+v, the report says %d and %+v: it was edited", r.ExitCode, r.Summary, p.ExitCode, p.Summary)
	}
	return nil
}

// Merge puts the shards of one plan together, in any order. The error names the part
// that does not belong: of another adapter, specification or plan, a shard twice, or
// one that is missing. Verdicts are never taken from a part that is alone.
func Merge(parts []Part) (Run, []Finding, error) {
	if len(parts) == 0 {
		return Run{}, nil, fmt.Errorf("no reports to merge")
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return index(a) - index(b) })
	if err := complete(parts); err != nil {
		return Run{}, nil, err
	}
	run := parts[0].Run
	run.Digests.Baseline = "" // of each part by itself
	run.Shard, run.Digests.Transcript, run.Asked, run.Cured, run.Elapsed, run.Remarks, run.Measured = nil, "", 0, 0, 0, nil, nil
	var found worst
	for _, p := range parts {
		run.Asked += p.Run.Asked
		run.Cured += p.Run.Cured
		run.Elapsed = max(run.Elapsed, p.Run.Elapsed)
		run.Narrowed, run.Ungenerated = Distinct(run.Narrowed, p.Run.Narrowed), run.Ungenerated || p.Run.Ungenerated
		run.Interrupted = run.Interrupted || p.Run.Interrupted
		run.StoppedAtMiB = max(run.StoppedAtMiB, p.Run.StoppedAtMiB)
		run.Stopped = run.Stopped || p.Run.Stopped
		if run.Conclusion == "" {
			run.Conclusion = p.Run.Conclusion
		}
		run.Remarks = Distinct(run.Remarks, p.Run.Remarks)
		run.Measured = Distinct(run.Measured, p.Run.Measured)
		for _, f := range p.Findings {
			if !f.Elsewhere {
				found.add(f)
			}
		}
	}
	run.Reach = MergeReach(parts)
	return run, found.all, nil
}

// MergeReach returns what any of the shards reached; nil where one of them does not tell.
func MergeReach(parts []Part) *Reach {
	var all []*Reach
	for _, p := range parts {
		if p.Run.Reach == nil {
			return nil
		}
		all = append(all, p.Run.Reach)
	}
	return together(all, func(a, b int) bool { return a > b })
}

// Distinct returns the remarks of both lists, in their order, equal ones once.
func Distinct(remarks, more []string) []string {
	all := slices.Clone(remarks)
	for _, r := range more {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

func index(p Part) int {
	if p.Run.Shard == nil {
		return 0
	}
	return p.Run.Shard.Index
}

// complete refuses parts that are not the whole of one plan.
func complete(parts []Part) error {
	first := parts[0]
	for i, p := range parts {
		switch {
		case p.Run.Shard == nil:
			return fmt.Errorf("%s is no shard: it was judged without --shard", p.Name)
		case i > 0 && index(p) == index(parts[i-1]):
			return fmt.Errorf("%s and %s are both shard %s", parts[i-1].Name, p.Name, p.Run.Shard)
		case p.Run.Shard.Of != first.Run.Shard.Of:
			return fmt.Errorf("%s is shard %s, %s is %s: not of one plan", p.Name, p.Run.Shard, first.Name, first.Run.Shard)
		}
		for _, d := range []struct{ what, a, b string }{
			{"specifications", first.Run.SpecVersion, p.Run.SpecVersion},
			{"catalogues", first.Run.Digests.Catalogue, p.Run.Digests.Catalogue},
			{"adapters", first.Run.Implementation + " " + first.Run.Version, p.Run.Implementation + " " + p.Run.Version},
			{"adapters: what they say of themselves differs", first.Run.Digests.Introspection, p.Run.Digests.Introspection},
			{"hints", first.Run.Digests.Hints, p.Run.Digests.Hints},
			{"seeds", fmt.Sprint(first.Run.Seed), fmt.Sprint(p.Run.Seed)},
			{"levels", fmt.Sprint(first.Run.Level, first.Run.Basis, first.Run.Strict, first.Run.RequireProof), fmt.Sprint(p.Run.Level, p.Run.Basis, p.Run.Strict, p.Run.RequireProof)},
		} {
			if d.a != d.b {
				return fmt.Errorf("%s and %s are of different %s", first.Name, p.Name, d.what)
			}
		}
	}
	var missing []string
	for n := 1; n <= first.Run.Shard.Of; n++ {
		if !slices.ContainsFunc(parts, func(p Part) bool { return index(p) == n }) {
			missing = append(missing, Shard{n, first.Run.Shard.Of}.String())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("shards are missing: %s", strings.Join(missing, ", "))
	}
	return nil
}
