package main

import (
	"cmp"
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// costs are the seconds of a processor that the expensive tests and scripts take. All other
// scripts take about half a second.
var costs = map[string]float64{
	"TestActionKnowsABaseline": 12, "TestCanaryTable/started": 35, "TestCanaryTable/reached": 30, "TestCanaryTable/started,_for_others": 130,
	"TestCanaryTable/reached,_for_others": 130, "TestCertificateVerifies": 57, "TestFleetIsTheSameInParts": 80, "TestFlakyIsNotCertified": 36, "TestNoSecretIsWritten": 30, "TestReleaseIsInstalled": 80,
	"baseline": 8, "baseline_shards": 9, "basis": 4, "certify": 12, "claim": 18, "compare": 2, "diff": 3, "documents": 12, "documents_fixtures": 8,
	"documents_reports": 16, "fail_fast": 9, "faulty": 4, "fleet": 6, "flaky": 8, "healthy": 7, "hints": 4, "http": 6, "init": 9, "interrupted_writes": 3, "jobs": 2,
	"relaunch": 10, "replay": 10, "selftest": 15, "shards": 5, "strict": 6, "token_cmd": 5, "verbose": 4,
}

// sample are the scripts and expensive tests of this run: one script in twenty and one test in twenty-four, and all such samples
// cost about the same. The short form has one script in twenty-four and none of these tests.
var sample = sync.OnceValue(func() map[string]bool {
	chosen := map[string]bool{}
	deal := func(names []string, parts int) {
		taken := make([]float64, len(names))
		for i, name := range names {
			taken[i] = cmp.Or(costs[name], 0.5)
		}
		for i, in := range portion.Even(taken, parts) {
			chosen[names[i]] = in
		}
	}
	if testing.Short() {
		deal(scripts(), 24)
		return chosen
	}
	deal(scripts(), 20)
	deal(slices.DeleteFunc(slices.Sorted(maps.Keys(costs)), func(name string) bool { return !strings.HasPrefix(name, "Test") }), 24)
	return chosen
})

// scripts are the names of all scripts.
func scripts() []string {
	files, _ := filepath.Glob("testdata/*.txtar")
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".txtar")
	}
	return files
}

// named reports whether somebody names what to run.
func named(pattern string) bool {
	return strings.Contains(flag.Lookup("test.run").Value.String(), pattern)
}

// expensive skips a test of many whole runs unless it is in the sample or named.
func expensive(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes many whole runs")
	}
	if top, _, _ := strings.Cut(t.Name(), "/"); !sample()[t.Name()] && !named(top) {
		t.Skip("not in the sample of this run; the stage scripts of .ci/run has it")
	}
}

// A cost of what is no longer there would tip the samples.
func TestCostsAreOfScripts(t *testing.T) {
	for name := range costs {
		if !strings.HasPrefix(name, "Test") && !slices.Contains(scripts(), name) {
			t.Errorf("costs: there is no script %s", name)
		}
	}
}
