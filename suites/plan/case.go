package plan

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Case is one check applied to one subject.
type Case struct {
	Check   *check.Check
	Subject *model.Subject // shared with the cases of other checks

	observations []*probes.Kept
	steps        []string       // of the requests; nil where the observations have them, which other cases share
	pending      sync.WaitGroup // until all requests are answered
	ended        sync.Once
	round        int // in which its requests are sent; 0 is the first
	judged       bool
	known        bool // it was asked before the others
	unasked      bool // the run was interrupted before
}

// markAsked marks the case as asked. It may be called more than once.
func (c *Case) markAsked() { c.ended.Do(c.pending.Done) }

// Ask sends the requests of the case and keeps the observations. It sends them again, in further rounds, while
// the answers do not settle the case.
func (c *Case) Ask(ctx context.Context, asker probes.Asker) {
	defer c.markAsked()
	c.askRound(ctx, asker)
	c.askAgain(ctx, asker)
}

// askRound sends the requests of one round.
func (c *Case) askRound(ctx context.Context, asker probes.Asker) {
	var got probes.Answers
	defer func() { c.Keep(got) }()
	if c.Subject.Ruling != nil {
		return
	}
	if c.unasked = ctx.Err() != nil && (c.Check.Ask != nil || c.Check.Drive != nil || c.Check.Look != nil || c.Check.Race != nil); c.unasked {
		return
	}
	keys := &drawnKeys{}
	one := func(p probes.Probe) probes.Observation {
		resolved, ok := c.Subject.Apart(p).Resolve(got)
		if !ok {
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
		}
		ask := func(p probes.Probe) probes.Observation { return c.askNumbered(ctx, asker, p) }
		return keys.ask(c.Subject.Adapter, c.Subject.Adapter.WithVersion(resolved, ask), ask)
	}
	shown := func(o probes.Observation) probes.Observation { return o }
	if e, live := asker.(*probes.Engine); live {
		shown = e.Shown
	}
	asking := func(p probes.Probe) probes.Observation {
		o := one(p)
		got = append(got, shown(o))
		return o
	}
	switch {
	case c.Check.Race != nil:
		for _, s := range model.EachDomain(c.Subject.Adapter) {
			if s.Op.Category == "UPDATE" {
				check.WriteOwnObject(s, one, 0) // the first write of an operation runs alone so that the gate can measure its effect
			}
		}
		c.Check.Race(*c.Subject, asking, func(ps []probes.Probe) []probes.Observation {
			answers := askConcurrently(ps, one)
			for _, o := range answers {
				got = append(got, shown(o))
			}
			return answers
		})
	case c.Check.Look != nil:
		c.Check.Look(*c.Subject, asking, func(ps []probes.Probe) []probes.Observation {
			answers := make([]probes.Observation, len(ps))
			probes.SideBySide(len(ps), probes.AtOnce(asker), func(i int) { answers[i] = one(ps[i]) })
			for _, o := range answers {
				got = append(got, shown(o))
			}
			return answers
		})
	case c.Check.Drive != nil:
		c.Check.Drive(*c.Subject, asking)
	case c.Check.Ask != nil:
		ps := c.Check.Ask(*c.Subject)
		got = make(probes.Answers, 0, len(ps))
		for _, p := range ps {
			asking(p)
		}
	}
}

// Keep stores the observations until the end of the run.
func (c *Case) Keep(got probes.Answers) {
	c.observations, c.steps = make([]*probes.Kept, len(got)), nil
	own := false
	for i, o := range got {
		c.observations[i] = probes.Keep(o)
		own = own || c.observations[i].Step() != o.Probe.Step
	}
	for i := 0; own && i < len(got); i++ {
		c.steps = append(c.steps, got[i].Probe.Step)
	}
}

// Got returns the observations of the case, in the order of the requests.
func (c *Case) Got() probes.Answers {
	all := make(probes.Answers, len(c.observations))
	for i, o := range c.observations {
		all[i] = o.Observation()
		if c.steps != nil {
			all[i].Probe.Step = c.steps[i]
		}
		all[i].Probe.Number = probes.InFirstRound(all[i].Probe.Number)
	}
	return all
}

// repeatedStep returns a step that names two different requests; "" if there is none.
func repeatedStep(got probes.Answers) string {
	first := map[string]probes.Probe{}
	for _, o := range got {
		p := o.Probe
		if earlier, named := first[p.Step]; named && p.Step != "" && earlier.Key() != p.Key() {
			return p.Step
		}
		first[p.Step] = p
	}
	return ""
}

// askConcurrently sends all probes before it waits for an answer.
func askConcurrently(ps []probes.Probe, ask model.AskFunc) []probes.Observation {
	answers := make([]probes.Observation, len(ps))
	begin := make(chan struct{})
	var group sync.WaitGroup
	for i, p := range ps {
		group.Go(func() {
			<-begin
			answers[i] = ask(p)
		})
	}
	close(begin)
	group.Wait()
	return answers
}

