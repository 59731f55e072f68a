package concurrency

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// preconditioned is a check on the script of version tags.
func preconditioned(id, fix string, judge func(t tagScript, sc tagScene) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          eachTagged,
		Lane:        probes.Serial,
		Fix:         fix,
		Drive: func(s model.Subject, ask model.AskFunc) {
			if t, why := tagScriptOf(s); why == nil {
				t.play(ask)
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			t, why := tagScriptOf(s)
			switch {
			case why != nil:
				return *why
			case !got[0].Succeeded():
				return ruling.NotProven("an object of our own", got[0]).Mend(model.TestObjectHint)
			}
			return judge(t, t.scene(got))
		},
	}
}

// blameAdvertising rules on a defect that a row of its own owns where version tags are
// advertised.
func blameAdvertising(t tagScript, want string, got any) ruling.Ruling {
	if advertisesTags(t.Adapter) {
		return ruling.NotProven(want, got).Because("AQL-9.3.3-02")
	}
	return ruling.Violates(want, got)
}

// refusesIfMatch reports whether an answer calls if_match unknown.
func refusesIfMatch(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "VALIDATION_UNKNOWN") && o.Mentions("if_match")
}

// Section 9.3.2.
var updatesAcceptVersionPrecondition = preconditioned("AQL-9.3.2-03", "take if_match in updates, beside input", func(t tagScript, sc tagScene) ruling.Ruling {
	documented := t.Op.HasParameter("if_match")
	switch {
	case !documented && (!sc.played || refusesIfMatch(sc.current)):
		return blameAdvertising(t, "a documented parameter if_match", "none")
	case !sc.played:
		return ruling.NotProven("a version tag of our object", "none").Because("AQL-9.3.2-02")
	case refusesIfMatch(sc.current):
		return blameAdvertising(t, "if_match taken", sc.current)
	case sc.current.Deferred():
		return ruling.NotProven("an answer to an update with the current tag", sc.current)
	case !sc.current.Succeeded():
		return ruling.Violates("an update with the current tag that succeeds", sc.current).By(sc.before)
	case t.shows(sc.changed) != t.word("-current"):
		return ruling.NotProven("a change that shows", t.shows(sc.changed)).By(sc.changed, sc.current).Because("AQL-4.5.1-01")
	}
	return ruling.Conforms().By(sc.changed, sc.current)
}).WithRule(
	"UPDATE operations accept the precondition parameter if_match.",
	"The version that was read is worth something only if it can be sent back.")

// current rules unless an update with the current tag went well and gave a new one, so
// that the first is stale.
func (sc tagScene) outdated(t tagScript) (ruling.Ruling, bool) {
	switch {
	case !sc.played:
		return ruling.NotProven("a version tag of our object", "none").Because("AQL-9.3.2-02"), false
	case !sc.current.Succeeded() || t.shows(sc.changed) != t.word("-current"):
		return ruling.NotProven("an update with the current tag that succeeds and shows", sc.current).By(sc.changed).Because("AQL-9.3.2-03"), false
	case sc.second.Is(probes.Absent):
		return ruling.NotProven("a version tag after the change", "none").By(sc.changed, sc.current).Because("AQL-9.3.2-02"), false
	case sc.second.Equal(sc.first):
		return ruling.NotProven("another tag after the change", sc.second).By(sc.changed, sc.current).Because("AQL-9.3.2-05"), false
	case sc.stale.Deferred() || sc.stale.Lost():
		return ruling.NotProven("an answer to an update with a stale tag", sc.stale), false
	}
	return ruling.Ruling{}, true
}

// Section 9.3.2.
var stalePreconditionHasItsDefinedCode = preconditioned("AQL-9.3.2-04", "refuse a stale if_match with CONFLICT_VERSION_MISMATCH", func(t tagScript, sc tagScene) ruling.Ruling {
	r, ok := sc.outdated(t)
	switch {
	case !ok:
		return r
	case sc.stale.Succeeded():
		return blameAdvertising(t, "a refusal of a stale tag", sc.stale)
	case sc.stale.Code() != "CONFLICT_VERSION_MISMATCH":
		return ruling.Violates("error CONFLICT_VERSION_MISMATCH", sc.stale).By(sc.current)
	}
	for _, o := range sc.others {
		if o.Succeeded() {
			return ruling.Violates("a refusal of a stale tag with "+model.ValueIn(o.Probe, "input").String(), o).By(sc.stale)
		}
	}
	if sc.ahead.Succeeded() && !check.AnnouncedPending(t.Adapter, sc.ahead) {
		return ruling.Violates("a refusal of a tag that was never given", sc.ahead).By(sc.stale)
	}
	if sc.removal.Succeeded() && !check.AnnouncedPending(t.Adapter, sc.removal) {
		return ruling.Violates("a refusal of a stale tag by "+sc.removal.Probe.Operation(), sc.removal).By(sc.stale)
	}
	return ruling.Conforms().By(sc.stale, sc.current)
}).WithRule(
	"A stale precondition is answered with CONFLICT_VERSION_MISMATCH.",
	"The code tells a client to read again, and not to mend its request.")

