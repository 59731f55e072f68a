// Package judge gives the verdict on a recorded run. It needs neither files nor a network, so it
// runs in a browser too.
package judge

import (
	"context"
	"errors"
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

// Report judges the recorded run anew, with the evidence where it is wanted. Nothing
// of the verdict is taken from the transcript but the answers.
func Report(ctx context.Context, t *transcript.RecordedRun, evidential bool) (*reports.Report, error) {
	run := t.Run()
	judged, err := All(ctx, t, run, evidential)
	if err != nil {
		return nil, err
	}
	run.Reach = judged.Reach
	r := reports.Conclude(run, catalogue.Rows(), judged.Findings)
	r.Evidence = judged.Evidence
	return r, nil
}

// A Judged is what comes of one.
type Judged struct {
	Findings []reports.Finding
	Evidence *reports.Evidence
	Reach    *reports.Reach
}

// All judges all runs of the transcript together, or where the last one came to no
// end, that one, as when it was live. The evidence is that of the last run.
func All(ctx context.Context, t *transcript.RecordedRun, run reports.Run, evidential bool) (all Judged, err error) {
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
		judged, err := one(ctx, t, run, entries, evidential)
		if err != nil {
			return all, err
		}
		all.Evidence = judged.Evidence
		found, reaches = append(found, judged.Findings), append(reaches, judged.Reach)
	}
	all.Findings, all.Reach = reports.Together(found), reports.ReachOfAll(reaches)
	return all, nil
}

// one judges one run.
func one(ctx context.Context, t *transcript.RecordedRun, run reports.Run, entries []probes.Entry, evidential bool) (judged Judged, err error) {
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
		judged.Evidence = export.Evidence(p, e.Record())
	}
	run.Reach = p.Reach(e.Record())
	levels := reports.Conclude(run, catalogue.Rows(), findings).Levels
	findings = p.JudgeClaims(findings, func(level int) reports.Standing { return levels[level-1].Standing })
	if ctx.Err() != nil { // an answer that was not waited for is no evidence
		return judged, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	}
	hide := Spent(export.Secrets(p, e.Record()))
	if judged.Evidence != nil {
		judged.Evidence = MaskedEvidence(judged.Evidence, hide.Mask)
	}
	judged.Reach = MaskedReach(run.Reach, hide.Mask)
	judged.Findings = Portable(Masked(findings, hide.Mask, hide.Told), t.Head.URL)
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
		if other := model.NewAdapter(ctx, e, "other", set); Beside(main, other) {
			faces = append(faces, other)
		}
	}
	return faces
}

// Beside puts the adapter in its other mode beside main, if it is one.
func Beside(main, other *model.Adapter) bool {
	if !other.SpeaksAQL() || !Completes(main.Mode(), other.Mode()) {
		return false
	}
	other.Label = other.Mode() + ": "
	main.Other, other.Other = other, main
	return true
}

// Completes reports whether an adapter seen in one mode shows both endpoint
// modes together with what it shows in another.
func Completes(have, with string) bool {
	return have != "all" && have != with
}
