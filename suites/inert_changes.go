package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// Refused means inert, for changes: on an object of ours a change is tried whose
// text nobody else writes, with one fault beside it. After the refusal the object
// is read back, and then the same change without the fault has to show, or the
// READ could not have shown the harm.

// The takes of the refused changes, by the row they are tried for.
const (
	unknownChangeTake   = 47 * specimenStage
	mistypedChangeTake  = 48 * specimenStage
	misroutedChangeTake = 49 * specimenStage
)

// A refusedChange is the script of one row: what is wrong with the requests built
// from a good one, and the row that owns a request that is not refused.
type refusedChange struct {
	id, owner, fix string
	take           int
	bad            func(s Subject, good probes.Probe) []probes.Probe
}

func (c refusedChange) check() Check {
	return Check{
		Requirement: c.id,
		On:          only(eachSpecimen, func(s Subject) bool { return len(c.bad(s, s.ValidCall())) > 0 }),
		Lane:        probes.Serial,
		Drive:       c.drive,
		Judge:       c.judge,
		Fix:         c.fix,
	}
}

func (c refusedChange) drive(s Subject, ask Asking) {
	sp, _ := s.specimen(s.Name)
	text, ok := sp.text()
	if !ok || !sp.begin(ask, c.take, map[string]any{text.Name: sp.stamp(c.take)}) {
		return
	}
	harm := sp.on(c.take+20).With("input", map[string]any{text.Name: sp.stamp(c.take) + "-harm"})
	for i, p := range c.bad(s, harm) {
		ask(p.Anew(c.take + 20 + i))
	}
	ask(sp.look(c.take + 40))
	sp.change(ask, c.take+50, map[string]any{text.Name: sp.stamp(c.take) + "-new"}, func(v probes.Value) bool {
		return v.At(text.Name).Text() == sp.stamp(c.take)+"-new"
	})
}

func (c refusedChange) judge(s Subject, got []probes.Observation) Ruling {
	sp, _ := s.specimen(s.Name)
	text, ok := sp.text()
	if !ok {
		return NotProven("a field that plays the part of text", "none").Mend(resourceHint)
	}
	var tried []probes.Observation
	for _, o := range got {
		if o.Probe.Take >= c.take+20 && o.Probe.Take < c.take+40 {
			tried = append(tried, o)
		}
	}
	if len(tried) == 0 {
		return NotProven("an object of our own", got[0])
	}
	look, seen := lastLook(sp, got, c.take+40, c.take+50)
	after, changed := lastLook(sp, got, c.take+51, c.take+specimenStage)
	refused := func(o probes.Observation) bool { return o.Refused() && !o.Deferred() }
	said := func(o probes.Observation) string { return sp.shown(o).At(text.Name).Text() }
	switch {
	case slices.ContainsFunc(tried, probes.Observation.Succeeded):
		return NotProven("a refusal of each bad request", "one that succeeded").By(tried...).Because(c.owner)
	case !slices.ContainsFunc(tried, refused):
		return NotProven("a refusal", tried[0])
	case seen && said(look) == sp.stamp(c.take)+"-harm":
		return Violates(text.Name+" as it was", "refused, but it happened").By(look).By(tried...)
	case !seen || !changed || said(after) != sp.stamp(c.take)+"-new":
		return NotProven("a READ that shows changes of "+text.Name, "none").By(tried[0]).Because("AQL-4.5.1-01")
	}
	return Conforms().By(look, tried[0])
}

// Section 4.6. A misspelt guard that is refused after the change guards nothing.
var _ = register(refusedChange{"AQL-4.6-07", "AQL-4.6-01", "validate the whole request before executing any of it", unknownChangeTake,
	func(s Subject, good probes.Probe) []probes.Probe { return withUnknown(s)(good) }}.check())

// Section 3.2. All of a request is checked before any of it runs.
var _ = register(refusedChange{"OPS-5.1-02", "AQL-3.2-04", "validate the whole request before executing any of it", mistypedChangeTake, withMistyped}.check())

// Section 6.2. A change through an endpoint that was not granted is the harm that
// routing is there to prevent.
var _ = register(refusedChange{"AQL-6.2-04", "AQL-6.2-03", "check the endpoint before executing anything", misroutedChangeTake,
	func(s Subject, good probes.Probe) []probes.Probe {
		if !routed(s.Face) {
			return nil
		}
		return elsewhereSent(s, good)
	}}.check())

// elsewhereSent is the request at each tool that must not take it.
func elsewhereSent(s Subject, good probes.Probe) []probes.Probe {
	var ps []probes.Probe
	for _, t := range wrongTools(s.Face, s.Op) {
		ps = append(ps, good.To(t))
	}
	return ps
}

// withMistyped is the request with an optional parameter of the wrong type: what
// locates is never varied, and what changes has rows of its own.
func withMistyped(s Subject, good probes.Probe) []probes.Probe {
	for _, p := range s.Op.Parameters {
		t := Subject{Face: s.Face, Name: s.Name, Op: s.Op, Par: p}
		if values := t.mistyped(); !p.Required && p.Name != "input" && !probes.IsReference(s.Op, p) && len(values) > 0 {
			return []probes.Probe{good.With(p.Name, values[0])}
		}
	}
	return nil
}

// Section 3.2. What is removed before the refusal stays removed.
var _ = register(Check{
	Requirement: "OPS-5.1-02",
	On: only(eachOwn("DELETE"), func(s Subject) bool {
		return len(withMistyped(s, s.ValidCall())) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		onOwn(s, ask, 130, func(good probes.Probe) []probes.Probe { return withMistyped(s, good) })
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling { return unharmed(got, "AQL-3.2-04") },
	Fix:   "validate the whole request before executing any of it",
})
