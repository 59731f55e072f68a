package generated

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// recordUpdate records an update that succeeded or was rejected.
func (or *oracle) recordUpdate(i int, op probes.Operation, why model.Flaw) {
	it, o := or.items[or.script.Steps[i].MadeBy], or.got[i]
	if it == nil {
		return
	}
	input := model.Named(model.ValueIn(o.Probe, "input"), slices.Sorted(maps.Keys(it.verified))) // creation and update may write a name in two styles
	if !o.Refused() || o.Deferred() {
		for _, m := range input.Members() {
			delete(it.removedByNull, m.Name) // it may have a value again, also where no read follows at once
		}
	}
	if !o.Succeeded() && (!o.Refused() || o.Deferred()) {
		return
	}
	if it.removed.Succeeded() {
		if o.Succeeded() && !check.AnnouncedPending(or.Adapter, o) && it.notFound {
			or.breach(i, "AQL-8.1-04", op.Name, ruling.Violates("error NOT_FOUND_RESOURCE for what was removed", o))
			it.revived = true
		}
		return
	}
	c := &change{step: i, reply: o, input: input, before: it.view, refused: !o.Succeeded(), flaw: why, target: or.script.Steps[i].MadeBy}
	it.pending = c
	if c.refused {
		return
	}
	if check.AnnouncedPending(or.Adapter, o) { // nobody knows when the object has what was sent
		it.view, it.pending = probes.Value{}, nil
		return
	}
	or.expectOthersUnchanged(c)
	if after := or.answered(op, o); isFullObject(after, it.view) {
		or.judgeMerge(i, it, after)
		it.observe(input, after)
		return
	}
	it.view = probes.Value{}
}

// isFullObject reports whether an answer has most fields of the earlier state, so that it is the
// object and not a summary of the change.
func isFullObject(after, before probes.Value) bool {
	have := 0
	for _, name := range before.Names() {
		if after.Has(name) {
			have++
		}
	}
	return have > 0 && have >= len(before.Names())-len(before.Names())/3
}

// expectOthersUnchanged records the write for the other objects of the script, which must not
// change.
func (or *oracle) expectOthersUnchanged(c *change) {
	for at, it := range or.items {
		if at != c.target && it.pending == nil && !it.removed.Succeeded() {
			it.pending = &change{step: c.step, reply: c.reply, input: c.input, before: it.view, target: c.target}
		}
	}
}

// recordDeletion records a removal.
func (or *oracle) recordDeletion(i int, _ probes.Operation, why model.Flaw) {
	it, o := or.items[or.script.Steps[i].MadeBy], or.got[i]
	if it == nil || check.AnnouncedPending(or.Adapter, o) {
		return
	}
	c := &change{step: i, reply: o, before: it.view, refused: o.Refused() && !o.Deferred(), flaw: why, target: or.script.Steps[i].MadeBy}
	switch {
	case o.Succeeded():
		it.removed = o
		or.expectOthersUnchanged(c)
	case c.refused && it.pending == nil && !it.removed.Succeeded():
		it.pending = c
	}
}

// judgeRead compares the object in a READ with its expected state.
func (or *oracle) judgeRead(i int, op probes.Operation) {
	step, o := or.script.Steps[i], or.got[i]
	it := or.items[step.MadeBy]
	if it == nil {
		or.judgeRefusedCreations(i, step, o)
		return
	}
	view, shown := or.objectIn(it, step, o)
	c := it.pending
	switch {
	case it.removed.Succeeded():
		it.notFound = it.notFound || strings.HasPrefix(o.Code(), "NOT_FOUND")
		if shown && !it.revived && it.view.Canonical(model.Volatile) == view.Canonical(model.Volatile) {
			or.breach(i, "AQL-8.1-06", or.script.Steps[or.stepOf(it.removed)].Operation, ruling.Violates("nothing after the removal", "the object as it was"))
		}
		return
	case !shown:
		or.judgeMissing(i, op, it, o)
		return
	case c == nil:
	case c.refused:
		or.judgeNoEffect(i, it, c, view)
	case c.target != step.MadeBy:
		or.judgeUnrelatedWrite(i, it, c, view)
	case c.input.Is(probes.Object):
		or.judgeMerge(i, it, view)
	}
	it.pending, it.read = nil, true
	it.observe(or.lastSent(step.MadeBy, c), view)
}

