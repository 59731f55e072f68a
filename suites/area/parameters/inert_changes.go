package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The script of a refused change tries a change with one fault on a test object. The text
// of the change is written by no other request. After the refusal the script reads the
// object. Then it sends the change without the fault. That change has to show, because
// otherwise the READ could not have shown the harm.

// A refusedChange is the script of one requirement: what is wrong with the requests built
// from a good one, and the requirement that owns a request that is not refused.
type refusedChange struct {
	id, owner, fix string
	script         string
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
	if !ok || !check.CreateWithFields(sp, ask, c.script, map[string]any{text.Name: sp.ScriptMark(c.script)}) {
		return
	}
	harm := sp.Apply(c.script+attempt).With("input", map[string]any{text.Name: sp.ScriptMark(c.script) + "-harm"})
	for i, p := range c.bad(s, harm) {
		ask(p.Anew(probes.Nth(c.script+attempt, i)))
	}
	ask(sp.Read(c.script + ": read after the attempts"))
	check.UpdateAndRead(sp, ask, c.script+": faultless change", map[string]any{text.Name: sp.ScriptMark(c.script) + "-new"}, func(v probes.Value) bool {
		return v.At(text.Name).Text() == sp.ScriptMark(c.script)+"-new"
	})
}

func (c refusedChange) judge(s model.Subject, got probes.Answers) ruling.Ruling {
	sp, _ := s.TestObject(s.Name)
	text, ok := sp.TextField()
	if !ok {
		return ruling.NotProven("a field that plays the part of text", "none").Mend(sp.FieldHint("text"))
	}
	tried := got.Under(c.script + attempt)
	if len(tried) == 0 {
		return ruling.NotProven("an object of our own", got[0])
	}
	look, seen := check.LastRead(sp, got, c.script+": read after the attempts")
	after, changed := check.LastRead(sp, got, c.script+": faultless change: read")
	said := func(o probes.Observation) string { return sp.ObjectIn(o).At(text.Name).Text() }
	succeeded := slices.IndexFunc(tried, probes.Observation.Succeeded)
	switch {
	case succeeded >= 0:
		owner := c.owner
		if input, _ := tried[succeeded].Probe.Params()["input"].(map[string]any); len(input) > 1 {
			owner = "AQL-4.5.3-04" // a field of the wrong type
		}
		return ruling.NotProven("a refusal of each bad request", "one that succeeded").By(tried...).Because(owner)
	case !slices.ContainsFunc(tried, check.RefusedByRule):
		return ruling.NotProven("a refusal", tried[0])
	case seen && said(look) == sp.ScriptMark(c.script)+"-harm":
		return ruling.Violates(text.Name+" as it was", "refused, but it happened").By(look).By(tried...)
	case !seen || !changed || said(after) != sp.ScriptMark(c.script)+"-new":
		return ruling.NotProven("a READ that shows changes of "+text.Name, "none").By(tried[0]).Because("AQL-4.5.1-01")
	}
	return ruling.Conforms().By(look, tried[0])
}

// Section 4.6.
var updateWithUnknownParameterHasNoEffect = refusedChange{"AQL-4.6-07", "AQL-4.6-01", "validate the whole request before executing any of it", "unknown parameter of a change",
	func(s model.Subject, good probes.Probe) []probes.Probe { return withUnknown(s)(good) }}.check().WithReason(
	"A misspelt guard that is refused after the change guards nothing.")

// Section 3.2.
var mistypedUpdateHasNoEffect = refusedChange{"OPS-5.1-02", "AQL-3.2-04", "validate the whole request before executing any of it", "mistyped change",
	func(s model.Subject, good probes.Probe) []probes.Probe {
		return append(withMistyped(s, good), withMistypedField(s, good)...)
	}}.check().WithReason(
	"A caller corrects a refused request and sends it again; what the refused one did would be done twice.")

// Section 6.2.
var misroutedUpdateHasNoEffect = refusedChange{"AQL-6.2-04", "AQL-6.2-03", "check the endpoint before executing anything", "misrouted change",
	func(s model.Subject, good probes.Probe) []probes.Probe {
		if !model.SeveralEndpointTools(s.Adapter) {
			return nil
		}
		return elsewhereSent(s, good)
	}}.check().WithReason(
	"A change through an endpoint that was not granted is the harm that routing is there to prevent.")

// elsewhereSent is the request at each tool that must not execute it.
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

// withMistypedField is the change with another field of the wrong type. A handler may go through the fields as it
// documents them or in the order of their names, so the last field of each order is taken.
func withMistypedField(s model.Subject, good probes.Probe) (ps []probes.Probe) {
	sp, _ := s.TestObject(s.Name)
	text, ok := sp.TextField()
	wrong := map[string]any{}
	var names []string
	for _, f := range sp.Fields {
		values := check.WrongTypeValues(model.Subject{Adapter: s.Adapter, Par: f})
		if ok && f.Name != text.Name && len(values) > 0 && !sp.Refers(f) && !f.Raw.At("readOnly").True() {
			names, wrong[f.Name] = append(names, f.Name), values[0]
		}
	}
	if len(names) == 0 {
		return nil
	}
	last := []string{names[len(names)-1], slices.Max(names)}
	for _, name := range slices.Compact(last) {
		ps = append(ps, check.WithMember(good, "input", name, wrong[name]))
	}
	return ps
}

// Section 3.2.
var mistypedRemovalHasNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Why:         "The request must be rejected before anything is removed.",
	On: model.Only(eachOwn("DELETE"), func(s model.Subject) bool {
		return len(withMistyped(s, s.ValidCall())) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, "mistyped removal", func(good probes.Probe) []probes.Probe { return withMistyped(s, good) })
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return unharmed(s, got, "mistyped removal", "AQL-3.2-04")
	},
	Fix: "validate the whole request before executing any of it",
}
