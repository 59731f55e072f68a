package reports_test

import (
	"bytes"
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
