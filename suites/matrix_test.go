package suites

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// mutantOf is the reference adapter with a fault, as the command tries it; the zero
// fault is the healthy one.
func mutantOf(t *testing.T, f seam.Fault) mutation.Mutant {
	t.Helper()
	cfg := stand.Config{Mode: cmp.Or(f.Mode, "all"), Profile: f.Profile}
	if f.ID != "" {
		cfg.Fault = f.ID + "." + f.Variant
	}
	return mutation.Mutant{
		Requirement: f.ID, Fault: f.Variant, Also: f.Also, Phase: f.Phase, Transport: cmp.Or(f.Transport, "stdio"), Hints: hintsFor(t, f),
		Start: func() (mutation.TestServer, error) {
			reached := inProcess
			if f.Transport == "http" {
				reached = overHTTP(t)
			}
			_, stand := standing(t, cfg, reached)
			return stand, nil
		},
	}
}

// matrixOf tries the faults of some requirements.
func matrixOf(t *testing.T, run ...string) mutation.Matrix {
	t.Helper()
	m := mutation.Matrix{Checks: All(), Healthy: []mutation.Mutant{mutantOf(t, seam.Fault{})}, Run: run, Jobs: 2}
	for _, f := range faults.All() {
		m.Mutants = append(m.Mutants, mutantOf(t, f))
	}
	return m
}

func proved(t *testing.T, m mutation.Matrix) *reports.Selftest {
	t.Helper()
	if _, err := m.Size(); err != nil {
		t.Fatal(err)
	}
	var s reports.Selftest
	m.Prove(t.Context(), &s)
	return &s
}

// checkOf returns the first check of a requirement.
func checkOf(t *testing.T, requirement string) *check.Check {
	t.Helper()
	all := All()
	i := slices.IndexFunc(all, func(c *check.Check) bool { return c.Requirement == requirement })
	if i < 0 {
		t.Fatalf("no check of %s", requirement)
	}
	return all[i]
}

// blunt returns the checks with a judge that finds nothing wrong.
func blunt(t *testing.T, checks []*check.Check, requirement string) []*check.Check {
	t.Helper()
	checks = slices.Clone(checks)
	for i, c := range checks {
		if c.Requirement != requirement {
			continue
		}
		dull := *c
		if c.Judge != nil {
			dull.Judge = func(model.Subject, probes.Answers) ruling.Ruling { return ruling.Conforms() }
		}
		if c.JudgesRun() {
			dull.Ambient = &check.Ambient{Run: func(model.Subject, probes.Answers, probes.Record) ruling.Ruling { return ruling.Conforms() }}
		}
		if c.Watches() {
			ambient := *c.Ambient
			ambient.Watch = func(*model.Adapter, probes.Observation) ruling.Ruling { return ruling.Conforms() }
			dull.Ambient = &ambient
		}
		checks[i] = &dull
		return checks
	}
	t.Fatalf("no check of %s", requirement)
	return nil
}

// A judge of any shape that finds nothing wrong is found out, and named with what it
// should have said.
func TestABluntJudgeIsFoundOut(t *testing.T) {
	portion.Long(t)
	for i, one := range [][2]string{{"active", "AQL-4.6-01"}, {"scripted", "AQL-4.5-03"}, {"ambient", "AQL-5.1-03"}, {"whole", "AQL-8.8.2-06"}} {
		shape, id := one[0], one[1]
		if !portion.OneOf(i, 2) {
			continue
		}
		t.Run(shape, func(t *testing.T) {
			c := checkOf(t, id)
			if is := map[string]bool{"active": c.Ask != nil, "scripted": c.Drive != nil, "ambient": c.Watches(), "whole": c.JudgesRun()}; !is[shape] {
				t.Fatalf("%s is not %s", id, shape)
			}
			m := matrixOf(t, id)
			if s := proved(t, m); !s.Perfect() || len(s.Proofs) == 0 {
				t.Fatalf("sharp: %+v", s)
			}
			m.Checks = blunt(t, m.Checks, id)
			s := proved(t, m)
			if s.Perfect() {
				t.Fatalf("blunt: %+v", s)
			}
			missed := slices.ContainsFunc(s.Proofs, func(p reports.Proof) bool {
				return p.Requirement == id && !p.Caught && slices.Equal(p.Missing, []string{id})
			})
			if !missed {
				t.Errorf("no row says that %s is missing: %+v", id, s.Proofs)
			}
		})
	}
}

