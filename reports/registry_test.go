package reports_test

import (
	"io"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// registry has a submission that stands, one of an adapter whose name means harm, and
// one that could not be verified.
func registry() *reports.Registry {
	stands := reports.Conclude(run(), rows(), nil)
	harmful := run()
	harmful.Implementation, harmful.Version, harmful.Basis = hostile, hostile, "normative"
	harmful.Digests.Catalogue = strings.Repeat("40c5ee27", 8)
	return &reports.Registry{
		Tool: "aql-conform 1.0.0",
		Submissions: []reports.Submission{
			{Path: "1.0.0-draft/harmful--0", Report: reports.Conclude(harmful, rows(), findings()), Signature: hostile, Grade: hostile, Uncounted: []string{hostile}},
			{Path: "1.0.0-draft/other/1.0.0", Problem: "report.conformanceLevel: sealed 2, the transcript gives 0 " + hostile},
			{Path: "1.0.0-draft/widgets/1.4.2", Report: stands, Signature: "signed by key 0123456789abcdef", Grade: "independently repeated by key fedcba9876543210"},
		},
		Strays: []string{"notes.txt", hostile},
	}
}

func registryPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	if err := reports.WriteRegistry("html", &b, registry()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRegistryGoldens(t *testing.T) {
	submission := func(w io.Writer) error {
		return reports.WriteSubmission(w, reports.Conclude(run(), rows(), findings()), reports.SubmissionCommands{
			Run: "aql-conform --cmd './widgets ```'", Judge: "aql-conform judge run.ndjson.gz", Verify: "aql-conform verify sealed.json", Hints: "0123",
		})
	}
	table := func(format string) func(io.Writer) error {
		return func(w io.Writer) error { return reports.WriteRegistry(format, w, registry()) }
	}
	holdGoldens(t, map[string]func(io.Writer) error{
		"registry.md": table("markdown"), "registry.html": table("html"), "registry.json": table("json"), "submission.md": submission,
	})
}

// What could not be verified has a reason in every form, and nothing that it claims.
func TestUnverifiedSubmissionsClaimNothing(t *testing.T) {
	claims := reports.Submission{Path: "spec/adapter/1", Problem: "a reason", Report: reports.Conclude(run(), rows(), nil), Signature: "signed by key 01"}
	g := &reports.Registry{Tool: "aql-conform", Submissions: []reports.Submission{claims}}
	if g.Verified() {
		t.Error("the registry is verified")
	}
	for _, format := range reports.RegistryFormats() {
		var b strings.Builder
		if err := reports.WriteRegistry(format, &b, g); err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(b.String(), "<main")
		if format != "html" {
			body = b.String()
		}
		if !strings.Contains(body, "a reason") || strings.Contains(body, "conformant") || strings.Contains(body, "proven") || strings.Contains(body, "key 01") || strings.Contains(body, "widgets") {
			t.Errorf("%s:\n%s", format, body)
		}
	}
	if err := reports.WriteRegistry("xml", io.Discard, g); err == nil || !strings.Contains(err.Error(), "markdown, html, json") {
		t.Errorf("error %v does not name what there is", err)
	}
}
