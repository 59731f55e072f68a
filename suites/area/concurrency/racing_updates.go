package concurrency

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// winnerRounds is how often two updates race.
const winnerRounds = 20

// racingRound names the step above the requests of a round.
func racingRound(round int) string { return probes.Nth("racing updates: round", round) }

// racers are the two updates of a round, over two sessions where those share what is
// stored: over stdio each has a process of its own.
func (t tagScript) racers(round int, tag probes.Value, web bool) []probes.Probe {
	ps := make([]probes.Probe, 2)
	for i := range ps {
		word := ordinal(t.TestObject, "racing updates", 2*round+i)
		ps[i] = t.Apply(probes.Nth(racingRound(round)+": update", i)).With("input", map[string]any{t.text.Name: word}).With("if_match", t.asPrecondition(tag))
		ps[i].Stale = true
	}
	if web {
		ps[1] = ps[1].Over(t.Conn + check.SecondSession)
	}
	return ps
}

// Section 9.3.2.
var oneOfTwoRacingUpdatesWins = check.Check{
	Requirement: "AQL-9.3.2-06",
	Rule:        "Of two concurrent conditional updates with the same tag exactly one wins.",
	Why:         "The precondition is checked for the one moment in which another writes; a check that is not one step with the write is none.",
	On:          model.Given(advertisesTags, eachTagged),
	Lane:        probes.Serial,
	Race: func(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
		t, why := tagScriptOf(s)
		if why != nil {
			return
		}
		var calm probes.Answers
		t.play(ask.Into(&calm))
		sc := t.scene(calm)
		if _, ok := sc.outdated(t); !ok || !sc.stale.Refused() {
			return
		}
		told := []probes.Observation{sc.current, sc.changed, sc.after, sc.free, sc.freed}
		for _, c := range sc.fields {
			told = append(told, c.update, c.after)
		}
		tag := t.lastTag(append(told, sc.ahead, sc.moved))
		for round := range winnerRounds {
			both := together(t.racers(round, tag, sc.changed.Status != 0))
			look := t.ReadUntil(ask, racingRound(round)+": read", func(v probes.Value) bool {
				return winners(both) != 1 || v.At(t.text.Name).Text() == t.racing(winnerOf(both))
			})
			if tag = t.lastTag(append(both, look)); winners(both) == 2 || tag.Is(probes.Absent) {
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t, why := tagScriptOf(s)
		if why != nil {
			return *why
		}
		if got.Has(racingRound(0) + ": update 1") {
			return ruling.Worst(append(t.afterRaces(got), raceRuling(got))...)
		}
		sc := t.scene(got)
		if r, ok := sc.outdated(t); !ok {
			return r
		}
		return ruling.NotProven("a refusal of a stale tag when it comes alone", sc.stale).Because("AQL-9.3.3-02")
	},
	Fix: "compare the tag and write in one step",
}

// racing is the text that an update of a race sends.
func (t tagScript) racing(o probes.Observation) string {
	return model.ValueIn(o.Probe, "input").At(t.text.Name).Text()
}

// winnerOf is the update of a round that succeeds.
func winnerOf(both []probes.Observation) (won probes.Observation) {
	for _, o := range both {
		if o.Succeeded() {
			won = o
		}
	}
	return won
}

// afterRaces are the rulings on what the rounds left. The update that is refused may have been written all the same, and
// one that takes itself back may take the winner's text with it.
func (t tagScript) afterRaces(got probes.Answers) (rs []ruling.Ruling) {
	before := ""
	for round := 0; got.Has(racingRound(round) + ": update 1"); round++ {
		both := got.Under(racingRound(round) + ": update")
		look, ok := check.LastRead(t.TestObject, got, racingRound(round)+": read")
		if !ok {
			continue
		}
		shown, won := t.shows(look), winnerOf(both)
		for _, o := range both {
			if strings.HasPrefix(o.Code(), "CONFLICT_") && shown == t.racing(o) {
				rs = append(rs, ruling.Violates("no effect of the refused update", "refused, but it happened").By(look).By(both...))
			}
		}
		if winners(both) == 1 && !won.Deferred() && before != "" && shown == before {
			rs = append(rs, ruling.Violates("the text of the update that won", "the text before it").By(look, won))
		}
		before = shown
	}
	return rs
}

func winners(both []probes.Observation) (n int) {
	for _, o := range both {
		if o.Succeeded() {
			n++
		}
	}
	return n
}

// raceRuling rules on the rounds of a race, of two updates each.
func raceRuling(got probes.Answers) ruling.Ruling {
	rs, met := []ruling.Ruling{}, false
	updates := func(round int) probes.Answers { return got.Under(racingRound(round) + ": update") }
	first := updates(0)
	for round := 0; len(updates(round)) == 2; round++ {
		both := updates(round)
		met = met || overlapping(both)
		switch settled := func(o probes.Observation) bool { return o.Succeeded() || strings.HasPrefix(o.Code(), "CONFLICT_") }; {
		case winners(both) == 2:
			rs = append(rs, ruling.Violates("one winner of two updates with the same tag", "two").By(both...))
		case !settled(both[0]) || !settled(both[1]):
			rs = append(rs, ruling.NotProven("two updates with the same tag answered with success or a conflict", both[0]).By(both[1]))
		case winners(both) == 0:
			rs = append(rs, ruling.Departs("one winner of two updates with the same tag", "none").By(both...))
		}
	}
	if !met {
		rs = append(rs, apartInTime(first))
	}
	return ruling.Worst(append(rs, ruling.Conforms().By(first...))...)
}
