package verification

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// before is what happened until the first act of which something holds.
func before(t check.Trace, holds func(check.TraceStep) bool) check.Trace {
	if i := slices.IndexFunc(t.Steps, holds); i >= 0 {
		t.Steps = t.Steps[:i]
	}
	return t
}

// granted is an attempt that was answered with success.
func granted(a check.TraceStep) bool {
	return a.Operation == check.VerifyOperation && a.Observation.Succeeded()
}

// outside reports whether another process than the one that blocked had a part in how
// the first report was let pass: over stdio, where a request names no HTTP method, each
// connection has one of its own.
func outside(t check.Trace, block check.TraceStep) bool {
	if block.Observation.Sent.Note != "" {
		return false
	}
	for _, a := range t.Steps {
		if !a.Observation.Probe.Beside() && a.Observation.Probe.Conn != block.Observation.Probe.Conn {
			return true
		}
		if passing(a) {
			return false
		}
	}
	return false
}

// passing is a report that was let pass.
func passing(a check.TraceStep) bool { return a.Operation == check.ReportOperation && a.Continues() }

// blocked is what followed on the block of an agent, once that has been seen to last.
func blocked(t check.Trace) (block check.TraceStep, id string, rest check.Trace, why *ruling.Ruling) {
	if r, unsettled := t.Unusable(); unsettled {
		return block, "", rest, &r
	}
	block, rest, asked := t.After(check.ReportsAction(t.Hints.Safety.DenyHint))
	next, beyond, watched := rest.After(t.IsHarmlessReport())
	var r ruling.Ruling
	switch {
	case !asked:
		r = ruling.NotProven("a report of the denied action", "none")
	case !block.Stopped():
		r = ruling.NotProven("a stop of the agent", block.Observation).Because("AQL-8.7.2-08")
	case !watched || next.Continues():
		r = ruling.NotProven("a block that lasts", next.Answer()).By(next.Observation).Because("AQL-8.6.4-04")
	default:
		return block, check.ChallengeIn(block.Observation, "danger_zone"), beyond, nil
	}
	return block, "", rest, &r
}

// between is the time from the answer to one question to the sending of another.
func between(a, b check.TraceStep) time.Duration {
	return b.Observation.Sent.At - a.Observation.Received.At
}

var limitWords = []string{"step limit", "maximum steps", "max steps"}

// outOfSteps reports whether a pause has its reason in the number of steps.
func outOfSteps(a check.TraceStep) bool {
	reason := strings.ToLower(a.Directive.At("reason").Text())
	return slices.ContainsFunc(limitWords, func(w string) bool { return strings.Contains(reason, w) })
}
