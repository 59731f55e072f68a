package plan

import (
	"context"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// stoppedReason is the reason for not sending a request after the run was stopped.
const stoppedReason = "stopped at the first failure"

// StopWhen sets the condition on a finding that stops the run. Started cases are finished and
// objects are removed. Generated input, which comes last, is sent completely or not at all.
func (p *Plan) StopWhen(stop func(reports.Finding) bool) { p.stopWhen = stop }

// Stopped reports whether any request was skipped, so that the run is incomplete.
func (p *Plan) Stopped() bool { return p.requestSkipped.Load() }

// judgeEarly judges a case right after its requests, because the suite judges later. It does so
// only if the result may stop the run, and if the check does not need the whole record. Whether errors pass
// is not known yet, so a finding that they would take back stops nothing.
func (p *Plan) judgeEarly(c *Case) {
	if p.stopWhen == nil || c.Check.Ambient != nil || p.stopRequested.Load() {
		return
	}
	for _, f := range p.judgeCase(c, probes.Record{}, func() bool { return true }) {
		p.noteFinding(f)
	}
}

// judgeKnown judges, in a run that a finding may stop, the cases that need no request more. Most defects of
// introspection show there.
func (p *Plan) judgeKnown(ctx context.Context, e *probes.Engine) {
	for _, c := range p.Cases {
		if p.stopWhen == nil || p.stopRequested.Load() {
			return
		}
		if c.Check.Ask == nil || c.Check.Ambient != nil || c.Subject.Ruling != nil || !e.Knows(c.Check.Ask(*c.Subject)) {
			continue
		}
		c.Ask(ctx, e)
		c.known = true
		p.judgeEarly(c)
	}
}

// noteFinding stops the run if the finding meets the condition.
func (p *Plan) noteFinding(f reports.Finding) {
	if p.stopWhen != nil && p.stopWhen(f) {
		p.stopRequested.Store(true)
	}
}

// skipRequest reports whether a request must not be sent because the run was stopped, and records
// that.
func (p *Plan) skipRequest() bool {
	if p.generating || !p.stopRequested.Load() {
		return false
	}
	p.requestSkipped.Store(true)
	return true
}

// blockReason returns why a probe must not be sent; "" if it may.
func (p *Plan) blockReason(probes.Probe) string {
	if p.skipRequest() {
		return stoppedReason
	}
	return ""
}
