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
	if name, c := sc.sameTag(t); name != "" {
		// No sentence says which fields a tag counts.
		return ruling.Departs("another tag after a change of "+name+" that shows", t.tagIn(c.after)).By(c.after, c.update, c.before)
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
