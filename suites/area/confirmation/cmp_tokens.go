package confirmation

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// refusesToken rules on a call that a token must not release.
func refusesToken(f *model.Adapter, o probes.Observation, want string) ruling.Ruling {
	switch {
	case o.Succeeded() && check.AnnouncedPending(f, o):
		return ruling.NotProven(want, "a success that announces the work").By(o)
	case o.Succeeded():
		return ruling.Violates(want, o)
	case o.Code() == "CONFIRMATION_REQUIRED":
		return ruling.Departs(want, o)
	case strings.HasPrefix(o.Code(), "TOKEN_"):
		return ruling.Conforms().By(o)
	case o.Refused() && !strings.HasPrefix(o.Code(), "NOT_FOUND") && !strings.HasPrefix(o.Code(), "VALIDATION_") && !check.RateLimited(o):
		return ruling.Conforms().By(o)
	}
	return ruling.NotProven(want, o)
}

// tokenFor creates an object and requests a token for a call on it. The step is above both requests.
func tokenFor(g check.Confirmable, ask model.AskFunc, step string) (made probes.Observation, call probes.Probe, token probes.Value) {
	made, ok := g.CreateObject(ask, step+": created")
	if !ok {
		return made, probes.Probe{}, probes.Value{}
	}
	call = g.CallOn(made)
	return made, call, ask(call.Anew(g.Step(step + ": call without token"))).ConfirmationToken()
}

// A refusal is a call with a token that must not release it, between two reads of its object. A call that is
// answered with an error and carried out nevertheless is refused in name only.
type refusal struct {
	check.Confirmable
	script string
}

func (r refusal) ask(ask model.AskFunc, made probes.Observation, call probes.Probe) {
	r.ReadObject(ask, made, r.script+": first read")
	ask(call.Anew(r.Step(r.script + ": call with token")))
	r.ReadObject(ask, made, r.script+": read afterwards")
}

// isEmpty reports whether the object of the refused call is gone.
func (r refusal) isEmpty(got probes.Answers) bool {
	o := got.Step(r.Step(r.script + ": call with token"))
	return o.Refused() && !o.Deferred() && check.FoundAt(got, r.Step(r.script+": first read")) && check.NotFoundAt(got, r.Step(r.script+": read afterwards"))
}

func (r refusal) violated(got probes.Answers) ruling.Ruling {
	return ruling.Violates("the object as it was", "gone, though the call was refused").
		By(got.Step(r.Step(r.script+": call with token")), got.Step(r.Step(r.script+": read afterwards")))
}

// eachRefusable is every operation that waits for a confirmation, and the removals beside the hinted one: only what
// is gone shows that a refused call was carried out.
func eachRefusable(f *model.Adapter) []model.Subject {
	all := check.EachConfirmable(f)
	for _, g := range guardsToTry(f) {
		known := slices.ContainsFunc(all, func(s model.Subject) bool { return s.Name == g.Name })
		if says, _ := check.DocumentsConfirmation(g.Op); says && g.Op.Category == "DELETE" && g.HasOwnObject && !known {
			all = append(all, g.Subject)
		}
	}
	return all
}

// Confirmation tokens.
var tokenRedeemsOnlyItsParameters = check.Check{
	Requirement: "CMP-TOKEN-02",
	Rule:        "A confirmation token does not release the same operation with other critical parameters.",
	Why:         "The same holds for objects: a confirmation for one does not cover another.",
	On:          eachRefusable,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		name, ok := g.RunControl(ask)
		if !ok || !g.HasOwnObject {
			return
		}
		_, _, token := tokenFor(g, ask, "other object")
		if made, ok := g.CreateObject(ask, "other object: second object"); ok && !token.Is(probes.Absent) {
			refusal{g, "other object"}.ask(ask, made, g.CallOn(made).With(name, token.Go()))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g := check.ConfirmableOf(s)
		if why, ok := g.JudgeControl(got); !ok {
			return why
		}
		o, asked := got.Find(g.Step("other object: call with token"))
		if !asked {
			return ruling.NotProven("a token and another object of our own", got.Last()).Mend(model.TestObjectHint)
		}
		if refusal := (refusal{g, "other object"}); refusal.isEmpty(got) {
			return refusal.violated(got)
		}
		return refusesToken(s.Adapter, o, "a refusal of a token for another object")
	},
	Fix: "keep the identifiers with the token and compare them; answer TOKEN_SCOPE_MISMATCH",
}

// Confirmation tokens.
var inventedTokenIsRefused = check.Check{
	Requirement: "CMP-TOKEN-03",
	Rule:        "A well-formed token that was never issued releases nothing.",
	Why:         "If any text of the right form is accepted as a token, the model can confirm its own calls.",
	On:          eachRefusable,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		name, ok := g.RunControl(ask)
		if !ok {
			return
		}
		made, call, token := tokenFor(g, ask, "invented token")
		// What keeps a part of the token cannot be hidden in a transcript, so no other text is sent.
		if text := check.ForgeToken(token.Text()); text != token.Text() {
			refusal{g, "invented token"}.ask(ask, made, call.With(name, text))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g := check.ConfirmableOf(s)
		if why, ok := g.JudgeControl(got); !ok {
			return why
		}
		o, asked := got.Find(g.Step("invented token: call with token"))
		if !asked {
			return ruling.NotProven("a token whose shape can be copied", got.Last())
		}
		if refusal := (refusal{g, "invented token"}); refusal.isEmpty(got) {
			return refusal.violated(got)
		}
		return refusesToken(s.Adapter, o, "a refusal of a token that was never issued")
	},
	Fix: "look the token up among those that were issued; answer TOKEN_INVALID",
}

// Confirmation tokens.
var tokenWorksOnce = check.Check{
	Requirement: "CMP-TOKEN-04",
	Rule:        "A redeemed confirmation token cannot be used again.",
	Why:         "A token that can be used twice runs the call again without a confirmation. An object can be removed only once, so the check needs an operation that would succeed a second time.",
	On:          check.EachConfirmable,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		name, ok := g.RunControl(ask)
		if !ok {
			return
		}
		_, call, token := tokenFor(g, ask, "second use")
		if token.Is(probes.Absent) || !ask(call.With(name, token.Go()).Anew(g.Step("second use: call with token"))).Succeeded() {
			return
		}
		ask(call.With(name, token.Go()).Anew(g.Step("second use: second call with token")))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g := check.ConfirmableOf(s)
		if why, ok := g.JudgeControl(got); !ok {
			return why
		}
		first := got.Step(g.Step("second use: call with token"))
		o, asked := got.Find(g.Step("second use: second call with token"))
		switch {
		case !asked:
			return ruling.NotProven("a token that was redeemed", first)
		case o.Code() == "CONFIRMATION_REQUIRED", strings.HasPrefix(o.Code(), "TOKEN_"):
			return ruling.Conforms().By(o, first)
		case o.Succeeded():
			return ruling.Violates("a refusal of a token that was redeemed", o).By(first)
		}
		return ruling.NotProven("a call that could work a second time", o).By(first)
	},
	Fix: "mark a token as used before the operation runs; answer TOKEN_ALREADY_USED",
}
