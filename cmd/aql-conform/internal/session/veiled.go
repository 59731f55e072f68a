package session

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/export"
)

// codeLag is how many entries of a transcript wait to be written where the author shows
// codes: an adapter may tell one before a person is shown it. A scene asks for a code
// within a few entries of its challenge.
const codeLag = 64

// mostVeils is how often another veil is tried: chance may give a short code a pseudonym
// that stands elsewhere.
const mostVeils = 3

// veiling hides what the run gets to know while its transcript is written. It is narrow,
// since nobody can say yet what stands in answers by chance.
func (s *Session) veiling() probes.Veiling {
	v := probes.Veiling{Veil: newVeil(true), Told: export.SecretsIn, Kin: export.Forgeries}
	for _, value := range s.open {
		v.Veil.Hide(value, 0)
	}
	v.Lag = s.lag()
	return v
}

// lag is how much of what is written waits until it is known what is secret in it.
func (s *Session) lag() int {
	if _, shows := s.helpers["safety.code_cmd"]; shows {
		return codeLag
	}
	return 0
}

// newVeil returns a veil whose key is nowhere written down.
func newVeil(narrow bool) *wire.Veil {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return wire.NewVeil(key, narrow)
}

// settleTranscript lays the last veil over the transcript, once all is known that has to
// be hidden, and judges what is left: the report of the run and that of whoever judges
// the file then rest on the same bytes. A veil under which the verdict would be another
// is not taken; where each would change it, the codes stay, and the report says so.
func (s *Session) settleTranscript(ctx context.Context, findings []reports.Finding) ([]reports.Finding, error) {
	if s.written == nil {
		return findings, nil
	}
	err := s.written.Flush()
	if err != nil || !s.written.Veiled() && len(s.spent) == 0 {
		return findings, s.transcriptFault(err)
	}
	ctx = context.WithoutCancel(ctx) // an interrupted run has a transcript too
	veil, judged, err := s.fittingVeil(ctx, findings)
	if err != nil {
		return nil, err
	}
	s.evidence, s.run.Reach = judged.Evidence, judged.Reach
	if n := s.unveiled(veil); n > 0 {
		s.remark("%d codes and tokens are in the transcript unmasked, because the verdict depends on their form", n)
	}
	return judged.Findings, s.transcriptFault(s.written.rewrite(veil))
}

// fittingVeil returns the veil that changes no verdict, and what comes of the transcript
// under it; nil where each changes one. Where two veils of one width change the same verdicts, that
// is not by chance, and a third one is not tried. An interrupted run may have seen less than its
// transcript shows: that is not the veil's doing.
func (s *Session) fittingVeil(ctx context.Context, findings []reports.Finding) (*wire.Veil, judge.Judged, error) {
	var bare *judge.Judged
	var last []reports.Finding
	for n := 0; n < 2*mostVeils; n++ {
		veil := newVeil(n >= mostVeils)
		s.hideSpent(veil)
		judged, err := s.judgedUnder(ctx, veil)
		if err != nil || sameVerdicts(judged.Findings, findings) {
			return veil, judged, err
		}
		if bare == nil {
			plain, err := s.judgedUnder(ctx, nil)
			if err != nil {
				return nil, plain, err
			}
			bare = &plain
		}
		if sameVerdicts(judged.Findings, bare.Findings) {
			return veil, judged, nil
		}
		if n%mostVeils == 1 && sameVerdicts(judged.Findings, last) {
			n++
		}
		last = judged.Findings
	}
	return nil, *bare, nil
}

// hideSpent hides what was secret in any of the runs, but for what anybody can find out,
// and where a run came to no end, what had been told.
func (s *Session) hideSpent(veil *wire.Veil) {
	known := map[string]bool{}
	for _, secret := range s.spent {
		known[secret.Text] = true
		if !secret.Derivable {
			veil.Hide(secret.Text, secret.PublicPrefix, export.Forgeries...)
		}
	}
	for _, text := range s.written.Hidden() {
		if !known[text] {
			veil.Hide(text, 0, export.Forgeries...)
		}
	}
}

