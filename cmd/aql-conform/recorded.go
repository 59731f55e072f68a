package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// A recordedRun is a transcript that was read and found sound.
type recordedRun struct {
	head    transcriptHead
	foot    transcriptFoot // zero where the end is missing
	entries []probes.Entry
	digest  string                  // of the transcript
	cut     *probes.TranscriptError // where the end is missing; nil when the transcript is whole
}

// readTranscript reads a file, packed or not, and verifies its chain.
func readTranscript(path string) (*recordedRun, error) {
	t, err := readPartly(path)
	if err == nil && t.cut != nil {
		return nil, usage("transcript %s: %w; judge --partial reads what is there", path, t.cut)
	}
	return t, err
}

// readPartly is readTranscript for a file that may lack its end.
func readPartly(path string) (*recordedRun, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("transcript: %w; a run with --transcript FILE writes one", err)
	}
	defer f.Close()
	return partFrom(f, path, math.MaxInt64)
}

// transcriptFrom reads the bytes of a file of that name, of which there may be so many
// once they are unpacked.
func transcriptFrom(r io.Reader, path string, most int64) (*recordedRun, error) {
	t, err := partFrom(r, path, most)
	if err == nil && t.cut != nil {
		return nil, usage("transcript %s: %w", path, t.cut)
	}
	return t, err
}

// partFrom is transcriptFrom for what may lack its end.
func partFrom(r io.Reader, path string, most int64) (*recordedRun, error) {
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, usage("transcript %s: %w", path, err)
		}
		r = z
	}
	t, err := &recordedRun{}, error(nil)
	t.entries, t.digest, err = probes.ReadTranscript(&bounded{r, most, most})
	if !errors.As(err, &t.cut) || !t.cut.Cut {
		t.cut = nil
		if err != nil {
			return nil, usage("transcript %s: %w", path, err)
		}
	}
	if err := t.frame(); err != nil {
		return nil, usage("transcript %s: %w", path, err)
	}
	return t, nil
}

// frame reads how the run began and, unless it was cut off, how it ended.
func (t *recordedRun) frame() error {
	// The version first: a later form may hold what the strict reading refuses.
	var version struct {
		Version int `json:"transcriptVersion"`
	}
	head, last := t.entries[0].Head, t.entries[len(t.entries)-1]
	if err := json.Unmarshal(head, &version); err != nil || version.Version != probes.TranscriptVersion {
		return fmt.Errorf("line 1: transcript version %d, this program reads %d", version.Version, probes.TranscriptVersion)
	}
	if err := strictly(head, &t.head); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	if t.head.Spec != catalogue.SpecVersion {
		return fmt.Errorf("of specification %s, this program judges %s", t.head.Spec, catalogue.SpecVersion)
	}
	if t.cut != nil {
		return nil
	}
	if err := strictly(last.Foot, &t.foot); err != nil {
		return fmt.Errorf("line %d: %w", len(t.entries), err)
	}
	return nil
}

func strictly(raw []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// runs are the entries of each of the runs that the transcript holds, without its head.
func (t *recordedRun) runs() [][]probes.Entry {
	all := [][]probes.Entry{nil}
	for _, e := range t.entries[1:] {
		if e.Again != nil {
			all = append(all, nil)
			continue
		}
		last := len(all) - 1
		all[last] = append(all[last], e)
	}
	return all
}

// planned reports whether there was something to judge in the last run. Before it every
// run had.
func (t *recordedRun) planned() bool {
	if t.cut == nil {
		return t.foot.Planned
	}
	runs := t.runs()
	return slices.ContainsFunc(runs[len(runs)-1], func(e probes.Entry) bool { return e.Plan != nil })
}

// run is the head of the report. A transcript without its end tells as much as was known
// when it began, and that what follows is a part.
func (t *recordedRun) run() reports.Run {
	run := t.foot.Run
	if t.cut != nil {
		run = reports.Run{
			Adapter: t.head.Adapter, SpecVersion: t.head.Spec, Seed: t.head.Effort.Seed, Level: t.head.Level, Basis: t.head.Basis,
			Interrupted: true, Started: t.head.Today, Modes: []string{}, Detail: []string{fmt.Sprintf("partial: the transcript ends before line %d", t.cut.Line)},
			Digests: reports.Digests{Catalogue: t.head.Catalogue, Hints: t.head.HintsDigest},
		}
		t.greeted(&run)
	}
	run.Tool = "aql-conform " + version()
	run.Digests.Transcript = t.digest
	return run
}

// greeted adds who answered and how much was asked.
func (t *recordedRun) greeted(run *reports.Run) {
	for _, e := range t.entries {
		switch {
		case e.Hello != nil && run.Revision == "":
			info, _ := probes.ParseValue(e.Hello.Greeting().Result())
			run.Implementation, run.Version = info.At("serverInfo", "name").Text(), info.At("serverInfo", "version").Text()
			run.Revision = e.Hello.Revision
		case e.Answer != nil && !e.Answer.Unasked:
			run.Asked++
		}
	}
}
