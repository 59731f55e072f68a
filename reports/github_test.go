package reports_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

func annotations(t *testing.T, r *reports.Report) []string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteGitHub(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// An adapter that could begin a line could mask words in the log, or stop the commands
// that tell of its failures.
func TestGitHubIsInert(t *testing.T) {
	command := regexp.MustCompile(`^::(?:error|warning|notice) title=[^:,]*::[^\r\n]*$`)
	for _, s := range []string{hostile, "\n::stop-commands::x", "a,file=main.go::b", "50%0A::add-mask::a", "%25"} {
		for _, verdict := range []reports.Verdict{reports.Fail, reports.Warn} {
			for _, line := range annotations(t, everywhere(s, verdict)) {
				if !command.MatchString(line) {
					t.Errorf("%q: %q", s, line)
				}
			}
		}
	}
}

// What stands in an annotation is what was found, to the letter.
func TestGitHubReadsBack(t *testing.T) {
	all := rows()
	const said = "50%, %0A and %25: a,b::c"
	all[3].Title = said
	lines := annotations(t, reports.Conclude(run(), all, []reports.Finding{
		{Requirement: all[3].ID, Verdict: reports.Fail, Subject: said, Want: said, Got: said, Again: said},
	}))
	title, text, _ := strings.Cut(strings.TrimPrefix(lines[0], "::error title="), "::")
	read := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	if got, want := read.Replace(title), all[3].ID+" "+said; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	if got, want := read.Replace(text), "on "+said+"\nwant "+said+"\ngot "+said+"\n"+said; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestGitHubIsBounded(t *testing.T) {
	all := rows()
	var many []reports.Finding
	for i := range 40 {
		many = append(many, reports.Finding{Requirement: all[i%5+1].ID, Verdict: []reports.Verdict{reports.Fail, reports.Warn}[i%2],
			Subject: fmt.Sprintf("op_%d", i), Want: "a refusal", Got: fmt.Sprintf("kind %c", 'a'+i/10)})
	}
	r := reports.Conclude(run(), all, many)
	lines := annotations(t, r)
	for kind, verdict := range map[string]reports.Verdict{"error": reports.Fail, "warning": reports.Warn} {
		var of []string
		for _, l := range lines {
			if strings.HasPrefix(l, "::"+kind+" ") {
				of = append(of, l)
			}
		}
		findings := 0
		for _, f := range r.Findings {
			if f.Verdict == verdict {
				findings++
			}
		}
		if want := fmt.Sprintf("title=%d more::", findings-9); findings < 11 || len(of) != 10 || !strings.Contains(of[9], want) {
			t.Errorf("%d annotations of %d findings, the last %q, want %s", len(of), findings, of[len(of)-1], want)
		}
	}
}

// A step must not fail without a word.
func TestGitHubSaysWhyAStepFails(t *testing.T) {
	unproven := reports.Conclude(run(), rows(), nil)
	if got := annotations(t, unproven); unproven.ExitCode != 5 || len(got) != 1 || !strings.HasPrefix(got[0], "::error title=NOT PROVEN::") {
		t.Errorf("exit code %d: %q", unproven.ExitCode, got)
	}
	if got := annotations(t, concluded()); len(got) != 1 || !strings.HasPrefix(got[0], "::error title=NOT JUDGED::the adapter ended before") {
		t.Errorf("%q", got)
	}
}