// judgeRefusedCreations rules on a listing after rejected creations: it must not contain their
// marks.
func (or *oracle) judgeRefusedCreations(i int, step model.Step, o probes.Observation) {
	for at, made := range or.got[:i] {
		op, _ := or.Operation(or.script.Steps[at].Operation)
		if step.MadeBy != model.NoObject && step.MadeBy != at || op.Category != "CREATE" || !made.Refused() || made.Deferred() {
			continue
		}
		why, _ := or.Flaws(made.Probe)
		mark := model.Subject{Adapter: or.Adapter, Name: op.Name, Op: op}.Marked(or.Gen.Marker(fmt.Sprintf("-%d", made.Probe.Number)))
		if len(why) == 0 && (made.Passed() || or.otherwiseSent(at, i, mark)) {
			continue // the object may be that of another request
		}
		if len(model.ItemsWith(o.Data(), mark)) > 0 {
			or.breach(i, noEffectRequirement(op, append(why, model.Flaw{})[0]), op.Name, ruling.Violates("no effect of a refused request", "refused, but it happened"))
			return
		}
	}
}

// otherwiseSent reports whether another request before a step has the mark.
func (or *oracle) otherwiseSent(at, before int, mark string) bool {
	return slices.ContainsFunc(or.got[:before], func(o probes.Observation) bool {
		return o.Probe.Number != or.got[at].Probe.Number && strings.Contains(string(o.Probe.Arguments()), mark)
	})
}

// stepOf returns the step of an observation.
func (or *oracle) stepOf(o probes.Observation) int {
	for i, x := range or.got {
		if x.Probe.Number == o.Probe.Number && x.Probe.Operation() == o.Probe.Operation() {
			return i
		}
	}
	return 0
}

// lastSent returns the fields that were last sent for an object: those of the change, or else of
// its creation.
func (or *oracle) lastSent(step int, c *change) probes.Value {
	if c != nil && !c.refused && c.target == step && c.input.Is(probes.Object) {
		return c.input
	}
	return probes.ValueOf(or.got[step].Probe.Params())
}

// objectIn returns the object in the answer to a read. A listing is searched for its mark, which is
// ambiguous if another object has the same name.
func (or *oracle) objectIn(it *item, step model.Step, o probes.Observation) (probes.Value, bool) {
	if !o.Succeeded() {
		return probes.Value{}, false
	}
	if it.object.Viewer.Name == step.Operation {
		view := it.object.FindIn(o.Data())
		return view, !view.Is(probes.Absent)
	}
	marked := model.ItemsWith(o.Data(), it.object.Maker.Marked(it.object.Gen.Marker(fmt.Sprintf("-%d", or.got[step.MadeBy].Probe.Number))))
	if len(marked) == 0 || it.duplicated {
		return probes.Value{}, false
	}
	op, _ := or.Operation(step.Operation)
	return it.inFull(marked[0], func(name string) bool { return or.Rules != nil && or.Rules.RowsHave(op, name) }), true
}

// judgeMissing rules on an object that a read does not find although it was not removed.
func (or *oracle) judgeMissing(i int, op probes.Operation, it *item, o probes.Observation) {
	c := it.pending
	gone := strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	if c == nil || !gone || !it.wasShown() || or.rehearsed(it, c) || !it.read && it.flagged || !or.hasStableReads(it) || op.Name != it.object.Viewer.Name {
		return
	}
	by := or.script.Steps[c.step].Operation
	made, _ := or.Operation(by)
	switch {
	case c.refused:
		or.breach(i, noEffectRequirement(made, c.flaw), by, ruling.Violates("no effect of a refused request", "refused, but it happened"))
	case made.Category == "DELETE":
		or.breach(i, "AQL-8.1-06", by, ruling.Violates("the removal of the object that was named, and of no other", "another one gone as well"))
	case made.Category == "CREATE":
		or.breach(i, "AQL-8.1-01", by, ruling.Violates("the first object as it was", o))
	case made.Category == "UPDATE":
		or.breach(i, "AQL-8.1-05", by, ruling.Violates("the object still there after the update", o))
	}
	it.pending = nil
}

