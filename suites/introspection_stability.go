package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The takes of repeated queries; far from the small numbers other checks use, so
// that none of them answers for us too early.
const (
	later     = 730601
	laterOnce = 730602
	lastTake  = 730603
	ours      = 730501
	oursAgain = 730502
	theirs    = 730503

	second = "/int-7.3-05" // the label of a session that only introspects
)

// eachListing is the two queries that list; eachLookup every query for one item.
func eachListing(f *Face) []Subject {
	if f.Introspect == "" {
		return nil
	}
	return []Subject{{Face: f, Name: "operations"}, {Face: f, Name: "types"}}
}

func eachLookup(f *Face) []Subject { return append(eachListed(f), eachType(f)...) }

// question returns the introspection query a subject stands for.
func question(s Subject) probes.Probe {
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

// content writes what an introspection answer says: metadata, session identifiers
// and the order of lists aside. Members of _protocol count only where both answers
// have it; that it comes every time is INT-4.1.1-01.
func content(o, other probes.Observation) string {
	protocol := ""
	if p := o.Data().At("_protocol"); p.Is(probes.Object) && other.Data().At("_protocol").Is(probes.Object) {
		for _, name := range []string{"version", "conformance", "mode", "capabilities", "limits", "concurrency"} {
			protocol += name + ":" + unordered(p.At(name)) + ","
		}
	}
	return string(o.Outcome) + o.Code() + protocol + unordered(o.Data())
}

// unordered is Canonical without the order of lists: no list of introspection
// means anything by its order.
func unordered(v probes.Value) string {
	var parts []string
	switch v.Kind() {
	case probes.Array:
		for _, item := range v.Items() {
			parts = append(parts, unordered(item))
		}
	case probes.Object:
		for _, m := range v.Members() {
			if !strings.HasPrefix(m.Name, "_") && m.Name != "warnings" && !strings.Contains(strings.ToLower(m.Name), "session") && !volatile(m.Name) {
				parts = append(parts, m.Name+":"+unordered(m.Value))
			}
		}
	default:
		return v.Canonical(nil)
	}
	slices.Sort(parts)
	return string(v.Kind()) + "{" + strings.Join(parts, ",") + "}"
}

func sameContent(x, y probes.Observation) bool { return content(x, y) == content(y, x) }

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

// Introspection document, section 7.3. A model plans with what it read; a listing
// that changes under it makes every plan a guess. The second take shows what our
// writes before it left behind: a list that is odd only there is the concern of
// INT-7.3-04, and one that use has completed that of INT-7.3-05.
var _ = register(Check{
	Requirement: "AQL-7.3-06",
	On:          eachListing,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		q := question(s)
		return []probes.Probe{q, q.Anew(later), q.Anew(laterOnce), q.Anew(lastTake), q.Over(s.Conn + second)}
	},
	Losses: true,
	Judge: func(s Subject, all []probes.Observation) Ruling {
		got, fresh := all[:4], all[4]
		for i, o := range got {
			if !o.Succeeded() {
				return NotProven("a list that can be compared", o).Because(map[bool]string{true: "AQL-7.2-04", false: "MCP-RPC-09"}[i == 0])
			}
		}
		before, after := entries(got[0], s.Name), entries(got[3], s.Name)
		settled := sameContent(got[2], got[3])
		switch {
		case settled && sameContent(got[0], got[1]) && sameContent(got[1], got[2]):
			return inOrder(got)
		case settled && sameContent(got[0], got[2]) && s.May.Writes():
			return NotProven("an unchanged list", difference(got[0], got[1])+", once").By(got[0], got[1]).Because("INT-7.3-04")
		case settled && vanished(before, after) == "" && vanished(after, before) != "" && sameContent(got[0], fresh):
			return NotProven("an unchanged list", "one that gained "+vanished(after, before)).By(got[0], got[3]).Because("INT-7.3-05")
		}
		return drifted(got)
	},
	Fix: "answer equal introspection queries equally for the whole session",
})

// Introspection document, section 7.3. The same for each record: a request built
// from it has to stay valid.
var _ = register(Check{
	Requirement: "AQL-7.3-06",
	On:          eachLookup,
	Lane:        probes.Serial,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{question(s), question(s).Anew(later)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[0].Deferred() || got[1].Deferred() {
			return NotProven("two answers that can be compared", got[1])
		}
		if sameContent(got[0], got[1]) {
			return inOrder(got)
		}
		return drifted(got)
	},
	Fix: "answer equal introspection queries equally for the whole session",
})

func inOrder(got []probes.Observation) Ruling {
	for _, o := range got[1:] {
		if !sameInOrder(got[0], o) {
			return Conforms().By(got[0], o).Noting("the order of entries or metadata changed")
		}
	}
	return Conforms()
}

// drifted rules on the first answer that differs from the first of all.
func drifted(got []probes.Observation) Ruling {
	for i, o := range got[1:] {
		if !sameContent(got[i], o) {
			return Violates("the answer given before", difference(got[i], o)).By(got[i], o)
		}
	}
	return Conforms()
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
			if unordered(was.At(name)) != unordered(now.At(name)) {
				return name + " " + clip(now.At(name).String()) + " after " + clip(was.At(name).String())
			}
		}
	}
	return "another content"
}

// Introspection document, section 7.3. What a fresh session does not show cannot
// be planned with; the same adapter has to look the same to each client.
var _ = register(Check{
	Requirement: "INT-7.3-05",
	On:          func(f *Face) []Subject { return append(eachListing(f), eachLookup(f)...) },
	Lane:        probes.Serial,
	Losses:      true,
	Ask: func(s Subject) []probes.Probe {
		q := question(s)
		fresh := q.Over(s.Conn + second)
		if s.Op.Name != "" || s.Kind.Name != "" {
			return []probes.Probe{q, q.Anew(later), fresh}
		}
		return []probes.Probe{q, q.Anew(ours), fresh, fresh.Anew(theirs), q.Anew(oursAgain)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		first, here, there := got[0], got[1], got[2]
		drifting := len(got) == 3 && !sameContent(first, here) || len(got) == 5 && !(sameContent(there, got[3]) && sameContent(here, got[4]))
		switch {
		case here.Lost() || here.Deferred():
			return NotProven("an answer in the first session", here)
		case there.Lost() || there.Deferred():
			return NotProven("a second session beside the first", there)
		case drifting:
			return NotProven("equal answers within a session", "answers that drift").Because("AQL-7.3-06")
		case sameContent(here, there):
			return Conforms().By(here, there)
		case sameContent(first, there) && vanished(entries(first, s.Name), entries(here, s.Name)) != "":
			return NotProven("a first session that did not change", difference(first, here)).Because("AQL-7.3-06")
		}
		return Violates("the answer of the first session", difference(here, there)).By(here, there)
	},
	Fix: "build the introspection data once, before the first session",
})
