package verification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// codesShown are all codes that a person was shown in the run.
func codesShown(f *model.Adapter, all probes.Record) []vocab.Sought {
	seen := map[string]bool{}
	var codes []vocab.Sought
	for o := range all.All() {
		if code := o.Output(); o.Probe.CommandName() == check.CodeCommand && f.OwnsConnection(o.Probe.Conn) && code != "" && !seen[code] {
			seen[code] = true
			codes = append(codes, vocab.Seek(code))
		}
	}
	return codes
}

// untold rules on one place: no text there may hold a code.
func untold(s model.Subject, place leakPlace, got probes.Answers, all probes.Record) ruling.Ruling {
	codes := codesShown(s.Adapter, all)
	if len(codes) == 0 {
		if _, _, _, why := check.TraceOf(s, got).FirstChallenge(); why != nil {
			return *why
		}
		return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
	}
	var echo *ruling.Ruling
	for _, sp := range leakSinks(s.Adapter, all) {
		if sp.place != place {
			continue
		}
		text := vocab.Search(sp.text)
		for _, code := range codes {
			how, found := text.Holds(code)
			if !found {
				continue
			}
			r := ruling.Violates("no code in what reaches the agent", fmt.Sprintf("a code %s in %s", how, sp.where)).By(sp.by)
			if sp.by.Probe.Operation() != check.VerifyOperation || !strings.Contains(string(sp.by.Probe.Payload()), code.Code) {
				return r
			}
			r = ruling.Departs("no code in what reaches the agent", "the code that was submitted, in the answer to that").By(sp.by)
			echo = &r
		}
	}
	if echo != nil {
		return *echo
	}
	return ruling.Conforms().Noting(fmt.Sprintf("%d codes looked for in every message of the run", len(codes)))
}

// Section 8.8.2, 8.8.4.
var codeAppearsInNoResponse = check.Check{
	Requirement: "AQL-8.8.2-06",
	Rule:        "The code appears in no MCP response or tool result.",
	Why:         "The code must not be sent where the agent can read it. If a directive contains something like a code, the check tries it on a separate challenge.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		consent(s, ask)
		tryWords(s, ask)
	},
	Ambient: &check.Ambient{Run: func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling {
		if a, taken := check.TraceOf(s, got).ForAgent(suspectScene, 0).First(granted); taken {
			return ruling.Violates("no code in what reaches the agent", "a word of the directive that meets the challenge").By(a.Observation)
		}
		return untold(s, inAnswer, got, all)
	}},
	Fix: "show the code to the operator alone",
}

// Section 8.8.2.
var codeAppearsInNoMetadata = check.Check{
	Requirement: "AQL-8.8.2-07",
	Rule:        "The code is in no _meta member at MCP or envelope level.",
	Why:         "Models read also the values that are meant for programs.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Ambient: &check.Ambient{Run: func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling {
		return untold(s, inMeta, got, all)
	}},
	Fix: "leave the code out of _meta",
}

// Section 8.8.2, 8.8.4.
var codeAppearsInNoReadableLog = check.Check{
	Requirement: "AQL-8.8.2-08",
	Rule:        "The code is in no log the agent can read.",
	Why:         "A log that the agent can read is a channel like any other.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Ambient: &check.Ambient{Run: func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling {
		return untold(s, inLog, got, all)
	}},
	Fix: "leave the code out of every log that comes over MCP",
}

// Section 8.8.4.
var errorsAreFreeOfCode = check.Check{
	Requirement: "AQL-8.8.4-03",
	Rule:        "Error messages, debug and diagnostic output are free of the code.",
	Why:         "An error must not contain the expected code, not even after it expired: a part of it may help to guess the next one.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Disposable,
	Drive:       blunder,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, _, rest, why := check.TraceOf(s, got).FirstChallenge()
		if why != nil {
			return *why
		}
		shown, rest, _ := rest.After(check.IsOperation(check.CodeCommand))
		tries := rest.Filter(check.IsOperation(check.VerifyOperation)).Steps
		if shown.Code == "" || len(tries) == 0 {
			return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		}
		const part = 8
		code := vocab.Seek(shown.Code)
		for _, a := range tries {
			text := vocab.Search(string(a.Observation.ReceivedData()))
			switch how, found := text.Holds(code); {
			case found:
				return ruling.Violates("errors without the code", "the expected code "+how).By(a.Observation)
			case text.Shares(code, part):
				return ruling.Violates("errors without the code", "a part of the expected code").By(a.Observation)
			}
		}
		return ruling.Conforms().By(tries[len(tries)-1].Observation)
	},
	Fix: "say in errors what was wrong, never what would have been right",
}

// Section 8.8.2.
var agentGetsOnlyIdAndPrompt = check.Check{
	Requirement: "AQL-8.8.2-09",
	Rule:        "The agent gets only challenge id and a readable prompt.",
	Why:         "Every additional detail can help to guess the code.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		first, _, _, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		for _, word := range suspicious(s, first.Directive, got) {
			told := slices.ContainsFunc(t.Steps, func(a check.TraceStep) bool {
				if a.Operation != check.CodeCommand || a.Code == "" {
					return false
				}
				_, found := vocab.Search(word).Holds(vocab.Seek(a.Code)) // AQL-8.8.2-06 speaks of that
				return found
			})
			if !told {
				return ruling.Violates("nothing in the directive but the challenge id and words", "the text "+word).By(first.Observation)
			}
		}
		return ruling.Conforms().By(first.Observation)
	},
	Fix: "tell the agent the challenge id and what to ask the person, and nothing else",
}
