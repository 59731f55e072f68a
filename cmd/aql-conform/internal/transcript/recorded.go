// Package transcript reads what a run has recorded.
package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// A RecordedRun is a transcript that was read and found sound.
type RecordedRun struct {
	Head    TranscriptHead
	Foot    TranscriptFoot // zero where the end is missing
	Entries []probes.Entry
	Digest  string                  // of the transcript
	Cut     *probes.TranscriptError // where the end is missing; nil when the transcript is whole
}

// ReadTranscript reads a file, packed or not, and verifies its chain.
func ReadTranscript(path string) (*RecordedRun, error) {
	t, err := ReadPartly(path)
	if err == nil && t.Cut != nil {
		return nil, console.Usage("transcript %s: %w; judge --partial reads a truncated transcript", path, t.Cut)
	}
	return t, err
}

// ReadPartly is readTranscript for a file that may lack its end.
func ReadPartly(path string) (*RecordedRun, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, console.Usage("transcript: %w; a run with --transcript FILE writes one", err)
	}
	defer f.Close()
	return partFrom(f, path, math.MaxInt64)
}

// TranscriptFrom reads the bytes of a file of that name, of which there may be so many
// once they are unpacked.
func TranscriptFrom(r io.Reader, path string, most int64) (*RecordedRun, error) {
	t, err := partFrom(r, path, most)
	if err == nil && t.Cut != nil {
		return nil, console.Usage("transcript %s: %w", path, t.Cut)
	}
	return t, err
}

// partFrom is transcriptFrom for what may lack its end.
func partFrom(r io.Reader, path string, most int64) (*RecordedRun, error) {
	rest := func() error { return nil }
	if strings.HasSuffix(path, ".gz") {
		unpacked, alone, err := unpack(r)
		if err != nil {
			return nil, console.Usage("transcript %s: %w", path, err)
		}
		r, rest = unpacked, alone
	}
	t, err := &RecordedRun{}, error(nil)
	t.Entries, t.Digest, err = probes.ReadTranscript(&Bounded{r, most, most})
	if err == nil {
		err = rest()
	}
	if !errors.As(err, &t.Cut) || !t.Cut.Cut {
		t.Cut = nil
		if err != nil {
			return nil, console.Usage("transcript %s: %w", path, err)
		}
	}
	if err := t.frame(); err != nil {
		return nil, console.Usage("transcript %s: %w", path, err)
	}
	return t, nil
}

// unpack reads the one member of a packed file. alone reports, after all of it was read, what the
// file holds beside it: that is covered by no digest, so nothing may stand there.
func unpack(r io.Reader) (unpacked io.Reader, alone func() error, err error) {
	file := bufio.NewReader(r)
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, nil, err
	}
	if z.Comment != "" || len(z.Extra) > 0 {
		return nil, nil, errors.New("the header of the gzip file holds a comment or an extra field, which no digest covers")
	}
	z.Multistream(false)
	return z, func() error {
		if _, err := file.ReadByte(); !errors.Is(err, io.EOF) {
			return errors.New("the gzip file goes on behind the transcript; no digest covers what stands there")
		}
		return nil
	}, nil
}

// frame reads how the run began and, unless it was cut off, how it ended.
func (t *RecordedRun) frame() error {
	// The version first: a later form may hold what the strict reading refuses.
	var version struct {
		Version int `json:"transcriptVersion"`
	}
	head, last := t.Entries[0].Head, t.Entries[len(t.Entries)-1]
	if err := json.Unmarshal(head, &version); err != nil || version.Version < 1 || version.Version > probes.TranscriptVersion {
		return fmt.Errorf("line 1: transcript version %d, this program reads 1 to %d", version.Version, probes.TranscriptVersion)
	}
	if err := Strictly(head, &t.Head); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	if t.Head.Spec != catalogue.SpecVersion {
		return fmt.Errorf("of specification %s, this program judges %s", t.Head.Spec, catalogue.SpecVersion)
	}
	if t.Cut != nil {
		return nil
	}
	if err := Strictly(last.Foot, &t.Foot); err != nil {
		return fmt.Errorf("line %d: %w", len(t.Entries), err)
	}
	return nil
}

// Strictly reads a document of which every member is known, named as it is here, and given once.
// Two readers could take anything else for two documents. Nothing may follow it.
func Strictly(raw []byte, into any) error {
	return json.Unmarshal(raw, into, jsonv1.DefaultOptionsV1(), json.MatchCaseInsensitiveNames(false), json.RejectUnknownMembers(true),
		jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false))
}

// Unambiguous says why two readers could take a document for two: a member that is given twice,
// bytes that are no text, or something that follows the document.
func Unambiguous(raw []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if err := d.SkipValue(); err != nil {
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the document")
	}
	return nil
}

// Runs are the entries of each of the runs that the transcript holds, without its head.
func (t *RecordedRun) Runs() [][]probes.Entry {
	all := [][]probes.Entry{nil}
	for _, e := range t.Entries[1:] {
		if e.Again != nil {
			all = append(all, nil)
			continue
		}
		last := len(all) - 1
		all[last] = append(all[last], e)
	}
	return all
}

// Planned reports whether there was something to judge in the last run. Before it every
// run had.
func (t *RecordedRun) Planned() bool {
	if t.Cut == nil {
		return t.Foot.Planned
	}
	runs := t.Runs()
	return slices.ContainsFunc(runs[len(runs)-1], func(e probes.Entry) bool { return e.Plan != nil })
}

// Run is the head of the report. A transcript without its end tells as much as was known
// when it began, and that what follows is a part.
func (t *RecordedRun) Run() reports.Run {
	run := t.Foot.Run
	if t.Cut != nil {
		run = reports.Run{
			Adapter: t.Head.Adapter, SpecVersion: t.Head.Spec, Seed: t.Head.Effort.Seed, Level: t.Head.Level, Basis: t.Head.Basis,
			Interrupted: true, Started: t.Head.Today, Modes: []string{}, Detail: []string{fmt.Sprintf("partial: the transcript ends before line %d", t.Cut.Line)},
			Digests: reports.Digests{Catalogue: t.Head.Catalogue, Hints: t.Head.HintsDigest},
		}
		t.greeted(&run)
	}
	run.Tool = "aql-conform " + console.Version()
	run.Digests.Transcript = t.Digest
	return run
}

// greeted adds who answered and how much was asked.
func (t *RecordedRun) greeted(run *reports.Run) {
	for _, e := range t.Entries {
		switch {
		case e.Hello != nil && run.Revision == "":
			info, _ := probes.ParseValue(e.Hello.Greeting().Result())
			run.Implementation, run.Version = probes.ServerInfo(info).At("name").Text(), probes.ServerInfo(info).At("version").Text()
			run.Revision = e.Hello.Revision
		case e.Answer != nil && !e.Answer.Unasked:
			run.Asked++
			if e.Answer.Cured != "" {
				run.Cured++
			}
		}
	}
}
