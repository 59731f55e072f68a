package suites

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

var expiredText = regexp.MustCompile(`(?i)expired|timed out|lapsed`)

// Section 8.8.3. While the person has not answered, the agent waits with all it does,
// and is told for what.
var _ = register(Check{
	Requirement: "AQL-8.8.3-05",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		_, id, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		a, asked := rest.before(doing(codeShown)).first(t.harmless())
		switch {
		case !asked:
			return NotProven("a report while the challenge is pending", "none")
		case a.paused() && strings.Contains(a.directive.At("reason").Text(), id):
			return Conforms().By(a.o)
		case a.paused():
			return Violates("a reason that names the challenge", a.directive.At("reason")).By(a.o)
		}
		return Violates("continue: false while the challenge is pending", a.said()).By(a.o)
	},
	Fix: "answer every report of the agent with continue: false and the id of the pending challenge in reason",
})

// Section 8.8.3. Nobody who comes back after a restart should wait for a question that
// nobody is asked any more.
var _ = register(Check{
	Requirement: "AQL-8.8.3-06",
	On:          verified("safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Limits:      true,
	Drive:       restart,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got).in(pauseRestartScene, s.pauseIndex())
		first, _, rest, why := t.where(func(a act) bool { return a.o.Probe.Conn != s.restarted() }).challenged()
		if why != nil {
			return *why
		}
		if held, asked := rest.first(t.harmless()); !asked || !held.paused() {
			return NotProven("a pause before the restart", held.said()).By(held.o).Because("AQL-8.8.3-05")
		}
		later := t.where(func(a act) bool { return a.o.Probe.Conn == s.restarted() }).where(t.harmless()).acts
		if len(later) == 0 || later[len(later)-1].directive.Is(probes.Absent) {
			return NotProven("a directive after the restart", "none")
		}
		last := later[len(later)-1]
		if !last.goesOn() {
			return Violates("no pause after a restart", last.said()).By(last.o, first.o)
		}
		return Conforms().By(last.o, first.o)
	},
	Fix: "keep the pauses of the verify tier in memory",
})

// pauseIndex is which of the author's agents waits for a person through the restart.
func (s Subject) pauseIndex() int { return min(1, len(s.Hints.Safety.Agent.Names)-1) }

// Section 8.8.3. A pause holds up what is going on, not what is to begin.
var _ = register(Check{
	Requirement: "AQL-8.8.3-07",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       parallel,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		first, _, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		begin := doing("execute_agent")
		refusedBefore := len(t.before(t.provoking()).where(func(a act) bool { return begin(a) && a.o.Refused() }).acts) > 0
		begun := rest.where(begin).acts
		if len(begun) == 0 {
			return NotProven("a start while the challenge is pending", "none")
		}
		for i, a := range begun {
			if a.o.Succeeded() && (i == 0 || refusedBefore) {
				return Conforms().By(a.o, first.o)
			}
		}
		return Violates("a new execution while a challenge is pending", begun[0].o).By(first.o)
	},
	Fix: "let execute_agent start an agent that waits for verification",
})

// Section 8.8.3. When the question has lapsed, the action is to be looked at anew, and
// the person asked anew.
var _ = register(Check{
	Requirement: "AQL-8.8.3-08",
	On:          verified("safety.verify_hint", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiry,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got).in(afreshScene, 0)
		_, id, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		_, rest, waited := rest.after(idling)
		calm, rest, asked := rest.after(t.harmless())
		second, again := rest.first(t.provoking())
		switch {
		case !waited || !asked || !again:
			return NotProven("reports after the challenge has expired", "none")
		case !calm.goesOn():
			return Violates("a harmless action to pass once the challenge has expired", calm.said()).By(calm.o)
		case challengeIn(second.o, "autonomy_pause") == id:
			return Violates("a new challenge for the same action", "the expired one").By(second.o)
		case challengeIn(second.o, "autonomy_pause") == "":
			return Violates("a new challenge for the same action", second.said()).By(second.o)
		}
		return Conforms().By(second.o, calm.o)
	},
	Fix: "drop the challenge when it expires, and evaluate the next report as any other",
})

// Section 8.8.2. The longer a question stands, the less the person remembers what it
// was about.
var _ = register(Check{
	Requirement: "AQL-8.8.2-14",
	On:          verified("safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiryOfCodes,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got).in(staleScene, 0)
		first, id, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		late, tried := rest.first(func(a act) bool { return a.what == attempted && a.challenge == id })
		switch {
		case !tried:
			return NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case late.o.Succeeded():
			return Violates("a challenge that expires after "+s.lifetime().String(), late.o).By(first.o)
		}
		if r, ok := redeemed(s, got); !ok {
			return r.By(late.o)
		}
		return Conforms().By(late.o, first.o)
	},
	Fix: "refuse the code of a challenge that is older than the configured time",
})
