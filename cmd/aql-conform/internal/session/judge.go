package session

import (
	"context"
	"fmt"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// JudgeFlags name a transcript and what to write of the verdict.
type JudgeFlags struct {
	Transcript string `arg:"" help:"transcript, written by check --transcript FILE"`
	Partial    bool   `help:"accept a truncated transcript; no level is\ngranted, exit 130"`
	BaselineFlags
	console.OutputFlags
}

// Judge gives the verdict on a recorded run, without the adapter.
func (f *JudgeFlags) Judge(ctx context.Context, c console.Console) (int, error) {
	if err := f.OutputFlags.Valid(); err != nil {
		return 0, err
	}
	files, err := f.ReportFiles()
	if err != nil {
		return 0, err
	}
	known, err := f.BaselineFlags.Read()
	if err != nil {
		return 0, err
	}
	read := transcript.ReadTranscript
	if f.Partial {
		read = transcript.ReadPartly
	}
	t, err := read(f.Transcript)
	if err != nil {
		return 0, err
	}
	report, err := judge.Report(ctx, t, Evidential(files))
	if err != nil {
		return 0, err
	}
	switch {
	case t.Cut != nil:
		fmt.Fprintf(c.Stderr, "aql-conform: partial: the transcript ends before %v\n", t.Cut)
	case report.Digest != t.Foot.Digest:
		fmt.Fprintf(c.Stderr, "aql-conform: the run itself came to digest %s (%s); this is another catalogue or checker\n", t.Foot.Digest, t.Head.Tool)
	}
	if err := known.Hold(c, report); err != nil {
		return 0, err
	}
	return f.Publish(c, files, report)
}
