package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// Departures names everything in which a report departs from what the transcript gives
// here and now, and returns what it gives; nil when the two cannot be compared.
func Departures(ctx context.Context, t *transcript.RecordedRun, raw json.RawMessage) ([]string, *reports.Report, error) {
	if err := transcript.Unambiguous(raw); err != nil {
		return []string{"report: " + err.Error()}, nil, nil
	}
	var r statement.Sealable
	if err := json.Unmarshal(raw, &r); err != nil || r.Digests == nil {
		return []string{"report: it has no digests, so it cannot be checked"}, nil, nil
	}
	if r.Digests.Transcript != t.Digest {
		return []string{fmt.Sprintf("transcript: the report belongs to %.12s…, this is %.12s…", r.Digests.Transcript, t.Digest)}, nil, nil
	}
	if judged := r.Digests.Catalogue; judged != catalogue.CatalogueDigest() || t.Head.Catalogue != judged {
		return []string{fmt.Sprintf("catalogue: the report used %.12s…, this version has %.12s…; judge shows what that changes", judged, catalogue.CatalogueDigest())}, nil, nil
	}
	report, err := Report(ctx, t, false)
	if err != nil {
		return nil, nil, err
	}
	part, unread := reports.ReadJSON(bytes.NewReader(raw))
	if unread == nil && part.Baseline != nil {
		report.Accept(*part.Baseline) // what was accepted stands in the report, for all to see
		report.Run.Digests.Baseline = r.Digests.Baseline
	}
	var anew bytes.Buffer
	if err := report.WriteJSON(&anew); err != nil {
		return nil, nil, err
	}
	return console.Differences("report", console.Parsed(raw), console.Parsed(anew.Bytes())), report, nil
}
