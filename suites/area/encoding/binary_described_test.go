package encoding

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Introspection may describe the address of a file in any text, in any script, and without a format.
func TestAttestedAddressIsLookedForInAllTexts(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "AQL-4.7.4-04")
	for _, c := range []struct {
		attested, operation, field string
		want                       reports.Verdict
	}{
		{"download_url", "", `{"name":"title","description":"Title of the card"}`, reports.Fail},
		{"download_url", "", `{"name":"download_url","type":"string"}`, reports.Warn},
		{"download_url", "", `{"name":"download_url","description":"HTTPS address that GET answers with the image"}`, reports.Pass},
		{"images come by download_url", "GET download_url to have the image", `{"name":"download_url"}`, reports.Pass},
		{"yes", "The binary file of a card has an address of its own", `{"name":"image"}`, reports.Pass},
		{"yes", "", `{"name":"title","description":"Title of the card"}`, reports.NotProven},
		{"no", "", `{"name":"title","description":"Title of the card"}`, reports.NotApplicable},
		{"no", "", `{"name":"download_url","format":"uri","description":"file"}`, reports.Warn},
		{"no", "", `{"name":"download_url","format":"uri","description":"ダウンロードするためのアドレスです"}`, reports.Pass},
	} {
		details, err := probes.ParseValue([]byte(`{"fields":[` + c.field + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var hints fixtures.Hints
		hints.Attest.Binary = c.attested
		f := &model.Adapter{Hints: hints, Adapter: &probes.Adapter{
			Operations: []probes.Operation{{Name: "get_card", Details: probes.ValueOf(map[string]any{"description": c.operation})}},
			Types:      []probes.Type{{Name: "Card", Details: details}},
		}}
		if got := judge(model.Subject{Adapter: f}, nil); got.Verdict != c.want {
			t.Errorf("%q, %q, %s: got %s, want %s", c.attested, c.operation, c.field, got.Verdict, c.want)
		}
	}
}
