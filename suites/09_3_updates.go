package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// keyUpdates is how many updates of one object are in flight at once.
const keyUpdates = 20

// keyed is a specimen whose free-form object takes keys of ours, with the ruling when
// there is none.
func (f *Face) keyed() (sp specimen, field string, why *Ruling) {
	r := NotProven("an UPDATE operation", "none").Mend(resourceHint)
	for _, s := range eachSpecimen(f) {
		sp, missing := f.specimen(s.Name)
		if missing != nil {
			r = *missing
			continue
		}
		if object, ok := sp.object(); ok {
			sp.base = 1
			return sp, object.Name, nil
		}
		r = NotProven("a field that plays the part of object (free-form)", "none").Mend(resourceHint)
	}
	return specimen{}, "", &r
}

// Section 9.3.1. A merge that reads, changes and writes is three steps; when writes
// are declared to come one after the other, no other write can fall between them.
var _ = register(Check{
	Requirement: "AQL-9.3.1-04",
	On:          given(declares(concurrencyCategories...), introspecting),
	Lane:        probes.Serial,
	Race: func(s Subject, ask Asking, together Together) {
		ask(s.Listing())
		sp, field, why := s.keyed()
		if why != nil || !sp.begin(ask, keysTake, map[string]any{field: map[string]any{"before": 1}}) {
			return
		}
		adding := func(take int, key string, value any) probes.Probe {
			return sp.on(take).With("input", map[string]any{field: map[string]any{key: value}})
		}
		ask(adding(keysTake+20, "calm", 1))
		ask(sp.look(keysTake + 21))
		var all []probes.Probe
		for i := range s.inFlight(keyUpdates) {
			all = append(all, adding(keysTake+100+i, fmt.Sprintf("k%d", i), i))
		}
		together(all)
		sp.lookFor(ask, keysTake+200, func(v probes.Value) bool { return len(v.At(field).Members()) == len(all)+2 })
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, field, why := s.keyed()
		if why != nil {
			return *why
		}
		updates := takesBetween(got, keysTake+100, keysTake+200)
		calm, began := lastLook(sp, got, keysTake+21, keysTake+100)
		after, ended := lastLook(sp, got, keysTake+200, keysTake+300)
		merged := sp.shown(calm).At(field)
		switch {
		case !began || !ended || len(updates) == 0:
			return NotProven("an object of our own shown by a READ", got[len(got)-1]).Mend(resourceHint)
		case !merged.Has("before") || !merged.Has("calm"):
			return NotProven("an update that merges into "+field+" when it comes alone", merged).By(calm).Because("AQL-4.5.1-03")
		}
		r := keptKeys(sp.shown(after).At(field), updates)
		if s.declared() == "fully-concurrent" && r.verdict == Violates("", "").verdict {
			r = Departs(r.want, r.got)
		}
		return r.By(after)
	},
	Fix: "read, merge and write a resource under one lock",
})

// keptKeys rules on whether the keys of all successful updates are there. A refusal
// for a conflict has lost nothing: who gets it tries again.
func keptKeys(kept probes.Value, updates []probes.Observation) Ruling {
	var lost []string
	for _, o := range updates {
		key := fmt.Sprintf("k%d", o.Probe.Take-keysTake-100)
		switch {
		case o.Succeeded() && !kept.Has(key):
			lost = append(lost, key)
		case !o.Succeeded() && !strings.HasPrefix(o.Code(), "CONFLICT_"):
			return NotProven("updates in flight that succeed", o)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return Violates(fmt.Sprintf("the keys of all %d updates", len(updates)), "without "+strings.Join(lost, ", "))
	}
	if !slices.ContainsFunc(updates, probes.Observation.Succeeded) {
		return NotProven("updates in flight that succeed", "a conflict for each").By(updates[0])
	}
	if !overlapping(updates) {
		return apartInTime(updates)
	}
	return Conforms()
}
