package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Effects are what the documented parameters of a listing do, alone and two together. What is asked
// of them is asked between two listings without any, and a request that shows several is sent once.
type effects struct {
	promises []promise
	filters  []filter
	choices  []choice // none where no two of them are about different parameters
}

func effectsOf(s model.Subject) effects {
	e := effects{promisesOf(s), filtersOf(s), choicesOf(s)}
	if !check.IsListing(s) || !slices.ContainsFunc(e.choices, func(c choice) bool { return !c.same(e.choices[0]) }) {
		e.choices = nil
	}
	return e
}

func (e effects) none() bool { return len(e.promises)+len(e.filters)+len(e.choices) == 0 }

// requests are the requests about each promise, filter and choice, in this order.
func (e effects) requests(s model.Subject) (all [][]probes.Probe) {
	for _, p := range e.promises {
		all = append(all, p.requests(s.LargestPage()))
	}
	for _, f := range e.filters {
		all = append(all, f.requests(s))
	}
	var each []probes.Probe
	for _, c := range e.choices {
		each = append(each, c.with(s.LargestPage()))
	}
	return append(all, each)
}

const (
	noEffect  = "documented effects: none"
	oneEffect = "documented effects: one"
	twoBoth   = "documented effects: two"
)

// answered gives each request of the groups an answer; equal ones share it. answer is told the number of the request.
func answered(groups [][]probes.Probe, answer func(n int, p probes.Probe) probes.Observation) (all []probes.Answers) {
	met := map[string]probes.Observation{}
	for _, group := range groups {
		var answers probes.Answers
		for _, p := range group {
			o, again := met[p.Key()]
			if !again {
				o = answer(len(met), p)
				met[p.Key()] = o
			}
			answers = append(answers, o)
		}
		all = append(all, answers)
	}
	return all
}

// Introspection document, section 8.1.2.
var documentedParametersTakeEffect = check.Check{
	Requirement: "INT-8.1.2-07",
	Handles:     check.Movement,
	Why:         "A parameter that is checked and then ignored, alone or beside another one, answers with what was not asked for, and a client that trusts it acts on that.",
	On: model.Only(model.Fullest(model.EachProven), func(s model.Subject) bool {
		return s.Ruling == nil && s.Op.Category == "READ" && !effectsOf(s).none()
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		e := effectsOf(s)
		before := ask(s.LargestPage().Anew(noEffect))
		answers := answered(e.requests(s), func(n int, p probes.Probe) probes.Observation { return ask(p.Anew(probes.Nth(oneEffect, n))) })
		for i, pair := range pairsOf(s, narrowingsIn(e.choices, before, answers[len(answers)-1])) {
			ask(pair[1].with(pair[0].with(s.LargestPage())).Anew(probes.Nth(twoBoth, i)))
		}
		ask(s.LargestPage().Anew(noEffect + " again"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		e, before, again := effectsOf(s), got.Step(noEffect), got.Step(noEffect+" again")
		if !before.Succeeded() || check.StableData(before) != check.StableData(again) {
			return ruling.Moved("a listing that stays as it is", again).By(before)
		}
		answers := answered(e.requests(s), func(n int, _ probes.Probe) probes.Observation { return got.Step(probes.Nth(oneEffect, n)) })
		var rs []ruling.Ruling
		for i, p := range e.promises {
			rs = append(rs, p.judge(s, before, answers[i]))
		}
		for i, f := range e.filters {
			rs = append(rs, filtered(s, f, before, answers[len(e.promises)+i]))
		}
		pairs := pairsOf(s, narrowingsIn(e.choices, before, answers[len(answers)-1]))
		rs = append(rs, judgePairs(pairs, before, func(i int) probes.Observation { return got.Step(probes.Nth(twoBoth, i)) })...)
		if len(rs) == 0 {
			return ruling.NotApplicable("no two conditions that are seen to differ")
		}
		return ruling.Worst(rs...)
	},
	Fix: "apply every parameter that is given, or take it out of introspection",
}
