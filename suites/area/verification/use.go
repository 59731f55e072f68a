package verification

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.8.2, 8.8.6.
var codeIsShownOutOfBand = check.Check{
	Requirement: "AQL-8.8.2-05",
	Rule:        "The code is shown on a channel the agent cannot reach.",
	Why:         "Any display will do, as long as the person sees the code there.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, _, rest, why := check.TraceOf(s, got).FirstChallenge()
		if why != nil {
			return *why
		}
		shown, rest, asked := rest.After(check.IsOperation(check.CodeCommand))
		try, tried := rest.First(check.IsOperation(check.VerifyOperation))
		switch {
		case !asked || shown.Observation.Lost():
			return ruling.NotProven("a look at the channel of the operator", shown.Observation)
		case shown.Code == "":
			return ruling.Violates("a code on the channel that safety.code_cmd reads", "nothing").By(shown.Observation)
		case !tried || !try.Observation.Succeeded():
			return ruling.NotProven("a captured code that is taken", try.Observation).Mend("let safety.code_cmd print the code of the challenge in AQL_CONFORM_CHALLENGE and nothing else")
		}
		return ruling.Conforms().By(try.Observation)
	},
	Fix: "show the code of each challenge on the channel of the operator",
}

// Section 8.8.2.
var rightCodeUnblocksAgent = check.Check{
	Requirement: "AQL-8.8.2-11",
	Rule:        "Submitting challenge id and right code through verify_challenge unblocks the agent.",
	Why:         "A person who has typed in the right code has done all there is to do.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		_, _, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		try, rest, tried := rest.After(check.IsOperation(check.VerifyOperation))
		if !tried || !try.Observation.Succeeded() {
			return ruling.NotProven("a captured code that is taken", try.Observation).Because("AQL-8.8.2-05")
		}
		later := before(rest, t.IsVerifyReport()).Filter(t.IsHarmlessReport())
		for _, a := range later.Steps {
			if a.Continues() {
				return ruling.Conforms().By(a.Observation, try.Observation)
			}
		}
		if len(later.Steps) == 0 || outOfSteps(later.Steps[0]) {
			return ruling.NotProven("a report after the verification", "none")
		}
		return ruling.Violates("continue: true after the verification", later.Steps[0].Answer()).By(later.Steps[0].Observation, try.Observation)
	},
	Fix: "end the pause or the block when the right code comes",
}

// redeemed rules where no captured code was ever taken: then the refusal of another says
// nothing about it.
func redeemed(s model.Subject, got probes.Answers) (ruling.Ruling, bool) {
	if _, taken := check.TraceOf(s, got).ForAgent(check.CollectCodesScenario, 0).First(granted); !taken {
		return ruling.NotProven("a captured code that is taken", "none").Because("AQL-8.8.2-05"), false
	}
	return ruling.Ruling{}, true
}

// Section 8.8.2.
var oneWrongAttemptKillsCode = check.Check{
	Requirement: "AQL-8.8.2-12",
	Rule:        "One wrong submission kills the code; the right code is then worthless.",
	Why:         "If a code can be tried without limit, it can be guessed.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		consent(s, ask)
		wrongFirst(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, _, rest, why := check.TraceOf(s, got).ForAgent(check.WrongCodeScenario, 0).FirstChallenge()
		if why != nil {
			return *why
		}
		tries := rest.Filter(check.IsOperation(check.VerifyOperation)).Steps
		switch {
		case len(tries) < 2:
			return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case tries[0].Observation.Succeeded():
			return ruling.NotProven("a wrong code that is refused", tries[0].Observation).Because("AQL-8.8-01")
		case check.RefusedAsMalformed(tries[0].Observation):
			return ruling.NotProven("a wrong code that counts as an attempt", tries[0].Observation)
		case tries[1].Observation.Succeeded():
			return ruling.Violates("a code that is worthless after a wrong attempt", tries[1].Observation).By(tries[0].Observation)
		}
		if r, ok := redeemed(s, got); !ok {
			return r.By(tries[1].Observation)
		}
		return ruling.Conforms().By(tries[1].Observation, tries[0].Observation)
	},
	Fix: "invalidate the code with the first attempt that fails",
}

// Section 8.8.2.
var usedCodesCannotBeReused = check.Check{
	Requirement: "AQL-8.8.2-13",
	Rule:        "A used code cannot be used again.",
	Why:         "A code that can be used again is a password that several parties have seen.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       reuse,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, _, rest, why := check.TraceOf(s, got).FirstChallenge()
		if why != nil {
			return *why
		}
		used, rest, ok := rest.After(granted)
		tries := rest.Filter(check.IsOperation(check.VerifyOperation)).Steps
		if !ok || len(tries) < 2 {
			return ruling.NotProven("a used code and a newer challenge", "none").Because("AQL-8.8.2-11")
		}
		const want = "a used code that is refused"
		newer, unlocked := check.TraceStep{}, false
		if _, after, found := rest.After(check.IsOperation(check.VerifyOperation)); found {
			newer, unlocked = after.First(func(a check.TraceStep) bool {
				return a.Operation == check.ReportOperation && a.Hint == s.Hints.Safety.VerifyHint
			})
			unlocked = unlocked && newer.Continues()
		}
		switch {
		case tries[1].Observation.Succeeded():
			return ruling.Violates(want, "a newer challenge met by it").By(tries[1].Observation, used.Observation)
		case tries[0].Observation.Succeeded() && unlocked:
			return ruling.Violates(want, "a newer challenge lifted by it").By(newer.Observation, tries[0].Observation)
		case tries[0].Observation.Succeeded():
			return ruling.Departs(want, "success without effect").By(tries[0].Observation, used.Observation)
		}
		return ruling.Conforms().By(tries[1].Observation, tries[0].Observation)
	},
	Fix: "delete a code when it is used",
}