// What else can be wrong is told apart: a fault under another's name, an adapter that
// is not healthy, a requirement without a fault, a check that catches nothing alone, an
// adapter that cannot be tried.
func TestMatrixTellsWhatIsWrong(t *testing.T) {
	portion.Long(t)
	find := func(name string) seam.Fault {
		for _, f := range faults.All() {
			if f.ID+"."+f.Variant == name {
				return f
			}
		}
		t.Fatalf("no fault %s", name)
		return seam.Fault{}
	}
	dropped, mixed := mutantOf(t, find("AQL-4.6-01.unknown-params-dropped")), mutantOf(t, find("AQL-5.1-03.success-with-null-error"))
	healthy := mutantOf(t, seam.Fault{})
	lying := dropped
	lying.Requirement, lying.Fault = "AQL-4.6-02", "lying"
	idle := healthy
	idle.Requirement, idle.Fault = "AQL-4.6-01", "idle"
	panicking := dropped
	panicking.Start = func() (mutation.TestServer, error) { panic("our own fault") }
	dead := dropped
	dead.Start = func() (mutation.TestServer, error) { return mutation.TestServer{}, errors.New("no\x1b[2J start") }
	for name, c := range map[string]struct {
		m    mutation.Matrix
		want func(s *reports.Selftest) bool
	}{
		"another accuses": {mutation.Matrix{Checks: All(), Mutants: []mutation.Mutant{lying}, Run: []string{"AQL-4.6-02"}}, func(s *reports.Selftest) bool {
			p := s.Proofs[0]
			return !p.Caught && slices.Equal(p.Missing, []string{"AQL-4.6-02"}) && slices.Equal(p.Others, []string{"AQL-4.6-01"})
		}},
		"nothing accuses": {mutation.Matrix{Checks: All(), Mutants: []mutation.Mutant{idle}, Run: []string{"AQL-4.6-01"}}, func(s *reports.Selftest) bool {
			return !s.Proofs[0].Caught && len(s.Proofs[0].Others) == 0
		}},
		"not healthy": {mutation.Matrix{Checks: All(), Healthy: []mutation.Mutant{{Fault: "healthy", Start: dropped.Start}}, Mutants: []mutation.Mutant{dropped}, Run: []string{"AQL-4.6-01"}}, func(s *reports.Selftest) bool {
			return slices.Equal(s.Healthy[0].Accused, []string{"AQL-4.6-01"}) && s.Proofs[0].Right()
		}},
		"no fault": {mutation.Matrix{Checks: All(), Mutants: []mutation.Mutant{mixed}, Run: []string{"AQL-5.1-0[35]"}}, func(s *reports.Selftest) bool {
			return s.Proofs[0].Right() && slices.Equal(s.Gaps, []reports.Gap{{Requirement: "AQL-5.1-05", Why: "no fault breaks it"}})
		}},
		"panics": {mutation.Matrix{Checks: All(), Mutants: []mutation.Mutant{panicking}, Run: []string{"AQL-4.6-01"}}, func(s *reports.Selftest) bool {
			return !s.Proofs[0].Caught && s.Proofs[0].Trouble == "the checker panicked: our own fault"
		}},
		"cannot be tried": {mutation.Matrix{Checks: All(), Mutants: []mutation.Mutant{dead}, Run: []string{"AQL-4.6-01"}}, func(s *reports.Selftest) bool {
			return !s.Proofs[0].Caught && strings.Contains(s.Proofs[0].Trouble, "start")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if len(c.m.Healthy) == 0 {
				c.m.Healthy = []mutation.Mutant{healthy}
			}
			if s := proved(t, c.m); !c.want(s) || s.Perfect() {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Beside a check that catches the same faults another could go blunt unseen.
func TestMatrixWantsEachCheckAlone(t *testing.T) {
	portion.InTurn(t)
	twin := *checkOf(t, "AQL-4.6-01")
	m := matrixOf(t, "AQL-4.6-01")
	m.Checks = append(m.Checks, &twin)
	s := proved(t, m)
	if len(s.Gaps) != 2 || !strings.Contains(s.Gaps[1].Why, "one of its checks") || s.Perfect() {
		t.Errorf("%+v", s.Gaps)
	}
}

// An interrupt leaves what was tried, and says that it is not all.
func TestMatrixInterrupted(t *testing.T) {
	m := matrixOf(t, "routing")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	tried := 0
	m.Jobs, m.OnResult = 1, func() {
		if tried++; tried == 3 {
			interrupt()
		}
	}
	var s reports.Selftest
	m.Prove(ctx, &s)
	if !s.Interrupted || s.Whole() || len(s.Proofs) != 2 || len(s.Healthy) != 1 {
		t.Errorf("interrupted %v, %d rows", s.Interrupted, len(s.Proofs))
	}
}

// The table of a run without a miss is known before.
func TestMatrixIsAsExpected(t *testing.T) {
	m := mutation.Matrix{Checks: All(), Healthy: []mutation.Mutant{mutantOf(t, seam.Fault{})}, Mutants: []mutation.Mutant{mutantOf(t, faults.All()[0])}}
	want := m.Expected()
	m.Run = []string{m.Mutants[0].Requirement}
	got := proved(t, m)
	if !want.Whole() || len(want.Proofs) != 1 {
		t.Fatalf("%+v", want)
	}
	got.Selected, got.Checked, got.Mild, got.Gaps = nil, want.Checked, want.Mild, nil
	if got.Digest() != want.Digest() {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// A pattern that chooses nothing proves nothing.
func TestMatrixPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		"AQL-4.6-1": `did you mean "AQL-4.6-01"?`, "unknwn": "matches no requirement", "[": "syntax error in pattern",
		"AQL-0-01": "no selected requirement can fail an adapter",
	} {
		if _, err := (mutation.Matrix{Checks: All(), Run: []string{pattern}}).Size(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// What a busy machine spoils is tried once more, and said.
func TestMatrixTriesAgain(t *testing.T) {
	portion.InTurn(t)
	m := matrixOf(t, "AQL-6.2-04")
	begin, begun := m.Healthy[0].Start, 0
	m.Healthy[0].Start = func() (mutation.TestServer, error) {
		if begun++; begun == 1 {
			return mutation.TestServer{}, errors.New("busy")
		}
		return begin()
	}
	if s := proved(t, m); !s.Perfect() || s.Again != 1 || begun != 2 {
		t.Errorf("perfect %v, %d again, begun %d times", s.Perfect(), s.Again, begun)
	}
	m.Healthy[0].Start = mutantOf(t, seam.Fault{ID: "AQL-6.2-04", Variant: "execute-then-mismatch"}).Start
	if s := proved(t, m); s.Perfect() || s.Again != 1 || len(s.Healthy[0].Accused) == 0 {
		t.Errorf("perfect %v, %d again", s.Perfect(), s.Again)
	}
}
