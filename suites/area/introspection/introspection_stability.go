package introspection

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachListing is the two queries that list; eachLookup every query for one item.
func eachListing(f *model.Adapter) []model.Subject {
	if f.Introspect == "" {
		return nil
	}
	return []model.Subject{{Adapter: f, Name: "operations"}, {Adapter: f, Name: "types"}}
}

func eachLookup(f *model.Adapter) []model.Subject {
	return append(model.EachListed(f), model.EachType(f)...)
}

// question returns the introspection query a subject stands for.
func question(s model.Subject) probes.Probe {
	switch {
	case s.Op.Name != "":
		return s.Lookup("operations", s.Op.Name)
	case s.Kind.Name != "":
		return s.Lookup("types", s.Kind.Name)
	case s.Name == "types":
		return s.TypesListing()
	}
	return s.Listing()
}

// pages returns the queries that read a listing to its end, as discovery read it. What is listed
// behind the first page has to stay as well.
func pages(s model.Subject) []probes.Probe {
	ps := []probes.Probe{question(s)}
	if s.Name == "operations" && s.Op.Name == "" {
		for i := 1; i < len(s.Listings); i++ {
			ps = append(ps, s.Listings[i].Probe)
		}
	}
	return ps
}

// onPage is the name of a step on a page of a listing.
func onPage(step string, page int) string {
	if page == 0 {
		return step
	}
	return probes.Nth(step+": page", page)
}

// sameInOrder reports whether two answers agree in the order of their lists too.
func sameInOrder(x, y probes.Observation) bool {
	under := func(name string) bool { return strings.HasPrefix(name, "_") }
	return x.Data().Canonical(under) == y.Data().Canonical(under)
}

// entries returns the names in the list of an answer.
func entries(o probes.Observation, query string) []string {
	var all []string
	for _, e := range o.Data().At(query).Items() {
		all = append(all, e.At("name").Text())
	}
	return all
}

// vanished returns a name of the first list that the second lacks, or "".
func vanished(full, partial []string) string {
	for _, name := range full {
		if !slices.Contains(partial, name) {
			return name
		}
	}
	return ""
}

// Introspection document, section 7.3.
var repeatedIntrospectionGivesEqualAnswers = check.Check{
	Requirement: "AQL-7.3-06",
	Rule:        "Equal introspection queries give equal answers throughout one session.",
	Why:         "A model plans with what it read; a listing that changes under it makes every plan a guess. The second take shows what our writes before it left behind: a list that is odd only there is the concern of INT-7.3-04, and one that use has completed that of INT-7.3-05.",
	On:          eachListing,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for round := range 4 {
			for i, q := range pages(s) {
				if round == 0 {
					ps = append(ps, q.As(onPage("repeated introspection: first", i)))
				} else {
					ps = append(ps, q.Anew(onPage(probes.Nth("repeated introspection: repetition", round-1), i)))
				}
			}
		}
		return append(ps, question(s).Over(s.Conn+check.SecondSession).As("repeated introspection: second session"))
	},
	Handles: check.Unanswered,
	Judge: func(s model.Subject, all probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i := range pages(s) {
			rs = append(rs, steady(s, all, i))
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer equal introspection queries equally for the whole session",
}

// steady compares what the rounds show of one page.
func steady(s model.Subject, all probes.Answers, page int) ruling.Ruling {
	first := all.Step(onPage("repeated introspection: first", page))
	got := probes.Answers{first}
	for i := range 3 {
		got = append(got, all.Step(onPage(probes.Nth("repeated introspection: repetition", i), page)))
	}
	for i, o := range got {
		switch {
		case o.Succeeded():
		case page > 0:
			return ruling.NotProven("a page that can be read again", o)
		default:
			return ruling.NotProven("a list that can be compared", o).Because(map[bool]string{true: "AQL-7.2-04", false: "MCP-RPC-09"}[i == 0])
		}
	}
	once, twice, last := got[1], got[2], got[3]
	before, after := entries(first, s.Name), entries(last, s.Name)
	settled := check.SameContent(twice, last)
	switch {
	case settled && check.SameContent(first, once) && check.SameContent(once, twice):
		return inOrder(got)
	case settled && check.SameContent(first, twice) && s.May.Writes():
		return ruling.NotProven("an unchanged list", difference(first, once)+", once").By(first, once).Because("INT-7.3-04")
	case settled && vanished(before, after) == "" && vanished(after, before) != "" && check.SameContent(first, all.Step("repeated introspection: second session")):
		return ruling.NotProven("an unchanged list", "one that gained "+vanished(after, before)).By(first, last).Because("INT-7.3-05")
	}
	return drifted(got)
}

// Introspection document, section 7.3.
var repeatedLookupsGiveEqualRecords = check.Check{
	Requirement: "AQL-7.3-06",
	Why:         "The same for each record: a request built from it has to stay valid.",
	On:          eachLookup,
	Lane:        probes.Serial,
	Ask:         twice,
	Ahead:       twice,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		again := got.Step("repeated introspection: repetition 1")
		if got[0].Deferred() || again.Deferred() {
			return ruling.NotProven("two answers that can be compared", again)
		}
		if check.SameContent(got[0], again) {
			return inOrder(got)
		}
		return drifted(got)
	},
	Fix: "answer equal introspection queries equally for the whole session",
}

