package suites

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.8.3. A block that stops reports alone lets the agent wind up its work as
// if nothing had happened.
var _ = register(Check{
	Requirement: "AQL-8.8.3-01",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       refusals,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := s.tell(got)
		other := all.in(refusalScene, 1)
		block, _, rest, why := all.in(refusalScene, 0).blocked()
		if why != nil {
			return *why
		}
		asked := 0
		for _, a := range rest.before(func(a act) bool { return a.what == liftsBlock || granted(a) }).acts {
			if a.what != "complete_execution" && a.what != "confirm_operation" {
				continue
			}
			if asked++; a.o.Succeeded() {
				return Violates("a refusal of "+a.what+" for a blocked agent", a.said()).By(a.o, block.o)
			}
		}
		if asked == 0 {
			return NotProven("an execution operation for a blocked agent", "none")
		}
		reports := other.where(doing(reported)).acts
		if len(reports) == 2 && reports[0].goesOn() && !reports[1].goesOn() {
			return Departs("other agents to go on", reports[1].said()).By(reports[1].o, block.o)
		}
		return Conforms().By(block.o)
	},
	Fix: "refuse every execution operation of an agent while it is blocked",
})

// Section 8.8.3. A restart is easy to bring about, and no person has looked at
// anything then.
var _ = register(Check{
	Requirement: "AQL-8.8.3-02",
	On:          verified("safety.deny_hint", "safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Limits:      true,
	Drive:       restart,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got).in(blockRestartScene, 0)
		block, _, rest, why := t.where(func(a act) bool { return a.o.Probe.Conn != s.restarted() }).blocked()
		if why != nil {
			return *why
		}
		if a, escaped := rest.first(passing); escaped {
			return NotProven("a block that a new execution does not end", a.said()).By(a.o).Because("AQL-8.8.3-04")
		}
		_, after, asked := t.after(func(a act) bool { return a.o.Probe.Conn == s.restarted() })
		if !asked {
			return NotProven("the adapter started again", "none")
		}
		first, _ := t.first(func(a act) bool { return a.o.Probe.Conn == s.restarted() })
		lifted := func(a act) bool { return a.what == liftsBlock || granted(a) }
		if a, escaped := after.before(lifted).first(passing); escaped || passing(first) {
			return Violates("a block that a restart does not end", a.said()).By(a.o, block.o)
		}
		return Conforms().By(first.o, block.o)
	},
	Fix: "write the block to disk before the directive is sent, and read it when an agent is looked up",
})

// Section 8.8.3. What the agent can do by itself must not end a block, else it blocks
// nothing.
var _ = register(Check{
	Requirement: "AQL-8.8.3-03",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       waysOut,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		block, _, rest, why := t.blocked()
		if why != nil {
			return *why
		}
		aborted := doing("abort_execution")
		if a, escaped := rest.before(aborted).first(passing); escaped {
			return NotProven("a block that a new execution does not end", a.said()).By(a.o).Because("AQL-8.8.3-04")
		}
		// The last attempt but the wrong one, or the command, is the person's.
		wrong := true
		last := func(a act) bool {
			if a.what == attempted && wrong {
				wrong = false
				return a.o.Succeeded()
			}
			return a.what == attempted || a.what == liftsBlock
		}
		person, after, done := rest.after(last)
		wrong = true
		if a, escaped := rest.before(last).first(passing); escaped {
			if rest.outside(block) {
				return lostWithProcess(a, block)
			}
			return Violates("a block that only a person ends", "a harmless action let pass").By(a.o, block.o)
		}
		free, let := after.first(passing)
		switch {
		case !done:
			return NotProven("a person who lifts the block", "none").Mend("safety.code_cmd" + inHints + loopHints["safety.code_cmd"])
		case !let:
			return NotProven("an agent that goes on once a person has lifted the block", person.o)
		}
		return Conforms().By(free.o, person.o, block.o)
	},
	Fix: "lift a block by verify_challenge with the right code, or by hand, and in no other way",
})

// Section 8.8.3. The block is on the agent: another execution is the same agent.
var _ = register(Check{
	Requirement: "AQL-8.8.3-04",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       freshStarts,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		block, _, rest, why := s.tell(got).blocked()
		if why != nil {
			return *why
		}
		tried := rest.before(func(a act) bool { return a.what == liftsBlock || granted(a) })
		begun := tried.where(doing("execute_agent")).acts
		if a, escaped := tried.first(passing); escaped {
			if tried.outside(block) {
				return lostWithProcess(a, block)
			}
			return Violates("no new execution of a blocked agent", "one that goes on").By(a.o, block.o)
		}
		if len(begun) == 0 {
			return NotProven("a start of the blocked agent", "none")
		}
		for _, a := range begun {
			if a.o.Succeeded() {
				return Departs("no new execution of a blocked agent", "one whose reports stay stopped").By(a.o, block.o)
			}
		}
		return Conforms().By(begun[0].o, block.o)
	},
	Fix: "look the block up by the agent when an execution is to begin",
})

// lostWithProcess is a block that a new process of the adapter does not know of, which is no
// more than that it does not outlive the one that set it.
func lostWithProcess(a, block act) Ruling {
	return NotProven("a block that the next process knows of", "an action let pass once there was one").By(a.o, block.o).Because("AQL-8.8.3-02")
}

// Section 8.8.2. A challenge that ran out was not met, whatever is done with it later.
var _ = register(Check{
	Requirement: "AQL-8.8.2-15",
	On:          verified("safety.deny_hint", "safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiryOfCodes,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		block, id, rest, why := s.tell(got).in(deadScene, 0).blocked()
		if why != nil {
			return *why
		}
		_, rest, waited := rest.after(idling)
		calm, rest, asked := rest.after(doing(reported))
		late, rest, tried := rest.after(func(a act) bool { return a.what == attempted && a.challenge == id })
		free, _ := rest.first(doing(reported))
		switch {
		case !waited || !asked:
			return NotProven("a blocked agent whose challenge has expired", "none")
		case calm.goesOn():
			return Violates("a block that outlives its challenge", calm.said()).By(calm.o, block.o)
		case !tried:
			return NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case !late.o.Succeeded():
			if r, ok := redeemed(s, got); !ok {
				return r.By(late.o)
			}
			return Conforms().By(late.o, calm.o)
		case calledExpired(calm, id):
			return Violates("an expired challenge that is lost", fmt.Sprintf("its code accepted %s late", between(block, late).Round(1e9))).By(late.o, calm.o, free.o)
		}
		return NotApplicable("the challenge of a block did not expire")
	},
	Fix: "refuse the code of an expired challenge, and keep the block until another is met",
})

// calledExpired reports whether an answer shows that the adapter takes a challenge for
// expired: it names another, or says so.
func calledExpired(a act, id string) bool {
	now := challengeIn(a.o, "danger_zone")
	return now != "" && now != id || expiredText.MatchString(a.o.Message())
}
