package attest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
)

// maxJudging is how long the judgement of one submission may take.
const maxJudging = 5 * time.Minute

// verified verifies what lies in a folder for a place of the registry. Whatever is wrong with it
// is the problem of that submission, never of the others.
func verified(ctx context.Context, root *os.Root, folder, place string, keys []statement.Key) (s reports.Submission) {
	s.Path = place
	defer func() {
		if r := recover(); r != nil { // a transcript that was made to do this
			s = reports.Submission{Path: place, Problem: fmt.Sprintf("this version cannot judge it: %v%s", r, console.Origin())}
		}
	}()
	ctx, stop := context.WithTimeout(ctx, maxJudging)
	defer stop()
	report, signature, err := recompute(ctx, root, folder, place, keys)
	switch {
	case ctx.Err() != nil:
		s.Problem = fmt.Sprintf("judging it took longer than %s", maxJudging)
	case err != nil:
		s.Problem = err.Error()
	default:
		s.Report, s.Signature, s.Sealed, s.Transcript = report, signature, lies(root, folder, SealedName), PackedName
		if lies(root, folder, PlainName) {
			s.Transcript = PlainName
		}
	}
	return s
}

// recompute judges the transcript of a submission anew. The error says why the rest of
// it cannot be believed. The files lie in a folder, which belongs to a place in the registry.
func recompute(ctx context.Context, root *os.Root, folder, place string, keys []statement.Key) (*reports.Report, string, error) {
	raw, err := contents(root, path.Join(folder, ReportName), maxReport)
	if err != nil {
		return nil, "", err
	}
	t, err := transcriptIn(root, folder)
	if err != nil {
		return nil, "", err
	}
	problems, report, err := judge.Departures(ctx, t, raw)
	_, deployment, _ := strings.Cut(path.Base(place), "@")
	switch {
	case err != nil:
		return nil, "", err
	case len(problems) > 0:
		return nil, "", errors.New(problems[0])
	case incomplete(report.Run, report.ExitCode) != "":
		return nil, "", errors.New(incomplete(report.Run, report.ExitCode))
	case console.PlaceOf(report.Run, deployment) != place:
		return nil, "", fmt.Errorf("it belongs to another adapter or version than its folder; move it to %s", console.PlaceOf(report.Run, deployment))
	}
	if _, unanswered, err := answerOf(t, raw, nil); err != nil || len(unanswered) > 0 {
		return nil, "", errors.Join(err, errors.New(strings.Join(unanswered, "; ")))
	}
	name := path.Join(folder, SealedName)
	if _, err := root.Lstat(name); errors.Is(err, os.ErrNotExist) {
		if len(keys) > 0 {
			return nil, "", statement.ErrUnsigned
		}
		return report, "not sealed", nil
	}
	sealed, err := contents(root, name, maxSealed)
	if err != nil {
		return nil, "", err
	}
	signature, err := statement.On(sealed, raw, keys)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", SealedName, err)
	}
	return report, signature, nil
}

// transcriptIn reads the transcript of a submission, packed or not.
func transcriptIn(root *os.Root, place string) (*transcript.RecordedRun, error) {
	name := path.Join(place, PackedName)
	_, packed := root.Lstat(name)
	_, plain := root.Lstat(path.Join(place, PlainName))
	switch {
	case packed == nil && plain == nil:
		return nil, fmt.Errorf("it has two transcripts, %s and %s", PackedName, PlainName)
	case plain == nil:
		name = path.Join(place, PlainName)
	}
	f, err := opened(root, name, maxTranscript)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return transcript.TranscriptFrom(f, path.Base(name), maxUnpacked)
}
