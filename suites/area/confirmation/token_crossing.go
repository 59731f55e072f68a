package confirmation

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A pair is two operations that wait for a confirmation.
type pair [2]check.Confirmable

// ofOneKind reports whether both act on objects of one kind, so that one object can be the target of both. A token that
// is kept with its object alone is refused for another object, whatever the operation.
func (p pair) ofOneKind() bool {
	return p[0].HasOwnObject && p[1].HasOwnObject && p[0].Maker.Name == p[1].Maker.Name
}

// pairsWith are the pairs whose tokens are tried: the operation with another one, and two operations of one kind.
func pairsWith(g check.Confirmable) (all []pair) {
	known := []check.Confirmable{g}
	for _, name := range check.ConfirmableNames(g.Adapter) {
		if other, why := check.NewConfirmable(g.TestObject.Subject.Adapter, name); name != g.Name && why == nil {
			known = append(known, other)
		}
	}
	for i := range known {
		for j := range known[:i] {
			if p := (pair{known[j], known[i]}); len(all) == 0 || p.ofOneKind() && !slices.ContainsFunc(all, pair.ofOneKind) {
				all = append(all, p)
			}
		}
	}
	return all
}

// crossings are both calls of a pair, each with the token of the other operation.
func (p pair) crossings() [2]crossing {
	on := ""
	if p.ofOneKind() {
		on = " on one object"
	}
	return [2]crossing{
		{p[0], refusal{p[1], "other operation" + on}, p.ofOneKind()},
		{p[1], refusal{p[0], "token of the other operation" + on}, p.ofOneKind()},
	}
}

// A crossing is a call of one operation with the token of another.
type crossing struct {
	from check.Confirmable
	refusal
	oneObject bool // the token is requested for the object of the call
}

func (c crossing) ask(ask model.AskFunc, name string) {
	made, call, _ := tokenFor(c.Confirmable, ask, c.script)
	var token probes.Value
	if call.Tool != "" && c.oneObject {
		token = ask(c.from.CallOn(made).Anew(c.from.Step(c.script + ": call without token"))).ConfirmationToken()
	} else {
		_, _, token = tokenFor(c.from, ask, c.script)
	}
	if !token.Is(probes.Absent) && call.Tool != "" {
		c.refusal.ask(ask, made, call.With(name, token.Go()))
	}
}

func (c crossing) judge(got probes.Answers) ruling.Ruling {
	o, asked := got.Find(c.Step(c.script + ": call with token"))
	switch {
	case !asked:
		return ruling.NotProven("a fresh token and an object of our own", got.Last())
	case c.isEmpty(got):
		return c.violated(got)
	case o.Succeeded() && documents(c.Op, approvesSession) && documents(c.from.Op, approvesSession):
		return ruling.Departs("a refusal of a token of "+c.from.Name, o).Noting("introspection says that a token approves all operations of its session")
	}
	return refusesToken(c.Adapter, o, "a refusal of a token of "+c.from.Name)
}

// Confirmation tokens.
var tokenRedeemsOnlyItsOperation = check.Check{
	Requirement: "CMP-TOKEN-01",
	Rule:        "A confirmation token issued for one operation does not release another one.",
	Why:         "A token stands for what a person was shown: who agreed to one operation has not agreed to another.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		names := map[string]string{}
		for _, p := range pairsWith(check.ConfirmableOf(s)) {
			for _, g := range p {
				if _, tried := names[g.Name]; tried {
					continue
				}
				if name, ok := g.RunControl(ask); ok {
					names[g.Name] = name
				} else if names[g.Name] = ""; g.Name == s.Name {
					return
				}
			}
			for _, c := range p.crossings() {
				if names[c.Name] != "" && names[c.from.Name] != "" {
					c.ask(ask, names[c.Name])
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g := check.ConfirmableOf(s)
		if why, ok := g.JudgeControl(got); !ok {
			return why
		}
		r := ruling.NotProven("a second operation that waits for a confirmation and can be tried", "none")
		var rs []ruling.Ruling
		for _, p := range pairsWith(g) {
			first, ok := p[0].JudgeControl(got)
			second, other := p[1].JudgeControl(got)
			switch {
			case !ok:
				r = first
			case !other:
				r = second
			default:
				for _, c := range p.crossings() {
					rs = append(rs, c.judge(got))
				}
			}
		}
		if len(rs) == 0 {
			return r
		}
		return ruling.Worst(rs...)
	},
	Fix: "keep the operation with the token and compare it; answer TOKEN_SCOPE_MISMATCH",
}
