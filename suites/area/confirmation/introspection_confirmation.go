package confirmation

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// guardsToTry are the operations on which an announced confirmation may show: those
// that say so, else the removals of what we can make.
func guardsToTry(f *model.Adapter) []check.Confirmable {
	names := check.ConfirmableNames(f)
	if len(names) == 0 {
		for _, s := range model.EachListed(f) {
			if s.Op.Category == "DELETE" && !slices.Contains(model.Reserved, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	var all []check.Confirmable
	for _, name := range names {
		if g, why := check.NewConfirmable(f, name); why == nil {
			all = append(all, g)
		}
	}
	return all[:min(len(all), 4)]
}

// Introspection document, section 4.1.1.
var announcedConfirmationFlowWorks = check.Check{
	Requirement: "INT-4.1.1-18",
	Rule:        "An adapter that announces confirmation answers gated operations with a token that unlocks the retry.",
	Why:         "A client that reads the flag expects to confirm. If no confirmation can succeed, the operation cannot be used.",
	On:          model.Given(check.AnnouncesConfirmation, model.IntrospectSubject),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, g := range guardsToTry(s.Adapter) {
			g.RunControl(ask)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tried := guardsToTry(s.Adapter)
		if len(tried) == 0 {
			return ruling.NotProven("an operation that waits for a confirmation, and an object to try it on", "none")
		}
		rs, open := []ruling.Ruling{}, 0
		for _, g := range tried {
			asked := got.Step(g.Step(check.ControlAsked))
			if asked.Succeeded() {
				open++
				continue
			}
			rs = append(rs, unlocked(g, got, asked))
		}
		if open == len(tried) {
			return ruling.Departs("an operation that waits for a confirmation", "none").By(got.Last())
		}
		if i := slices.IndexFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == ruling.Conforms().Verdict }); i >= 0 && ruling.Worst(rs...).Verdict != ruling.Violates("", "").Verdict {
			return rs[i]
		}
		return ruling.Worst(rs...)
	},
	Fix: "accept the token that was handed out, under the documented parameter",
}

// unlocked rules on one operation: its token has to open it.
func unlocked(g check.Confirmable, got probes.Answers, asked probes.Observation) ruling.Ruling {
	why, ok := g.JudgeControl(got)
	if ok || asked.ConfirmationToken().Is(probes.Absent) {
		return why
	}
	var refusals []probes.Observation
	for i := range g.TokenNames() {
		o, tried := got.Find(g.Step(probes.Nth(check.ControlRedeemed, i)))
		locked := o.Code() == "CONFIRMATION_REQUIRED" || strings.HasPrefix(o.Code(), "TOKEN_") || strings.HasPrefix(o.Code(), "VALIDATION_")
		if tried && !locked {
			return why // refused for another reason, self-approval among them
		}
		if tried {
			refusals = append(refusals, o)
		}
	}
	last := refusals[len(refusals)-1]
	if strings.HasPrefix(last.Code(), "VALIDATION_") {
		return ruling.NotProven("the parameter that takes the token", last).By(asked)
	}
	return ruling.Violates("the call to work with its token", last).By(asked)
}
