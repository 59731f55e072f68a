package plan

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// moreRequests is what proves a case that the bound on requests left open.
const moreRequests = "--max-requests with a larger number"

// Ask sends all requests of the plan, lane by lane, and then removes what the run created. After
// ctx ends it only removes. Where the requests are bounded, the core of the levels comes first, then the
// levels, then the rest.
func (p *Plan) Ask(ctx context.Context, e *probes.Engine) {
	tasks := make([][]probes.Task, ranks)
	for i, c := range p.Cases {
		rank := 0
		if e.Bounded() {
			rank = c.rank()
		}
		if c.Check.Ahead != nil && (i == 0 || p.Cases[i-1].Check != c.Check) {
			tasks[rank] = append(tasks[rank], probes.Task{Lane: c.lane(), Do: func(ctx context.Context) { p.askAhead(ctx, e, i) }})
		}
		tasks[rank] = append(tasks[rank], probes.Task{Lane: c.lane(), Do: func(ctx context.Context) {
			if c.known {
				return
			}
			if c.Ask(ctx, e); ctx.Err() == nil {
				p.judgeEarly(c)
				p.answered()
			}
		}})
	}
	e.Bar(p.blockReason)
	p.startAhead(e)
	p.judgeKnown(ctx, e)
	for _, some := range tasks {
		e.Run(ctx, some)
	}
	if ctx.Err() == nil {
		p.pollMonitor()
		p.Generate(ctx, e)
		p.soak(ctx, e)
		p.pollMonitor()
	}
	p.spent = e.Spent()
	if !e.Recalled() {
		p.Leftovers = p.CleanUp(ctx, e)
	}
}

// askAhead sends the requests that the cases of a check allow before. Nothing writes meanwhile.
func (p *Plan) askAhead(ctx context.Context, e *probes.Engine, from int) {
	var ahead [][]probes.Probe
	for _, c := range p.Cases[from:] {
		if c.Check != p.Cases[from].Check {
			break
		}
		if c.Subject.Ruling == nil {
			ahead = append(ahead, c.Check.Ahead(*c.Subject))
		}
	}
	for turn := 0; ; turn++ {
		var ps []probes.Probe
		for _, all := range ahead {
			if turn < len(all) {
				ps = append(ps, all[turn])
			}
		}
		if len(ps) == 0 {
			return
		}
		probes.Ahead(ctx, e, ps)
	}
}

// MaxAhead is how many processes are started before their connections are needed. A run of an ordinary
// adapter opens ten connections beside the first.
const MaxAhead = 12

// startAhead starts the processes for checks with connections of their own, so that their starts
// overlap with the other requests.
func (p *Plan) startAhead(e *probes.Engine) {
	for _, f := range p.Adapters {
		own := map[*check.Check]bool{}
		for _, c := range p.Cases {
			if c.Subject.Adapter == f && (c.Check.Lane == probes.Exclusive || c.Check.Lane == probes.Disposable) && c.Subject.Ruling == nil {
				own[c.Check] = true
			}
		}
		if len(own) > 0 && !e.Recalled() {
			e.StartAhead(f.Conn, min(len(own), MaxAhead))
		}
	}
}

// StartMonitor starts the ambient checks on the record so far, so that Judge need not wait for
// them.
func (p *Plan) StartMonitor(e *probes.Engine) {
	p.monitor = p.NewAmbientMonitor(e.Since)
	p.pollMonitor()
}

// pollEvery is after how many answered cases the ambient checks process the new replies. Parsed replies stay in
// memory for a moment only, and at the end or at an interrupt little should be left to do.
const pollEvery = 8

// answered counts a case or script whose requests are answered.
func (p *Plan) answered() {
	if p.tasksDone.Add(1)%pollEvery == 0 {
		p.pollMonitor()
	}
}

// pollMonitor lets the ambient checks process the new replies.
func (p *Plan) pollMonitor() {
	if p.monitor != nil {
		p.monitor.Poll()
	}
}

// ranks is how many there are: the core, the rest of level 1, level 2, and what belongs to no level.
const ranks = 4

func (c *Case) rank() int {
	switch row := catalogue.MustLookup(c.Check.Requirement); {
	case row.Core:
		return 0
	case row.LevelNumber() == 0:
		return ranks - 1
	default:
		return row.LevelNumber()
	}
}

