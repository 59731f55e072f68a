package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// judgeFlags name a transcript and what to write of the verdict.
type judgeFlags struct {
	Transcript string `arg:"" help:"what a run wrote with --transcript"`
	Partial    bool   `help:"take one whose end is missing: what was seen until\nthen, no level, exit 130"`
	baselineFlags
	outputFlags
}

// judge gives the verdict on a recorded run, without the adapter.
func (f *judgeFlags) judge(ctx context.Context, c console) (int, error) {
	if err := f.outputFlags.valid(); err != nil {
		return 0, err
	}
	files, err := f.reportFiles()
	if err != nil {
		return 0, err
	}
	known, err := f.baselineFlags.read()
	if err != nil {
		return 0, err
	}
	read := readTranscript
	if f.Partial {
		read = readPartly
	}
	t, err := read(f.Transcript)
	if err != nil {
		return 0, err
	}
	report, err := t.report(ctx, evidential(files))
	if err != nil {
		return 0, err
	}
	switch {
	case t.cut != nil:
		fmt.Fprintf(c.stderr, "aql-conform: partial: the transcript ends before %v\n", t.cut)
	case report.Digest != t.foot.Digest:
		fmt.Fprintf(c.stderr, "aql-conform: the run itself came to digest %s (%s); this is another catalogue or checker\n", t.foot.Digest, t.head.Tool)
	}
	if err := known.hold(c, report); err != nil {
		return 0, err
	}
	return f.publish(c, files, report)
}

// report judges the recorded run anew, with the evidence where it is wanted. Nothing
// of the verdict is taken from the transcript but the answers.
func (t *recordedRun) report(ctx context.Context, evidential bool) (*reports.Report, error) {
	run := t.run()
	findings, evidence, err := t.findings(ctx, run, evidential)
	if err != nil {
		return nil, err
	}
	r := reports.Conclude(run, catalogue.Rows(), findings)
	r.Evidence = evidence
	return r, nil
}

// findings are those of all runs of the transcript together, or where the last one came
// to no end, of that one, as when it was live. The evidence is that of the last run.
func (t *recordedRun) findings(ctx context.Context, run reports.Run, evidential bool) ([]reports.Finding, *reports.Evidence, error) {
	if !t.planned() {
		return nil, nil, nil
	}
	runs := t.runs()
	if run.Interrupted || run.Conclusion != "" {
		runs = runs[len(runs)-1:]
	}
	var found [][]reports.Finding
	var evidence *reports.Evidence
	for _, entries := range runs {
		findings, shown, err := t.findingsOf(ctx, run, entries, evidential)
		if err != nil {
			return nil, nil, err
		}
		found, evidence = append(found, findings), shown
	}
	return reports.Together(found), evidence, nil
}

// findingsOf judges one run.
func (t *recordedRun) findingsOf(ctx context.Context, run reports.Run, entries []probes.Entry, evidential bool) (findings []reports.Finding, evidence *reports.Evidence, err error) {
	e := probes.NewEngine(wire.NewRecorder(), time.Second, runtime.GOMAXPROCS(0))
	connected := e.Recall(entries)
	set := model.Options{
		Nonce: t.head.Nonce, May: t.head.May.Permissions(), TargetLevel: t.head.Level, Hints: t.head.Hints, Today: t.head.Today,
		Sleep: func(time.Duration) {},
	}
	main := model.NewAdapter(ctx, e, "main", set)
	faces := []*model.Adapter{main}
	if slices.Contains(connected, "other") {
		if other := model.NewAdapter(ctx, e, "other", set); beside(main, other) {
			faces = append(faces, other)
		}
	}
	t.head.Selection.Checks = suites.All()
	p, err := plan.New(faces, t.head.Selection, t.head.Again)
	if err != nil {
		return nil, nil, usage("the plan of the transcript: %w", err)
	}
	p.Effort = t.head.Effort
	if run.Stopped {
		p.Effort.Phases = nil // nothing was generated
	}
	if p.Effort.Script != nil {
		p.Cases = nil // as in the run
	}
	p.StartMonitor(e)
	p.Ask(ctx, e)
	findings = p.Judge(e.Record())
	if evidential {
		evidence = export.Evidence(p, e.Record())
	}
	levels := reports.Conclude(run, catalogue.Rows(), findings).Levels
	findings = p.JudgeClaims(findings, func(level int) reports.Standing { return levels[level-1].Standing })
	if ctx.Err() != nil { // an answer that was not waited for is no evidence
		return nil, nil, failure{exitInterrupted, errors.New("interrupted")}
	}
	hide := spent(export.Secrets(p, e.Record()))
	if evidence != nil {
		evidence = maskedEvidence(evidence, hide)
	}
	return portable(masked(findings, hide), t.head.URL), evidence, nil
}
