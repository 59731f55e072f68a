// Ginkgo does not compile where the judge runs in a browser, and has nothing to do there.

//go:build !js

package plan

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
)

// maxPerContainer limits the specs in a container, because the cost of Ginkgo is quadratic in the
// siblings.
const maxPerContainer = 100

// suiteRan reports whether the Ginkgo suite of the process has run. There can be only one.
var suiteRan atomic.Bool

// RunSpecs asks the plan and judges it as a Ginkgo suite, in which each spec waits for the answers
// of its case. It returns the same findings as Judge, which take much memory, when they are wanted.
// Ginkgo allows one such run in a process and calls an empty suite a success, so the findings decide
// what is reported.
func (p *Plan) RunSpecs(ctx context.Context, e *probes.Engine, judged func(reports.Finding)) (findings func() []reports.Finding) {
	if suiteRan.Swap(true) {
		p.Ask(ctx, e)
		all := p.Judge(e.Record())
		return func() []reports.Finding { return all }
	}
	asked, panics := make(chan struct{}), make(chan any, 1)
	catchPanic := keepFirstPanic(panics)
	p.monitor = p.NewAmbientMonitor(e.Since)
	p.monitor.EndWith(ctx)
	p.flaky = flakyAfter(asked, e)
	go func() {
		defer close(asked)
		defer p.endCases()
		defer catchPanic()
		p.Ask(ctx, e)
	}()
	var found reports.Gathering
	keep := func(fs ...reports.Finding) {
		found.Add(fs...)
		for _, f := range fs {
			p.noteFinding(f)
			if judged != nil {
				judged(f)
			}
		}
	}
	watched := sync.OnceValue(func() map[*Case]func() []reports.Finding { return p.monitor.Findings(e.Record()) })
	specs := &specRun{plan: p, asked: asked, watched: watched, keep: keep, catchPanic: catchPanic}
	specs.define()

	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomSeed, suite.Timeout = 1, 0
	reporter.NoColor, reporter.Succinct = true, true
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard
	ginkgo.RunSpecs(silentT{}, "MCP-AQL conformance", suite, reporter)
	<-asked
	specs.end()
	p.monitor.Wait() // after an interrupt an update may still run
	select {
	case r := <-panics:
		panic(r) // a bug of the checker is not a verdict
	default:
	}
	p.judgeRemaining(ctx, watched, keep)
	keep(p.FromGenerated(found.Failures())...)
	keep(p.allSkipped()...)
	p.monitor = nil
	return sync.OnceValue(func() []reports.Finding {
		all := found.All()
		found = reports.Gathering{} // Ginkgo refers to it to the end of the process
		return conclude(all)
	})
}

// keepFirstPanic returns what to defer so that a panic goes into the channel, if it is empty.
func keepFirstPanic(panics chan<- any) func() {
	return func() {
		if r := recover(); r != nil {
			select {
			case panics <- r:
			default:
			}
		}
	}
}

// endCases marks every case as asked, so that no spec waits forever.
func (p *Plan) endCases() {
	for _, c := range p.Cases {
		c.markAsked()
	}
}

// judgeRemaining judges the cases whose specs did not run after an interrupt, as far as the time
// reaches; the others are not proven. The ambient checks share one pass over the record.
func (p *Plan) judgeRemaining(ctx context.Context, watched func() map[*Case]func() []reports.Finding, keep func(...reports.Finding)) {
	began := time.Now()
	for _, c := range p.Cases {
		switch {
		case c.judged:
		case c.Check.Watches():
			keep(watched()[c]()...)
		case ctx.Err() != nil && time.Since(began) > afterInterrupt:
			keep(p.Finding(c.Check, *c.Subject, ruling.NotProven("a judgement", "an interrupted run")))
		case c.Check.Ambient != nil:
			keep(watched()[c]()...)
		default:
			keep(p.JudgeCase(c, probes.Record{})...)
		}
	}
}

// A specRun is the run of the specs. Ginkgo abandons the spec that an interrupt finds waiting, and
// its body goes on beside what follows: the lock keeps it out.
type specRun struct {
	plan       *Plan
	asked      <-chan struct{}
	watched    func() map[*Case]func() []reports.Finding
	keep       func(...reports.Finding)
	catchPanic func()

	mu    sync.Mutex
	ended bool
}

// end makes a spec that still runs judge nothing more. It waits for the case that is being judged.
func (r *specRun) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
}

// judge judges a case and keeps its findings, unless the run has ended.
func (r *specRun) judge(c *Case) (fs []reports.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	c.judged = true
	fs = r.findings(c)
	r.keep(fs...)
	return fs
}

// findings judges a case. A panic is caught only around the judging, because Gomega failures are
// panics too.
func (r *specRun) findings(c *Case) []reports.Finding {
	defer r.catchPanic()
	if c.Check.Ambient != nil {
		return r.watched()[c]()
	}
	return r.plan.JudgeCase(c, probes.Record{})
}

// define builds the tree: the cases in catalogue order, then the ambient checks.
func (r *specRun) define() {
	var active, ambient []*Case
	for _, c := range r.plan.Cases {
		if c.Check.Ambient != nil {
			ambient = append(ambient, c)
		} else {
			active = append(active, c)
		}
	}
	for all := range slices.Chunk(groupSpecs(active), maxPerContainer) {
		ginkgo.Describe("cases from "+all[0][0].Check.Requirement, func() {
			for _, cases := range all {
				r.spec(cases, func(c *Case) { c.pending.Wait() })
			}
		})
	}
	ginkgo.Describe("every reply", func() {
		for _, cases := range groupSpecs(ambient) {
			r.spec(cases, func(*Case) { <-r.asked })
		}
	})
}

// spec defines the spec of some cases of one check.
func (r *specRun) spec(cases []*Case, wait func(*Case)) {
	row := catalogue.MustLookup(cases[0].Check.Requirement)
	labels := ginkgo.Label(row.ID, row.Area, fmt.Sprintf("level:%d", row.LevelNumber()))
	ginkgo.It(fmt.Sprintf("%s %s: %s", row.ID, subjectNames(cases), row.Title), labels, func() {
		var fs []reports.Finding
		for _, c := range cases {
			wait(c)
			fs = append(fs, r.judge(c)...)
		}
		for _, f := range fs {
			gomega.Expect(f).To(conform())
		}
	})
}

// maxPerSpec is how many subjects of one check share a spec if there are more of them. Each spec
// costs a kilobyte, and an adapter may have thousands of operations.
const maxPerSpec = 25

// groupSpecs groups the cases that share a spec.
func groupSpecs(cases []*Case) [][]*Case {
	var all [][]*Case
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].Check == cases[0].Check {
			n++
		}
		size := 1
		if n > maxPerSpec {
			size = maxPerSpec
		}
		all = slices.AppendSeq(all, slices.Chunk(cases[:n], size))
		cases = cases[n:]
	}
	return all
}

// subjectNames names the subjects of a spec.
func subjectNames(cases []*Case) string {
	if len(cases) == 1 {
		return cases[0].Subject.Name
	}
	return fmt.Sprintf("%d from %s on", len(cases), cases[0].Subject.Name)
}

// conform matches findings that do not fail.
func conform() types.GomegaMatcher {
	return gomega.WithTransform(func(f reports.Finding) string {
		if f.Verdict != reports.Fail {
			return ""
		}
		return fmt.Sprintf("want %s, got %s", f.Want, f.Got)
	}, gomega.BeEmpty())
}

// silentT ignores the failures of Ginkgo, because they are findings already.
type silentT struct{}

func (silentT) Fail() {}

var _ ginkgo.GinkgoTestingT = silentT{}
