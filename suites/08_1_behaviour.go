package suites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// What an operation does to an object of ours is compared with what its category
// promises. Only counterexamples can be seen from outside.

// The takes of the scripts below.
const (
	upsertTake  = 51 * specimenStage
	inPlaceTake = 52 * specimenStage
	removalTake = 53 * specimenStage
)

// replacing are the words by which an operation says that it may overwrite or make.
var replacing = regexp.MustCompile(`(?i)(^|[^a-z])(put|upserts?|set|overwrit\w*|replac\w*|(or )?creates? (it )?(if|when)|or creates?)($|[^a-z])`)

// saysReplacing reports whether the name or description of an operation says that
// it overwrites what is there, or makes what is not.
func saysReplacing(s Subject) bool { return replacing.MatchString(s.Name + " " + description(s)) }

// eachOf is every operation of a category, those that cannot be tried on an object
// of ours settled.
func eachOf(category string) func(*Face) []Subject {
	return func(f *Face) []Subject {
		all := only(eachListed, func(s Subject) bool { return s.Op.Category == category && !slices.Contains(reserved, s.Name) })(f)
		for i, s := range all {
			if _, why := f.specimen(s.Name); why != nil {
				all[i] = s.settle(*why)
			}
		}
		return all
	}
}

// at returns the answer to a take.
func at(got []probes.Observation, take int) (probes.Observation, bool) {
	i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == take })
	if i < 0 {
		return probes.Observation{}, false
	}
	return got[i], true
}

// Section 8.1. Whoever creates does not expect to destroy: a second object of the
// same name is refused or made, but the first one stays.
var _ = register(Check{
	Requirement: "AQL-8.1-01",
	On:          eachOf("CREATE"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		first, second := sp.rivals()
		if !ask(first).Succeeded() {
			return
		}
		ask(sp.look(upsertTake + 2))
		ask(sp.look(upsertTake + 3))
		ask(second)
		ask(sp.look(upsertTake + 4))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		before, shown := at(got, upsertTake+2)
		if !shown || sp.shown(before).Is(probes.Absent) {
			return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
		}
		if !got[2].Succeeded() {
			return NotProven("a READ that shows our object as often as it is asked", got[2]).By(before).Because("AQL-8.1-03")
		}
		second, after := got[3], got[4]
		spare, has := sp.spare()
		first := probes.ValueOf(sp.Gen.Marker("-first")).Canonical(nil)
		was, is := sp.shown(before).At(spare.Name), sp.shown(after).At(spare.Name)
		has = has && was.Canonical(nil) == first
		for _, item := range itemsWith(after.Data(), sp.stamp(upsertTake)) {
			if sp.viewer.Name == "" && item.At(spare.Name).Canonical(nil) == first {
				is = was // a listing shows both
			}
		}
		lost := strings.HasPrefix(after.Code(), "NOT_FOUND") || after.Succeeded() && sp.shown(after).Is(probes.Absent)
		switch {
		case second.Deferred():
			return NotProven("an answer to a second creation", second)
		case !second.Succeeded() && !lost:
			return Conforms().By(second, got[0])
		case !after.Succeeded() && !lost:
			return NotProven("a look after the second creation", after).By(second)
		case lost || has && !was.Equal(is):
			judge := Violates
			if saysReplacing(s) {
				judge = Departs
			}
			if lost {
				return judge("the first object as it was", after).By(second, got[0])
			}
			return judge(fmt.Sprintf("%s %s of the first object", spare.Name, was), is).By(after, second, got[0])
		case !has && got[0].Data().Canonical(volatile) == second.Data().Canonical(volatile):
			return NotProven("a field in which two objects of one name differ", "none").By(second, got[0])
		}
		return Conforms().By(after, second)
	},
	Fix: "refuse a second object of the same key with CONFLICT_*, or make one",
})

