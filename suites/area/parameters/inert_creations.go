package parameters

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A refusedCreation is a creation with one fault, which is refused and must have made nothing.
// Its text carries the mark of the script, so that a listing shows it if it was made.
type refusedCreation struct {
	script string
	bad    func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) // good with that parameter spoilt
}

// refusedCreations are the faults that are tried: what is made in spite of them is not what was asked
// for, has something invented in place of what was missing, or lies where nobody finds it.
var refusedCreations = []refusedCreation{
	{"mistyped creation", func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
		values := check.WrongTypeValues(model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p})
		if p.Required || len(values) == 0 {
			return good, false
		}
		return good.With(p.Name, values[0]), true
	}},
	{"badly valued creation", func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
		t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
		if probes.IsReference(s.Op, p) || s.ClientChosen(s.Op, p) {
			return good, false
		}
		if check.HasEnum(t) {
			return good.With(p.Name, alien(t)), true
		}
		if beyond := outside(t); len(beyond) > 0 {
			return good.With(p.Name, beyond[0]), true
		}
		if patterned(t) {
			text, ok := unmatched(t)
			return good.With(p.Name, text), ok
		}
		return good, false
	}},
	{"creation without a parameter", func(_ model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
		return good.Without(p.Name), p.Required
	}},
	{"creation under an absent parent", func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
		absent, known := s.Absent[s.AbsentKey(s.Op, p)]
		return good.With(p.Name, absent.Go()), known && probes.IsReference(s.Op, p) && !s.ClientChosen(s.Op, p) // a key of its own has to be absent
	}},
}

// attempt is the first creation that can be spoilt and carries the mark all the same.
func (c refusedCreation) attempt(s model.Subject) (probes.Probe, bool) {
	step := c.script + attempt
	good := s.FreshCall(step)
	for _, p := range s.Op.Parameters {
		if bad, ok := c.bad(s, p, good); ok && s.Mark(step) != "" && strings.Contains(string(bad.Arguments()), s.Mark(step)) {
			return bad, true
		}
	}
	return probes.Probe{}, false
}

// judge rules on the script. What was not refused is judged by the requirement that forbids it, and
// proves nothing here.
func (c refusedCreation) judge(s model.Subject, got probes.Answers) (r ruling.Ruling, refused bool) {
	switch asked := got.Under(c.script + attempt); {
	case len(asked) == 0:
		return r, false
	case asked[0].Outcome == probes.Unasked:
		return model.Unsent(asked[0]), true
	case !asked[0].Refused():
		return r, false
	}
	return madeNothing(s, got, c.script, spoilt), true
}

// spoilt begins the names of the steps that all faults share.
const spoilt = "refused creations"

// spoil sends what each fault can spoil, between listings of which equal ones are sent once.
func spoil(s model.Subject, ask model.AskFunc) {
	var marks []string
	for _, c := range refusedCreations {
		bad, ok := c.attempt(s)
		if !ok {
			continue
		}
		if len(marks) == 0 {
			for i, v := range s.Views(s.Gen.Marker("")) {
				ask(v.Anew(probes.Nth(spoilt+": listing before", i)))
			}
		}
		ask(bad.As(probes.Nth(c.script+attempt, 0)))
		marks = append(marks, s.Mark(c.script+attempt))
	}
	met := map[string]bool{}
	var after []probes.Observation
	for _, mark := range marks {
		for _, v := range s.Views(mark) {
			if key := v.Key(); !met[key] {
				after = append(after, ask(v.Anew(probes.Nth(spoilt+": listing after", len(met)))))
				met[key] = true
			}
		}
	}
	check.ShowWhole(s, ask, spoilt, after)
}

// Section 3.2, and operations document, section 5.4. All of a request is checked before it is executed.
var refusedCreationsLeaveNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Handles:     check.Blocked,
	Rule:        "The whole request is checked before anything is executed, so a refusal for a wrong value changes nothing.",
	Why:         "A caller corrects a refused request and sends it again; what the refused one did would be done twice.",
	On:          model.EachMarked,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		spoil(s, ask)
	},
	Ambient: &check.Ambient{Run: func(s model.Subject, got probes.Answers, all probes.Record) ruling.Ruling {
		var rs []ruling.Ruling
		for _, c := range refusedCreations {
			if r, refused := c.judge(s, got); refused {
				rs = append(rs, r)
			}
		}
		if found, stored := storedRefusals(s.Adapter, all)[s.Name]; stored {
			rs = append(rs, ruling.Violates("no effect of a refused request", "a listing that shows it").By(found...))
		}
		switch {
		case len(rs) > 0:
			return ruling.Worst(rs...)
		case len(got) < 2:
			return ruling.NotApplicable("no creation of it can be wrong and carry our mark")
		}
		return ruling.NotProven("a refusal", "none").By(got[:2]...)
	}},
	Fix: "validate the whole request before executing any of it",
}
