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

// updated takes note of a change that was made or refused.
func (or *oracle) updated(i int, op probes.Operation, why model.Flaw) {
	it, o := or.items[or.script.Steps[i].MadeBy], or.got[i]
	if it == nil || !o.Succeeded() && (!o.Refused() || o.Deferred()) {
		return
	}
	input := model.ValueIn(o.Probe, "input")
	if it.removed.Succeeded() {
		if o.Succeeded() && !check.AnnouncedPending(o) && it.missed {
			or.breach(i, "AQL-8.1-04", op.Name, ruling.Departs("error NOT_FOUND_RESOURCE for what was removed", o))
			it.revived = true
		}
		return
	}
	c := &change{step: i, reply: o, input: input, before: it.view, refused: !o.Succeeded(), flaw: why, on: or.script.Steps[i].MadeBy}
	it.changed = c
	if c.refused || check.AnnouncedPending(o) {
		return
	}
	or.others(c)
	if after := it.kind.FindIn(o.Data()); or.tells(op) && showsAll(after, it.view) {
		or.merged(i, it, after)
		it.see(input, after)
		return
	}
	it.view = probes.Value{}
}

// showsAll reports whether a view has the fields that the one before it had, so
// that it is the object and not a summary of the change.
func showsAll(after, before probes.Value) bool {
	have := 0
	for _, name := range before.Names() {
		if after.Has(name) {
			have++
		}
	}
	return have > 0 && have >= len(before.Names())-len(before.Names())/3
}

// others marks the other objects of the script: what was done to one must not
// show in them.
func (or *oracle) others(c *change) {
	for at, it := range or.items {
		if at != c.on && it.changed == nil && !it.removed.Succeeded() {
			it.changed = &change{step: c.step, reply: c.reply, input: c.input, before: it.view, on: c.on}
		}
	}
}

// deleted takes note of a removal.
func (or *oracle) deleted(i int, _ probes.Operation, why model.Flaw) {
	it, o := or.items[or.script.Steps[i].MadeBy], or.got[i]
	if it == nil || check.AnnouncedPending(o) {
		return
	}
	c := &change{step: i, reply: o, before: it.view, refused: o.Refused() && !o.Deferred(), flaw: why, on: or.script.Steps[i].MadeBy}
	switch {
	case o.Succeeded():
		it.removed = o
		or.others(c)
	case c.refused && it.changed == nil && !it.removed.Succeeded():
		it.changed = c
	}
}

// looked compares what a READ shows of an object with what it must show now.
func (or *oracle) looked(i int, op probes.Operation) {
	step, o := or.script.Steps[i], or.got[i]
	it := or.items[step.MadeBy]
	if it == nil {
		or.unborn(i, step, o)
		return
	}
	view, shown := or.viewOf(it, step, o)
	c := it.changed
	switch {
	case it.removed.Succeeded():
		it.missed = it.missed || strings.HasPrefix(o.Code(), "NOT_FOUND")
		if shown && !it.revived && it.view.Canonical(model.Volatile) == view.Canonical(model.Volatile) {
			or.breach(i, "AQL-8.1-06", or.script.Steps[or.stepOf(it.removed)].Operation, ruling.Violates("nothing after the removal", "the object as it was"))
		}
		return
	case !shown:
		or.vanished(i, op, it, o)
		return
	case c == nil:
	case c.refused:
		or.inert(i, it, c, view)
	case c.on != step.MadeBy:
		or.disturbed(i, it, c, view)
	case c.input.Is(probes.Object):
		or.merged(i, it, view)
	}
	it.changed = nil
	it.see(or.sentTo(step.MadeBy, c), view)
}

// unborn rules on a listing after refused creations: nothing in it may carry the
// mark of what was refused.
func (or *oracle) unborn(i int, step model.Step, o probes.Observation) {
	for at, made := range or.got[:i] {
		op, _ := or.Operation(or.script.Steps[at].Operation)
		if step.MadeBy != model.NoObject && step.MadeBy != at || op.Category != "CREATE" || !made.Refused() || made.Deferred() {
			continue
		}
		why, _ := or.Flaws(made.Probe)
		if len(why) > 0 && len(model.ItemsWith(o.Data(), or.Gen.Marker(fmt.Sprintf("-%d", made.Probe.Take)))) > 0 {
			or.breach(i, inertRow(op, why[0]), op.Name, ruling.Violates("no effect of a refused request", "refused, but it happened"))
			return
		}
	}
}

// stepOf finds the step that an observation answered.
func (or *oracle) stepOf(o probes.Observation) int {
	for i, x := range or.got {
		if x.Probe.Take == o.Probe.Take && x.Probe.Operation() == o.Probe.Operation() {
			return i
		}
	}
	return 0
}

