package session

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// Evidential reports whether one of the files is a bundle of evidence, which is
// gathered for nothing else.
func Evidential(files []console.ReportFile) bool {
	return slices.ContainsFunc(files, func(f console.ReportFile) bool { return f.Format == "evidence" })
}

// maskedEvidence takes the secrets out of a bundle: the answers in it lost them when
// they were recorded, what they were asked for may still hold some.
func maskedEvidence(e *reports.Evidence, mask func([]byte) []byte) *reports.Evidence {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false) // what is judged again has the same bytes
	if encoder.Encode(e) != nil {
		return nil // an answer that is no JSON after all
	}
	hidden := reports.NewEvidence()
	if json.Unmarshal(mask(raw.Bytes()), hidden) != nil {
		return nil // better nothing than something that tells
	}
	return hidden
}