// Pin keeps the parsed answers in memory.
func Pin(got probes.Answers) []any {
	pins := make([]any, len(got))
	for i, o := range got {
		pins[i] = o.Pin()
	}
	return pins
}

// maxPinned is how many bytes of answers a case keeps parsed while it is judged. What is beyond it
// is read again where it is needed. A parsed list of short texts takes thirty times its bytes.
const maxPinned = 2 << 20

// pinnable returns the first answers, as far as they are not too large together.
func pinnable(got probes.Answers) probes.Answers {
	size := 0
	for i, o := range got {
		if size += o.Received.Size; size > maxPinned {
			return got[:i]
		}
	}
	return got
}

// Judge rules on the observations. An unanswered request leaves the case not proven: one finding of
// its own covers the crash or hang, not each requirement under test.
func (c *Case) Judge(record probes.Record) ruling.Ruling {
	if c.Subject.Ruling != nil {
		return *c.Subject.Ruling
	}
	if c.unasked {
		return ruling.NotProven("an answer to its requests", "an interrupted run")
	}
	got := c.Got()
	defer runtime.KeepAlive(Pin(pinnable(got)))
	if step := repeatedStep(got); step != "" {
		return ruling.NotProven("a script with one request for each step", "two requests named "+step)
	}
	unsent, why := c.unanswered(got)
	if why != nil {
		return *why
	}
	if i := slices.IndexFunc(got, check.RateLimited); i >= 0 && c.Check.Handles&check.RateLimits == 0 && c.Check.Requirement != "MCP-SEC-02" {
		return ruling.NotProven("an answer to "+ruling.Clip(got[i].Probe.String()), got[i]).Mend("--rate-limit with what the adapter takes in a second")
	}
	if i := slices.IndexFunc(got, probes.Observation.Passed); i >= 0 {
		return ruling.NotProven("an answer to "+ruling.Clip(got[i].Probe.String()), got[i].Brief()+", which passed")
	}
	if i := slices.IndexFunc(got, check.HasConflictingEnvelopes); i >= 0 {
		return ruling.NotProven("one envelope", "two that contradict each other").By(got[i]).Because("AQL-5.1-01")
	}
	if unsent != nil {
		if r, shown := c.shownRegardless(got); shown {
			return foretelling(r, unsent.Fix)
		}
		return *unsent
	}
	if c.Check.JudgesRun() {
		return c.Check.Ambient.Run(*c.Subject, got, record)
	}
	r := c.Check.Judge(*c.Subject, got)
	if len(r.Evidence) == 0 {
		r.Evidence = got[:min(len(got), 2)]
	}
	return r
}

// foretelling notes the flag without which the requirement stays not proven once the violation is mended,
// because some of its requests were not sent.
func foretelling(r ruling.Ruling, flag string) ruling.Ruling {
	if strings.HasPrefix(flag, "--") {
		r.Note = strings.TrimPrefix(r.Note+"; once mended, "+flag+" is needed to prove it", "; ")
	}
	return r
}

// unanswered returns why the answers prove nothing, or as unsent why they prove no more than a
// violation: requests that were not sent.
func (c *Case) unanswered(got probes.Answers) (unsent, why *ruling.Ruling) {
	for _, o := range got {
		if !o.Lost() {
			continue
		}
		r := ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), o).Because("AQL-3.2-03")
		name := o.Probe.CommandName()
		switch {
		case o.Beyond():
			r = ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), o.Exit).Mend(moreRequests)
			if unsent = cmp.Or(unsent, &r); c.Check.Judge != nil {
				continue
			}
		case o.Outcome == probes.Unasked && o.Probe.Beside() && !o.Probe.Fetches() && name == "":
			r = ruling.NotProven("time for something to expire", o.Exit).Mend("--max-wait with a longer time")
		case o.Outcome == probes.Unasked && c.Check.Handles&check.Blocked != 0:
			continue
		case o.Outcome == probes.Unasked:
			r = model.Unsent(o)
			if o.Exit != "interrupted" && c.Check.Judge != nil { // an interrupted request may have been carried out
				unsent = cmp.Or(unsent, &r)
				continue
			}
		case o.Cut(): // also where silence is judged: this was an answer
			r = ruling.NotProven("an answer that can be read to "+ruling.Clip(o.Probe.String()), o)
		case name == check.UnblockCommand:
			continue // there may have been no block
		case c.Check.Handles&check.Unanswered != 0:
			continue
		case name != "":
			r = ruling.NotProven("a good end of the command "+name, o.Exit).Mend(model.AddHint(name, "a command that succeeds"))
		}
		return nil, &r
	}
	return unsent, nil
}

// limitSeverity reduces a verdict to what the severity of the requirement allows.
func limitSeverity(row catalogue.Requirement, v reports.Verdict) reports.Verdict {
	switch {
	case row.Severity == "info" && (v == reports.Fail || v == reports.Warn):
		return reports.Pass // an info requirement never fails
	case row.Severity == "warn" && v == reports.Fail:
		return reports.Warn
	}
	return v
}
