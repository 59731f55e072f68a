package update

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Two fields together may have to differ, as the kind and the number of a document. An update of one of them can make a pair that a creation
// refuses.

const refusedPairs = "two fields that a creation refuses"

// The steps of the script.
const (
	pairFirst   = refusedPairs + ": created"
	pairOther   = refusedPairs + ": another kind"
	pairTwin    = refusedPairs + ": twin"
	pairUpdate  = refusedPairs + ": update"
	pairRead    = refusedPairs + ": read"
	pairControl = refusedPairs + ": update to the same kind"
)

// pairOf returns the texts that each creation sets anew, and a field with a few documented values, of which the second one is that of
// the object that is changed.
func pairOf(obj model.TestObject) (texts []string, kind string, values [2]any) {
	texts = soleFields(obj)
	for _, p := range obj.Fields {
		if all := obj.EnumOf(p); len(all) > 1 && !slices.Contains(texts, p.Name) {
			return texts, p.Name, [2]any{all[0].Go(), all[1].Go()}
		}
	}
	return nil, "", values
}

// pairRefused reports whether a creation is refused because of one of the texts: it names the text, or is a conflict and differs from the
// request before it in another text.
func pairRefused(o probes.Observation, texts []string) bool {
	return len(texts) > 1 && refusedForValue(o) && strings.HasPrefix(o.Code(), "CONFLICT_") ||
		slices.ContainsFunc(texts, func(name string) bool { return blames(o, name, o.Probe.Params()[name]) })
}

// Section 4.5.3.
var pairsThatACreationRefusesAreRefusedByAnUpdate = check.Check{
	Requirement: "AQL-4.5.3-10",
	Why:         "Who checks two fields together has to check them whichever of them an update changes.",
	On: updatesOf(func(obj model.TestObject) bool {
		texts, _, _ := pairOf(obj)
		return len(texts) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		texts, kind, values := pairOf(obj)
		creation, rest := obj.Create(pairFirst, map[string]any{kind: values[1]})
		if len(rest) > 0 || !ask(creation).Succeeded() {
			return
		}
		fields := map[string]any{kind: values[0]}
		for _, name := range texts {
			fields[name] = creation.Params()[name]
		}
		other, _ := obj.Create(pairOther, fields)
		if !ask(other).Succeeded() {
			return
		}
		refused := slices.ContainsFunc(texts, func(name string) bool {
			twin, _ := obj.Create(pairTwin+" in "+name, map[string]any{kind: values[0], name: fields[name]})
			return pairRefused(ask(twin), texts)
		})
		if !refused {
			return
		}
		if ask(obj.Apply(pairUpdate).With("input", map[string]any{kind: values[0]})).Succeeded() {
			ask(obj.Read(pairRead))
		} else {
			ask(obj.Apply(pairControl).With("input", map[string]any{kind: values[1]}))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		texts, kind, values := pairOf(obj)
		o, look, control := got.Step(pairUpdate), got.Step(pairRead), got.Step(pairControl)
		var twin probes.Observation
		for _, name := range texts { // the last one that was sent is the one that was refused
			if sent, asked := got.Find(pairTwin + " in " + name); asked {
				twin = sent
			}
		}
		shown := obj.ObjectIn(look)
		want := "a refusal of " + kind + ", as a creation with both values is refused"
		switch {
		case !got.Step(pairFirst).Succeeded():
			return ruling.NotProven("an object of our own with the second value of "+kind, got.Last())
		case !pairRefused(twin, texts):
			return ruling.NotApplicable("no creation refuses two fields together")
		case o.Succeeded() && check.EqualsJSON(shown.At(kind), values[0]):
			return ruling.Departs(want, shown.At(kind)).By(look, o, twin)
		case refusedForValue(o) && o.Code() == twin.Code() && control.Succeeded():
			return ruling.Conforms().By(o, twin)
		}
		return ruling.NotProven("the refusal of the creation, or a look at what was stored", o).By(look, control)
	},
	Fix: "check fields that have to differ together in each update of one of them",
}