// unveiled counts the secrets that stand in the transcript.
func (s *Session) unveiled(veil *wire.Veil) int {
	if veil == nil {
		return len(s.spent)
	}
	open := 0
	for _, secret := range s.spent {
		if secret.Derivable || slices.Contains(veil.Left(), secret.Text) {
			open++
		}
	}
	return open
}

// judgedUnder judges the transcript as it stands under a veil; nil for none.
func (s *Session) judgedUnder(ctx context.Context, veil *wire.Veil) (judge.Judged, error) {
	t := transcript.RecordedRun{Foot: transcript.TranscriptFoot{Planned: s.planned}}
	attic := &probes.Attic{}
	err := s.written.reveal(func(raw []byte) error {
		e, err := probes.EntryOf(s.written.under(veil, raw))
		attic.Take(e)
		t.Entries = append(t.Entries, e)
		return err
	})
	if err == nil {
		err = transcript.Strictly(t.Entries[0].Head, &t.Head)
	}
	if err != nil && veil != nil {
		return judge.Judged{}, nil // a veil that leaves no transcript fits no verdict
	}
	if err != nil {
		return judge.Judged{}, s.transcriptFault(err)
	}
	return judge.All(ctx, &t, s.run, Evidential(s.files))
}

func (t *transcriptFile) under(veil *wire.Veil, raw []byte) []byte {
	if veil == nil {
		return raw
	}
	return t.Beneath(veil, raw, export.MayHoldPartOfCode(raw))
}

// sameVerdicts reports whether two lists of findings rule alike on the same.
func sameVerdicts(a, b []reports.Finding) bool {
	ruled := func(all []reports.Finding) []string {
		var lines []string
		for _, f := range all {
			lines = append(lines, fmt.Sprint(f.Requirement, "\t", f.Subject, "\t", f.Verdict, "\t", f.RootCause, "\t", f.Broken))
		}
		slices.Sort(lines)
		return lines
	}
	return slices.Equal(ruled(a), ruled(b))
}

// reveal reads the transcript as it is so far, without the veil.
func (t *transcriptFile) reveal(each func(raw []byte) error) error {
	r, err := t.soFar()
	if err != nil {
		return err
	}
	defer r.Close()
	if !t.packed {
		return t.Transcript.Reveal(r, each)
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	return t.Transcript.Reveal(z, each)
}

// soFar is what was written.
func (t *transcriptFile) soFar() (io.ReadCloser, error) {
	if t.draft != nil {
		return io.NopCloser(io.NewSectionReader(t.draft, 0, math.MaxInt64)), nil
	}
	return os.Open(t.path)
}

// rewrite puts a transcript under another veil in the place of the one so far. The file
// is exchanged as a whole when it is closed: whatever happens before leaves the old one.
func (t *transcriptFile) rewrite(veil *wire.Veil) error {
	if t.draft != nil {
		d, err := newDraft(t.draft.to)
		if err != nil {
			return err
		}
		fresh := startTranscript(d, t.path, t.packed, nil)
		err = t.reveal(func(raw []byte) error { fresh.Copy(t.under(veil, raw)); return nil })
		err = errors.Join(err, t.draft.File.Close())
		*t = *fresh
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(t.path), ".aql-conform-*")
	if err != nil {
		return err
	}
	fresh := startTranscript(f, t.path, t.packed, nil)
	if err := t.reveal(func(raw []byte) error { fresh.Copy(t.under(veil, raw)); return nil }); err != nil {
		return errors.Join(err, fresh.close(), os.Remove(f.Name()))
	}
	former, last := t.close, fresh.close
	t.Transcript = fresh.Transcript
	t.close = func() error {
		if err := errors.Join(former(), last()); err != nil {
			return errors.Join(err, os.Remove(f.Name()))
		}
		return os.Rename(f.Name(), t.path)
	}
	return nil
}

// transcriptFault says of which file something went wrong.
func (s *Session) transcriptFault(err error) error {
	if err == nil {
		return nil
	}
	return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--transcript %s: %w", s.flags.Transcript, err)}
}