// Beyond reports whether the bound on requests cut the run short, and counts the cases that it left open: those
// of the levels up to one, and the others.
func (p *Plan) Beyond(level int) (levels, others int, cut bool) {
	if p.spent == "" && !slices.ContainsFunc(p.Adapters, func(f *model.Adapter) bool { return f.Cut != "" }) {
		return 0, 0, false
	}
	for _, c := range p.Cases {
		cut := c.Subject.Adapter.Cut != "" && !c.Check.Watches() || slices.ContainsFunc(c.observations, func(k *probes.Kept) bool { return k.Observation().Beyond() })
		switch n := catalogue.MustLookup(c.Check.Requirement).LevelNumber(); {
		case !cut:
		case n > 0 && n <= level:
			levels++
		default:
			others++
		}
	}
	return levels, others, true
}

// lane is the lane of the check, but never the parallel one for a writing operation.
func (c *Case) lane() probes.Lane {
	switch lane, f := c.Check.Lane, c.Subject.Adapter; {
	case lane == probes.Parallel && c.Subject.Op.Name != "" && c.Subject.Op.Category != "READ":
		return probes.Serial
	case lane != probes.Walking:
		return lane
	case slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { made, _ := f.Callable(o); return made && o.Category == "CREATE" }):
		return probes.Sparse
	}
	return probes.Parallel
}

// Judge returns the findings of the whole plan: each case from its own observations, ambient checks
// from every reply in the record.
func (p *Plan) Judge(record probes.Record) []reports.Finding {
	look := p.monitor
	if p.monitor = nil; look == nil {
		look = p.NewAmbientMonitor(func(n int) []*probes.Kept { return record.Observations[n:] })
	}
	passed, _ := Flaky(record)
	p.flaky = func() bool { return passed > 0 }
	var found reports.Gathering
	watched := look.Findings(record)
	for cases := range slices.Chunk(p.Cases, judgeChunk) {
		made := make([][]reports.Finding, len(cases))
		probes.SideBySide(len(cases), runtime.GOMAXPROCS(0), func(i int) {
			if findings, ambient := watched[cases[i]]; ambient {
				made[i] = findings()
			} else {
				made[i] = p.JudgeCase(cases[i], record)
			}
		})
		for _, findings := range made {
			found.Add(findings...)
		}
	}
	found.Add(p.FromGenerated(found.Failures())...)
	found.Add(p.allSkipped()...)
	return conclude(found.All())
}

// judgeChunk is how many cases are judged before their findings are collected. Collecting merges
// equal findings and frees memory.
const judgeChunk = 64

// JudgeCase returns the findings of one case.
func (p *Plan) JudgeCase(c *Case, record probes.Record) []reports.Finding {
	return p.judgeCase(c, record, p.flaky)
}

// judgeCase is JudgeCase with an answer to whether errors pass, for which it asks only if a ruling
// depends on that: the answer may have to wait for the end of the run.
func (p *Plan) judgeCase(c *Case, record probes.Record, flaky func() bool) []reports.Finding {
	if !c.Check.Watches() {
		r := c.Judge(record)
		if accuses(r) && flaky != nil {
			if s := spared(c.Subject.Adapter, r, c.Got()); s.Verdict != r.Verdict && flaky() {
				r = s
			}
		}
		return []reports.Finding{p.Finding(c.Check, *c.Subject, r)}
	}
	w := newMonitorState(c)
	for _, o := range record.Observations {
		w.observe(newWatchedReply(o, o.Observation(), o.Key()))
	}
	return p.ambientFindings(w, record, false)
}

// allSkipped returns the findings of everything that was excluded.
func (p *Plan) allSkipped() []reports.Finding {
	found := slices.Clone(p.skippedFindings)
	for _, o := range p.skipped {
		found = append(found, reports.Finding{Requirement: o.ID, Verdict: reports.Skipped, Subject: "adapter", Note: o.Reason})
	}
	return found
}

// noReplyRuling rules on an ambient check without a relevant reply.
func (p *Plan) noReplyRuling(c *Case) ruling.Ruling {
	row := catalogue.MustLookup(c.Check.Requirement)
	none := ruling.NotProven("a reply this rule speaks of", "none in the whole run")
	switch {
	case c.Subject.Introspect == "": // few requests were sent, so nothing is excused
		return none.Because("AQL-7.2-01")
	case cmp.Or(p.spent, c.Subject.Cut) != "":
		return ruling.NotProven(none.Want, cmp.Or(p.spent, c.Subject.Cut)).Mend(moreRequests)
	case row.When != nil:
		return ruling.NotApplicable("does not hold: " + *row.When)
	case c.Check.Ambient.UnseenReason != "":
		return ruling.NotApplicable(c.Check.Ambient.UnseenReason)
	}
	return none
}