// rivals are two creations of one name that differ in a field where there is one.
func (sp specimen) rivals() (first, second probes.Probe) {
	fields := func(text string) map[string]any {
		if spare, ok := sp.spare(); ok {
			return map[string]any{spare.Name: sp.Gen.Marker(text)}
		}
		return nil
	}
	first, _ = sp.create(upsertTake, fields("-first"))
	second, _ = sp.create(upsertTake, fields("-second"))
	return first, second.Anew(upsertTake + 1)
}

// Section 8.1. Updating what is not there would be creating it, with whatever the
// caller left out.
var _ = register(Check{
	Requirement: "AQL-8.1-04",
	On: func(f *Face) []Subject {
		all := only(eachUpdate, Subject.located)(f)
		for i, s := range all {
			if b := s.Baseline(); !b.Usable() {
				all[i] = s.settle(NotProven("a request of "+s.Name+" for what a READ has reported as not found", b))
			}
		}
		return all
	},
	Lane: probes.Serial,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		if reader, ok := s.absentReader(); ok {
			ps = append(ps, reader.Anew(upsertTake))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		const want = "error NOT_FOUND_RESOURCE for what is not there"
		o := got[0]
		switch {
		case strings.HasPrefix(o.Code(), "NOT_FOUND"):
			return Conforms()
		case !o.Succeeded():
			return NotProven(want, o)
		case saysReplacing(s):
			return Departs(want, o).Noting("the operation documents that it may create")
		case len(got) > 1 && got[1].Succeeded() && !got[1].Data().Is(probes.Null):
			return Violates(want, "a success that created it").By(got[1], o)
		}
		return Departs(want, o)
	},
	Fix: "refuse updates of what is not there with NOT_FOUND_RESOURCE",
})

// absentReader is the READ that has reported as not found what the update names.
func (s Subject) absentReader() (probes.Probe, bool) {
	for _, o := range s.Operations {
		b := s.Baselines[o.Name]
		if o.Category != "READ" || b.State != Proven {
			continue
		}
		p, replaced := b.Probe, false
		for _, q := range o.Parameters {
			if absent, ok := s.Absent[absentKey(o, q)]; ok && q.Required && probes.IsReference(o, q) && s.Op.HasParameter(q.Name) && absentKey(o, q) == absentKey(s.Op, q) {
				p, replaced = p.With(q.Name, absent.Go()), true
			}
		}
		if replaced {
			return p, true
		}
	}
	return probes.Probe{}, false
}

// Section 8.1. Who deletes relies on it that it is gone.
var _ = register(Check{
	Requirement: "AQL-8.1-06",
	On:          eachOf("DELETE"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		if !sp.begin(ask, removalTake, nil) {
			return
		}
		if ask(sp.on(removalTake + 20)).Succeeded() {
			sp.lookFor(ask, removalTake+21, func(v probes.Value) bool { return v.Is(probes.Absent) })
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		reply, asked := at(got, removalTake+20)
		before, shown := lastLook(sp, got, removalTake, removalTake+20)
		if !asked || !shown || sp.shown(before).Is(probes.Absent) {
			return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
		}
		if !reply.Succeeded() {
			return NotProven("a removal that succeeds", reply)
		}
		last := got[len(got)-1]
		was, is := sp.shown(before), sp.shown(last)
		switch {
		case strings.HasPrefix(last.Code(), "NOT_FOUND") && last.Code() != "NOT_FOUND_OPERATION", last.Succeeded() && is.Is(probes.Absent):
			return Conforms().By(last, reply)
		case !last.Succeeded():
			return NotProven("a look after the removal", last).By(reply)
		case announcedPending(reply):
			return NotProven("a removal that is complete", "one that was announced as pending").By(last, reply)
		case was.Canonical(volatile) != is.Canonical(volatile):
			return Departs("nothing after the removal", "an object that was marked").By(last, reply).Noting("a soft delete")
		}
		return Violates("nothing after the removal", "the object as it was").By(last, reply, before)
	},
	Fix: "remove the resource, or refuse the request",
})
