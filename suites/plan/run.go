package plan

import (
	"context"
	"runtime"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Ask sends everything the plan needs, lane after lane, and then removes what the
// run created. It returns when all is asked and removed; when ctx ends it only
// removes.
func (p *Plan) Ask(ctx context.Context, e *probes.Engine) {
	var tasks []probes.Task
	for _, c := range p.Cases {
		tasks = append(tasks, probes.Task{Lane: c.lane(), Do: func(ctx context.Context) {
			c.Ask(ctx, e)
			p.hurry(c)
		}})
	}
	e.Bar(p.barred)
	e.Run(ctx, tasks)
	p.poll(e)
	p.Generate(ctx, e)
	p.poll(e)
	if !e.Recalled() {
		p.Left = p.CleanUp(ctx, e)
	}
}

// LookOut has the ambient checks look at what an engine remembers while the plan is asked
// of it, which the next judgement then need not wait for.
func (p *Plan) LookOut(e *probes.Engine) {
	p.lookout = p.NewAmbientMonitor()
	p.poll(e)
}

// poll lets the ambient checks look at what came so far, where there is time for that.
func (p *Plan) poll(e *probes.Engine) {
	if p.lookout != nil {
		p.lookout.Poll(e.Record)
	}
}

// lane is the check's own, but never the parallel one for an operation that may
// change state.
func (c *Case) lane() probes.Lane {
	if c.Check.Lane == probes.Parallel && c.Subject.Op.Name != "" && c.Subject.Op.Category != "READ" {
		return probes.Serial
	}
	return c.Check.Lane
}

// Judge returns the findings of the whole plan: each case from its own
// observations, ambient checks from every reply in the record.
func (p *Plan) Judge(record probes.Record) []reports.Finding {
	look := p.lookout
	if p.lookout = nil; look == nil {
		look = p.NewAmbientMonitor()
	}
	var found reports.Gathering
	watched := look.Findings(record)
	for cases := range slices.Chunk(p.Cases, judgedAtOnce) {
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
	found.Add(p.FromGenerated(found.All)...)
	found.Add(p.left()...)
	return headlines(found.All)
}

// judgedAtOnce is how many cases are judged before their findings are gathered, which
// lets those go that say the same.
const judgedAtOnce = 64

func (p *Plan) JudgeCase(c *Case, record probes.Record) []reports.Finding {
	if c.Check.Watch == nil {
		return []reports.Finding{p.Finding(c.Check, c.Subject, c.Judge(record))}
	}
	w := newMonitorState(c)
	for n, o := range record.Observations {
		w.see(reply{record.Keys[n], o})
	}
	return p.watched(w, record)
}

// left states what the operator and the author left out.
func (p *Plan) left() []reports.Finding {
	found := slices.Clone(p.omitted)
	for _, o := range p.Skipped {
		found = append(found, reports.Finding{Requirement: o.ID, Verdict: reports.Skipped, Subject: "adapter", Note: o.Reason})
	}
	return found
}

// unseen rules when no reply of the run was of the sort an ambient check judges.
func (p *Plan) unseen(c *Case) ruling.Ruling {
	row := catalogue.MustLookup(c.Check.Requirement)
	none := ruling.NotProven("a reply this rule speaks of", "none in the whole run")
	switch {
	case c.Subject.Introspect == "": // hardly anything was asked, so nothing is excused
		return none.Because("AQL-7.2-01")
	case row.When != nil:
		return ruling.NotApplicable("does not hold: " + *row.When)
	case c.Check.UnseenReason != "":
		return ruling.NotApplicable(c.Check.UnseenReason)
	}
	return none
}
