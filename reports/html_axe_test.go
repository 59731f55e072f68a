package reports_test

import (
	"os"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// The rules that axe knows find nothing on the page, in daylight and in the dark, with
// everything unfolded. AXE_CORE names its axe.min.js, which may not stand here; .ci/run
// has one where there is npm.
func TestHTMLKeepsTheRulesOfAxe(t *testing.T) {
	source := os.Getenv("AXE_CORE")
	if source == "" {
		t.Skip("AXE_CORE names no axe.min.js")
	}
	axe, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		for name, r := range map[string]*reports.Report{
			"judged":     reports.Conclude(run(), rows(), findings()),
			"not judged": concluded(),
			"hostile":    everywhere(hostile, reports.Fail),
		} {
			t.Run(name+" "+scheme, func(t *testing.T) {
				b := newBrowser(t)
				b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
				b.open(page(t, r), "")
				b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
				b.eval(string(axe) + "; 0")
				if got := b.eval(`axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes[0].html).join("\n"))`); got != "" {
					t.Error(got)
				}
				if passed := b.eval(`axe.run().then(r => r.passes.length > 10)`); passed != "true" {
					t.Error("axe looked at next to nothing")
				}
			})
		}
	}
}
