package update

import (
	"maps"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// strangeMember is the script that gives an object field a member that its type does not declare.
const strangeMember = "unknown member in input"

// eachFilled is every UPDATE operation on an object of ours that has an object field with declared members.
func eachFilled(f *model.Adapter) []model.Subject {
	return model.Only(eachDeclaring, func(s model.Subject) bool {
		sp, why := f.TestObject(s.Name)
		p, _, ok := sp.FilledObject()
		return s.Ruling == nil && why == nil && ok && !open(f, p)
	})(f)
}

// Section 4.5.3. The fields of objects inside of input are fields of input. An object that stores the member is an open one.
var unknownMemberInsideInputIsRefused = check.Check{
	Requirement: "AQL-4.5.3-06",
	Why:         "A misspelt member that is dropped looks to the model like a change, at every depth.",
	On:          eachFilled,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		if !check.CreateWithFields(sp, ask, strangeMember, nil) {
			return
		}
		p, value, _ := sp.FilledObject()
		ask(sp.Apply(strangeMember+": valid update").With("input", map[string]any{p.Name: value}))
		value = maps.Clone(value)
		value["aqlx_unknown_"+sp.Nonce] = "x"
		ask(sp.Apply(strangeMember+": update").With("input", map[string]any{p.Name: value}))
		ask(sp.Read(strangeMember + ": read"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		p, _, _ := sp.FilledObject()
		control, o := got.Step(strangeMember+": valid update"), got.Step(strangeMember+": update")
		stored := sp.ObjectIn(got.Step(strangeMember + ": read")).At(p.Name)
		want := "a refusal of an unknown member of " + p.Name
		switch {
		case !control.Succeeded():
			return ruling.NotApplicable("the members of " + p.Name + " are not known to be valid together")
		case o.Deferred() || !o.Succeeded() && !o.Refused():
			return ruling.NotProven(want, o)
		case o.Refused():
			return ruling.Conforms().By(o, control)
		case stored.Has("aqlx_unknown_" + sp.Nonce):
			return ruling.Conforms().Noting("an object that stores it is an open one").By(o)
		case !stored.Is(probes.Object):
			return ruling.NotProven("a look at what was stored", o)
		}
		return ruling.Violates(want, o).By(o, control)
	},
	Fix: "refuse members that the type of an object does not declare",
}
