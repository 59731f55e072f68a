package plan

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// heldBack is why a question is not asked that comes after a failure which was enough.
const heldBack = "stopped at the first failure"

// StopAt makes a finding that is enough the last that is asked about: what is under way
// is finished, nothing else is asked, and what the run made is removed. Generated input,
// which comes last, is sent whole or not at all.
func (p *Plan) StopAt(enough func(reports.Finding) bool) { p.enough = enough }

// Stopped reports whether anything was held back, so that the run says nothing of what
// it did not ask.
func (p *Plan) Stopped() bool { return p.held.Load() }

// hurry judges a case as soon as it is asked, where that decides whether to go on: the
// suite judges in its own order and would wait for what comes late. What needs the
// whole record has to wait.
func (p *Plan) hurry(c *Case) {
	if p.enough == nil || c.Check.Watch != nil || c.Check.JudgeRun != nil || p.stopped.Load() {
		return
	}
	for _, f := range p.JudgeCase(c, probes.Record{}) {
		p.heed(f)
	}
}

// heed looks whether a finding is enough.
func (p *Plan) heed(f reports.Finding) {
	if p.enough != nil && p.enough(f) {
		p.stopped.Store(true)
	}
}

// halted reports whether nothing more is to be asked, and notes that something was to be.
func (p *Plan) halted() bool {
	if p.generating || !p.stopped.Load() {
		return false
	}
	p.held.Store(true)
	return true
}

// barred says why a probe is held back for a failure that was enough; "" when it is not.
func (p *Plan) barred(probes.Probe) string {
	if p.halted() {
		return heldBack
	}
	return ""
}
