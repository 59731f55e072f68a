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
func live(sp model.TestObject, ask model.AskFunc, take int) {
	if !check.CreateWithFields(sp, ask, take, nil) || sp.Op.Category == "CREATE" {
		return
	}
	for _, u := range check.EachUpdate(sp.Adapter) {
		change, why := sp.TestObject(u.Name)
		if why != nil || change.Maker.Name != sp.Maker.Name {
			continue
		}
		if text, ok := change.TextField(); ok {
			change.Base = sp.Base
			ask(change.Apply(take+20).With("input", map[string]any{text.Name: change.ScriptMark(take) + "-new"}))
			break
		}
	}
	if sp.Op.Category == "DELETE" {
		ask(sp.Apply(take + 40))
	}
}

// Introspection document, section 7.3.
var ownWritesDoNotChangeIntrospection = check.Check{
	Requirement: "INT-7.3-04",
	Rule:        "Introspection data changes inside a session only when server configuration changes.",
	Why:         "What an adapter can do is a matter of its configuration; that somebody used it changes nothing.",
	On: func(f *model.Adapter) []model.Subject {
		writes := func(o probes.Operation) bool {
			return slices.Contains([]string{"CREATE", "UPDATE", "DELETE", "EXECUTE"}, o.Category)
		}
		if f.Introspect == "" || !slices.ContainsFunc(f.Operations, writes) {
			return nil
		}
		s := model.Subject{Adapter: f, Name: "adapter"}
		if len(ownLives(f)) == 0 {
			s = s.WithRuling(ruling.NotProven("leave and ways to make an object of our own", "none").Mend(model.TestObjectHint))
		}
		return []model.Subject{s}
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		asked := 0
		counted := func(p probes.Probe) probes.Observation { asked++; return ask(p) }
		for _, take := range []int{0, check.WriteTake, check.WriteTake + 1, check.WriteTake + 2} {
			counted(s.Listing().Anew(take))
			counted(s.TypesListing().Anew(take))
		}
		for i, sp := range ownLives(s.Adapter) {
			sp.Base = asked
			live(sp, counted, check.WriteTake+100*i)
		}
		counted(s.Listing().Anew(check.WriteTake + 3))
		counted(s.TypesListing().Anew(check.WriteTake + 3))
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		wrote := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Succeeded() && o.Probe.Operation() != "introspect" })
		if !wrote {
			return ruling.NotProven("an object of our own", got[len(got)-3])
		}
		for i := range 2 {
			// The first repetition may show what writes of other checks left behind; the
			// others show whether the list rests when nothing is written.
			first, quiet, again, after := got[i], got[4+i], got[6+i], got[len(got)-2+i]
			changed := difference(again, after)
			switch {
			case !first.Succeeded() || !again.Succeeded() || !after.Succeeded():
				return ruling.NotProven("two lists that can be compared", after).Because("AQL-7.3-06")
			case !check.SameContent(first, quiet) || !check.SameContent(quiet, again):
				return ruling.NotProven("a list that rests when nothing is written", difference(first, again)).By(again, first).Because("AQL-7.3-06")
			case check.SameContent(again, after):
			case strings.Contains(changed, s.Nonce):
				return ruling.NotProven("operations that do not depend on stored data", changed).By(after, again)
			default:
				return ruling.Violates("the list as it was before our writes", changed).By(after, again)
			}
		}
		return ruling.Conforms().By(got[len(got)-2], got[6])
	},
	Fix: "build the introspection data from configuration alone",
}
