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

// UnderLoad judges the answers to a script of a load: by the rules for generated input, and by what
// only shows while others are served. It is a pure function of them.
func UnderLoad(f *model.Adapter, sc model.Script, got probes.Answers) []Breach {
	or := &oracle{Adapter: f, script: sc, got: got}
	for i, o := range got {
		step := sc.Steps[i]
		op, _ := f.Operation(step.Operation)
		if o.Lost() || check.RateLimited(o) {
			break
		}
		if step.MadeBy == model.NoObject || op.Category != "READ" || !got[step.MadeBy].Succeeded() || or.removedBefore(i) {
			continue
		}
		or.judgeOwnRead(i, op)
	}
	if len(or.found) > 0 {
		return or.found[:1] // what follows rests on it
	}
	return Breaches(f, sc, got)
}

// removedBefore reports whether a removal of the object was asked for before a step.
func (or *oracle) removedBefore(i int) bool {
	return slices.ContainsFunc(or.script.Steps[:i], func(step model.Step) bool {
		op, _ := or.Operation(step.Operation)
		return op.Category == "DELETE" && step.MadeBy == or.script.Steps[i].MadeBy
	})
}

// judgeOwnRead compares the read of an own object with its creation and with the read before.
func (or *oracle) judgeOwnRead(i int, op probes.Operation) {
	step, o := or.script.Steps[i], or.got[i]
	maker := or.script.Steps[step.MadeBy].Operation
	obj, why := or.TestObject(maker)
	if why != nil || obj.Viewer.Name != step.Operation {
		return
	}
	own := or.Gen.Marker(fmt.Sprintf("-%d", or.got[step.MadeBy].Probe.Number))
	shown := string(o.Data().Raw())
	switch {
	case strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION":
		or.breach(i, "AQL-8.1-01", maker, ruling.Violates("the object that was created", o))
		return
	case !o.Succeeded():
		return
	case i > 1 && strings.Contains(string(or.got[1].Data().Raw()), own) && !strings.Contains(shown, own) && strings.Contains(shown, or.Gen.Marker("-")):
		or.breach(i, "AQL-9.3-01", op.Name, ruling.Violates("the object that was asked for", "another object of the run"))
		return
	}
	before := or.got[i-1]
	if i < 2 || or.script.Steps[i-1].Operation != step.Operation || or.script.Steps[i-1].MadeBy != step.MadeBy || !before.Succeeded() {
		return
	}
	was, is := obj.FindIn(before.Data()), obj.FindIn(o.Data())
	for at, change := range slices.Backward(or.script.Steps[:i]) {
		if by, _ := or.Operation(change.Operation); by.Category != "UPDATE" || !or.got[at].Succeeded() {
			continue
		}
		for _, m := range model.ValueIn(or.got[at].Probe, "input").Members() {
			if was.At(m.Name).Equal(m.Value) && !is.At(m.Name).Equal(m.Value) {
				or.breach(i, "AQL-4.5.1-01", change.Operation, ruling.Violates(fmt.Sprintf("%s %s, as the read before showed it", m.Name, check.BriefValue(m.Value)), is.At(m.Name)))
			}
		}
		return
	}
}

// Twins judges all scripts of a load together: no two objects that lived at the same time may have
// one identifier.
func Twins(runs []*ScriptRun) {
	type lived struct {
		run      *ScriptRun
		from, to int // positions in the record
	}
	by := map[string][]lived{}
	for _, t := range runs {
		key, from, to := t.Identity()
		if key == "" {
			continue
		}
		for _, other := range by[key] {
			if from < other.to && other.from < to {
				made := t.Got[0]
				t.Breaches = append(t.Breaches, Breach{"AQL-8.1-01", t.Script.Steps[0].Operation, 0,
					ruling.Violates("an identifier of its own", "that of another object which was there").By(made, other.run.Got[0])})
				break
			}
		}
		by[key] = append(by[key], lived{t, from, to})
	}
}

// Identity returns what identifies the object of a script of a load, and from when to when it was
// there; "" where it made none.
func (t *ScriptRun) Identity() (key string, from, to int) {
	if len(t.Got) == 0 || !t.Got[0].Succeeded() || t.Script.Operator != "load/life" {
		return "", 0, 0
	}
	obj, why := t.Adapter.TestObject(t.Script.Steps[0].Operation)
	if why != nil || len(obj.ViewerIDs) == 0 {
		return "", 0, 0
	}
	key = t.Script.Steps[0].Operation
	for _, name := range slices.Sorted(maps.Keys(obj.ViewerIDs)) {
		path := obj.ViewerIDs[name]
		v := t.Got[0].Told(path...)
		if v.Is(probes.Absent) {
			return "", 0, 0
		}
		key += "\x00" + v.Canonical(nil)
	}
	to = int(^uint(0) >> 1)
	for i, step := range t.Script.Steps[:len(t.Got)] {
		if op, _ := t.Adapter.Operation(step.Operation); op.Category == "DELETE" && t.Got[i].Sent.Seq > 0 {
			to = t.Got[i].Sent.Seq
		}
	}
	return key, t.Got[0].Received.Seq, to
}
