package reports_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

var update = flag.Bool("update", false, "write the goldens anew")

func TestGoldens(t *testing.T) {
	judged := conclude()
	notJudged := concluded()
	gated := accepted()
	text := func(r *reports.Report, opt reports.TextOptions) func(io.Writer) error {
		return func(w io.Writer) error { return r.WriteText(w, opt) }
	}
	holdGoldens(t, map[string]func(io.Writer) error{
		"report.json":          judged.WriteJSON,
		"report.junit.xml":     judged.WriteJUnit,
		"report.txt":           text(judged, reports.TextOptions{Width: 80}),
		"report.color.txt":     text(judged, reports.TextOptions{Width: 80, Color: true}),
		"report.wide.txt":      text(judged, reports.TextOptions{Width: 132}),
		"report.verbose.txt":   text(judged, reports.TextOptions{Width: 80, Verbose: true}),
		"report.quiet.txt":     text(judged, reports.TextOptions{Width: 80, Quiet: true}),
		"report.md":            judged.WriteMarkdown,
		"report.agent.md":      judged.WriteAgent,
		"baseline.agent.md":    gated.WriteAgent,
		"concluded.agent.md":   notJudged.WriteAgent,
		"report.sarif":         judged.WriteSARIF,
		"baseline.json":        gated.WriteJSON,
		"baseline.txt":         text(gated, reports.TextOptions{Width: 80}),
		"baseline.quiet.txt":   text(gated, reports.TextOptions{Width: 80, Quiet: true}),
		"baseline.md":          gated.WriteMarkdown,
		"baseline.github.txt":  gated.WriteGitHub,
		"baseline.tap":         gated.WriteTAP,
		"baseline.junit.xml":   gated.WriteJUnit,
		"baseline.sarif":       gated.WriteSARIF,
		"baseline.ndjson":      gated.WriteNDJSON,
		"baseline.html":        gated.WriteHTML,
		"concluded.json":       notJudged.WriteJSON,
		"report.html":          judged.WriteHTML,
		"report.badge.json":    judged.WriteBadge,
		"report.trust.yaml":    judged.WriteTrust,
		"concluded.html":       notJudged.WriteHTML,
		"concluded.badge.json": notJudged.WriteBadge,
		"report.github.txt":    judged.WriteGitHub,
		"report.tap":           judged.WriteTAP,
		"report.ndjson":        judged.WriteNDJSON,
		"concluded.github.txt": notJudged.WriteGitHub,
		"concluded.tap":        notJudged.WriteTAP,
		"concluded.ndjson":     notJudged.WriteNDJSON,
		"concluded.md":         notJudged.WriteMarkdown,
		"concluded.sarif":      notJudged.WriteSARIF,
		"concluded.junit.xml":  notJudged.WriteJUnit,
		"concluded.txt":        text(notJudged, reports.TextOptions{Width: 80}),
		"selftest.json":        proven().WriteJSON,
		"selftest.txt":         proven().WriteText,
		"selftest.md":          proven().WriteMarkdown,
		"refuted.json":         refuted().WriteJSON,
		"refuted.txt":          refuted().WriteText,
		"refuted.md":           refuted().WriteMarkdown,
	})
}

// holdGoldens holds what is written to the files of testdata.
func holdGoldens(t *testing.T, writers map[string]func(io.Writer) error) {
	t.Helper()
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("differs from %s (go test -update writes it anew); got:\n%s", path, got.Bytes())
			}
		})
	}
}
