package suites

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// The line that repeats a finding shows it again: one that a check asked for
// itself, those that were overheard in the answers to others, and one that is
// seen before anything is planned.
func TestFindingsComeBack(t *testing.T) {
	portion.Long(t)
	for i, fault := range []string{
		"AQL-4.6-01.unknown-params-dropped", "AQL-5.1-07.message-missing", "AQL-5.1-04.error-as-text", "AQL-4.7.2-01.http-date",
	} {
		if !portion.OneOf(i, 2) {
			continue
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			cfg := stand.Config{Mode: "all", Fault: fault}
			first := accusation(t, judged(t, cfg, inProcess, plan.Selection{Checks: All()}))
			_, flags, _ := strings.Cut(first.Again, " --run ")
			ids, subject, _ := strings.Cut(flags, " --subject ")
			if ids == "" {
				t.Fatalf("no requirement to run in %s", first.Again)
			}
			again := accusation(t, judged(t, cfg, inProcess, plan.Selection{Checks: All(), Run: strings.Split(ids, ","), Subject: strings.Trim(subject, "'")}))
			if again.Subject != first.Subject || again.Want != first.Want {
				t.Errorf("%s\nshows %s: %s,\nwant %s: %s", first.Again, again.Subject, again.Want, first.Subject, first.Want)
			}
		})
	}
}

// accusation returns the first failure of a run of a broken adapter.
func accusation(t *testing.T, r run) reports.Finding {
	t.Helper()
	failed := slices.DeleteFunc(r.Findings, func(f reports.Finding) bool { return f.Verdict != reports.Fail })
	if len(failed) == 0 {
		t.Fatal("nothing failed")
	}
	return slices.MinFunc(failed, func(x, y reports.Finding) int { return cmp.Compare(x.Subject, y.Subject) })
}

func TestSubjectsAreWrittenLiterally(t *testing.T) {
	for name, want := range map[string]string{
		"get_note":             `'get_note'`,
		`x'; rm -rf ~; '`:      `'x'\''; rm -rf ~; '\'''`,
		`all*[a]?`:             `'all\*\[a]\?'`,
		`back\slash`:           `'back\\slash'`,
		"$(date) `date` $HOME": "'$(date) `date` $HOME'",
	} {
		got := plan.GlobLiteral(name)
		if got != want {
			t.Errorf("%s is written %s, want %s", name, got, want)
		}
		pattern := strings.ReplaceAll(got[1:len(got)-1], `'\''`, "'")
		if ok, err := path.Match(pattern, name); !ok || err != nil {
			t.Errorf("--subject %s does not match %s: %v", pattern, name, err)
		}
	}
}
