package introspection

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ownLives are the operations by which objects of ours are made, changed and
// removed again: one DELETE, or where there is none one UPDATE, for each kind.
func ownLives(f *model.Adapter) (last []model.TestObject) {
	for _, category := range []string{"DELETE", "UPDATE", "CREATE"} {
		for _, s := range model.EachListed(f) {
			sp, why := f.TestObject(s.Name)
			known := slices.ContainsFunc(last, func(l model.TestObject) bool { return l.Maker.Name == sp.Maker.Name })
			if s.Op.Category == category && why == nil && sp.Maker.Adapter != nil && !known && len(last) < check.OwnKindCount {
				last = append(last, sp)
			}
		}
	}
	return last
}

// live makes an object, changes it where an UPDATE can, and removes it.
func live(sp model.TestObject, ask model.AskFunc, script string) {
	if !check.CreateWithFields(sp, ask, script, nil) || sp.Op.Category == "CREATE" {
		return
	}
	for _, u := range check.EachUpdate(sp.Adapter) {
		change, why := sp.TestObject(u.Name)
		if why != nil || change.Maker.Name != sp.Maker.Name {
			continue
		}
		if text, ok := change.TextField(); ok {
			change.Base = sp.Base
			ask(change.Apply(script+": change").With("input", map[string]any{text.Name: change.ScriptMark(script) + "-new"}))
			break
		}
	}
	if sp.Op.Category == "DELETE" {
		ask(sp.Apply(script + ": removal"))
	}
}

// Introspection document, section 7.3.
var ownWritesDoNotChangeIntrospection = check.Check{
	Requirement: "INT-7.3-04",
	Rule:        "Introspection data changes inside a session only when server configuration changes.",
	Why:         "The abilities of an adapter come from its configuration, so use must not change them.",
	On: func(f *model.Adapter) []model.Subject {
		writes := func(o probes.Operation) bool {
			return slices.Contains([]string{"CREATE", "UPDATE", "DELETE", "EXECUTE"}, o.Category)
		}
		if f.Introspect == "" || !slices.ContainsFunc(f.Operations, writes) {
			return nil
		}
		s := model.Subject{Adapter: f, Name: "adapter"}
		if len(ownLives(f)) == 0 {
			s = s.WithRuling(noOwnLife(f))
		}
		return []model.Subject{s}
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		var got probes.Answers
		counted := ask.Into(&got)
		read := func(when string, as func(q probes.Probe, step string) probes.Probe) {
			for _, list := range eachListing(s.Adapter) {
				for i, q := range pages(list) {
					counted(as(q, onPage("own lives: "+list.Name+" "+when, i)))
				}
			}
		}
		read("at first", probes.Probe.As)
		for i := range 3 {
			read(probes.Nth("in a rest", i), probes.Probe.Anew)
		}
		for i, sp := range ownLives(s.Adapter) {
			sp.Base = len(got)
			live(sp, counted, probes.Nth("own lives: object", i))
		}
		read("after the writes", probes.Probe.Anew)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		wrote := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Succeeded() && o.Probe.Operation() != "introspect" })
		if !wrote {
			last := got.Step("own lives: types in a rest 3")
			for _, o := range got.Under("own lives: object") {
				last = o
			}
			return ruling.NotProven("an object of our own", last)
		}
		for _, list := range eachListing(s.Adapter) {
			for i := range pages(list) {
				if r := rests(s, list, i, got); r != nil {
					return *r
				}
			}
		}
		return ruling.Conforms().By(got.Step("own lives: operations after the writes"), got.Step("own lives: operations in a rest 3"))
	},
	Fix: "build the introspection data from configuration alone",
}

// rests rules on a page of a list that another answer shows after our writes; nil where none does.
func rests(s, list model.Subject, page int, got probes.Answers) *ruling.Ruling {
	// The first repetition may show what writes of other checks left behind; the others show
	// whether the list rests when nothing is written.
	shown := func(when string) probes.Observation { return got.Step(onPage("own lives: "+list.Name+" "+when, page)) }
	first, quiet, again, after := shown("at first"), shown("in a rest 2"), shown("in a rest 3"), shown("after the writes")
	changed := difference(again, after)
	var r ruling.Ruling
	switch {
	case !first.Succeeded() || !again.Succeeded() || !after.Succeeded():
		r = ruling.NotProven("two lists that can be compared", after).Because("AQL-7.3-06")
	case !check.SameContent(first, quiet) || !check.SameContent(quiet, again):
		r = ruling.NotProven("a list that rests when nothing is written", difference(first, again)).By(again, first).Because("AQL-7.3-06")
	case check.SameContent(again, after):
		return nil
	case strings.Contains(changed, s.Nonce):
		r = ruling.NotProven("operations that do not depend on stored data", changed).By(after, again)
	default:
		r = ruling.Violates("the list as it was before our writes", changed).By(after, again)
	}
	return &r
}

// noOwnLife says what is missing to create, change and remove an object: the permission for a CREATE
// that would do, or else the operations.
func noOwnLife(f *model.Adapter) ruling.Ruling {
	for _, maker := range model.EachMarked(f) {
		if maker.Ruling != nil {
			return *maker.Ruling
		}
	}
	return ruling.NotProven("leave and ways to make an object of our own", "none").Mend(model.TestObjectHint)
}
