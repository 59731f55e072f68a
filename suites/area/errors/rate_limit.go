package errors

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// lowRateCalls bounds the calls that are sent to meet a limit which the author says
// is soon met.
const lowRateCalls = 100

// limitAgain is the call after the one that was refused.
const limitAgain = "rate limit: next call"

// limited are the questions that are to meet the limit: introspect, and where that does not count a READ of the domain.
func limited(s model.Subject) []probes.Probe {
	all := []probes.Probe{s.Listing()}
	for _, t := range s.ProvenListings() {
		return append(all, t.ValidCall())
	}
	return all
}

// Operations document, section 8.1.
var rateLimitHasItsDefinedCode = check.Check{
	Requirement: "OPS-8.1-06",
	Rule:        "The error code for an exceeded rate limit is RATE_LIMIT_EXCEEDED.",
	Why:         "The code tells a client to wait and send the same again; any other makes it change a request that was right. The limit is met on a launch of its own, so that the rest of the run need not wait.",
	On:          model.IntrospectSubject,
	Lane:        probes.Disposable,
	Handles:     check.Unanswered | check.RateLimits,
	Drive: func(s model.Subject, ask model.AskFunc) {
		_, given := s.Hint("low_rate_launch")
		for n, question := range limited(s) {
			ask(question)
			for i := range lowRateCalls {
				p := question.Over(s.Conn + "/" + probes.Limited).Anew(probes.Nth("rate limit: call", n*lowRateCalls+i))
				p.AtOnce = true
				if !given {
					return
				}
				if !ask(p).Succeeded() {
					ask(p.Anew(limitAgain))
					return
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if _, given := s.Hint("low_rate_launch"); !given {
			return model.HintMissing("low_rate_launch", "a launch whose rate limit is soon met")
		}
		again, met := got.Find(limitAgain)
		calls := got.Under("rate limit: call")
		if len(calls) == 0 {
			return ruling.NotProven("a call over the launch with the limit", "none")
		}
		last := calls[len(calls)-1]
		of := func(o probes.Observation) bool {
			return o.Probe.Operation() == last.Probe.Operation() && bytes.Equal(o.Probe.Arguments(), last.Probe.Arguments())
		}
		alone := got[slices.IndexFunc(got, of)]
		switch calls = slices.DeleteFunc(calls, func(o probes.Observation) bool { return !of(o) }); {
		case len(calls) < 2 && !last.Refused() || last.Lost():
			return ruling.NotProven("a launch that answers until its limit is met", last)
		case last.Succeeded():
			return ruling.NotProven("a rate limit", fmt.Sprintf("none within %d calls", len(calls))).By(last)
		case !alone.Succeeded():
			return ruling.NotProven("the same request to succeed without the limit", alone).By(last)
		case met && again.Succeeded():
			return ruling.NotProven("a limit that is still met by the next call", again).By(last)
		case last.Code() == "RATE_LIMIT_EXCEEDED", strings.HasPrefix(last.Code(), "RATE_LIMIT_QUOTA_"):
			return ruling.Conforms().By(last)
		case strings.HasPrefix(last.Code(), "RATE_LIMIT_"), !last.Refused():
			return ruling.Departs("error RATE_LIMIT_EXCEEDED", last).By(alone)
		case len(calls) == 1:
			return ruling.NotProven("a first call within the limit", last)
		}
		return ruling.Violates("error RATE_LIMIT_EXCEEDED", last).By(alone)
	},
	Fix: "answer an exceeded limit with RATE_LIMIT_EXCEEDED",
}
