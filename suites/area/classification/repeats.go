package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.1.
var readCanBeRepeatedSafely = check.Check{
	Requirement: "AQL-8.1-03",
	Rule:        "READ operations can be repeated safely.",
	Why:         "A client repeats a read whenever an answer was lost.",
	On:          model.Only(model.EachProven, func(s model.Subject) bool { return s.Op.Category == "READ" }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		p := s.ValidCall()
		ask(p)
		first, second := ask(p.Anew("safe repetition: read 1")), ask(p.Anew("safe repetition: read 2"))
		if items(first.Data()) != items(second.Data()) { // somebody else may have written between them
			ask(p.Anew("safe repetition: read 3"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		for i, o := range got.Rest() {
			switch {
			case o.Deferred():
				return ruling.NotProven("an answer that can be compared", o)
			case !o.Succeeded():
				return ruling.Violates("success each time", o).By(got[i])
			}
		}
		first, second := got.Step("safe repetition: read 1"), got.Step("safe repetition: read 2")
		switch differ := items(first.Data()) != items(second.Data()); {
		case differ && bookkeeping.MatchString(model.Noun(s.Name)):
			return ruling.NotProven("items that do not come to be by asking", "others each time").By(second, first)
		case differ && items(got.Step("safe repetition: read 3").Data()) == items(second.Data()):
			return ruling.NotProven("items that nobody changes meanwhile", "others once").By(second, first)
		case differ:
			return ruling.Violates("the same items each time", "others").By(second, first)
		}
		return ruling.Conforms().By(second, first)
	},
	Fix: "answer equal reads equally as long as nothing is written",
}

// identity matches no more than what tells one item from another.
var identity = strings.Fields("id uuid key slug name title")

// items writes which items an answer holds, in no order.
func items(v probes.Value) string {
	var parts []string
	for _, item := range v.Items() {
		part := "item"
		for _, m := range item.Members() {
			if model.Volatile(m.Name) || m.Name == "trace_id" {
				continue
			}
			if slices.Contains(identity, m.Name) || strings.HasSuffix(m.Name, "_id") {
				part += "," + m.Name + "=" + m.Value.Canonical(nil)
			}
		}
		parts = append(parts, part)
	}
	for _, m := range v.Members() {
		if m.Value.Is(probes.Array) || m.Value.Is(probes.Object) {
			parts = append(parts, m.Name+":"+items(m.Value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}