// wasShown reports whether the object was observed at least once.
func (it *item) wasShown() bool { return len(it.verified) > 0 }

// answered returns the object that the answer to an update shows, where its place is known.
func (or *oracle) answered(op probes.Operation, o probes.Observation) probes.Value {
	for _, kind := range or.ObjectKinds {
		if path, known := kind.AnswersAt[op.Name]; known {
			return kind.Named(o.Data().At(path...))
		}
	}
	return probes.Value{}
}

// hasStableReads reports whether repeated reads of this kind of object are equal.
func (or *oracle) hasStableReads(it *item) bool {
	return slices.ContainsFunc(or.ObjectKinds, func(kind *model.ObjectKind) bool { return kind.StableReads && kind.Maker.Name == it.object.Maker.Name })
}

// noEffectRequirement is the requirement that a rejected request must have no effect.
func noEffectRequirement(op probes.Operation, why model.Flaw) string {
	switch {
	case strings.HasPrefix(why.Requirement, "AQL-4.6-"):
		return "AQL-4.6-07"
	case op.Category == "UPDATE" && why.Requirement != "":
		return "AQL-4.5.3-09"
	}
	return "OPS-5.1-02"
}

// judgeNoEffect rules on a read after a rejection: the fields must not have the values of the
// rejected input.
func (or *oracle) judgeNoEffect(i int, it *item, c *change, view probes.Value) {
	if !it.view.Is(probes.Object) {
		return // an update that succeeded just before may have set the same values
	}
	for _, m := range c.input.Members() {
		was, is := it.view.At(m.Name), view.At(m.Name)
		if it.verified[m.Name] && !was.Equal(is) && is.Equal(m.Value) {
			op, _ := or.Operation(or.script.Steps[c.step].Operation)
			or.breach(i, noEffectRequirement(op, c.flaw), op.Name, ruling.Violates("no effect of a refused request", "refused, but it happened"))
			return
		}
	}
}

// judgeUnrelatedWrite rules on a read after a write to another object.
func (or *oracle) judgeUnrelatedWrite(i int, it *item, c *change, view probes.Value) {
	if !or.hasStableReads(it) {
		return
	}
	by := or.script.Steps[c.step].Operation
	op, _ := or.Operation(by)
	if op.Category == "CREATE" && !it.read {
		return
	}
	if name := arrived(it, c, view); op.Category == "UPDATE" && name != "" {
		or.breach(i, "AQL-8.1-05", by, ruling.Violates(name+" as it was", view.At(name)))
		return
	}
	row := map[string]string{"CREATE": "AQL-8.1-01", "UPDATE": "AQL-8.1-05", "DELETE": "AQL-8.1-06"}[op.Category]
	for _, name := range slices.Sorted(maps.Keys(it.verified)) {
		was, is := it.view.At(name), view.At(name)
		transferred := c.input.Has(name) && is.Equal(c.input.At(name)) // the value for the other object
		if (or.storesCallerValue(it, name) || op.Category == "CREATE" || transferred) && !was.Is(probes.Absent) && !was.Equal(is) {
			r := ruling.Violates(fmt.Sprintf("%s %s, as it was", name, check.BriefValue(was)), is)
			if op.Category == "CREATE" && check.DocumentsReplacing(model.Subject{Adapter: or.Adapter, Name: by, Op: op}) {
				r = ruling.Departs(r.Want, is)
			}
			or.breach(i, row, by, r)
			return
		}
	}
}

// arrived names a field that has the value which an update gave to another object, and had none or another one.
// A number or a flag may be that by chance.
func arrived(it *item, c *change, view probes.Value) string {
	for _, m := range c.input.Members() {
		was, is := it.view.At(m.Name), view.At(m.Name)
		common := m.Value.Is(probes.Number) || m.Value.Is(probes.Boolean)
		if it.read && it.view.Is(probes.Object) && !m.Value.Is(probes.Null) && is.Equal(m.Value) && !was.Equal(is) && (was.Is(probes.Absent) || !common) {
			return m.Name
		}
	}
	return ""
}