// twice are the two requests for one record.
func twice(s model.Subject) []probes.Probe {
	return []probes.Probe{question(s), question(s).Anew("repeated introspection: repetition 1")}
}

func inOrder(got probes.Answers) ruling.Ruling {
	for _, o := range got.Rest() {
		if !sameInOrder(got[0], o) {
			return ruling.Conforms().By(got[0], o).Noting("the order of entries or metadata changed")
		}
	}
	return ruling.Conforms()
}

// drifted rules on the first answer that differs from the first of all.
func drifted(got probes.Answers) ruling.Ruling {
	for i, o := range got.Rest() {
		if !check.SameContent(got[i], o) {
			return ruling.Violates("the answer given before", difference(got[i], o)).By(got[i], o)
		}
	}
	return ruling.Conforms()
}

// difference names the first member or entry in which two answers differ.
func difference(x, y probes.Observation) string {
	if x.Outcome != y.Outcome || x.Code() != y.Code() {
		return y.Brief() + " after " + x.Brief()
	}
	for _, query := range []string{"operations", "types"} {
		if name := vanished(entries(x, query), entries(y, query)); name != "" {
			return "a list without " + name
		}
		if name := vanished(entries(y, query), entries(x, query)); name != "" {
			return "a list with " + name
		}
	}
	for _, record := range []string{"operation", "type"} {
		was, now := x.Data().At(record), y.Data().At(record)
		for _, name := range append(was.Names(), now.Names()...) {
			if check.CanonicalUnordered(was.At(name)) != check.CanonicalUnordered(now.At(name)) {
				return name + " " + ruling.Clip(now.At(name).String()) + " after " + ruling.Clip(was.At(name).String())
			}
		}
	}
	return "another content"
}

// ownSession is the step of the second request in the first session. A record shares its answer with
// the check of repeated lookups, because the run has many records.
func ownSession(s model.Subject) string {
	if s.Op.Name != "" || s.Kind.Name != "" {
		return "repeated introspection: repetition 1"
	}
	return "introspection in two sessions: own session 1"
}

// Steps of the comparison of two sessions.
const (
	firstTime    = "introspection in two sessions: at first"
	otherSession = "introspection in two sessions: other session"
)

// inBothSessions are the requests for one record; nil where the subject is a listing, whose answers
// are compared over time.
func inBothSessions(s model.Subject) []probes.Probe {
	if s.Op.Name == "" && s.Kind.Name == "" {
		return nil
	}
	q := question(s)
	return []probes.Probe{q, q.Anew(ownSession(s)), q.Over(s.Conn + check.SecondSession).As(otherSession)}
}

// alikeInBoth compares what two sessions are answered: at first, in the own session, in the
// other one, and for a list the same once more in the other and the own one.
func alikeInBoth(s model.Subject, got probes.Answers) ruling.Ruling {
	first, here, there := got[0], got[1], got[2]
	drifting := !check.SameContent(first, here)
	if len(got) > 3 {
		drifting = !check.SameContent(there, got[3]) || !check.SameContent(here, got[4])
	}
	switch {
	case here.Lost() || here.Deferred():
		return ruling.NotProven("an answer in the first session", here)
	case there.Lost() || there.Deferred():
		return ruling.NotProven("a second session beside the first", there)
	case drifting:
		return ruling.NotProven("equal answers within a session", "answers that drift").Because("AQL-7.3-06")
	case check.SameContent(here, there):
		return ruling.Conforms().By(here, there)
	case check.SameContent(first, there) && vanished(entries(first, s.Name), entries(here, s.Name)) != "":
		return ruling.NotProven("a first session that did not change", difference(first, here)).Because("AQL-7.3-06")
	}
	return ruling.Violates("the answer of the first session", difference(here, there)).By(here, there)
}

// Introspection document, section 7.3.
var twoSessionsSeeSameIntrospection = check.Check{
	Requirement: "INT-7.3-05",
	Rule:        "Two sessions against the same unchanged adapter see the same introspection.",
	Why:         "The same adapter must look the same to each client, because clients plan with what their session shows.",
	On:          func(f *model.Adapter) []model.Subject { return append(eachListing(f), eachLookup(f)...) },
	Lane:        probes.Serial,
	Handles:     check.Unanswered,
	Ahead:       inBothSessions,
	Ask: func(s model.Subject) []probes.Probe {
		if ps := inBothSessions(s); ps != nil {
			return ps
		}
		var ps []probes.Probe
		for i, q := range pages(s) {
			fresh := q.Over(s.Conn + check.SecondSession)
			ps = append(ps, q.As(onPage(firstTime, i)), q.Anew(onPage(ownSession(s), i)), fresh.As(onPage(otherSession, i)),
				fresh.Anew(onPage(otherSession+" again", i)), q.Anew(onPage("introspection in two sessions: own session 2", i)))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if s.Op.Name != "" || s.Kind.Name != "" {
			return alikeInBoth(s, probes.Answers{got[0], got.Step(ownSession(s)), got.Step(otherSession)})
		}
		var rs []ruling.Ruling
		for i := range pages(s) {
			var page probes.Answers
			for _, step := range []string{firstTime, ownSession(s), otherSession, otherSession + " again", "introspection in two sessions: own session 2"} {
				page = append(page, got.Step(onPage(step, i)))
			}
			if i == 0 || page[2].Succeeded() { // the way to a later page may belong to its session
				rs = append(rs, alikeInBoth(s, page))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "build the introspection data once, before the first session",
}
