package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Refused means inert, for changes: on an object of ours a change is tried whose
// text nobody else writes, with one fault beside it. After the refusal the object
// is read back, and then the same change without the fault has to show, or the
// READ could not have shown the harm.

// The takes of the refused changes, by the row they are tried for.
const (
	unknownChangeTake   = 47 * model.TakesPerScript
	mistypedChangeTake  = 48 * model.TakesPerScript
	misroutedChangeTake = 49 * model.TakesPerScript
)

// A refusedChange is the script of one row: what is wrong with the requests built
// from a good one, and the row that owns a request that is not refused.
type refusedChange struct {
	id, owner, fix string
	take           int
	bad            func(s model.Subject, good probes.Probe) []probes.Probe
}

func (c refusedChange) check() check.Check {
	return check.Check{
		Requirement: c.id,
		On:          model.Only(check.EachTestObject, func(s model.Subject) bool { return len(c.bad(s, s.ValidCall())) > 0 }),
		Lane:        probes.Serial,
		Drive:       c.drive,
		Judge:       c.judge,
		Fix:         c.fix,
	}
}

func (c refusedChange) drive(s model.Subject, ask model.AskFunc) {
	sp, _ := s.TestObject(s.Name)
	text, ok := sp.TextField()
	if !ok || !check.CreateWithFields(sp, ask, c.take, map[string]any{text.Name: sp.ScriptMark(c.take)}) {
		return
	}
	harm := sp.Apply(c.take+20).With("input", map[string]any{text.Name: sp.ScriptMark(c.take) + "-harm"})
	for i, p := range c.bad(s, harm) {
		ask(p.Anew(c.take + 20 + i))
	}
	ask(sp.Read(c.take + 40))
	check.UpdateAndRead(sp, ask, c.take+50, map[string]any{text.Name: sp.ScriptMark(c.take) + "-new"}, func(v probes.Value) bool {
		return v.At(text.Name).Text() == sp.ScriptMark(c.take)+"-new"
	})
}

func (c refusedChange) judge(s model.Subject, got []probes.Observation) ruling.Ruling {
	sp, _ := s.TestObject(s.Name)
	text, ok := sp.TextField()
	if !ok {
		return ruling.NotProven("a field that plays the part of text", "none").Mend(model.TestObjectHint)
	}
	var tried []probes.Observation
	for _, o := range got {
		if o.Probe.Take >= c.take+20 && o.Probe.Take < c.take+40 {
			tried = append(tried, o)
		}
	}
	if len(tried) == 0 {
		return ruling.NotProven("an object of our own", got[0])
	}
	look, seen := check.LastRead(sp, got, c.take+40, c.take+50)
	after, changed := check.LastRead(sp, got, c.take+51, c.take+model.TakesPerScript)
	refused := func(o probes.Observation) bool { return o.Refused() && !o.Deferred() }
	said := func(o probes.Observation) string { return sp.ObjectIn(o).At(text.Name).Text() }
	switch {
	case slices.ContainsFunc(tried, probes.Observation.Succeeded):
		return ruling.NotProven("a refusal of each bad request", "one that succeeded").By(tried...).Because(c.owner)
	case !slices.ContainsFunc(tried, refused):
		return ruling.NotProven("a refusal", tried[0])
	case seen && said(look) == sp.ScriptMark(c.take)+"-harm":
		return ruling.Violates(text.Name+" as it was", "refused, but it happened").By(look).By(tried...)
	case !seen || !changed || said(after) != sp.ScriptMark(c.take)+"-new":
		return ruling.NotProven("a READ that shows changes of "+text.Name, "none").By(tried[0]).Because("AQL-4.5.1-01")
	}
	return ruling.Conforms().By(look, tried[0])
}

// Section 4.6.
var updateWithUnknownParameterHasNoEffect = refusedChange{"AQL-4.6-07", "AQL-4.6-01", "validate the whole request before executing any of it", unknownChangeTake,
	func(s model.Subject, good probes.Probe) []probes.Probe { return withUnknown(s)(good) }}.check().WithReason(
	"A misspelt guard that is refused after the change guards nothing.")

// Section 3.2.
var mistypedUpdateHasNoEffect = refusedChange{"OPS-5.1-02", "AQL-3.2-04", "validate the whole request before executing any of it", mistypedChangeTake, withMistyped}.check().WithReason(
	"All of a request is checked before any of it runs.")

// Section 6.2.
var misroutedUpdateHasNoEffect = refusedChange{"AQL-6.2-04", "AQL-6.2-03", "check the endpoint before executing anything", misroutedChangeTake,
	func(s model.Subject, good probes.Probe) []probes.Probe {
		if !model.SeveralEndpointTools(s.Adapter) {
			return nil
		}
		return elsewhereSent(s, good)
	}}.check().WithReason(
	"A change through an endpoint that was not granted is the harm that routing is there to prevent.")

// elsewhereSent is the request at each tool that must not take it.
func elsewhereSent(s model.Subject, good probes.Probe) []probes.Probe {
	var ps []probes.Probe
	for _, t := range check.WrongTools(s.Adapter, s.Op) {
		ps = append(ps, good.To(t))
	}
	return ps
}

// withMistyped is the request with an optional parameter of the wrong type: what
// locates is never varied, and what changes has rows of its own.
func withMistyped(s model.Subject, good probes.Probe) []probes.Probe {
	for _, p := range s.Op.Parameters {
		t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
		if values := check.WrongTypeValues(t); !p.Required && p.Name != "input" && !probes.IsReference(s.Op, p) && len(values) > 0 {
			return []probes.Probe{good.With(p.Name, values[0])}
		}
	}
	return nil
}

// Section 3.2.
var mistypedRemovalHasNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Why:         "What is removed before the refusal stays removed.",
	On: model.Only(eachOwn("DELETE"), func(s model.Subject) bool {
		return len(withMistyped(s, s.ValidCall())) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, 130, func(good probes.Probe) []probes.Probe { return withMistyped(s, good) })
	},
	Judge: func(_ model.Subject, got []probes.Observation) ruling.Ruling { return unharmed(got, "AQL-3.2-04") },
	Fix:   "validate the whole request before executing any of it",
}
