package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// guardsToTry are the operations on which an announced confirmation may show: those
// that say so, else the removals of what we can make.
func guardsToTry(f *Face) []guarded {
	names := guardedNames(f)
	if len(names) == 0 {
		for _, s := range eachListed(f) {
			if s.Op.Category == "DELETE" && !slices.Contains(reserved, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	var all []guarded
	for _, name := range names {
		if g, why := f.guard(name); why == nil {
			all = append(all, g)
		}
	}
	return all[:min(len(all), 4)]
}

// Introspection document, section 4.1.1. A client that reads the flag is prepared to
// confirm; a confirmation that never goes through is a locked door.
var _ = register(Check{
	Requirement: "INT-4.1.1-18",
	On:          given(announcesConfirmation, introspecting),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		for _, g := range guardsToTry(s.Face) {
			g.control(ask)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		tried := guardsToTry(s.Face)
		if len(tried) == 0 {
			return NotProven("an operation that waits for a confirmation, and an object to try it on", "none")
		}
		rs, open := []Ruling{}, 0
		for _, g := range tried {
			asked, _ := at(got, g.first+controlAsked)
			if asked.Succeeded() {
				open++
				continue
			}
			rs = append(rs, g.unlocked(got, asked))
		}
		if open == len(tried) {
			return Departs("an operation that waits for a confirmation", "none").By(got[len(got)-1])
		}
		if i := slices.IndexFunc(rs, func(r Ruling) bool { return r.verdict == Conforms().verdict }); i >= 0 && Worst(rs...).verdict != Violates("", "").verdict {
			return rs[i]
		}
		return Worst(rs...)
	},
	Fix: "accept the token that was handed out, under the documented parameter",
})

// unlocked rules on one operation: its token has to open it.
func (g guarded) unlocked(got []probes.Observation, asked probes.Observation) Ruling {
	why, ok := g.controlled(got)
	if ok || asked.ConfirmationToken().Is(probes.Absent) {
		return why
	}
	var refusals []probes.Observation
	for i := range g.names() {
		o, tried := at(got, g.first+controlRedeemed+i)
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
		return NotProven("the parameter that takes the token", last).By(asked)
	}
	return Violates("the call to work with its token", last).By(asked)
}
