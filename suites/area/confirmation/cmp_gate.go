package confirmation

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachSaid is every operation that says it requires a confirmation.
func eachSaid(f *model.Adapter) []model.Subject {
	all := model.Only(model.EachListed, func(s model.Subject) bool {
		says, _ := check.DocumentsConfirmation(s.Op)
		return says && !slices.Contains(model.Reserved, s.Name)
	})(f)
	for i, s := range all {
		if g, why := check.NewConfirmable(f, s.Name); why != nil {
			all[i] = s.WithRuling(*why)
		} else {
			all[i] = g.Subject
		}
	}
	return all
}

// Confirmation tokens.
var operationsSaidToNeedConfirmationAre = check.Check{
	Requirement: "CMP-TOKEN-05",
	Rule:        "An operation whose record or description says that it requires confirmation does not take effect without one.",
	Why:         "If confirmation is announced but not enforced, a client that relies on it asks nobody.",
	On:          eachSaid,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		// A session may keep in mind what was confirmed in it, so this is one in which nothing was.
		here := func(p probes.Probe) probes.Observation { return ask(p.Over(session(g, "gate"))) }
		if made, ok := g.CreateObject(here, "gate alone: created"); ok {
			g.ReadObject(here, made, "gate alone: read before")
			here(g.CallOn(made).Anew(g.Step("gate alone: call without token")))
			g.ReadObject(here, made, "gate alone: read after")
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const want = "no effect without a confirmation"
		g := check.ConfirmableOf(s)
		_, sure := check.DocumentsConfirmation(s.Op)
		judge := ruling.Violates
		if !sure {
			judge = func(want string, got any) ruling.Ruling {
				return ruling.Departs(want, got).Noting("the description may tell the client to ask a person")
			}
		}
		o, asked := got.Find(g.Step("gate alone: call without token"))
		after := g.Step("gate alone: read after")
		lost := check.FoundAt(got, g.Step("gate alone: read before")) && check.NotFoundAt(got, after)
		switch {
		case !asked:
			return ruling.NotProven("an object of our own", got.Last())
		case o.Refused() && lost:
			return judge(want, "a refusal, but the object is gone").By(got.Step(after), o)
		case o.Succeeded() && check.AnnouncedPending(s.Adapter, o):
			return ruling.NotProven(want, "a success that announces the work").By(o)
		case o.Succeeded():
			return judge(want, o)
		case o.Deferred() && !check.RateLimited(o):
			return ruling.Conforms().By(o)
		}
		return ruling.NotProven("a refusal for want of a confirmation", o)
	},
	Fix: "ask for the confirmation before the operation runs, wherever the record says so",
}
