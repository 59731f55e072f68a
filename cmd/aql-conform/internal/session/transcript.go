package session

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A planned requirement is a line of the plan in a transcript: it lets a reader see what
// a run that was cut short has not come to.
type plannedRequirement struct {
	Requirement string   `json:"requirement"`
	Subjects    []string `json:"subjects"`
}

// A transcriptFile is one --transcript while it is written.
type transcriptFile struct {
	*probes.Transcript
	path   string // without links
	packed bool
	close  func() error
	draft  *draft // of what is no file; else nil
}

// A draft is a transcript for a pipe, which takes nothing back: it is kept until all is
// known that has to be hidden, in a file that nobody else sees.
type draft struct {
	*os.File
	to *os.File
}

func newDraft(to *os.File) (*draft, error) {
	f, err := os.CreateTemp("", "aql-conform-*")
	if err != nil {
		return nil, err
	}
	return &draft{f, to}, os.Remove(f.Name())
}

// Close hands over all of it.
func (d *draft) Close() error {
	_, err := d.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(d.to, d.File)
	}
	return errors.Join(err, d.File.Close(), d.to.Close())
}

// transcribe begins the transcript of the run, or of the next of several, when one was
// asked for.
func (s *Session) transcribe() error {
	if s.flags.Transcript == "" {
		return nil
	}
	if s.written != nil {
		s.runs++
		s.written.Add(probes.Entry{Kind: "again", Again: &probes.AgainEntry{Run: s.runs}})
		s.engine.Transcribe(s.written.Transcript)
		return nil
	}
	s.runs = 1
	err := s.openTranscript()
	if err != nil {
		return err
	}
	head := transcript.TranscriptHead{
		Version: probes.TranscriptVersion, Tool: s.run.Tool, Spec: catalogue.SpecVersion, Catalogue: catalogue.CatalogueDigest(),
		Nonce: s.nonce, Today: s.today, Adapter: s.run.Adapter, Level: s.run.Level, Basis: s.run.Basis, May: s.may.Permitted(), Selection: s.selection, Effort: s.effort,
		Again: s.Again, URL: s.withoutSecrets(discreet(s.Main.URL)), Hints: s.hints.settled(s.flags).WithoutTokens(), HintsDigest: s.hints.Digest(),
	}
	if s.challenge != nil {
		if head.Challenge, err = json.Marshal(s.challenge.Envelope); err != nil {
			return fmt.Errorf("the challenge: %w", err)
		}
	}
	raw, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("the head of the transcript: %w", err)
	}
	s.written.Add(probes.Entry{Kind: "head", Head: raw})
	return nil
}

// openTranscript makes the file. What is packed is packed line by line, so that a crash
// leaves what was seen.
func (s *Session) openTranscript() error {
	f, err := os.OpenFile(s.flags.Transcript, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--transcript: %w", err)}
	}
	path, err := filepath.EvalSymlinks(s.flags.Transcript)
	if err != nil {
		path = s.flags.Transcript // a pipe, for one
	}
	var w io.WriteCloser = f
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		if w, err = newDraft(f); err != nil {
			return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--transcript: %w", err)}
		}
	}
	s.written = startTranscript(w, path, strings.HasSuffix(s.flags.Transcript, ".gz"), func(b []byte) []byte { return s.recorder.Mask(b) })
	s.written.Under(s.veiling())
	s.written.Hold()
	s.engine.Transcribe(s.written.Transcript)
	return nil
}

// startTranscript writes to a file that has, or is going to have, the name.
func startTranscript(to io.WriteCloser, path string, packed bool, mask func([]byte) []byte) *transcriptFile {
	t := &transcriptFile{path: path, packed: packed, close: to.Close}
	t.draft, _ = to.(*draft)
	var w io.Writer = to
	if packed {
		z := gzip.NewWriter(to)
		w, t.close = flushed{z}, func() error { return errors.Join(z.Close(), to.Close()) }
	}
	t.Transcript = probes.NewTranscript(w, mask)
	return t
}

// flushed packs each piece such that it can be read whatever becomes of the next.
type flushed struct{ *gzip.Writer }

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	return n, errors.Join(err, f.Flush())
}

// transcribePlan writes down what is going to be judged.
func (s *Session) transcribePlan(p *plan.Plan) error {
	if s.written == nil {
		return nil
	}
	plan := []plannedRequirement{}
	for _, c := range p.Cases {
		if n := len(plan) - 1; n < 0 || plan[n].Requirement != c.Check.Requirement {
			plan = append(plan, plannedRequirement{c.Check.Requirement, nil})
		}
		line := &plan[len(plan)-1]
		line.Subjects = append(line.Subjects, c.Subject.Adapter.Label+c.Subject.Name)
	}
	raw, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("the plan in the transcript: %w", err)
	}
	s.written.Add(probes.Entry{Kind: "plan", Plan: raw})
	return nil
}

// seal ends the transcript with the report's own words.
func (s *Session) seal(r *reports.Report) error {
	if s.written == nil {
		return nil
	}
	raw, err := json.Marshal(transcript.TranscriptFoot{Run: r.Run, Planned: s.planned, Digest: r.Digest, ExitCode: r.ExitCode})
	if err == nil {
		s.written.Add(probes.Entry{Kind: "foot", Foot: raw})
		r.Run.Digests.Transcript, err = s.written.Transcript.Close()
	}
	return s.transcriptFault(errors.Join(err, s.written.close()))
}
