package update

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// strangeMember is the script that gives an object field a member that its type does not declare.
const strangeMember = "unknown member in input"

// closedObjects are the objects inside of the input of an operation that declare their members and do not say that they take
// others.
func closedObjects(sp model.TestObject) []model.DeclaredObject {
	return slices.DeleteFunc(sp.DeclaredObjects(), func(d model.DeclaredObject) bool { return open(sp.Adapter, d.Parameter) })
}

// eachFilled is every UPDATE operation on an object of ours that has an object field with declared members.
func eachFilled(f *model.Adapter) []model.Subject {
	return model.Only(eachDeclaring, func(s model.Subject) bool {
		sp, why := f.TestObject(s.Name)
		return s.Ruling == nil && why == nil && len(closedObjects(sp)) > 0
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
		for i, d := range closedObjects(sp) {
			step := probes.Nth(strangeMember, i)
			if !ask(sp.Apply(step+": valid update").With("input", d.Input(nil))).Succeeded() {
				continue
			}
			if ask(sp.Apply(step+": update").With("input", d.Input(map[string]any{strange(sp): "x"}))).Succeeded() {
				ask(sp.Read(step + ": read"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		var rs []ruling.Ruling
		for i, d := range closedObjects(sp) {
			rs = append(rs, strangeMemberRefused(sp, d, got, probes.Nth(strangeMember, i)))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse members that the type of an object does not declare",
}

// strange is the name of a member that no type declares.
func strange(sp model.TestObject) string { return "aqlx_unknown_" + sp.Nonce }

// strangeMemberRefused rules on the update of one object with a member that its type does not declare.
func strangeMemberRefused(sp model.TestObject, d model.DeclaredObject, got probes.Answers, step string) ruling.Ruling {
	name := strings.Join(d.Path, ".")
	control, o := got.Step(step+": valid update"), got.Step(step+": update")
	stored := sp.ObjectIn(got.Step(step + ": read")).At(d.Path...)
	want := "a refusal of an unknown member of " + name
	switch {
	case !control.Succeeded():
		return ruling.NotApplicable("the members of " + name + " are not known to be valid together")
	case o.Deferred() || !o.Succeeded() && !o.Refused():
		return ruling.NotProven(want, o)
	case o.Refused():
		return ruling.Conforms().By(o, control)
	case stored.Has(strange(sp)):
		return ruling.Conforms().Noting("an object that stores it is an open one").By(o)
	case !stored.Is(probes.Object):
		return ruling.NotProven("a look at what was stored", o)
	}
	return ruling.Violates(want, o).By(o, control)
}
