package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
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
	report, err := Report(ctx, t, Evidential(files))
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

// Report judges the recorded run anew, with the evidence where it is wanted. Nothing
// of the verdict is taken from the transcript but the answers.
func Report(ctx context.Context, t *transcript.RecordedRun, evidential bool) (*reports.Report, error) {
	run := t.Run()
	judged, err := judgeAll(ctx, t, run, evidential)
	if err != nil {
		return nil, err
	}
	run.Reach = judged.reach
	r := reports.Conclude(run, catalogue.Rows(), judged.findings)
	r.Evidence = judged.evidence
	return r, nil
}

// A judgedTranscript is what comes of one.
type judgedTranscript struct {
	findings []reports.Finding
	evidence *reports.Evidence
	reach    *reports.Reach
}

// judgeAll judges all runs of the transcript together, or where the last one came to no
// end, that one, as when it was live. The evidence is that of the last run.
func judgeAll(ctx context.Context, t *transcript.RecordedRun, run reports.Run, evidential bool) (all judgedTranscript, err error) {
	if !t.Planned() {
		return all, nil
	}
	runs := t.Runs()
	if run.Interrupted || run.Conclusion != "" {
		runs = runs[len(runs)-1:]
	}
	var found [][]reports.Finding
	var reaches []*reports.Reach
	for _, entries := range runs {
		judged, err := judgeOne(ctx, t, run, entries, evidential)
		if err != nil {
			return all, err
		}
		all.evidence = judged.evidence
		found, reaches = append(found, judged.findings), append(reaches, judged.reach)
	}
	all.findings, all.reach = reports.Together(found), reports.ReachOfAll(reaches)
	return all, nil
}

// judgeOne judges one run.
func judgeOne(ctx context.Context, t *transcript.RecordedRun, run reports.Run, entries []probes.Entry, evidential bool) (judged judgedTranscript, err error) {
	e := probes.NewEngine(wire.NewRecorder(), time.Second, runtime.GOMAXPROCS(0))
	e.AtMost(t.Head.Effort.Requests)
	faces := recalledFaces(ctx, t, e, entries)
	t.Head.Selection.Checks = suites.All()
	p, err := plan.New(faces, t.Head.Selection, t.Head.Again)
	if err != nil {
		return judged, console.Usage("the plan of the transcript: %w", err)
	}
	p.Effort = t.Head.Effort
	if run.Stopped {
		p.Effort.Phases = nil // nothing was generated
	}
	if p.Effort.Script != nil {
		p.Cases = nil // as in the run
	}
	p.StartMonitor(e)
	p.Ask(ctx, e)
	findings := p.Judge(e.Record())
	if evidential {
		judged.evidence = export.Evidence(p, e.Record())
	}
	run.Reach = p.Reach(e.Record())
	levels := reports.Conclude(run, catalogue.Rows(), findings).Levels
	findings = p.JudgeClaims(findings, func(level int) reports.Standing { return levels[level-1].Standing })
	if ctx.Err() != nil { // an answer that was not waited for is no evidence
		return judged, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	}
	hide := spent(export.Secrets(p, e.Record()))
	if judged.evidence != nil {
		judged.evidence = maskedEvidence(judged.evidence, hide.Mask)
	}
	judged.reach = maskedReach(run.Reach, hide.Mask)
	judged.findings = portable(masked(findings, hide.Mask, hide.Told), t.Head.URL)
	return judged, nil
}

// recalledFaces are the endpoint modes that a run has seen, from what it recorded.
func recalledFaces(ctx context.Context, t *transcript.RecordedRun, e *probes.Engine, entries []probes.Entry) []*model.Adapter {
	connected := e.Recall(entries)
	set := model.Options{
		Nonce: t.Head.Nonce, May: t.Head.May.Permissions(), TargetLevel: t.Head.Level, Hints: t.Head.Hints, Today: t.Head.Today,
		Sleep: func(time.Duration) {},
	}
	main := model.NewAdapter(ctx, e, "main", set)
	faces := []*model.Adapter{main}
	if slices.Contains(connected, "other") {
		if other := model.NewAdapter(ctx, e, "other", set); beside(main, other) {
			faces = append(faces, other)
		}
	}
	return faces
}
