package update

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// listedScripts are the names of the scripts, by the number of names that lead to the list.
var listedScripts = map[int]string{1: "array of documented items", 2: "array of documented members"}

// typedListsOf returns the lists by which an UPDATE is tried.
func typedListsOf(s model.Subject) (obj model.TestObject, lists []model.TypedList) {
	obj, why := s.TestObject(s.Name)
	if why == nil {
		lists = obj.TypedLists()
	}
	return obj, lists
}

// Section 4.5.1.
var arrayInDocumentedObjectReplacesArray = check.Check{
	Requirement: "AQL-4.5.1-06",
	Why:         "Elements have no names to merge by; the array is one value, wherever it stands.",
	Fix:         "replace arrays as a whole at every depth",
	Lane:        probes.Serial,
	On:          model.Only(check.EachUpdate, func(s model.Subject) bool { _, lists := typedListsOf(s); return len(lists) > 0 }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, lists := typedListsOf(s)
		var got probes.Answers
		counted := ask.Into(&got)
		for _, list := range lists {
			script := listedScripts[len(list.Path)]
			obj.Base = len(got)
			if check.CreateWithFields(obj, counted, script, list.As(list.Was)) {
				check.UpdateAndRead(obj, counted, script+": replacement", list.As(list.Is), func(v probes.Value) bool { return check.EqualsJSON(v.At(list.Path...), list.Is) })
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, lists := typedListsOf(s)
		var rs []ruling.Ruling
		for _, list := range lists {
			rs = append(rs, replacedBy(obj, list, got))
		}
		return ruling.Worst(rs...)
	},
}

// replacedBy rules on the script of one list.
func replacedBy(obj model.TestObject, list model.TypedList, got probes.Answers) ruling.Ruling {
	script, name := listedScripts[len(list.Path)], strings.Join(list.Path, ".")
	was, made := check.LastRead(obj, got, script+": "+asMade)
	is, read := check.LastRead(obj, got, script+": replacement: read")
	reply := got.Step(script + ": replacement")
	before, after := obj.ObjectIn(was).At(list.Path...), obj.ObjectIn(is).At(list.Path...)
	want := name + " " + probes.ValueOf(list.Is).String()
	switch {
	case !made || !check.EqualsJSON(before, list.Was):
		return ruling.NotProven("an object whose "+name+" is shown as it was given", got.Last())
	case !reply.Succeeded() || !read || check.AnnouncedPending(obj.Adapter, reply):
		return ruling.NotProven("an update of "+name+" that succeeds", reply)
	case check.EqualsJSON(after, list.Is):
		return ruling.Conforms().By(is, reply, was)
	case check.EqualsJSON(after, list.Was):
		return ruling.NotProven(want, after).By(is, reply).Because(map[int]string{1: "AQL-4.5.1-01", 2: "AQL-4.5.1-02"}[len(list.Path)])
	case slices.ContainsFunc(after.Items(), func(v probes.Value) bool {
		return slices.ContainsFunc(list.Was, func(w any) bool { return check.EqualsJSON(v, w) })
	}):
		return ruling.Violates(want, after).By(is, reply, was)
	}
	return ruling.NotProven(want, after).By(is, reply)
}
