package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const takenKey = "creation under a taken identifier"

// choosesKey reports whether the client chooses the identifier of what an operation makes.
func choosesKey(s model.Subject) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return s.ClientChosen(s.Op, p) })
}

// bothUnder are two creations under one identifier, and the text or another field in which they differ; ok is false
// where there is none.
func bothUnder(s model.Subject) (sp model.TestObject, first, second probes.Probe, name string, ok bool) {
	sp, why := s.TestObject(s.Name)
	if why != nil {
		return sp, first, second, "", false
	}
	for _, p := range sp.TextFields() {
		if s.ClientChosen(s.Op, p) || !s.Op.HasParameter(p.Name) {
			continue
		}
		with := func(text string) probes.Probe {
			made, _ := sp.Create(takenKey+": created", map[string]any{p.Name: s.Gen.Marker(text)})
			return made
		}
		return sp, with("-first"), with("-second").Anew(takenKey + ": second"), p.Name, true
	}
	p, one, other, ok := sp.Alternatives()
	if !ok || !s.Op.HasParameter(p.Name) {
		return sp, first, second, "", false
	}
	with := func(v probes.Value) probes.Probe {
		made, _ := sp.Create(takenKey+": created", map[string]any{p.Name: v.Go()})
		return made
	}
	return sp, with(one), with(other).Anew(takenKey + ": second"), p.Name, true
}

// Section 8.1.
var creationSparesTakenIdentifier = check.Check{
	Requirement: "AQL-8.1-01",
	Why:         "Where the client chooses the identifier, a store that puts a value under a key replaces what is there.",
	On: model.Only(eachOf("CREATE"), func(s model.Subject) bool {
		_, why := s.TestObject(s.Name)
		return why == nil && choosesKey(s)
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, first, second, _, ok := bothUnder(s)
		if !ok || !ask(first).Succeeded() {
			return
		}
		ask(sp.Read(takenKey + ": first read"))
		ask(sp.Read(takenKey + ": second read"))
		ask(second)
		ask(sp.Read(takenKey + ": read after the second"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _, _, name, ok := bothUnder(s)
		if !ok {
			return ruling.NotProven("a field beside the identifier in which two objects differ", "none")
		}
		one, again := got.Step(takenKey+": first read"), got.Step(takenKey+": second read")
		second, after := got.Step(takenKey+": second"), got.Step(takenKey+": read after the second")
		was, is := sp.ObjectIn(again).At(name), sp.ObjectIn(after).At(name)
		theirs := model.ValueIn(second.Probe, name)
		switch {
		case !was.Equal(model.ValueIn(got[0].Probe, name)) || !was.Equal(sp.ObjectIn(one).At(name)):
			return ruling.NotProven("an object of our own that a READ shows as it was made", got.Last())
		case second.Deferred():
			return ruling.NotProven("an answer to a creation under a taken identifier", second)
		case strings.HasPrefix(after.Code(), "NOT_FOUND") || is.Equal(theirs):
			return overwriting(s)("the first object as it was", after).By(second, again)
		case is.Equal(was):
			return ruling.Conforms().By(second, after, got[0])
		}
		return ruling.NotProven("a look after the second creation", after).By(second)
	},
	Fix: "refuse a creation under an identifier that is taken with CONFLICT_*",
}
