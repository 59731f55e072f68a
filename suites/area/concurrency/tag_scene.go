package concurrency

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A tagScene is what the script showed.
type tagScene struct {
	before, current, changed, again, stale, after, free, freed probes.Observation
	removal                                                    probes.Observation // of the object with the stale tag
	ahead, moved                                               probes.Observation // the update with a tag that was never given, and a look at what it did
	first, second, third                                       probes.Value       // tags before and after the change with the current one, and after the one without
	idle, others                                               probes.Answers     // others: to updates of other fields with the stale tag
	played                                                     bool
	fields                                                     []fieldChange
}

// A fieldChange is an update of another field without a tag, with what was shown before and after it.
type fieldChange struct{ before, update, after probes.Observation }

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
	sc.ahead = got.Step(aheadUpdate)
	sc.moved = got.Step(aheadUpdate + ": read")
	sc.removal = got.Step(staleRemoval)
	sc.free = got.Step(freeUpdate)
	sc.freed, _ = check.LastRead(t.TestObject, got, freeUpdate+": read")
	sc.third = t.lastTag([]probes.Observation{sc.free, sc.freed})
	shown := sc.freed
	for i := range t.otherInputs() {
		step := probes.Nth(otherUpdate, i)
		if look, read := got.Find(step + ": read"); read {
			sc.fields, shown = append(sc.fields, fieldChange{shown, got.Step(step), look}), look
		}
	}
	return sc
}

// sameTag is the first change of a field that shows and leaves the tag as it was.
func (sc tagScene) sameTag(t tagScript) (name string, at fieldChange) {
	for _, c := range sc.fields {
		for _, m := range model.ValueIn(c.update.Probe, "input").Members() {
			was, is := t.ObjectIn(c.before), t.ObjectIn(c.after)
			old, now := t.tagIn(c.before), t.tagIn(c.after)
			if is.Is(probes.Object) && was.Is(probes.Object) && !is.At(m.Name).Equal(was.At(m.Name)) && !now.Is(probes.Absent) && now.Equal(old) {
				return m.Name, c
			}
		}
	}
	return "", at
}

// risingDigit matches the first digit of a tag that can become a larger one.
var risingDigit = regexp.MustCompile(`[0-8]`)

// ahead is a tag of the form of the current one that no object was given yet: a number beyond it, or a text with a larger
// digit, which is later where versions are counted or dated.
func ahead(tag probes.Value) (probes.Value, bool) {
	if n, ok := tag.Float(); ok && tag.Is(probes.Number) {
		return probes.ValueOf(n + 1000), true
	}
	text, at := tag.Text(), risingDigit.FindStringIndex(tag.Text())
	switch {
	case at != nil:
		return probes.ValueOf(text[:at[0]] + "9" + text[at[1]:]), true
	case strings.Contains(text, "9"):
		return probes.ValueOf(strings.Replace(text, "9", "99", 1)), true
	}
	return probes.Value{}, false
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

// otherInputs are inputs that change one field each, none of them the text of the script: an update may look at the tag
// where some fields change, and forget it where others do.
func (t tagScript) otherInputs() (all []map[string]any) {
	if list, ok := t.ListField(); ok {
		all = append(all, map[string]any{list.Name: []string{"aqlx"}})
	} else {
		for _, list := range t.TypedLists() {
			all = append(all, list.As(list.Is))
		}
	}
	typed := t.TypedFields()
	for _, field := range typed {
		all = append(all, map[string]any{field.Name: map[string]any{field.Changed.Name: field.Is.Go()}})
	}
	if free, ok := t.ObjectField(); ok && len(typed) == 0 {
		all = append(all, map[string]any{free.Name: map[string]any{"aqlx": "stale"}})
	}
	if p, _, other, ok := t.Alternatives(); ok {
		all = append(all, map[string]any{p.Name: other.Go()})
	}
	return all
}

// asPrecondition is a tag as if_match takes it: a number goes as text where a text is documented.
func (t tagScript) asPrecondition(tag probes.Value) any {
	p, _ := check.Parameter(t.Subject, "if_match")
	if kinds, _ := t.Kinds(p.Type); tag.Is(probes.Number) && slices.Equal(kinds, []string{"string"}) {
		return tag.String()
	}
	return tag.Go()
}
