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
	Handles:     check.Movement,
	Rule:        "READ operations can be repeated safely.",
	Why:         "A client repeats a read whenever an answer was lost.",
	On:          model.Only(model.EachProven, func(s model.Subject) bool { return s.Op.Category == "READ" }),
	Lane:        probes.Serial,
	Ahead:       repeated,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ps := repeated(s)
		ask(ps[0])
		first, second := ask(ps[1]), ask(ps[2])
		for pair := 1; pair < repeatPairs && missing(s, first.Data(), second.Data()); pair++ {
			first = ask(s.ValidCall().Anew(probes.Nth("safe repetition: read", 2*pair)))
			second = ask(s.ValidCall().Anew(probes.Nth("safe repetition: read", 2*pair+1)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		for i, o := range got.Rest() {
			switch {
			case o.Deferred():
				return ruling.NotProven("an answer that can be compared", o)
			case !o.Succeeded():
				return ruling.Violates("success each time", o).By(got[i])
			case o.Data().Is(probes.Null) && got[0].Data().Is(probes.Object):
				return ruling.Violates("an object each time", "null after it had been shown").By(o, got[0])
			}
		}
		first, second := got.Step("safe repetition: read 1"), got.Step("safe repetition: read 2")
		switch differ := missing(s, first.Data(), second.Data()); {
		case differ && bookkeeping.MatchString(s.Noun(s.Name)):
			return ruling.NotProven("items that do not come to be by asking", "others each time").By(second, first)
		case differ && settled(s, got):
			return ruling.Moved("items that nobody changes meanwhile", "others once").By(second, first)
		case differ:
			return ruling.Violates("the same items each time", "others").By(second, first)
		}
		return ruling.Conforms().By(second, first)
	},
	Fix: "answer equal reads equally as long as nothing is written",
}

// repeatPairs is how many pairs of equal reads have to differ: others may write between the reads of one.
const repeatPairs = 4

// settled reports whether a later pair of reads holds the same items.
func settled(s model.Subject, got probes.Answers) bool {
	for pair := 1; pair < repeatPairs; pair++ {
		first, second := got.Step(probes.Nth("safe repetition: read", 2*pair)), got.Step(probes.Nth("safe repetition: read", 2*pair+1))
		if !missing(s, first.Data(), second.Data()) {
			return true
		}
	}
	return false
}

// repeated are the request and its first repetitions. Those of all operations are sent side by side, so a
// difference counts only if it shows in each further pair, with nothing beside it: a listing may tell what
// was read last, and somebody else may have written.
func repeated(s model.Subject) []probes.Probe {
	p := s.ValidCall()
	if s.LargestPage().Key() == p.Key() && slices.ContainsFunc(sights(s.Adapter), func(l model.Subject) bool { return l.Name == s.Name }) {
		// What was written between the two looks was written by reads.
		look := func(n int) probes.Probe { return p.Anew(stepOf(lookStep(0, n)+": listing", s)) }
		return []probes.Probe{p, look(0).As("safe repetition: read 1"), look(2).As("safe repetition: read 2")}
	}
	return []probes.Probe{p, p.Anew("safe repetition: read 1"), p.Anew("safe repetition: read 2")}
}

// identity matches no more than what tells one item from another.
var identity = strings.Fields("id uuid key slug name title")

// missing reports whether an answer lacks items that another holds. What somebody adds
// meanwhile, or what a listing shows late, takes nothing away.
func missing(s model.Subject, from, in probes.Value) bool {
	key := s.Rules.Naming(model.RowsIn(from))
	left := identities(in, key)
	for _, item := range identities(from, key) {
		i := slices.Index(left, item)
		if i < 0 {
			return true
		}
		left = slices.Delete(left, i, i+1)
	}
	return false
}

// identities writes which items an answer holds: by what identifies them, else by the members
// that are named so.
func identities(v probes.Value, key func(probes.Value) string) []string {
	var all []string
	for _, item := range v.Items() {
		part := "item"
		if name := key(item); name != "" {
			all = append(all, name)
			continue
		}
		for _, m := range item.Members() {
			if model.Volatile(m.Name) || m.Name == "trace_id" {
				continue
			}
			if slices.Contains(identity, m.Name) || strings.HasSuffix(m.Name, "_id") {
				part += "," + m.Name + "=" + m.Value.Canonical(nil)
			}
		}
		all = append(all, part)
	}
	for _, m := range v.Members() {
		for _, inner := range identities(m.Value, key) {
			all = append(all, m.Name+":"+inner)
		}
	}
	return all
}
