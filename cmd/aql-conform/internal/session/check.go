// Package session starts or reaches an adapter, asks it, has it judged and writes the
// transcript.
package session

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A Session is one run of the checker against one adapter.
type Session struct {
	*Order
	engine *probes.Engine
	nonce  string
	today  time.Time
	run    reports.Run
	line   *Progress

	recorder *wire.Recorder
	written  *transcriptFile // nil: no transcript is written
	runs     int             // in the transcript so far
	ledger   *ledger         // of what it makes; nil where it makes nothing
	planned  bool
	trace    io.Writer // nil: nobody watches the exchanges

	introspection string // digest of what the adapter says of itself
	evidence      *reports.Evidence
	spent         []export.Secret // of all runs

	rehearsed *plan.Plan // of a dry run, when there was something to plan for
}

// Check carries out the order and returns the exit code of the report.
func (o *Order) Check(ctx context.Context, c console.Console) (int, error) {
	s := &Session{Order: o, nonce: Nonce(o.Seed), today: time.Now().UTC(), line: NewProgress(c.Stderr)}
	fmt.Fprintf(c.Stderr, "aql-conform: seed %d%s%s\n", o.Seed, s.announced(), o.hints.said()) // known even if nothing else comes
	defer s.ledger.close()
	if o.flags.Trace {
		s.trace, s.line = c.Stderr, NewProgress(io.Discard) // which a line that is redrawn would overwrite
	}
	s.line.tell = c.Progress
	s.run = reports.Run{
		Tool: "aql-conform " + console.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Adapter: o.withoutSecrets(o.Main.shown), SpecVersion: catalogue.SpecVersion,
		Seed: o.Seed, Level: o.level, Basis: o.flags.Basis, Strict: o.flags.Strict, RequireProof: o.flags.RequireProof, Certify: o.flags.Certify != "",
		Started: time.Now(), Modes: []string{}, Remarks: []string{}, Narrowed: o.narrowed(), Rechecked: o.flags.rechecked, Ungenerated: len(o.effort.Phases) < len(generated.Phases()),
	}
	if o.selection.Shard > 0 {
		s.run.Shard = &reports.Shard{Index: o.selection.Shard, Of: o.selection.Shards}
	}
	s.mention()
	bounded, exceeded, stop := withinMemory(ctx, o.flags.MaxMemory)
	findings, err := s.repeatedly(bounded)
	stop()
	if exceeded() {
		s.run.Interrupted, s.run.StoppedAtMiB = true, o.flags.MaxMemory
	}
	if err != nil {
		return 0, err
	}
	if s.rehearsed != nil {
		return 0, console.Unheeded(c.Stdout, s.rehearse)
	}
	if findings, err = s.settleTranscript(ctx, findings); err != nil {
		return 0, err
	}
	s.run.Elapsed = time.Since(s.run.Started)
	s.run.Digests = s.digests()
	report := reports.Conclude(s.run, catalogue.Rows(), findings)
	report.Evidence, o.report = s.evidence, report
	if err := s.seal(report); err != nil {
		return 0, err
	}
	if err := o.known.Hold(c, report); err != nil {
		return 0, err
	}
	code, err := o.flags.Publish(c, o.files, report)
	if err == nil && o.flags.Certify != "" {
		err = o.flags.certify(ctx, c, report)
	}
	return code, err
}

// repeatedly judges as often as asked for, each time from the start, and puts the
// findings together.
func (s *Session) repeatedly(ctx context.Context) ([]reports.Finding, error) {
	var runs [][]reports.Finding
	var reaches []*reports.Reach
	var remarks []string
	asked := 0
	for n := range s.flags.repeats() {
		if n > 0 {
			s.run.Remarks, s.run.Measured, s.run.Modes = nil, nil, nil // what is measured is of the last run
			s.mention()
		}
		findings, err := s.within(ctx)
		asked += s.run.Asked
		remarks = reports.Distinct(remarks, s.run.Remarks) // what an earlier run left behind is still there
		s.run.Remarks = remarks
		if err != nil || s.run.Conclusion != "" || s.run.Interrupted || s.rehearsed != nil {
			return findings, err
		}
		runs, reaches = append(runs, findings), append(reaches, s.run.Reach)
	}
	s.run.Reach = reports.ReachOfAll(reaches)
	s.run.Asked = asked
	if len(runs) > 1 {
		s.run.Remarks = append([]string{fmt.Sprintf("%d runs with the same seed", len(runs))}, s.run.Remarks...)
	}
	return reports.Together(runs), nil
}

// within judges between the hooks.
func (s *Session) within(ctx context.Context) ([]reports.Finding, error) {
	s.recorder = wire.NewRecorder(s.hidden()...)
	s.engine = s.newEngine(s.recorder)
	s.planned, s.run.Reach = false, nil
	if err := s.transcribe(); err != nil {
		return nil, err
	}
	defer s.tidy(ctx)
	if !s.prepare(ctx) {
		return nil, nil
	}
	return s.judge(ctx)
}