// sentTo returns what was last sent for an object: the change a look follows, else
// its creation.
func (or *oracle) sentTo(step int, c *change) probes.Value {
	if c != nil && !c.refused && c.on == step && c.input.Is(probes.Object) {
		return c.input
	}
	return probes.ValueOf(or.got[step].Probe.Params())
}

// viewOf returns the object in the answer to a look. In a listing it is known by its
// mark; where another one was made under the same name, nobody can tell which is which.
func (or *oracle) viewOf(it *item, step model.Step, o probes.Observation) (probes.Value, bool) {
	if !o.Succeeded() {
		return probes.Value{}, false
	}
	if it.kind.Viewer.Name == step.Operation {
		view := it.kind.FindIn(o.Data())
		return view, !view.Is(probes.Absent)
	}
	marked := model.ItemsWith(o.Data(), it.kind.Gen.Marker(fmt.Sprintf("-%d", or.got[step.MadeBy].Probe.Take)))
	if len(marked) == 0 || it.doubled {
		return probes.Value{}, false
	}
	return marked[0], true
}

// vanished rules on an object that a look does not find though nobody removed it.
func (or *oracle) vanished(i int, op probes.Operation, it *item, o probes.Observation) {
	c := it.changed
	gone := strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	if c == nil || !gone || !it.known() || !or.steady(it) || op.Name != it.kind.Viewer.Name {
		return
	}
	by := or.script.Steps[c.step].Operation
	made, _ := or.Operation(by)
	switch {
	case c.refused:
		or.breach(i, inertRow(made, c.flaw), by, ruling.Violates("no effect of a refused request", "refused, but it happened"))
	case made.Category == "DELETE":
		or.breach(i, "AQL-8.1-06", by, ruling.Violates("the removal of the object that was named, and of no other", "another one gone as well"))
	case made.Category == "CREATE":
		or.breach(i, "AQL-8.1-01", by, ruling.Violates("the first object as it was", o))
	case made.Category == "UPDATE":
		or.breach(i, "AQL-8.1-05", by, ruling.Violates("the object still there after the update", o))
	}
	it.changed = nil
}

// known reports whether the object was shown at least once.
func (it *item) known() bool { return len(it.shown) > 0 }

// tells reports whether the answers of an update can be taken for the object.
func (or *oracle) tells(op probes.Operation) bool {
	return slices.ContainsFunc(or.ObjectKinds, func(kind *model.ObjectKind) bool { return kind.AnswersWithObject[op.Name] })
}

// steady reports whether objects of this kind were seen to stay as they are while
// nothing is done to them.
func (or *oracle) steady(it *item) bool {
	return slices.ContainsFunc(or.ObjectKinds, func(kind *model.ObjectKind) bool { return kind.StableReads && kind.Maker.Name == it.kind.Maker.Name })
}

// inertRow is the requirement that a refused request breaks by having an effect.
func inertRow(op probes.Operation, why model.Flaw) string {
	switch {
	case strings.HasPrefix(why.Requirement, "AQL-4.6-"):
		return "AQL-4.6-07"
	case op.Category == "UPDATE":
		return "AQL-4.5.3-09"
	}
	return "OPS-5.1-02"
}

// inert rules on a look after a refusal: the fields of the refused input must not
// hold what it asked for.
func (or *oracle) inert(i int, it *item, c *change, view probes.Value) {
	for _, m := range c.input.Members() {
		was, is := it.view.At(m.Name), view.At(m.Name)
		if it.shown[m.Name] && !was.Equal(is) && is.Equal(m.Value) {
			op, _ := or.Operation(or.script.Steps[c.step].Operation)
			or.breach(i, inertRow(op, c.flaw), op.Name, ruling.Violates("no effect of a refused request", "refused, but it happened"))
			return
		}
	}
}

// disturbed rules on a look at an object that something else was done to.
func (or *oracle) disturbed(i int, it *item, c *change, view probes.Value) {
	if !or.steady(it) {
		return
	}
	by := or.script.Steps[c.step].Operation
	op, _ := or.Operation(by)
	row := map[string]string{"CREATE": "AQL-8.1-01", "UPDATE": "AQL-8.1-05", "DELETE": "AQL-8.1-06"}[op.Category]
	for _, name := range slices.Sorted(maps.Keys(it.shown)) {
		was, is := it.view.At(name), view.At(name)
		landed := c.input.Has(name) && is.Equal(c.input.At(name)) // what was meant for the other one
		if (or.free(it, name) || op.Category == "CREATE" || landed) && !was.Is(probes.Absent) && !was.Equal(is) {
			r := ruling.Violates(fmt.Sprintf("%s %s, as it was", name, check.BriefValue(was)), is)
			if op.Category == "CREATE" && check.DocumentsReplacing(model.Subject{Adapter: or.Adapter, Name: by, Op: op}) {
				r = ruling.Departs(r.Want, is)
			}
			or.breach(i, row, by, r)
			return
		}
	}
}
