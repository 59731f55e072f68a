package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
)

// A transcriptHead is all that a run was told before it asked: with the answers it
// gives the verdict.
type transcriptHead struct {
	Version     int              `json:"transcriptVersion"`
	Tool        string           `json:"tool"`
	Spec        string           `json:"specVersion"`
	Catalogue   string           `json:"catalogue"` // sha256 of the requirements
	Nonce       string           `json:"nonce"`
	Today       time.Time        `json:"today"`
	Level       int              `json:"level"`
	May         suites.Permitted `json:"may"`
	Selection   suites.Selection `json:"selection"`
	Effort      suites.Effort    `json:"effort"`
	Again       string           `json:"again"` // the part of a command line that names the adapter
	URL         string           `json:"url,omitempty"`
	Hints       fixtures.Hints   `json:"hints"`
	HintsDigest string           `json:"hintsDigest,omitempty"`
}

// A transcriptFoot is how the run ended. The verdict is in it for comparison alone:
// it is made anew from the answers.
type transcriptFoot struct {
	Run      reports.Run `json:"run"`
	Planned  bool        `json:"planned"` // there was something to judge
	Digest   string      `json:"digest"`
	ExitCode int         `json:"exitCode"`
}

// A transcriptFile is one --transcript while it is written.
type transcriptFile struct {
	*probes.Transcript
	close func() error
}

// transcribe begins the transcript of the run, nil when none was asked for.
func (s *session) transcribe() error {
	path := s.flags.Transcript
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return failure{exitFault, fmt.Errorf("--transcript: %w", err)}
	}
	s.written = &transcriptFile{close: f.Close}
	var w io.Writer = f
	if strings.HasSuffix(path, ".gz") {
		z := gzip.NewWriter(f)
		w, s.written.close = z, func() error { return errors.Join(z.Close(), f.Close()) }
	}
	s.written.Transcript = probes.NewTranscript(w, s.recorder.Mask)
	s.engine.Transcribe(s.written.Transcript)
	head := transcriptHead{
		Version: probes.TranscriptVersion, Tool: s.run.Tool, Spec: suites.SpecVersion, Catalogue: suites.CatalogueDigest(),
		Nonce: s.nonce, Today: s.today, Level: s.run.Level, May: s.may.Permitted(), Selection: s.selection, Effort: s.effort,
		Again: s.again, URL: s.secrets.hide(s.main.URL), Hints: s.hints.settled(s.flags), HintsDigest: s.hints.Digest(),
	}
	raw, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("the head of the transcript: %w", err)
	}
	s.written.Add(probes.Entry{Kind: "head", Head: raw})
	return nil
}

// seal ends the transcript with the report's own words.
func (s *session) seal(r *reports.Report) error {
	if s.written == nil {
		return nil
	}
	raw, err := json.Marshal(transcriptFoot{Run: r.Run, Planned: s.planned, Digest: r.Digest, ExitCode: r.ExitCode})
	if err == nil {
		s.written.Add(probes.Entry{Kind: "foot", Foot: raw})
		r.Run.Digests.Transcript, err = s.written.Transcript.Close()
	}
	if err = errors.Join(err, s.written.close()); err != nil {
		return failure{exitFault, fmt.Errorf("--transcript %s: %w", s.flags.Transcript, err)}
	}
	return nil
}

// A recordedRun is a transcript that was read and found whole.
type recordedRun struct {
	head    transcriptHead
	foot    transcriptFoot
	entries []probes.Entry
	digest  string // of the transcript
}

// readTranscript reads a file, packed or not, and verifies its chain.
func readTranscript(path string) (*recordedRun, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("transcript: %w", err)
	}
	defer f.Close()
	return transcriptFrom(f, path, math.MaxInt64)
}

// transcriptFrom reads the bytes of a file of that name, of which there may be so many
// once they are unpacked.
func transcriptFrom(r io.Reader, path string, most int64) (*recordedRun, error) {
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, usage("transcript %s: %w", path, err)
		}
		r = z
	}
	r = &bounded{r, most, most}
	t, err := &recordedRun{}, error(nil)
	if t.entries, t.digest, err = probes.ReadTranscript(r); err != nil {
		return nil, usage("transcript %s: %w", path, err)
	}
	// The version first: a later form may hold what the strict reading refuses.
	var version struct {
		Version int `json:"transcriptVersion"`
	}
	if err := json.Unmarshal(t.entries[0].Head, &version); err != nil || version.Version != probes.TranscriptVersion {
		return nil, usage("transcript %s: line 1: transcript version %d, this program reads %d", path, version.Version, probes.TranscriptVersion)
	}
	if err := strictly(t.entries[0].Head, &t.head); err != nil {
		return nil, usage("transcript %s: line 1: %w", path, err)
	}
	if err := strictly(t.entries[len(t.entries)-1].Foot, &t.foot); err != nil {
		return nil, usage("transcript %s: line %d: %w", path, len(t.entries), err)
	}
	if t.head.Spec != suites.SpecVersion {
		return nil, usage("transcript %s: of specification %s, this program judges %s", path, t.head.Spec, suites.SpecVersion)
	}
	return t, nil
}

func strictly(raw []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