// Section 9.3.2.
var refusedConditionalUpdateChangesNothing = preconditioned("AQL-9.3.2-05", "check the tag before anything is written, and give what has changed another one", func(t tagScript, sc tagScene) ruling.Ruling {
	r, ok := sc.outdated(t)
	switch {
	case !ok && sc.played && sc.current.Succeeded() && t.shows(sc.changed) == t.word("-current") && sc.second.Equal(sc.first):
		return ruling.Violates("another tag after a change that shows", sc.second).By(sc.changed, sc.current, sc.before)
	case !ok:
		return r
	case !sc.stale.Refused() && !sc.stale.RefusedBelow():
		return ruling.NotProven("a refusal of a stale tag", sc.stale).Because("AQL-9.3.2-04")
	case t.shows(sc.after) == t.word("-stale"):
		return ruling.Violates("no effect of a refused update", "refused, but it happened").By(sc.after, sc.stale)
	case t.shows(sc.after) != t.word("-current"):
		return ruling.NotProven("our object as it was", ruling.Clip(t.ObjectIn(sc.after).String())).By(sc.after)
	}
	if names := sc.alsoChanged(t); len(names) > 0 {
		return ruling.Violates("no effect of a refused update", "another "+names[0]).By(sc.after, sc.stale, sc.again)
	}
	if sc.free.Succeeded() && t.shows(sc.freed) == t.word("-free") && sc.third.Equal(sc.second) {
		return ruling.Violates("another tag after a change without if_match that shows", sc.third).By(sc.freed, sc.free, sc.after)
	}
	return ruling.Conforms().By(sc.after, sc.stale)
}).WithRule(
	"A refused conditional update changes nothing, and a successful one changes the tag.",
	"A refusal that has done its work is worse than none, and a tag that stays the same tells nobody of the change.")

// Section 9.3.3.
var advertisedVersionControlIsReal = onAdvertised(preconditioned("AQL-9.3.3-02", "hand out version tags and honour if_match, or do not advertise supports_etag", func(t tagScript, sc tagScene) ruling.Ruling {
	if !sc.played && sc.first.Is(probes.Absent) {
		if !t.Op.HasParameter("if_match") && slices.ContainsFunc(check.EachUpdate(t.Adapter), func(u model.Subject) bool { return u.Op.HasParameter("if_match") }) {
			return ruling.NotApplicable("an UPDATE operation documents if_match, and " + t.Name + " does not").By(sc.before)
		}
		if t.Viewer.Name == "" || !sc.before.Succeeded() { // a listing may omit the tags
			return ruling.NotProven("a READ that shows our object by itself", "none").By(sc.before)
		}
		return ruling.Violates("a version tag in an answer of "+t.Name+" or its READ", "none").By(sc.before)
	}
	if sc.played && refusesIfMatch(sc.current) {
		if slices.ContainsFunc(check.EachUpdate(t.Adapter), func(u model.Subject) bool { return u.Op.HasParameter("if_match") }) {
			return ruling.NotProven("if_match taken by "+t.Name, "an UPDATE operation beside it takes it").By(sc.current)
		}
		return ruling.Violates("if_match taken", sc.current).By(sc.before)
	}
	if r, ok := sc.outdated(t); !ok {
		return r
	}
	if sc.stale.Succeeded() {
		return ruling.Violates("a refusal of a stale tag", sc.stale).By(sc.current, sc.after)
	}
	return ruling.Conforms().By(sc.stale, sc.current)
})).WithRule(
	"An adapter that advertises supports_etag:true really hands out version tags and honours if_match.",
	"A client that reads the flag leaves its own locks at home.")

func onAdvertised(c check.Check) check.Check {
	c.On = model.Given(advertisesTags, eachTagged)
	return c
}

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
		t.play(func(p probes.Probe) probes.Observation { o := ask(p); calm = append(calm, o); return o })
		sc := t.scene(calm)
		if _, ok := sc.outdated(t); !ok || !sc.stale.Refused() {
			return
		}
		tag := t.lastTag([]probes.Observation{sc.current, sc.changed, sc.after, sc.free, sc.freed, sc.ahead, sc.moved})
		for round := range winnerRounds {
			both := together(t.racers(round, tag, sc.changed.Status != 0))
			look := ask(t.Read(racingRound(round) + ": read"))
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
			return raceRuling(got)
		}
		sc := t.scene(got)
		if r, ok := sc.outdated(t); !ok {
			return r
		}
		return ruling.NotProven("a refusal of a stale tag when it comes alone", sc.stale).Because("AQL-9.3.3-02")
	},
	Fix: "compare the tag and write in one step",
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
