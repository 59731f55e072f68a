package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// codesShown are all codes that a person was shown in the run.
func (f *Face) codesShown(all probes.Record) []sought {
	seen := map[string]bool{}
	var codes []sought
	for o := range all.All() {
		if code := o.Output(); o.Probe.CommandName() == codeShown && f.owns(o.Probe.Conn) && code != "" && !seen[code] {
			seen[code] = true
			codes = append(codes, seek(code))
		}
	}
	return codes
}

// untold rules on one place: no text there may hold a code.
func (s Subject) untold(place leakPlace, got []probes.Observation, all probes.Record) Ruling {
	codes := s.codesShown(all)
	if len(codes) == 0 {
		if _, _, _, why := s.tell(got).challenged(); why != nil {
			return *why
		}
		return NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
	}
	var echo *Ruling
	for _, sp := range s.outlets(all) {
		if sp.place != place {
			continue
		}
		text := search(sp.text)
		for _, code := range codes {
			how, found := text.holds(code)
			if !found {
				continue
			}
			r := Violates("no code in what reaches the agent", fmt.Sprintf("a code %s in %s", how, sp.where)).By(sp.by)
			if sp.by.Probe.Operation() != attempted || !strings.Contains(string(sp.by.Probe.Payload()), code.code) {
				return r
			}
			r = Departs("no code in what reaches the agent", "the code that was submitted, in the answer to that").By(sp.by)
			echo = &r
		}
	}
	if echo != nil {
		return *echo
	}
	return Conforms().Noting(fmt.Sprintf("%d codes looked for in every message of the run", len(codes)))
}

// Section 8.8.2, 8.8.4. All depends on one thing: that the code does not travel where
// the agent reads. What looks like a code in a directive is tried on a challenge of its
// own.
var _ = register(Check{
	Requirement: "AQL-8.8.2-06",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		consent(s, ask)
		tryWords(s, ask)
	},
	Whole: func(s Subject, got []probes.Observation, all probes.Record) Ruling {
		if a, taken := s.tell(got).in(suspectScene, 0).first(granted); taken {
			return Violates("no code in what reaches the agent", "a word of the directive that meets the challenge").By(a.o)
		}
		return s.untold(inAnswer, got, all)
	},
	Fix: "show the code to the operator alone",
})

// Section 8.8.2. What is meant for programs is read by models all the same.
var _ = register(Check{
	Requirement: "AQL-8.8.2-07",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Whole: func(s Subject, got []probes.Observation, all probes.Record) Ruling {
		return s.untold(inMeta, got, all)
	},
	Fix: "leave the code out of _meta",
})

// Section 8.8.2, 8.8.4. A log that the agent can read is a channel like any other.
var _ = register(Check{
	Requirement: "AQL-8.8.2-08",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Whole: func(s Subject, got []probes.Observation, all probes.Record) Ruling {
		return s.untold(inLog, got, all)
	},
	Fix: "leave the code out of every log that comes over MCP",
})

// Section 8.8.4. An error that says what would have been right gives the code away
// when it is of no use any more, or so it seems: half of it may do for the next.
var _ = register(Check{
	Requirement: "AQL-8.8.4-03",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Disposable,
	Drive:       blunder,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, _, rest, why := s.tell(got).challenged()
		if why != nil {
			return *why
		}
		shown, rest, _ := rest.after(doing(codeShown))
		tries := rest.where(doing(attempted)).acts
		if shown.code == "" || len(tries) == 0 {
			return NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		}
		const part = 8
		code := seek(shown.code)
		for _, a := range tries {
			text := search(string(a.o.ReceivedData()))
			switch how, found := text.holds(code); {
			case found:
				return Violates("errors without the code", "the expected code "+how).By(a.o)
			case text.shares(code, part):
				return Violates("errors without the code", "a part of the expected code").By(a.o)
			}
		}
		return Conforms().By(tries[len(tries)-1].o)
	},
	Fix: "say in errors what was wrong, never what would have been right",
})

// Section 8.8.2. What is not needed can only help to find the code.
var _ = register(Check{
	Requirement: "AQL-8.8.2-09",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t := s.tell(got)
		first, _, _, why := t.challenged()
		if why != nil {
			return *why
		}
		for _, word := range s.suspicious(first.directive, got) {
			told := slices.ContainsFunc(t.acts, func(a act) bool {
				if a.what != codeShown || a.code == "" {
					return false
				}
				_, found := search(word).holds(seek(a.code)) // AQL-8.8.2-06 speaks of that
				return found
			})
			if !told {
				return Violates("nothing in the directive but the challenge id and words", "the text "+word).By(first.o)
			}
		}
		return Conforms().By(first.o)
	},
	Fix: "tell the agent the challenge id and what to ask the person, and nothing else",
})
