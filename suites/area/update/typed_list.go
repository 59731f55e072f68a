package update

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const listedScript = "array of documented members"

// typedListOf returns the list in a documented object by which an UPDATE is tried.
func typedListOf(s model.Subject) (obj model.TestObject, list model.TypedList, ok bool) {
	obj, why := s.TestObject(s.Name)
	if why == nil {
		list, ok = obj.TypedList()
	}
	return obj, list, ok
}

// Section 4.5.1.
var arrayInDocumentedObjectReplacesArray = check.Check{
	Requirement: "AQL-4.5.1-06",
	Why:         "Elements have no names to merge by; the array is one value, wherever it stands.",
	Fix:         "replace arrays as a whole at every depth",
	Lane:        probes.Serial,
	On:          model.Only(check.EachUpdate, func(s model.Subject) bool { _, _, ok := typedListOf(s); return ok }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, list, _ := typedListOf(s)
		with := func(items []any) map[string]any {
			return map[string]any{list.Name: map[string]any{list.List.Name: items}}
		}
		if check.CreateWithFields(obj, ask, listedScript, with(list.Was)) {
			check.UpdateAndRead(obj, ask, listedScript+": replacement", with(list.Is), func(v probes.Value) bool { return check.EqualsJSON(v.At(list.Name, list.List.Name), list.Is) })
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, list, _ := typedListOf(s)
		was, made := check.LastRead(obj, got, listedScript+": "+asMade)
		is, read := check.LastRead(obj, got, listedScript+": replacement: read")
		reply := got.Step(listedScript + ": replacement")
		before, after := obj.ObjectIn(was).At(list.Name, list.List.Name), obj.ObjectIn(is).At(list.Name, list.List.Name)
		want := list.Name + "." + list.List.Name + " " + probes.ValueOf(list.Is).String()
		switch {
		case !made || !check.EqualsJSON(before, list.Was):
			return ruling.NotProven("an object whose "+list.Name+" is shown as it was given", got.Last())
		case !reply.Succeeded() || !read || check.AnnouncedPending(obj.Adapter, reply):
			return ruling.NotProven("an update of "+list.Name+" that succeeds", reply)
		case check.EqualsJSON(after, list.Is):
			return ruling.Conforms().By(is, reply, was)
		case check.EqualsJSON(after, list.Was):
			return ruling.NotProven(want, after).By(is, reply).Because("AQL-4.5.1-02")
		case slices.ContainsFunc(after.Items(), func(v probes.Value) bool { return check.EqualsJSON(v, list.Was[0]) }):
			return ruling.Violates(want, after).By(is, reply, was)
		}
		return ruling.NotProven(want, after).By(is, reply)
	},
}
