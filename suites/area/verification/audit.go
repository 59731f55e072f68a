package verification

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	trailBefore = "audit trail before the wrong code"
	trailAfter  = "audit trail after the wrong code"
)

// audited submits a wrong code between two looks at the audit trail. The challenge is raised before
// the first, so that only the failure is new.
func audited(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.AuditedFailureScenario, 0)
	defer func() { done(t, "") }()
	harmless(t)
	id := provoke(t)
	if id == "" {
		return
	}
	code := t.RequestCode(id)
	before := ask(probes.Command(s.Conn, check.AuditCommand, nil).Anew(trailBefore))
	t.Verify(id, guess(t, code))
	check.ReadAudit(s.Conn, ask, before, trailAfter)
}

var failureText = regexp.MustCompile(`(?i)fail|wrong|invalid|incorrect|mismatch|reject|refus|denied|deny|unauthori|not.?met|bad.?code|violation`)

// Section 8.8.5. A trail that records every call of an operation alike records no failure.
var failedVerificationsRaiseAuditEvents = check.Check{
	Requirement: "AQL-8.8.5-05",
	Rule:        "Failed verification attempts raise security audit events.",
	Why:         "Somebody who tries codes is seen by no one but the reader of the audit trail.",
	On:          verified("safety.verify_hint", check.AuditCommand),
	Lane:        probes.Exclusive,
	Handles:     check.RateLimits,
	Drive:       audited,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		_, id, _, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		attempt, tried := t.First(check.IsOperation(check.VerifyOperation))
		before, after := got.Step(trailBefore), check.AuditRead(got, trailAfter)
		switch {
		case !tried || attempt.Observation.Succeeded():
			return ruling.NotProven("a wrong code that is refused", attempt.Observation).Because("AQL-8.8-01")
		case tooMany(attempt.Observation) || check.RefusedAsMalformed(attempt.Observation):
			return ruling.NotProven("a wrong code that counts as an attempt", attempt.Observation)
		}
		agent := check.AgentNamed(s.Adapter, check.AuditedFailureScenario, 0)
		const want = "an entry in the audit trail for a failed verification"
		entries := check.NewAuditEntries(before, after)
		about := slices.DeleteFunc(slices.Clone(entries), func(e string) bool {
			return !strings.Contains(e, id) && !strings.Contains(e, agent) && !strings.Contains(strings.ToLower(e), "verif")
		})
		switch {
		case len(entries) == 0:
			return ruling.Violates(want, "no new entry").By(after, attempt.Observation, before)
		case len(about) == 0:
			return ruling.NotProven(want, "new entries without the challenge, the agent or a verification").By(after, attempt.Observation, before)
		case !slices.ContainsFunc(about, failureText.MatchString):
			return ruling.NotProven(want, "an entry that does not say that it failed").By(after, attempt.Observation, before)
		}
		return ruling.Conforms().By(after, attempt.Observation, before)
	},
	Fix: "write an event to the audit trail for each failed verification, with the agent and the challenge and without the code",
}
