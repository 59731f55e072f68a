package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// traversers are the READ operations that disclose relationships.
func traversers(f *Face) []Subject {
	return only(eachDomain, func(s Subject) bool {
		return s.Op.Category == "READ" && s.Op.Details.At("relationship_capabilities", "supported").True()
	})(f)
}

// traversals are requests that should work: the one that was found to, what the
// author sampled, and the examples.
func traversals(s Subject) []probes.Probe {
	if ok, _ := s.Callable(s.Op); !ok {
		return nil
	}
	var ps []probes.Probe
	if s.Baseline().State == Proven {
		ps = append(ps, s.ValidCall())
	} else if len(s.Hints.Samples[s.Name]) > 0 && s.Baseline().Reply.Outcome != "" && s.Baseline().Reply.Outcome != probes.Unasked {
		ps = append(ps, s.Baseline().Probe)
	}
	ps = append(ps, executable(s)...)
	return ps[:min(len(ps), 4)]
}

// Introspection document, section 4.1.1. Who is told of a graph asks for it instead
// of reading every element.
var _ = register(Check{
	Requirement: "INT-4.1.1-16",
	On:          promised("relationship_queries"),
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, t := range traversers(s.Face) {
			ps = append(ps, traversals(t)...)
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		disclosed := slices.ContainsFunc(eachListed(s.Face), func(t Subject) bool { return t.Op.Details.Has("relationship_capabilities") })
		unread := slices.ContainsFunc(eachListed(s.Face), func(t Subject) bool { return !t.Op.Details.Is(probes.Object) })
		if !disclosed && !unread {
			return Departs("relationship_capabilities in the details of an operation", "none").By(got...)
		}
		var rs []Ruling
		for _, t := range traversers(s.Face) {
			about := of(t, got)
			if len(about) == 0 {
				rs = append(rs, NotProven("a request of "+t.Name+" that is known to be valid", t.Baseline()).Mend(t.Baseline().unlock()))
			}
			for _, o := range about {
				if r := traversed(o); r.verdict != Conforms().verdict || t.follows(o) {
					rs = append(rs, r)
				} else {
					rs = append(rs, NotProven("a request that follows relationships", "a plain one of "+t.Name).By(o))
				}
			}
		}
		if len(rs) == 0 {
			return NotProven("an operation that follows relationships", "none that is READ")
		}
		return anyway(rs...)
	},
	Fix: "answer the traversals that introspection describes, or drop the flag",
})

// ofRelations matches what operations and parameters that follow relationships are
// usually called.
var ofRelations = regexp.MustCompile(`(?i)relat|graph|travers|neighbo|linked|connect|expand|direction|depth|hops|include|follow`)

// follows reports whether a request asks for relationships: by the name of the
// operation, or by a parameter where there is one for it. Any object may have a list of
// something else.
func (s Subject) follows(o probes.Observation) bool {
	ways := slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool { return !ofRelations.MatchString(p.Name) })
	return ofRelations.MatchString(s.Name) || len(ways) == 0 || slices.ContainsFunc(ways, func(p probes.Parameter) bool {
		return !valueIn(o.Probe, p.Name).Is(probes.Absent)
	})
}

// traversed rules on one traversal.
func traversed(o probes.Observation) Ruling {
	absent := strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	switch {
	case o.Succeeded() && longest(o.Data()) > 0:
		return Conforms().By(o)
	case o.Succeeded():
		return NotProven("an element with relationships", o.Data()).By(o)
	case o.Refused() && !o.Deferred() && !absent:
		return Violates("a traversal answered", o)
	}
	return NotProven("a traversal answered", o)
}
