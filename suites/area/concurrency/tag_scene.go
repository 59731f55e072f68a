package concurrency

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// A tagScene is what the script showed.
type tagScene struct {
	before, current, changed, again, stale, after, free, freed probes.Observation
	removal                                                    probes.Observation // of the object with the stale tag
	first, second, third                                       probes.Value       // tags before and after the change with the current one, and after the one without
	idle, others                                               probes.Answers     // others: to updates of other fields with the stale tag
	played                                                     bool
}

func (t tagScript) scene(got probes.Answers) (sc tagScene) {
	sc.first = t.lastTag(got.Under(tagStart))
	sc.before, _ = check.LastRead(t.TestObject, got, tagStart)
	sc.current, sc.played = got.Find(currentUpdate)
	sc.changed, _ = check.LastRead(t.TestObject, got, currentUpdate+": read")
	sc.again = got.Step(secondLook)
	sc.stale = got.Step(staleUpdate)
	sc.after, _ = check.LastRead(t.TestObject, got, staleUpdate+": read")
	sc.idle = got.Under(idleLook)
	sc.second = t.lastTag([]probes.Observation{sc.current, sc.changed})
	sc.others = got.Under(otherStale)
	sc.removal = got.Step(staleRemoval)
	sc.free = got.Step(freeUpdate)
	sc.freed, _ = check.LastRead(t.TestObject, got, freeUpdate+": read")
	sc.third = t.lastTag([]probes.Observation{sc.free, sc.freed})
	return sc
}

// shows is what an answer shows of the field that the script changes.
func (t tagScript) shows(o probes.Observation) string { return t.ObjectIn(o).At(t.text.Name).Text() }

// alsoChanged are the members of our object that the refused update seems to have changed. They were the same in two
// reads before it, and they stay the same after it. A member that counts seconds changes without an update.
func (sc tagScene) alsoChanged(t tagScript) (names []string) {
	first, second, after := t.ObjectIn(sc.changed), t.ObjectIn(sc.again), t.ObjectIn(sc.after)
	if !after.Is(probes.Object) || !sc.again.Succeeded() {
		return nil
	}
	for _, m := range second.Members() {
		differs := func(o probes.Observation) bool {
			return t.ObjectIn(o).Is(probes.Object) && !t.ObjectIn(o).At(m.Name).Equal(after.At(m.Name))
		}
		if first.At(m.Name).Equal(m.Value) && differs(sc.again) && !slices.ContainsFunc(sc.idle, differs) {
			names = append(names, m.Name)
		}
	}
	return names
}
