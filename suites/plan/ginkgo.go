package plan

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
)

// perContainer is how many specs share a container: Ginkgo's cost grows with the
// square of the siblings.
const perContainer = 100

// suiteRan says that Ginkgo has run its suite: a process has one.
var suiteRan atomic.Bool

// RunSpecs asks the plan of the engine and judges it as a Ginkgo suite: each spec
// waits for the answers of its case. It returns the same findings as Judge.
// Ginkgo allows one such run in a process and calls an empty suite a success, so
// the findings, never Ginkgo, decide what is reported.
func (p *Plan) RunSpecs(ctx context.Context, e *probes.Engine, judged func(reports.Finding)) []reports.Finding {
	if suiteRan.Swap(true) {
		p.Ask(ctx, e)
		return p.Judge(e.Record())
	}
	asked, trouble := make(chan struct{}), make(chan any, 1)
	rescue := func() {
		if r := recover(); r != nil {
			select {
			case trouble <- r:
			default:
			}
		}
	}
	p.lookout = p.NewAmbientMonitor()
	go func() {
		defer close(asked)
		defer p.end()
		defer rescue()
		p.Ask(ctx, e)
	}()
	var found reports.Gathering
	found.Room(len(p.Cases))
	keep := func(fs ...reports.Finding) {
		found.Add(fs...)
		for _, f := range fs {
			p.heed(f)
			if judged != nil {
				judged(f)
			}
		}
	}
	p.define(asked, sync.OnceValue(func() map[*Case]func() []reports.Finding { return p.lookout.Findings(e.Record()) }), keep, rescue)

	gomega.RegisterFailHandler(ginkgo.Fail)
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomSeed, suite.Timeout = 1, 0
	reporter.NoColor, reporter.Succinct = true, true
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard
	ginkgo.RunSpecs(quiet{}, "MCP-AQL conformance", suite, reporter)
	<-asked
	p.lookout.Settle() // an interrupt may leave nobody who wants to know what it saw
	select {
	case r := <-trouble:
		panic(r) // the checker's own fault: never a verdict, never swallowed by a runner
	default:
	}
	keep(p.unjudged(e)...)
	keep(p.FromGenerated(found.All)...)
	keep(p.left()...)
	return headlines(found.All)
}

// end marks every case as asked, so that no spec waits for a question that will
// never be put.
func (p *Plan) end() {
	for _, c := range p.Cases {
		c.end()
	}
}

// unjudged judges the cases whose specs an interrupt left out.
func (p *Plan) unjudged(e *probes.Engine) []reports.Finding {
	record := sync.OnceValue(e.Record)
	var found []reports.Finding
	for _, c := range p.Cases {
		if !c.judged {
			found = append(found, p.JudgeCase(c, record())...)
		}
	}
	return found
}

// define builds the tree: the cases in catalogue order, then what every reply of
// the run shows.
func (p *Plan) define(asked <-chan struct{}, watched func() map[*Case]func() []reports.Finding, keep func(...reports.Finding), rescue func()) {
	var active, ambient []*Case
	for _, c := range p.Cases {
		if c.Check.Ambient() {
			ambient = append(ambient, c)
		} else {
			active = append(active, c)
		}
	}
	judged := func(c *Case) (fs []reports.Finding) {
		c.judged = true
		defer rescue() // around our judgement alone: Gomega's failures are panics too
		if c.Check.Ambient() {
			return watched()[c]()
		}
		return p.JudgeCase(c, probes.Record{})
	}
	spec := func(cases []*Case, wait func(*Case)) {
		row := catalogue.MustLookup(cases[0].Check.Requirement)
		labels := ginkgo.Label(row.ID, row.Area, fmt.Sprintf("level:%d", row.LevelNumber()))
		ginkgo.It(fmt.Sprintf("%s %s: %s", row.ID, subjects(cases), row.Title), labels, func() {
			var fs []reports.Finding
			for _, c := range cases {
				wait(c)
				fs = append(fs, judged(c)...)
			}
			keep(fs...)
			for _, f := range fs {
				gomega.Expect(f).To(conform())
			}
		})
	}
	for all := range slices.Chunk(inSpecs(active), perContainer) {
		ginkgo.Describe("cases from "+all[0][0].Check.Requirement, func() {
			for _, cases := range all {
				spec(cases, func(c *Case) { c.asking.Wait() })
			}
		})
	}
	ginkgo.Describe("every reply", func() {
		for _, cases := range inSpecs(ambient) {
			spec(cases, func(*Case) { <-asked })
		}
	})
}

// perSpec is how many subjects of one check stand in one spec, where there are more
// than that: Ginkgo takes a kilobyte for each spec, and an adapter may have thousands
// of operations.
const perSpec = 25

// inSpecs puts the cases together that one spec judges.
func inSpecs(cases []*Case) [][]*Case {
	var all [][]*Case
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].Check == cases[0].Check {
			n++
		}
		size := 1
		if n > perSpec {
			size = perSpec
		}
		all = slices.AppendSeq(all, slices.Chunk(cases[:n], size))
		cases = cases[n:]
	}
	return all
}

// subjects names what a spec is about.
func subjects(cases []*Case) string {
	if len(cases) == 1 {
		return cases[0].Subject.Name
	}
	return fmt.Sprintf("%d from %s on", len(cases), cases[0].Subject.Name)
}

// conform matches findings that accuse the adapter of nothing.
func conform() types.GomegaMatcher {
	return gomega.WithTransform(func(f reports.Finding) string {
		if f.Verdict != reports.Fail {
			return ""
		}
		return fmt.Sprintf("want %s, got %s", f.Want, f.Got)
	}, gomega.BeEmpty())
}

// quiet takes Ginkgo's failures: they are findings already.
type quiet struct{}

func (quiet) Fail() {}

var _ ginkgo.GinkgoTestingT = quiet{}
