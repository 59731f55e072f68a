package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
)

// A Submission is what a page has of a run.
type Submission struct {
	Report, Transcript []byte
	Name               string // of the file of the transcript, which says whether it is packed
	Sealed             []byte // empty where nobody has sealed it
	Keys               []byte // trusted keys as JSON: [{"id":…,"key":…}]
}

// A Recomputed is what a page gets to know: what the transcript gives, and everything in which the
// report and the seal depart from it.
type Recomputed struct {
	*reports.Stated
	Problems  []string `json:"problems,omitempty"`
	Signature string   `json:"signature,omitempty"`
	Other     string   `json:"other,omitempty"`  // why this version cannot tell
	Broken    string   `json:"broken,omitempty"` // why nothing was judged
}

// mostUnpacked bounds a transcript, in bytes: a browser has little memory.
const mostUnpacked = 512 << 20

// mostProblems bounds what is told; one is enough.
const mostProblems = 20

// Recompute judges the transcript anew. Whatever a stranger wrote into it, there is an answer.
func Recompute(s Submission) (got Recomputed) {
	defer func() {
		if r := recover(); r != nil {
			got = Recomputed{Broken: fmt.Sprint("this version cannot judge it: ", r)}
		}
	}()
	t, err := transcript.TranscriptFrom(bytes.NewReader(s.Transcript), path.Base(s.Name), mostUnpacked)
	if err != nil {
		return Recomputed{Problems: []string{err.Error()}}
	}
	problems, report, err := Departures(context.Background(), t, s.Report)
	switch {
	case err != nil:
		return Recomputed{Broken: err.Error()}
	case report == nil && len(problems) == 1 && strings.HasPrefix(problems[0], "catalogue: "):
		return Recomputed{Other: problems[0]}
	}
	got.Problems = problems[:min(len(problems), mostProblems)]
	if report != nil {
		stated := report.Stated()
		got.Stated = &stated
	}
	got.Signature = "none"
	if len(s.Sealed) > 0 {
		var keys []statement.Key
		var given []struct {
			ID  string `json:"id"`
			Key []byte `json:"key"`
		}
		if err := json.Unmarshal(s.Keys, &given); err != nil {
			return Recomputed{Broken: "keys: " + err.Error()}
		}
		for _, k := range given {
			keys = append(keys, statement.Key{PublicKey: k.Key, ID: k.ID})
		}
		if got.Signature, err = statement.On(s.Sealed, s.Report, keys); err != nil {
			got.Problems = append(got.Problems, "seal: "+err.Error())
		}
	}
	return got
}
