package suites

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.1. The object that was changed is the one that others refer to.
var _ = register(Check{
	Requirement: "AQL-8.1-05",
	On:          eachSpecimen,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		field, value := sp.mutation()
		if field == "" || !sp.begin(ask, inPlaceTake, nil) {
			return
		}
		for _, v := range sp.maker.views(sp.stamp(inPlaceTake)) {
			ask(v.Anew(inPlaceTake + 10))
		}
		sp.change(ask, inPlaceTake+20, map[string]any{field: value}, func(v probes.Value) bool { return v.At(field).Text() == value })
		for _, v := range sp.maker.views(sp.stamp(inPlaceTake)) {
			ask(v.Anew(inPlaceTake + 40))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		field, value := sp.mutation()
		if field == "" {
			return NotProven("a field that plays the part of text or spare", "none").Mend(resourceHint)
		}
		reply, asked := at(got, inPlaceTake+20)
		before, first := sp.marked(got, inPlaceTake+10)
		after, last := sp.marked(got, inPlaceTake+40)
		begun, _ := lastLook(sp, got, inPlaceTake, inPlaceTake+10)
		look, seen := lastLook(sp, got, inPlaceTake+21, inPlaceTake+40)
		switch {
		case !asked || len(before) == 0 || !seen:
			return NotProven("our own object changed and listed", got[len(got)-1]).Mend(resourceHint)
		case !reply.Succeeded() || announcedPending(reply):
			return NotProven("a change that is complete", reply)
		case len(after) > len(before):
			judge := Violates
			if slices.ContainsFunc(after, func(v probes.Value) bool { return v.Has("version") || v.Has("revision") }) {
				judge = Departs
			}
			return judge(fmt.Sprintf("%d object with our mark", len(before)), fmt.Sprintf("%d after the update", len(after))).By(last, first, reply)
		case len(after) < len(before):
			return NotProven("our object listed after the update", "none").By(last, reply).Because("AQL-4.5.1-04")
		case sp.shown(look).At(field).Text() != value && field == sp.textName():
			return NotProven("a change that shows", sp.shown(look).At(field)).By(reply).Because("AQL-4.5.1-01")
		case sp.shown(look).At(field).Is(probes.Absent):
			return NotProven("a READ that shows "+field, "none").By(look, reply).Mend(resourceHint)
		case sp.shown(look).At(field).Equal(sp.shown(begun).At(field)):
			return Violates(fmt.Sprintf("%s %q", field, value), sp.shown(look).At(field)).By(look, reply)
		}
		return Conforms().By(look, reply)
	},
	Fix: "change the resource that the identifier names, and no other",
})

// mutation is a change that leaves the mark of our object alone where it can.
func (sp specimen) mutation() (field, value string) {
	if spare, ok := sp.spare(); ok {
		return spare.Name, sp.Gen.Marker("-spare")
	}
	text, ok := sp.text()
	if !ok {
		return "", ""
	}
	return text.Name, sp.stamp(inPlaceTake) + "-new"
}

// marked returns the objects with our mark in the listing that shows the most of
// them, and that listing.
func (sp specimen) marked(got []probes.Observation, take int) (most []probes.Value, listing probes.Observation) {
	for _, o := range got {
		if o.Probe.Take != take {
			continue
		}
		var items []probes.Value
		for _, item := range itemsWith(o.Data(), sp.stamp(take)) {
			// One object may stand in an answer twice: in the list and as the latest.
			same := func(v probes.Value) bool { return itemKey(v) != "" && itemKey(v) == itemKey(item) }
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
