package plan

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Case is one check applied to one subject.
type Case struct {
	Check   *check.Check
	Subject model.Subject

	kept   []*probes.Observation
	asking sync.WaitGroup // until all is asked
	finish sync.Once
	judged bool
}

func newCase(c *check.Check, s model.Subject) *Case {
	made := &Case{Check: c, Subject: s}
	made.asking.Add(1)
	return made
}

// end marks the case as asked; it may be called more than once.
func (c *Case) end() { c.finish.Do(c.asking.Done) }

// Ask sends what the case needs and keeps the observations.
func (c *Case) Ask(ctx context.Context, asker probes.Asker) {
	defer c.end()
	var got []probes.Observation
	defer func() { c.Keep(got) }()
	if c.Subject.Ruling != nil {
		return
	}
	one := func(p probes.Probe) probes.Observation {
		resolved, ok := p.Resolve(got)
		if !ok {
			return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
		}
		return asker.Ask(ctx, resolved)
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
				check.WriteOwnObject(s, one, 0) // the first of an operation goes alone, so that its effect can be measured
			}
		}
		c.Check.Race(c.Subject, asking, func(ps []probes.Probe) []probes.Observation {
			answers := allAtOnce(ps, one)
			for _, o := range answers {
				got = append(got, shown(o))
			}
			return answers
		})
	case c.Check.Drive != nil:
		c.Check.Drive(c.Subject, asking)
	case c.Check.Ask != nil:
		for _, p := range c.Check.Ask(c.Subject) {
			asking(p)
		}
	}
}

// Keep holds the observations to the end of the run.
func (c *Case) Keep(got []probes.Observation) {
	c.kept = make([]*probes.Observation, len(got))
	for i, o := range got {
		c.kept[i] = o.Held()
	}
}

// Got returns what was observed for the case, in the order in which it was asked.
func (c *Case) Got() []probes.Observation {
	all := make([]probes.Observation, len(c.kept))
	for i, o := range c.kept {
		all[i] = *o
	}
	return all
}

// allAtOnce asks all of the probes before the first is answered.
func allAtOnce(ps []probes.Probe, ask model.AskFunc) []probes.Observation {
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

// Pinned keeps what the answers say in memory.
func Pinned(got []probes.Observation) []any {
	pins := make([]any, len(got))
	for i, o := range got {
		pins[i] = o.Pin()
	}
	return pins
}

// Judge reads the observations. A question without an answer leaves the case
// unproven: that the adapter hangs, dies or babbles is one finding of its own, not
// one of every requirement that was being asked about.
func (c *Case) Judge(record probes.Record) ruling.Ruling {
	if c.Subject.Ruling != nil {
		return *c.Subject.Ruling
	}
	got := c.Got()
	defer runtime.KeepAlive(Pinned(got))
	for _, o := range got {
		if o.Outcome == probes.Unasked && o.Probe.Beside() && o.Probe.CommandName() == "" {
			return ruling.NotProven("time for something to expire", o.Exit).Mend("--max-wait with a longer time")
		}
		if o.Outcome == probes.Unasked {
			if c.Check.HandlesBlocked {
				continue
			}
			return ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), gate.Reason(o.Exit)).Mend(gate.Unlock(o.Exit))
		}
		if o.Probe.CommandName() == check.UnblockCommand && o.Lost() {
			continue // there may have been no block to lift
		}
		if name := o.Probe.CommandName(); name != "" && o.Lost() && !c.Check.HandlesUnanswered {
			return ruling.NotProven("a good end of the command "+name, o.Exit).Mend(name + model.InHints + "a command that succeeds")
		}
		if o.Lost() && !c.Check.HandlesUnanswered {
			return ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), o).Because("AQL-3.2-03")
		}
	}
	if i := slices.IndexFunc(got, check.RateLimited); i >= 0 && !c.Check.HandlesRateLimits && c.Check.Requirement != "MCP-SEC-02" {
		return ruling.NotProven("an answer to "+ruling.Clip(got[i].Probe.String()), got[i]).Mend("--rate-limit with what the adapter takes in a second")
	}
	if i := slices.IndexFunc(got, check.HasConflictingEnvelopes); i >= 0 {
		return ruling.NotProven("one envelope", "two that contradict each other").By(got[i]).Because("AQL-5.1-01")
	}
	if c.Check.JudgeRun != nil {
		return c.Check.JudgeRun(c.Subject, got, record)
	}
	r := c.Check.Judge(c.Subject, got)
	if len(r.Evidence) == 0 {
		r.Evidence = got[:min(len(got), 2)]
	}
	return r
}

// severity turns a violation into what the row allows.
func severity(row catalogue.Requirement, v reports.Verdict) reports.Verdict {
	switch {
	case row.Severity == "info" && (v == reports.Fail || v == reports.Warn):
		return reports.Pass // an info row never accuses the adapter
	case row.Severity == "warn" && v == reports.Fail:
		return reports.Warn
	}
	return v
}
