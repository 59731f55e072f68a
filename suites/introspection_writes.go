package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// writeTake is the take of the script between two listings, ownKinds how many kinds
// of objects it makes, changes and removes.
const (
	writeTake = 63 * specimenStage
	ownKinds  = 3
)

// ownLives are the operations by which objects of ours are made, changed and
// removed again: one DELETE, or where there is none one UPDATE, for each kind.
func ownLives(f *Face) (last []specimen) {
	for _, category := range []string{"DELETE", "UPDATE", "CREATE"} {
		for _, s := range eachListed(f) {
			sp, why := f.specimen(s.Name)
			known := slices.ContainsFunc(last, func(l specimen) bool { return l.maker.Name == sp.maker.Name })
			if s.Op.Category == category && why == nil && sp.maker.Face != nil && !known && len(last) < ownKinds {
				last = append(last, sp)
			}
		}
	}
	return last
}

// live makes an object, changes it where an UPDATE can, and removes it.
func (sp specimen) live(ask Asking, take int) {
	if !sp.begin(ask, take, nil) || sp.Op.Category == "CREATE" {
		return
	}
	for _, u := range eachUpdate(sp.Face) {
		change, why := sp.specimen(u.Name)
		if why != nil || change.maker.Name != sp.maker.Name {
			continue
		}
		if text, ok := change.text(); ok {
			change.base = sp.base
			ask(change.on(take+20).With("input", map[string]any{text.Name: change.stamp(take) + "-new"}))
			break
		}
	}
	if sp.Op.Category == "DELETE" {
		ask(sp.on(take + 40))
	}
}

// Introspection document, section 7.3. What an adapter can do is a matter of its
// configuration; that somebody used it changes nothing.
var _ = register(Check{
	Requirement: "INT-7.3-04",
	On: func(f *Face) []Subject {
		writes := func(o probes.Operation) bool {
			return slices.Contains([]string{"CREATE", "UPDATE", "DELETE", "EXECUTE"}, o.Category)
		}
		if f.Introspect == "" || !slices.ContainsFunc(f.Operations, writes) {
			return nil
		}
		s := Subject{Face: f, Name: "adapter"}
		if len(ownLives(f)) == 0 {
			s = s.settle(NotProven("leave and ways to make an object of our own", "none").Mend(resourceHint))
		}
		return []Subject{s}
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		asked := 0
		counted := func(p probes.Probe) probes.Observation { asked++; return ask(p) }
		for _, take := range []int{0, writeTake, writeTake + 1, writeTake + 2} {
			counted(s.Listing().Anew(take))
			counted(s.TypesListing().Anew(take))
		}
		for i, sp := range ownLives(s.Face) {
			sp.base = asked
			sp.live(counted, writeTake+100*i)
		}
		counted(s.Listing().Anew(writeTake + 3))
		counted(s.TypesListing().Anew(writeTake + 3))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		wrote := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Succeeded() && o.Probe.Operation() != "introspect" })
		if !wrote {
			return NotProven("an object of our own", got[len(got)-3])
		}
		for i := range 2 {
			// The first repetition may show what writes of other checks left behind; the
			// others show whether the list rests when nothing is written.
			first, quiet, again, after := got[i], got[4+i], got[6+i], got[len(got)-2+i]
			changed := difference(again, after)
			switch {
			case !first.Succeeded() || !again.Succeeded() || !after.Succeeded():
				return NotProven("two lists that can be compared", after).Because("AQL-7.3-06")
			case !sameContent(first, quiet) || !sameContent(quiet, again):
				return NotProven("a list that rests when nothing is written", difference(first, again)).By(again, first).Because("AQL-7.3-06")
			case sameContent(again, after):
			case strings.Contains(changed, s.Nonce):
				return NotProven("operations that do not depend on stored data", changed).By(after, again)
			default:
				return Violates("the list as it was before our writes", changed).By(after, again)
			}
		}
		return Conforms().By(got[len(got)-2], got[6])
	},
	Fix: "build the introspection data from configuration alone",
})
