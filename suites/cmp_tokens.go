package suites

import (
	"math/rand/v2"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The takes of the scripts on tokens, below the first one of an operation. Each has
// a stage of its own, the first of which is that of the control.
const (
	otherOperation = (iota + 1) * specimenStage
	otherTarget
	inventedToken
	secondUse
	gateAlone
)

// notTaken rules on a call with a token that must not release it.
func notTaken(o probes.Observation, want string) Ruling {
	switch {
	case o.Succeeded() && announcedPending(o):
		return NotProven(want, "a success that announces the work").By(o)
	case o.Succeeded():
		return Violates(want, o)
	case o.Code() == "CONFIRMATION_REQUIRED":
		return Departs(want, o)
	case strings.HasPrefix(o.Code(), "TOKEN_"):
		return Conforms().By(o)
	case o.Refused() && !strings.HasPrefix(o.Code(), "NOT_FOUND") && !strings.HasPrefix(o.Code(), "VALIDATION_") && !limited(o):
		return Conforms().By(o)
	}
	return NotProven(want, o)
}

// tokenFor makes an object and asks for a token on it; take is that of the creation,
// the next one that of the call.
func (g guarded) tokenFor(ask Asking, take int) (call probes.Probe, token probes.Value) {
	made, ok := g.object(ask, take)
	if !ok {
		return probes.Probe{}, probes.Value{}
	}
	call = g.on(made)
	return call, ask(call.Anew(g.first + take + 1)).ConfirmationToken()
}

// second is another operation that waits for a confirmation and can be tried
// on an object of ours.
func (g guarded) second() (guarded, bool) {
	for _, name := range guardedNames(g.Face) {
		if other, why := g.guard(name); name != g.Name && why == nil {
			return other, true
		}
	}
	return guarded{}, false
}

// Confirmation tokens. A token stands for what a person was shown: who agreed to one
// operation has not agreed to another.
var _ = register(Check{
	Requirement: "CMP-TOKEN-01",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		other, two := g.second()
		if _, ok := g.control(ask); !ok || !two {
			return
		}
		name, ok := other.control(ask)
		call, _ := other.tokenFor(ask, otherOperation)
		_, token := g.tokenFor(ask, otherOperation)
		if ok && !token.Is(probes.Absent) && call.Tool != "" {
			ask(call.With(name, token.Go()).Anew(g.first + otherOperation + 2))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g := guardOf(s)
		other, two := g.second()
		if why, ok := g.controlled(got); !ok {
			return why
		}
		if !two {
			return NotProven("a second operation that waits for a confirmation and can be tried", "none")
		}
		if why, ok := other.controlled(got); !ok {
			return why
		}
		o, asked := at(got, g.first+otherOperation+2)
		if !asked {
			return NotProven("a fresh token and another object", got[len(got)-1])
		}
		return notTaken(o, "a refusal of a token of "+g.Name)
	},
	Fix: "keep the operation with the token and compare it; answer TOKEN_SCOPE_MISMATCH",
})

// Confirmation tokens. The same holds for the objects: one may go, the next may not.
var _ = register(Check{
	Requirement: "CMP-TOKEN-02",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		name, ok := g.control(ask)
		if !ok || !g.own {
			return
		}
		_, token := g.tokenFor(ask, otherTarget)
		if made, ok := g.object(ask, otherTarget+2); ok && !token.Is(probes.Absent) {
			ask(g.on(made).With(name, token.Go()).Anew(g.first + otherTarget + 3))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g := guardOf(s)
		if why, ok := g.controlled(got); !ok {
			return why
		}
		o, asked := at(got, g.first+otherTarget+3)
		if !asked {
			return NotProven("a token and another object of our own", got[len(got)-1]).Mend(resourceHint)
		}
		return notTaken(o, "a refusal of a token for another object")
	},
	Fix: "keep the identifiers with the token and compare them; answer TOKEN_SCOPE_MISMATCH",
})

// forged is the token that is made of one that was issued.
func forged(token string) string { return forgedFrom(token, 41) }

// forgedFrom is a token of the shape of one that was issued: its first part stays, the
// letters and digits of the rest are drawn anew.
func forgedFrom(token string, seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, uint64(len(token))))
	body := strings.LastIndexAny(token[:max(0, min(len(token)-8, 16))], "_.:") + 1
	text := []byte(token)
	for i := body; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			text[i] = byte('0' + draw.IntN(10))
		case c >= 'a' && c <= 'f':
			text[i] = byte('a' + draw.IntN(6))
		case c >= 'g' && c <= 'z':
			text[i] = byte('g' + draw.IntN(20))
		case c >= 'A' && c <= 'Z':
			text[i] = byte('A' + draw.IntN(26))
		}
	}
	return string(text)
}

// Confirmation tokens. Where any text of the right shape is taken, the model confirms
// itself.
var _ = register(Check{
	Requirement: "CMP-TOKEN-03",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		name, ok := g.control(ask)
		if !ok {
			return
		}
		call, token := g.tokenFor(ask, inventedToken)
		if text := forged(token.Text()); text != token.Text() {
			ask(call.With(name, text).Anew(g.first + inventedToken + 2))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g := guardOf(s)
		if why, ok := g.controlled(got); !ok {
			return why
		}
		o, asked := at(got, g.first+inventedToken+2)
		if !asked {
			return NotProven("a token whose shape can be copied", got[len(got)-1])
		}
		return notTaken(o, "a refusal of a token that was never issued")
	},
	Fix: "look the token up among those that were issued; answer TOKEN_INVALID",
})

// Confirmation tokens. A token that stays good releases the call again when nobody
// looks. What is gone cannot be removed twice, so only an operation that would work
// once more shows it.
var _ = register(Check{
	Requirement: "CMP-TOKEN-04",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		name, ok := g.control(ask)
		if !ok {
			return
		}
		call, token := g.tokenFor(ask, secondUse)
		if token.Is(probes.Absent) || !ask(call.With(name, token.Go()).Anew(g.first+secondUse+2)).Succeeded() {
			return
		}
		ask(call.With(name, token.Go()).Anew(g.first + secondUse + 3))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g := guardOf(s)
		if why, ok := g.controlled(got); !ok {
			return why
		}
		first, _ := at(got, g.first+secondUse+2)
		o, asked := at(got, g.first+secondUse+3)
		switch {
		case !asked:
			return NotProven("a token that was redeemed", first)
		case o.Code() == "CONFIRMATION_REQUIRED", strings.HasPrefix(o.Code(), "TOKEN_"):
			return Conforms().By(o, first)
		case o.Succeeded():
			return Violates("a refusal of a token that was redeemed", o).By(first)
		}
		return NotProven("a call that could work a second time", o).By(first)
	},
	Fix: "mark a token as used before the operation runs; answer TOKEN_ALREADY_USED",
})
