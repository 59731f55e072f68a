package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A program that mends an adapter has little room to read: no finding takes more than 2 KiB and no
// report more than 33 KB, whatever the adapter says, and each finding has a command that checks it.
func TestAgentReportIsBounded(t *testing.T) {
	for name, s := range map[string]string{"short": "x", "long": strings.Repeat("long words here ", 100), "wide": strings.Repeat("語", 1<<10), "hostile": strings.Repeat(hostile, 10)} {
		for _, n := range []int{0, 1, 14, 60} {
			for _, gated := range []bool{false, true} {
				var out bytes.Buffer
				if err := crowded(s, n, gated).WriteAgent(&out); err != nil {
					t.Fatal(err)
				}
				if out.Len() > 33_000 {
					t.Errorf("%s: %d bytes for %d findings of each kind", name, out.Len(), n)
				}
				for _, part := range strings.Split(out.String(), "\n### ")[1:] {
					finding, _, _ := strings.Cut(part, "\n## ")
					if len(finding) > 2048 {
						t.Errorf("%s: a finding of %d bytes:\n%s", name, len(finding), finding)
					}
					if !strings.Contains(finding, "\ncheck:\n") || !strings.Contains(finding, "- want: ") {
						t.Errorf("%s: a finding without its command or what was wanted:\n%s", name, finding)
					}
				}
			}
		}
	}
}

// A finding of an ordinary adapter shows the request and the reply that decide.
func TestAgentReportShowsTheExchange(t *testing.T) {
	var out bytes.Buffer
	if err := conclude().WriteAgent(&out); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(out.String()[strings.Index(out.String(), "### "):], "\n### ")
	for _, want := range []string{"- rule: ", "- mend: ", "sent:  ", "reply: ", "check:"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
}

// An adapter that is mended by this report alone needs each finding within its bound, what decides it, and
// the command that checks it; and a run that judged nothing needs its next step.
func TestAgentReportOfSituations(t *testing.T) {
	for name, r := range situations(t) {
		var out bytes.Buffer
		if err := r.WriteAgent(&out); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes", name, out.Len())
		if most := map[string]int{"conforming": 8_000, "one fault": 9_000, "not an adapter": 1_000, "interrupted": 8_000}[name]; most > 0 && out.Len() > most || out.Len() > 33_000 {
			t.Errorf("%s: %d bytes", name, out.Len())
		}
		if !strings.Contains(out.String(), fmt.Sprintf("- exit code: %d\n", r.ExitCode)) {
			t.Errorf("%s: no exit code", name)
		}
		parts := strings.Split(out.String(), "\n### FAIL ")[1:]
		if want := map[string]int{"one fault": 1, "14 findings": 14, "300 findings": 20, "interrupted": 2}[name]; len(parts) < want {
			t.Errorf("%s: %d failures are told, want %d", name, len(parts), want)
		}
		for _, part := range parts {
			finding, _, _ := strings.Cut(part, "\n## ")
			for _, want := range []string{"\n- rule: ", "\n- want: ", "\n- got: ", "\n- mend: ", "\n- replay: ", "\nsent:  ", "\nreply: ", "\ncheck:\n```sh\naql-conform "} {
				if !strings.Contains(finding, want) || len(finding) > 2048 {
					t.Errorf("%s: a finding of %d bytes without %q:\n%s", name, len(finding), want, finding)
				}
			}
		}
	}
	var none, rooted bytes.Buffer
	if err := situations(t)["not an adapter"].WriteAgent(&none); err != nil || !strings.Contains(none.String(), "next: name the adapter's own command") || strings.Contains(none.String(), "###") {
		t.Errorf("%v: a program that is no adapter has findings, or no next step:\n%s", err, none.String())
	}
	if err := conclude().WriteAgent(&rooted); err != nil || strings.Index(rooted.String(), "### FAIL AQL-7.3-03") != strings.Index(rooted.String(), "### ") {
		t.Errorf("%v: what explains others is not first:\n%s", err, rooted.String())
	}
}

// A report that is cut names what it leaves out.
func TestAgentReportSaysWhatItLeavesOut(t *testing.T) {
	var out bytes.Buffer
	if err := crowded(strings.Repeat("long words here ", 100), 60, false).WriteAgent(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n## Left out: ") || !strings.Contains(out.String(), "warnings: A-") {
		t.Errorf("nothing is said of what was cut: %s", out.String()[out.Len()-400:])
	}
	for _, section := range strings.Split(out.String(), "\n## ")[1:] {
		if _, body, _ := strings.Cut(section, "\n"); strings.TrimSpace(body) == "" {
			t.Errorf("an empty section: %s", section)
		}
	}
}
