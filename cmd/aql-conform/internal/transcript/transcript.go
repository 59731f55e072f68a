package transcript

import (
	"encoding/json"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A TranscriptHead is all that a run was told before it asked: with the answers it
// gives the verdict.
type TranscriptHead struct {
	Version     int              `json:"transcriptVersion"`
	Tool        string           `json:"tool"`
	Spec        string           `json:"specVersion"`
	Catalogue   string           `json:"catalogue"` // sha256 of the requirements
	Nonce       string           `json:"nonce"`
	Today       time.Time        `json:"today"`
	Adapter     string           `json:"adapter"` // secrets masked
	Level       int              `json:"level"`
	Basis       string           `json:"basis"`
	May         model.Permitted  `json:"may"`
	Selection   plan.Selection   `json:"selection"`
	Effort      generated.Effort `json:"effort"`
	Again       string           `json:"again"` // the part of a command line that names the adapter
	URL         string           `json:"url,omitempty"`
	Hints       fixtures.Hints   `json:"hints"`
	HintsDigest string           `json:"hintsDigest,omitempty"`
	Challenge   json.RawMessage  `json:"challenge,omitempty"` // that the run answers, in its envelope
}

// A TranscriptFoot is how the run ended. The verdict is in it for comparison alone:
// it is made anew from the answers.
type TranscriptFoot struct {
	Run      reports.Run `json:"run"`
	Planned  bool        `json:"planned"` // there was something to judge
	Digest   string      `json:"digest"`
	ExitCode int         `json:"exitCode"`
}
