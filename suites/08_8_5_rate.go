package suites

import (
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// mostFailures is how many failed attempts may be processed in a window.
const mostFailures = 10

// guessed are the wrong codes of a scene, and how many of them were processed.
func (t story) guessed() (tries []act, processed int, why *Ruling) {
	if _, _, _, why := t.challenged(); why != nil {
		return nil, 0, why
	}
	tries = t.where(doing(attempted)).acts
	var r Ruling
	for _, a := range tries {
		switch {
		case a.o.Succeeded():
			r = NotProven("wrong codes that are refused", a.o).Because("AQL-8.8-01")
			return tries, 0, &r
		case tooMany(a.o):
			return tries, processed, nil
		case malformed(a.o):
			r = NotProven("wrong codes that count as attempts", a.o)
			return tries, 0, &r
		}
		processed++
	}
	return tries, processed, nil
}

// Section 8.8.5. A limit is what keeps a machine from trying codes until one fits.
var _ = register(Check{
	Requirement: "AQL-8.8.5-01",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Limits:      true,
	Drive:       guessing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tries, processed, why := s.tell(got).guessed()
		switch {
		case why != nil:
			return *why
		case processed < len(tries) && processed <= mostFailures:
			return Conforms().By(tries[processed].o)
		case processed == len(tries) && len(tries) < manyGuesses:
			return NotProven(fmt.Sprintf("%d challenges to fail", manyGuesses), len(tries))
		case between(tries[0], tries[len(tries)-1]) > time.Minute:
			return NotProven("attempts within a minute", between(tries[0], tries[len(tries)-1]))
		}
		return Violates("a refusal for too many attempts after ten", fmt.Sprintf("%d attempts processed", processed)).By(tries[processed-1].o)
	},
	Fix: "refuse attempts with an error of its own when ten have failed within 60 s",
})

// Section 8.8.5. A limit that never ends lets anybody lock an agent out for ever.
var _ = register(Check{
	Requirement: "AQL-8.8.5-02",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Limits:      true,
	Drive:       forgiven,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tries, processed, why := s.tell(got).guessed()
		switch {
		case why != nil:
			return *why
		case processed == len(tries):
			return NotProven("a limit that is reached", "none").Because("AQL-8.8.5-01")
		case processed == len(tries)-1:
			return NotProven("an attempt after the window", "none")
		}
		last := tries[len(tries)-1]
		if tooMany(last.o) {
			return Violates("an ordinary failure after the window", last.o).By(tries[processed].o)
		}
		return Conforms().By(last.o, tries[processed].o)
	},
	Fix: "forget failed attempts when the window is over",
})

// Section 8.8.5. Otherwise a crash, which is easy to bring about, buys ten more.
var _ = register(Check{
	Requirement: "AQL-8.8.5-04",
	On:          verified("safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Limits:      true,
	Drive:       restart,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := s.tell(got).in(guessRestartScene, 0)
		before := all.where(func(a act) bool { return a.o.Probe.Conn != s.restarted() })
		tries, processed, why := before.guessed()
		after := all.where(func(a act) bool { return a.o.Probe.Conn == s.restarted() }).where(doing(attempted)).acts
		switch {
		case why != nil:
			return *why
		case processed == len(tries):
			return NotProven("a limit that is reached", "none").Because("AQL-8.8.5-01")
		case len(after) == 0:
			return NotProven("an attempt after the restart", "none")
		case tooMany(after[0].o):
			return Conforms().By(after[0].o, tries[processed].o)
		case between(tries[0], after[0]) >= time.Minute:
			return NotProven("a restart within the window", between(tries[0], after[0]))
		}
		return Violates("a limit that a restart does not end", after[0].o).By(tries[processed].o)
	},
	Fix: "keep the count of failed attempts where a restart does not reach it",
})
