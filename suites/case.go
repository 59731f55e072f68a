package suites

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A Case is one check applied to one subject.
type Case struct {
	Check   *Check
	Subject Subject

	kept   []*probes.Observation
	asking sync.WaitGroup // until all is asked
	finish sync.Once
	judged bool
}

func newCase(c *Check, s Subject) *Case {
	made := &Case{Check: c, Subject: s}
	made.asking.Add(1)
	return made
}

// end marks the case as asked; it may be called more than once.
func (c *Case) end() { c.finish.Do(c.asking.Done) }

// ask sends what the case needs and keeps the observations.
func (c *Case) ask(ctx context.Context, asker probes.Asker) {
	defer c.end()
	var got []probes.Observation
	defer func() { c.keep(got) }()
	if c.Subject.settled != nil {
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
		for _, s := range eachDomain(c.Subject.Face) {
			if s.Op.Category == "UPDATE" {
				s.writeOnOwn(one, 0) // the first of an operation goes alone, so that its effect can be measured
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

// keep holds the observations to the end of the run.
func (c *Case) keep(got []probes.Observation) {
	c.kept = make([]*probes.Observation, len(got))
	for i, o := range got {
		c.kept[i] = o.Held()
	}
}

// got returns what was observed for the case, in the order in which it was asked.
func (c *Case) got() []probes.Observation {
	all := make([]probes.Observation, len(c.kept))
	for i, o := range c.kept {
		all[i] = *o
	}
	return all
}

// allAtOnce asks all of the probes before the first is answered.
func allAtOnce(ps []probes.Probe, ask Asking) []probes.Observation {
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

// pinned keeps what the answers say in memory.
func pinned(got []probes.Observation) []any {
	pins := make([]any, len(got))
	for i, o := range got {
		pins[i] = o.Pin()
	}
	return pins
}

// judge reads the observations. A question without an answer leaves the case
// unproven: that the adapter hangs, dies or babbles is one finding of its own, not
// one of every requirement that was being asked about.
func (c *Case) judge(record probes.Record) Ruling {
	if c.Subject.settled != nil {
		return *c.Subject.settled
	}
	got := c.got()
	defer runtime.KeepAlive(pinned(got))
	for _, o := range got {
		if o.Outcome == probes.Unasked && o.Probe.Beside() && o.Probe.CommandName() == "" {
			return NotProven("time for something to expire", o.Exit).Mend("--max-wait with a longer time")
		}
		if o.Outcome == probes.Unasked {
			if c.Check.Held {
				continue
			}
			return NotProven("an answer to "+clip(o.Probe.String()), gate.Reason(o.Exit)).Mend(gate.Unlock(o.Exit))
		}
		if o.Probe.CommandName() == liftsBlock && o.Lost() {
			continue // there may have been no block to lift
		}
		if name := o.Probe.CommandName(); name != "" && o.Lost() && !c.Check.Losses {
			return NotProven("a good end of the command "+name, o.Exit).Mend(name + inHints + "a command that succeeds")
		}
		if o.Lost() && !c.Check.Losses {
			return NotProven("an answer to "+clip(o.Probe.String()), o).Because("AQL-3.2-03")
		}
	}
	if i := slices.IndexFunc(got, limited); i >= 0 && !c.Check.Limits && c.Check.Requirement != "MCP-SEC-02" {
		return NotProven("an answer to "+clip(got[i].Probe.String()), got[i]).Mend("--rate-limit with what the adapter takes in a second")
	}
	if i := slices.IndexFunc(got, torn); i >= 0 {
		return NotProven("one envelope", "two that contradict each other").By(got[i]).Because("AQL-5.1-01")
	}
	if c.Check.Whole != nil {
		return c.Check.Whole(c.Subject, got, record)
	}
	r := c.Check.Judge(c.Subject, got)
	if len(r.evidence) == 0 {
		r.evidence = got[:min(len(got), 2)]
	}
	return r
}

// limited reports whether an adapter asked for patience, more often than a run can
// afford: it has not answered then.
func limited(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "RATE_LIMIT_") || o.Status == 429
}

// torn reports whether an answer carries two envelopes of which one says success
// and the other failure: it proves nothing either way.
func torn(o probes.Observation) bool {
	text, structured := o.Carrier().Text, o.Carrier().Structured
	return text.Has("success") && structured.Has("success") && text.At("success").True() != structured.At("success").True()
}
