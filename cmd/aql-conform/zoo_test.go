package main

import (
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/zoo"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// fortySeeds are the strangers that CI meets: seeds 1 to 50 without those that are kept for
// the count at the end.
func fortySeeds() []uint64 {
	var seeds []uint64
	for seed := uint64(1); seed <= 50; seed++ {
		if !seal.Withheld(seed) {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// maxLeft is how many objects a run may leave with a stranger whose habits hide them.
const maxLeft = 12

// visitAll tries healthy strangers beside each other: they sleep now and then.
func visitAll(t *testing.T, seeds []uint64, engine []string) {
	t.Helper()
	zoo := mutation.Zoo{Checks: suites.All(), Jobs: 1}
	limit := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for _, seed := range seeds {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			stranger := seal.Stranger(seed, 0, engine)
			if len(stranger.Others) > 0 { // the command visits each over both ages of MCP and both transports
				at := int(seed) / 4 % len(stranger.Others)
				stranger.Others = stranger.Others[at : at+1]
				if seed%4 != 0 {
					stranger.Others = nil
				}
			}
			s := zoo.Visit(t.Context(), stranger)
			for _, a := range s.False {
				t.Errorf("seed %d: %s %s on %s: want %s, got %s\n%v", seed, a.Verdict, a.Requirement, a.Subject, a.Want, a.Got, s.Habits)
			}
			if s.Left <= maxLeft {
				s.Left = 0
			}
			if !s.Sound() || s.Passed < 100 {
				t.Errorf("seed %d: trouble %q, foreign effects %v, %d objects left, %d requirements passed\n%v", seed, s.Trouble, s.Foreign, s.Left, s.Passed, s.Habits)
			}
		})
	}
	group.Wait()
}

// A stranger that conforms is accused of nothing, no object of others is touched, and
// little is left behind. The stage zoo of .ci/run meets all of them, a test run a fifth.
func TestFortyStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the checker on whole strangers")
	}
	seeds := fortySeeds()
	if len(seeds) != 40 {
		t.Fatalf("%d strangers", len(seeds))
	}
	i := 0
	visitAll(t, slices.DeleteFunc(seeds, func(uint64) bool { i++; return !portion.OneOf(i, 5) }), nil)
}

// The same holds where another engine serves them.
func TestStrangersOfAnotherEngine(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil || testing.Short() {
		t.Skip("node is not installed, or time is short")
	}
	seed := uint64(3)
	if portion.OneOf(0, 2) {
		seed = 28
	}
	visitAll(t, []uint64{seed}, []string{"node", "../../fixtures/zoo-engine/engine.mjs"})
}

// With every kind of key, the checks find a creation that overwrites, an update that replaces, a
// deletion that removes nothing, and an unknown parameter that is accepted.
func TestFaultsAreFoundWithEveryKindOfKey(t *testing.T) {
	i := 0
	for _, axis := range habits.Axes() {
		if axis.Name != "key" {
			continue
		}
		for _, habit := range axis.Habits {
			for _, fault := range []string{"AQL-8.1-01.create-is-upsert", "AQL-4.5.1-04.put-semantics", "AQL-8.1-06.delete-does-nothing", "AQL-4.6-01.unknown-params-dropped"} {
				if i++; !portion.OneOf(i, 30) {
					continue
				}
				f := faultCalled(t, fault)
				broken := seal.Planted(habits.Described(0, map[string]string{"key": habit.Name}), f).Default
				found, err := broken.Demonstrate(t.Context(), suites.All(), f.ID)
				if err != nil || len(found) == 0 || found[0].Verdict != reports.Fail {
					t.Errorf("key %s, %s: %v, %v", habit.Name, fault, found, err)
				}
			}
		}
	}
}

// A habit hides no fault: what goes from a later page of the listing, what is dropped where an
// update of nothing is refused, and what is told in words that nobody knows. Where others write
// as well, the object that each creation changes is not theirs.
func TestFaultsAreFoundBesideHabits(t *testing.T) {
	for _, c := range []struct{ axis, habit, fault string }{
		{"others", "write now and then", "AQL-8.1-01.oldest-note-retitled"},
		{"listing of operations", "in pages from a number", "AQL-7.3-06.random-operation-subset"},
		{"listing of operations", "in pages behind a cursor", "INT-7.3-04.listing-shrinks-after-failure"},
		{"listing of operations", "in pages from a number", "INT-7.3-05.lazy-operation-registration"},
		{"empty update", "refused", "AQL-4.5.3-06.unknown-field-dropped"},
		{"language", "german", "OPS-4.2-04.filter-typed-string"},
		{"tool names", "of the adapter", "AQL-6.2-05.listed-but-not-routed"},
		{"result", "text alone", "AQL-4.7.5-13.payload-error-exits"},
	} {
		f := faultCalled(t, c.fault)
		broken := seal.Planted(habits.Described(7, map[string]string{c.axis: c.habit}), f).Default
		found, err := broken.Demonstrate(t.Context(), suites.All(), f.ID)
		if err != nil || len(found) == 0 || found[0].Verdict != reports.Fail && found[0].Verdict != reports.Warn {
			t.Errorf("%s: %s, %s: %v, %v", c.axis, c.habit, c.fault, found, err)
		}
	}
}

// A judge that finds nothing wrong is noticed among strangers, too: the fault that it
// found before it finds no longer.
func TestZooNoticesABluntJudge(t *testing.T) {
	portion.InTurn(t)
	const requirement = "AQL-4.6-01"
	found := func(checks []*check.Check) (n int) {
		for _, seed := range []uint64{4} {
			s := seal.Stranger(seed, 0, nil)
			s.Others = nil
			s.Faults = []mutation.Planted{seal.Planted(zoo.Stranger(seed), faultCalled(t, requirement+".unknown-params-dropped"))}
			zoo := mutation.Zoo{Checks: checks, Jobs: 1}
			for _, f := range zoo.Visit(t.Context(), s).Faults {
				if f.Found {
					n++
				}
			}
		}
		return n
	}
	sharp := suites.All()
	dull := slices.Clone(sharp)
	for i, c := range dull {
		if c.Requirement == requirement {
			blunted := *c
			blunted.Judge = func(model.Subject, probes.Answers) ruling.Ruling { return ruling.Conforms() }
			dull[i] = &blunted
		}
	}
	if before, after := found(sharp), found(dull); before == 0 || after != 0 {
		t.Errorf("found %d times, and %d times by a judge that finds nothing wrong", before, after)
	}
}
