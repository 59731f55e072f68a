package reports_test

import (
	"os"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// The rules that axe knows find nothing on the page, light and dark, narrow and wide, with
// much unfolded. AXE_CORE names its axe.min.js, which may not stand here; .ci/run
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
	// Rows like others only take time.
	const few = `for (const list of document.querySelectorAll(".group, .map ul, tbody")) [...list.children].slice(14).forEach(node => node.remove())`
	pages := map[string]string{"fixed": page(t, conclude()), "hostile": page(t, everywhere(hostile, reports.Fail)), "registry": registryPage(t)}
	for name, r := range situations(t) {
		pages[name] = page(t, r)
	}
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			b := newBrowser(t)
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int{390, 1280} {
					b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
					b.resize(width)
					b.open(page, "")
					b.eval(few)
					b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
					b.eval(string(axe) + "; 0")
					got := b.eval(`axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes[0].html).join("\n") + (r.passes.length > 10 ? "" : "axe looked at next to nothing"))`)
					if got != "" {
						t.Errorf("%s %d: %s", scheme, width, got)
					}
				}
			}
		})
	}
}
