package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.7.3. Without the id in the notification, nobody knows which challenge a
// code belongs to.
var _ = register(Check{
	Requirement: "AQL-8.7.3-07",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		first, id, _, why := s.tell(got).challenged()
		switch {
		case id != "":
			return Conforms().By(first.o)
		case first.paused() && !first.stopped():
			return Violates("a notification autonomy_pause with metadata.verificationId", first.directive.At("notifications")).By(first.o)
		}
		return *why
	},
	Fix: "put the challenge id into metadata.verificationId of the notification autonomy_pause",
})

// Section 8.7.3. A pause that goes on after the person has agreed, or after the
// question has lapsed, keeps the agent waiting for nothing.
var _ = register(Check{
	Requirement: "AQL-8.7.3-08",
	On:          verified("safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		consent(s, ask)
		expiry(s, ask)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := s.tell(got)
		solved := cleared(all.in(consentScene, 0), func(t story) (story, *Ruling) {
			_, rest, ok := t.after(granted)
			if !ok {
				r := NotProven("a verification that succeeds", "none").Because("AQL-8.8.2-11")
				return rest, &r
			}
			return rest, nil
		}, "AQL-8.8.2-11")
		lapsed := cleared(all.in(afreshScene, 0), func(t story) (story, *Ruling) { return t, nil }, "AQL-8.8.3-08")
		return Worst(solved, lapsed)
	},
	Fix: "end the pause and its notification when verify_challenge succeeds or the challenge expires",
})

// cleared rules on the harmless reports after the end of a challenge: the last of at
// most two tells, because a notification may be told once more.
func cleared(t story, end func(story) (story, *Ruling), root string) Ruling {
	_, id, rest, why := t.challenged()
	if why != nil {
		return *why
	}
	rest, why = end(rest)
	if why != nil {
		return *why
	}
	later := rest.before(t.provoking()).where(t.harmless())
	if len(later.acts) == 0 {
		return NotProven("a harmless report afterwards", "none")
	}
	last := later.acts[len(later.acts)-1]
	if !last.goesOn() {
		return NotProven("a harmless action to pass afterwards", last.said()).By(last.o).Because(root)
	}
	for _, n := range last.directive.At("notifications").Items() {
		if n.At("metadata", "verificationId").Text() == id {
			return Violates("no notification of the challenge any more", n).By(last.o)
		}
	}
	return Conforms().By(last.o)
}

// Section 8.8. What an agent can do to get on by itself is no verification by a
// person, whatever it is called.
var _ = register(Check{
	Requirement: "AQL-8.8-01",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       ways,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		first, _, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		const want = "a pause until a person has verified the action"
		fresh := func(a act) bool { return a.what == codeShown }
		held := false
		for _, a := range rest.before(fresh).acts {
			passed := passing(a) && (a.hint == first.hint || held)
			expired := s.lifetime() > 0 && a.o.Received.At-first.o.Sent.At >= s.lifetime()
			switch {
			case granted(a):
				return Violates(want, "an invented code accepted").By(a.o)
			case passed && expired:
				return NotProven("a challenge that has not expired", "one older than "+s.lifetime().String()).By(a.o, first.o)
			case passed && a.hint == first.hint:
				return Violates(want, "the action let pass without a code").By(a.o, first.o)
			case passed:
				return Violates(want, "the pause ended without a code").By(a.o, first.o)
			case a.what == reported && a.hint != first.hint:
				held = held || a.paused()
			}
		}
		_, end, ok := rest.after(granted)
		calm, asked := end.first(t.harmless())
		if !ok || !asked || !calm.goesOn() {
			return NotProven("a right code that lets the agent go on", calm.said()).By(calm.o).Because("AQL-8.8.2-11")
		}
		return Conforms().By(calm.o)
	},
	Fix: "end a pause of the verify tier by verify_challenge alone",
})

// Section 8.8.1. In the danger zone a pause is not enough: nobody may go on before a
// person has looked.
var _ = register(Check{
	Requirement: "AQL-8.8.1-01",
	On:          verified("safety.danger_hint"),
	Lane:        probes.Serial,
	Drive:       danger,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		if r, unsettled := t.quiet(); unsettled {
			return r
		}
		a, _ := t.first(saying(s.Hints.Safety.DangerHint))
		switch {
		case a.stopped():
			return Conforms().By(a.o)
		case a.directive.Is(probes.Absent) || a.outOfSteps():
			return NotProven("a directive on the action of the danger tier", a.said()).By(a.o)
		}
		return Violates("stopped: true", a.directive).By(a.o)
	},
	Fix: "answer an action of the danger tier with continue: false and stopped: true",
})

// Section 8.8.1. A pause can be waited for; a stop tells the agent to give up.
var _ = register(Check{
	Requirement: "AQL-8.8.1-02",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		if r, unsettled := t.quiet(); unsettled {
			return r
		}
		a, _ := t.first(t.provoking())
		switch {
		case a.directive.Is(probes.Absent) || a.outOfSteps():
			return NotProven("a directive on the action of the verify tier", a.said()).By(a.o)
		case a.paused() && !a.stopped():
			return Conforms().By(a.o)
		}
		return Violates("continue: false without stopped: true", a.directive).By(a.o)
	},
	Fix: "answer an action of the verify tier with continue: false, and leave stopped out",
})

// Section 8.8.1. A person who is asked for codes all day stops reading what they are
// for.
var _ = register(Check{
	Requirement: "AQL-8.8.1-03",
	On:          verified("safety.confirm_hint"),
	Lane:        probes.Serial,
	Drive:       calm,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		if r, unsettled := t.quiet(); unsettled {
			return r
		}
		reports := t.where(doing(reported)).acts
		for _, a := range reports {
			for _, n := range a.directive.At("notifications").Items() {
				// The block of another agent is told to all.
				if n.Has("metadata") && n.At("metadata", "verificationId").Text() != "" && n.At("type").Text() != "danger_zone" {
					return Violates("no challenge for the action "+strings.TrimSpace(a.hint), n).By(a.o)
				}
			}
		}
		if len(reports) < 2 || reports[1].directive.Is(probes.Absent) {
			return NotProven("directives on an advisory action and one to confirm", "none")
		}
		return Conforms().By(reports[1].o)
	},
	Fix: "raise a challenge for the tiers verify and danger_zone and for denied actions alone",
})
