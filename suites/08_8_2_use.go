package suites

import "github.com/aql-conform/aql-conform/probes"

// Section 8.8.2, 8.8.6. Any display will do, as long as the person sees the code there.
var _ = register(Check{
	Requirement: "AQL-8.8.2-05",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, _, rest, why := s.tell(got).challenged()
		if why != nil {
			return *why
		}
		shown, rest, asked := rest.after(doing(codeShown))
		try, tried := rest.first(doing(attempted))
		switch {
		case !asked || shown.o.Lost():
			return NotProven("a look at the channel of the operator", shown.o)
		case shown.code == "":
			return Violates("a code on the channel that safety.code_cmd reads", "nothing").By(shown.o)
		case !tried || !try.o.Succeeded():
			return NotProven("a captured code that is taken", try.o).Mend("let safety.code_cmd print the code of the challenge in AQL_CONFORM_CHALLENGE and nothing else")
		}
		return Conforms().By(try.o)
	},
	Fix: "show the code of each challenge on the channel of the operator",
})

// Section 8.8.2. A person who has typed in the right code has done all there is to do.
var _ = register(Check{
	Requirement: "AQL-8.8.2-11",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		_, _, rest, why := t.challenged()
		if why != nil {
			return *why
		}
		try, rest, tried := rest.after(doing(attempted))
		if !tried || !try.o.Succeeded() {
			return NotProven("a captured code that is taken", try.o).Because("AQL-8.8.2-05")
		}
		later := rest.before(t.provoking()).where(t.harmless())
		for _, a := range later.acts {
			if a.goesOn() {
				return Conforms().By(a.o, try.o)
			}
		}
		if len(later.acts) == 0 || later.acts[0].outOfSteps() {
			return NotProven("a report after the verification", "none")
		}
		return Violates("continue: true after the verification", later.acts[0].said()).By(later.acts[0].o, try.o)
	},
	Fix: "end the pause or the block when the right code comes",
})

// redeemed rules where no captured code was ever taken: then the refusal of another says
// nothing about it.
func redeemed(s Subject, got []probes.Observation) (Ruling, bool) {
	if _, taken := s.tell(got).in(consentScene, 0).first(granted); !taken {
		return NotProven("a captured code that is taken", "none").Because("AQL-8.8.2-05"), false
	}
	return Ruling{}, true
}

// Section 8.8.2. Who may try twice may try often.
var _ = register(Check{
	Requirement: "AQL-8.8.2-12",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		consent(s, ask)
		wrongFirst(s, ask)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, _, rest, why := s.tell(got).in(wrongScene, 0).challenged()
		if why != nil {
			return *why
		}
		tries := rest.where(doing(attempted)).acts
		switch {
		case len(tries) < 2:
			return NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case tries[0].o.Succeeded():
			return NotProven("a wrong code that is refused", tries[0].o).Because("AQL-8.8-01")
		case malformed(tries[0].o):
			return NotProven("a wrong code that counts as an attempt", tries[0].o)
		case tries[1].o.Succeeded():
			return Violates("a code that is worthless after a wrong attempt", tries[1].o).By(tries[0].o)
		}
		if r, ok := redeemed(s, got); !ok {
			return r.By(tries[1].o)
		}
		return Conforms().By(tries[1].o, tries[0].o)
	},
	Fix: "invalidate the code with the first attempt that fails",
})

// Section 8.8.2. A code that stays good is a password, and one that many have seen.
var _ = register(Check{
	Requirement: "AQL-8.8.2-13",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       reuse,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, _, rest, why := s.tell(got).challenged()
		if why != nil {
			return *why
		}
		used, rest, ok := rest.after(granted)
		tries := rest.where(doing(attempted)).acts
		if !ok || len(tries) < 2 {
			return NotProven("a used code and a newer challenge", "none").Because("AQL-8.8.2-11")
		}
		const want = "a used code that is refused"
		newer, unlocked := act{}, false
		if _, after, found := rest.after(doing(attempted)); found {
			newer, unlocked = after.first(func(a act) bool { return a.what == reported && a.hint == s.Hints.Safety.VerifyHint })
			unlocked = unlocked && newer.goesOn()
		}
		switch {
		case tries[1].o.Succeeded():
			return Violates(want, "a newer challenge met by it").By(tries[1].o, used.o)
		case tries[0].o.Succeeded() && unlocked:
			return Violates(want, "a newer challenge lifted by it").By(newer.o, tries[0].o)
		case tries[0].o.Succeeded():
			return Departs(want, "success without effect").By(tries[0].o, used.o)
		}
		return Conforms().By(tries[1].o, tries[0].o)
	},
	Fix: "delete a code when it is used",
})

// malformed reports whether an attempt was refused for its form.
func malformed(o probes.Observation) bool {
	return o.RefusedBelow() || len(o.Code()) > 11 && o.Code()[:11] == "VALIDATION_"
}
