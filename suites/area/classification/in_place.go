package classification

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.1.
var updateChangesResourceInPlace = check.Check{
	Requirement: "AQL-8.1-05",
	Rule:        "An UPDATE changes the existing resource instead of producing a new one.",
	Why:         "The object that was changed is the one that others refer to.",
	On:          check.EachTestObject,
	Lane:        probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		field, value := mutation(sp)
		if field == "" || !check.CreateWithFields(sp, ask, "update in place", nil) {
			return
		}
		listings := sp.Maker.Views(sp.ShownMark("update in place"))
		for i, v := range listings {
			ask(v.Anew(probes.Nth("update in place: listing before", i)))
		}
		check.UpdateAndRead(sp, ask, "update in place: update", map[string]any{field: value}, func(v probes.Value) bool { return v.At(field).Text() == value })
		for i, v := range listings {
			ask(v.Anew(probes.Nth("update in place: listing after", i)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		field, value := mutation(sp)
		if field == "" {
			return ruling.NotProven("a field that plays the part of text or spare", "none").Mend(sp.FieldHint("text"))
		}
		reply, asked := got.Find("update in place: update")
		before, first := marked(sp, got.Under("update in place: listing before"))
		after, last := marked(sp, got.Under("update in place: listing after"))
		begun, _ := check.LastRead(sp, got, "update in place: first read")
		look, seen := check.LastRead(sp, got, "update in place: update: read")
		switch {
		case !asked || len(before) == 0 || !seen:
			return ruling.NotProven("our own object changed and listed", got.Last()).Mend(model.TestObjectHint)
		case !reply.Succeeded() || check.AnnouncedPending(s.Adapter, reply):
			return ruling.NotProven("a change that is complete", reply)
		case len(after) > len(before):
			judge := ruling.Violates
			if slices.ContainsFunc(after, func(v probes.Value) bool { return v.Has("version") || v.Has("revision") }) {
				judge = ruling.Departs
			}
			return judge(fmt.Sprintf("%d object with our mark", len(before)), fmt.Sprintf("%d after the update", len(after))).By(last, first, reply)
		case len(after) < len(before):
			return ruling.NotProven("our object listed after the update", "none").By(last, reply).Because("AQL-4.5.1-04")
		case sp.ObjectIn(look).At(field).Text() != value && field == check.TextFieldName(sp):
			return ruling.NotProven("a change that shows", sp.ObjectIn(look).At(field)).By(reply).Because("AQL-4.5.1-01")
		case sp.ObjectIn(look).At(field).Is(probes.Absent):
			return ruling.NotProven("a READ that shows "+field, "none").By(look, reply).Mend(model.TestObjectHint)
		case sp.ObjectIn(look).At(field).Equal(sp.ObjectIn(begun).At(field)):
			return ruling.Violates(fmt.Sprintf("%s %q", field, value), sp.ObjectIn(look).At(field)).By(look, reply)
		}
		return ruling.Conforms().By(look, reply)
	},
	Fix: "change the resource that the identifier names, and no other",
}

// mutation is a change that leaves the mark of our object alone where it can.
func mutation(sp model.TestObject) (field, value string) {
	if spare, ok := sp.SpareField(); ok {
		return spare.Name, sp.Gen.Marker("-spare")
	}
	text, ok := sp.TextField()
	if !ok {
		return "", ""
	}
	return text.Name, sp.ScriptMark("update in place") + "-new"
}

// marked returns the objects with our mark in the listing that shows the most of
// them, and that listing.
func marked(sp model.TestObject, listings probes.Answers) (most []probes.Value, listing probes.Observation) {
	for _, o := range listings {
		var items []probes.Value
		key := sp.Rules.Naming(model.RowsIn(o.Data()))
		for _, item := range model.ItemsWith(o.Data(), sp.ShownMark("update in place")) {
			// One object may stand in an answer twice: in the list and as the latest.
			same := func(v probes.Value) bool { return key(v) != "" && key(v) == key(item) }
			if !slices.ContainsFunc(items, same) {
				items = append(items, item)
			}
		}
		if len(items) > len(most) {
			most, listing = items, o
		}
	}
	return most, listing
}
