package concurrency

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// keyUpdates is how many updates of one object are in flight at once.
const keyUpdates = 20

// fromSecond is the read that shows whether another session sees the object. Over HTTP it may: a lock that each session
// has for itself guards nothing then. Over stdio each session has a process of its own.
const fromSecond = "parallel keys: read in the second session"

// keyed is a specimen whose free-form object takes keys of ours, with the ruling when
// there is none.
func keyed(f *model.Adapter) (sp model.TestObject, field string, why *ruling.Ruling) {
	r := ruling.NotProven("an UPDATE operation", "none").Mend(model.TestObjectHint)
	for _, s := range check.EachTestObject(f) {
		sp, missing := f.TestObject(s.Name)
		if missing != nil {
			r = *missing
			continue
		}
		if object, ok := sp.ObjectField(); ok {
			sp.Base = 1
			return sp, object.Name, nil
		}
		r = ruling.NotProven("a field that plays the part of object (free-form)", "none").Mend(sp.FieldHint("object"))
	}
	return model.TestObject{}, "", &r
}

// Section 9.3.1.
var declaredSerializationLosesNoUpdate = check.Check{
	Requirement: "AQL-9.3.1-04",
	Rule:        "Where writes are declared serialized (globally or per resource) concurrent updates of one resource lose nothing.",
	Why:         "A merge reads, changes and writes. If writes are declared to be serialized, no other write may come between these steps.",
	On:          model.Given(declares(concurrencyCategories...), model.IntrospectSubject),
	Lane:        probes.Serial,
	Race: func(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
		ask(s.Listing())
		sp, field, why := keyed(s.Adapter)
		if why != nil || !check.CreateWithFields(sp, ask, "parallel keys", map[string]any{field: map[string]any{"start": 1}}) {
			return
		}
		adding := func(step, key string, value any) probes.Probe {
			return sp.Apply(step).With("input", map[string]any{field: map[string]any{key: value}})
		}
		ask(adding("parallel keys: update alone", "calm", 1))
		alone := ask(sp.Read("parallel keys: update alone: read"))
		second := s.Conn + check.SecondSession
		shared := alone.Status != 0 && ask(sp.Read(fromSecond).Over(second)).Succeeded()
		var all []probes.Probe
		for i := range inFlight(s.Adapter, keyUpdates) {
			p := adding(probes.Nth("parallel keys: update in flight", i), fmt.Sprintf("k%d", i), i)
			if shared && i%2 == 1 {
				p = p.Over(second)
			}
			all = append(all, p)
		}
		together(all)
		sp.ReadUntil(ask, "parallel keys: read after the updates", func(v probes.Value) bool { return len(v.At(field).Members()) == len(all)+2 })
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, field, why := keyed(s.Adapter)
		if why != nil {
			return *why
		}
		updates := got.Under("parallel keys: update in flight")
		calm, began := check.LastRead(sp, got, "parallel keys: update alone: read")
		after, ended := check.LastRead(sp, got, "parallel keys: read after the updates")
		merged := sp.ObjectIn(calm).At(field)
		switch {
		case !began || !ended || len(updates) == 0:
			return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
		case !merged.Has("start") || !merged.Has("calm"):
			return ruling.NotProven("an update that merges into "+field+" when it comes alone", merged).By(calm).Because("AQL-4.5.1-03")
		}
		r := keptKeys(sp.ObjectIn(after).At(field), updates)
		if declared(s.Adapter) == "fully-concurrent" && r.Verdict == ruling.Violates("", "").Verdict {
			r = ruling.Departs(r.Want, r.Got)
		}
		return r.By(after)
	},
	Fix: "read, merge and write a resource under one lock",
}

// keptKeys rules on whether the keys of all successful updates are there. A refusal
// for a conflict has lost nothing: who gets it tries again.
func keptKeys(kept probes.Value, updates []probes.Observation) ruling.Ruling {
	var lost []string
	for _, o := range updates {
		key := fmt.Sprintf("k%d", o.Probe.Index())
		switch {
		case o.Succeeded() && !kept.Has(key):
			lost = append(lost, key)
		case !o.Succeeded() && !strings.HasPrefix(o.Code(), "CONFLICT_"):
			return ruling.NotProven("updates in flight that succeed", o)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return ruling.Violates(fmt.Sprintf("the keys of all %d updates", len(updates)), "without "+strings.Join(lost, ", "))
	}
	if !slices.ContainsFunc(updates, probes.Observation.Succeeded) {
		return ruling.NotProven("updates in flight that succeed", "a conflict for each").By(updates[0])
	}
	if !overlapping(updates) {
		return apartInTime(updates)
	}
	return ruling.Conforms()
}