// judge connects, introspects, plans, asks and judges. When it returns, the
// adapter has ended, whatever happened.
func (s *Session) judge(ctx context.Context) ([]reports.Finding, error) {
	defer s.line.Erase()
	defer s.leave()
	defer s.engine.Seal()
	s.engine.OnAsked(s.line.Asked)
	defer s.follow()()
	s.assist()
	s.begin("connect")
	if err := s.connect(ctx, "main", s.Main); err != nil {
		s.run.Interrupted = ctx.Err() != nil
		s.unreachable(s.Main, err)
		return nil, nil
	}
	if len(s.selection.Run) == 0 && !s.flags.DryRun {
		s.engine.StartAhead("main", plan.MaxAhead)
	}
	s.begin("understand")
	main := model.NewAdapter(ctx, s.engine, "main", s.setting())
	s.introduce(main)
	faces := []*model.Adapter{main}
	if ctx.Err() == nil && (main.Cut != "" || check.UnreadableToolList(ctx, main, s.engine) || s.judgeable(main)) {
		s.compare(main, main.UnmetExpectations(ctx, s.engine))
		if other := s.otherMode(ctx, main); other != nil {
			faces = append(faces, other)
		}
	}
	p, err := plan.New(faces, s.selection, s.Again)
	if err != nil || ctx.Err() != nil || s.run.Conclusion != "" {
		// To find out which requests work, the faces have made objects already.
		s.leftovers((&plan.Plan{Adapters: faces}).CleanUp(ctx, s.engine))
		s.run.Interrupted = ctx.Err() != nil
		return nil, s.mistake(err)
	}
	p.Effort = s.effort
	if s.effort.Script != nil {
		p.Cases = nil // the script alone is asked
	}
	if s.flags.DryRun {
		s.rehearsed = p
		return nil, nil
	}
	s.line.Expect(len(p.Cases))
	s.line.Foresee(p.Estimate(s.engine, false))
	p.OnGenerate = func() { s.begin("generated input"); s.line.generating(p.Effort.Time) }
	p.OnSoak = func() { s.begin("load"); s.line.soaking(p.Effort.Soak) }
	s.planned = true
	if err := s.transcribePlan(p); err != nil {
		return nil, err
	}
	s.introspection = main.IntrospectionHash()
	if s.flags.FailFast {
		p.StopWhen(s.fails)
	}
	s.begin("checks")
	findings := p.RunSpecs(ctx, s.engine, s.line.Judged)
	s.begin("judge")
	s.run.Interrupted, s.run.Stopped = ctx.Err() != nil, p.Stopped()
	return s.concluded(ctx, p, findings), nil
}

// concluded adds the remarks and the evidence of a run, and returns the findings without
// its secrets.
func (s *Session) concluded(ctx context.Context, p *plan.Plan, found func() []reports.Finding) []reports.Finding {
	s.advise(ctx, p)
	if why := p.WritingStopped(); why != "" {
		s.remark("%s", why)
	}
	s.leftovers(p.Leftovers)
	secret := export.Secrets(p, s.engine.Record())
	s.spent = append(s.spent, secret...)
	hide := judge.Spent(secret, s.open...)
	mask := func(text []byte) []byte { return hide.Mask(s.recorder.Mask(text)) }
	told := func(text []byte) []byte { return hide.Told(s.recorder.Mask(text)) }
	for _, lines := range [][]string{s.run.Remarks, s.run.Measured} { // a call that would remove something may hold a token
		for i, remark := range lines {
			lines[i] = string(hide.Mask([]byte(remark)))
		}
	}
	if Evidential(s.files) {
		bundle := export.Evidence(p, s.engine.Record())
		if untried := export.Untried(p, bundle); len(untried) > 0 {
			s.remark("the evidence has no records of operations that were not called without %s; the runner would read such a record as not enforced", strings.Join(untried, ", "))
		}
		s.evidence = judge.MaskedEvidence(bundle, mask)
	}
	s.run.Reach = judge.MaskedReach(p.Reach(s.engine.Record()), mask)
	findings := found()
	s.loaded(p, findings)
	claimed := judge.Masked(p.JudgeClaims(findings, s.standing(findings)), mask, told)
	return judge.Portable(claimed, s.withoutSecrets(discreet(s.Main.URL)))
}

// leave ends the adapter and whatever it left running.
func (s *Session) leave() {
	s.engine.Close()
	left := wire.EndLeftovers()
	if len(left.Ended) > 0 {
		s.remark("the adapter left processes running; the checker ended %d: %s", len(left.Ended), named(left.Ended))
	}
	if len(left.Alive) > 0 {
		s.remark("the adapter left processes running; the checker could not end %d: %s", len(left.Alive), named(left.Alive))
	}
}

// newEngine returns an engine that asks as the flags want it.
func (s *Session) newEngine(rec *wire.Recorder) *probes.Engine {
	e := probes.NewEngine(rec, s.flags.Timeout, s.flags.Jobs)
	if s.flags.RateLimit > 0 {
		e.Limit(s.flags.RateLimit)
	}
	e.AtMost(s.effort.Requests)
	return e
}

// standing says how each level stands by the findings, for the requirement that
// compares a claim with it.
func (s *Session) standing(findings []reports.Finding) func(int) reports.Standing {
	levels := sync.OnceValue(func() []reports.Level { return reports.Conclude(s.run, catalogue.Rows(), findings).Levels })
	return func(level int) reports.Standing { return levels()[level-1].Standing }
}

// mistake is what a p that cannot be made means for the operator. An adapter
// that could not be looked at offers nothing that --subject could match, and the
// conclusion about that says more.
func (s *Session) mistake(err error) error {
	if err == nil || s.run.Interrupted || s.run.Conclusion != "" {
		return nil
	}
	return console.Usage("%w", err)
}
