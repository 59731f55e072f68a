package reports_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// points is TAP as a harness reads it: each test point with its directive, if it has
// one. It complains of what version 14 does not know.
func points(t *testing.T, r *reports.Report) (ok []bool, skipped []string) {
	t.Helper()
	var b strings.Builder
	if err := r.WriteTAP(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if lines[0] != "TAP version 14" {
		t.Errorf("the first line is %q", lines[0])
	}
	point := regexp.MustCompile(`^(not )?ok (\d+) - (?:[^#\\]|\\[#\\])*?(?: # SKIP (.*))?$`)
	plan, yaml := "", false
	for _, line := range lines[1:] {
		m := point.FindStringSubmatch(line)
		switch {
		case line == "  ---" && !yaml, line == "  ..." && yaml:
			yaml = !yaml
		case yaml:
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			var text string
			if value != "" && json.Unmarshal([]byte(value), &text) != nil || !strings.HasPrefix(line, "  "+key) && key != "-" {
				t.Errorf("the diagnostic line %q", line)
			}
		case m != nil:
			ok, skipped = append(ok, m[1] == ""), append(skipped, m[3])
			if m[2] != fmt.Sprint(len(ok)) {
				t.Errorf("point %d goes by the number %s", len(ok), m[2])
			}
		case strings.HasPrefix(line, "1.."):
			plan = line
		case !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "Bail out! "):
			t.Errorf("no line of TAP: %q", line)
		}
	}
	if want := fmt.Sprintf("1..%d", len(ok)); r.Run.Conclusion == "" && plan != want || yaml {
		t.Errorf("plan %q, want %q", plan, want)
	}
	return ok, skipped
}

func TestTAPCountsAreTrue(t *testing.T) {
	for name, r := range map[string]*reports.Report{
		"judged":     reports.Conclude(run(), rows(), findings()),
		"empty":      reports.Conclude(reports.Run{}, nil, nil),
		"hostile":    everywhere(hostile, reports.Fail),
		"directives": everywhere(`x # SKIP \# TODO`+"\nBail out!\n1..0", reports.Warn),
		"yaml":       everywhere("\n  ...\nok 1 - x", reports.NotProven),
	} {
		ok, skipped := points(t, r)
		if len(ok) != len(r.Findings)+1 {
			t.Fatalf("%s: %d points for %d findings", name, len(ok), len(r.Findings))
		}
		if ok[0] != (r.ExitCode == 0) {
			t.Errorf("%s: the verdict is ok %v with exit code %d", name, ok[0], r.ExitCode)
		}
		for i, f := range r.Findings {
			wantSkip := f.Verdict == reports.NotProven || f.Verdict == reports.Skipped || f.Verdict == reports.NotApplicable
			if ok[i+1] != (f.Verdict != reports.Fail) || (skipped[i+1] != "") != wantSkip || wantSkip && !strings.HasPrefix(skipped[i+1], string(f.Verdict)) {
				t.Errorf("%s: %s %s is ok %v, skipped %q", name, f.Verdict, f.Requirement, ok[i+1], skipped[i+1])
			}
		}
	}
}

// Where nothing could be judged there is nothing to count.
func TestTAPBailsOut(t *testing.T) {
	var b strings.Builder
	if err := concluded().WriteTAP(&b); err != nil {
		t.Fatal(err)
	}
	if ok, _ := points(t, concluded()); len(ok) > 0 || !strings.Contains(b.String(), "\nBail out! the adapter ended") {
		t.Errorf("%d points in %q", len(ok), b.String())
	}
}
