package query

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// traversers are the READ operations that disclose relationships.
func traversers(f *model.Adapter) []model.Subject {
	return model.Only(model.EachDomain, func(s model.Subject) bool {
		return s.Op.Category == "READ" && s.Op.Details.At("relationship_capabilities", "supported").True()
	})(f)
}

// traversals are requests that should work: the one that was found to, what the
// author sampled, and the examples.
func traversals(s model.Subject) []probes.Probe {
	if ok, _ := s.Callable(s.Op); !ok {
		return nil
	}
	var ps []probes.Probe
	if s.KnownGoodRequest().State == model.Proven {
		ps = append(ps, s.ValidCall())
	} else if len(s.Hints.Samples[s.Name]) > 0 && s.KnownGoodRequest().Reply.Outcome != "" && s.KnownGoodRequest().Reply.Outcome != probes.Unasked {
		ps = append(ps, s.KnownGoodRequest().Probe)
	}
	ps = append(ps, check.ExecutableExamples(s)...)
	return ps[:min(len(ps), 4)]
}

// Introspection document, section 4.1.1.
var announcedRelationshipQueriesWork = check.Check{
	Requirement: "INT-4.1.1-16",
	Rule:        "An adapter that announces relationship queries documents and answers at least one traversal.",
	Why:         "A client that knows of a graph query need not read every element.",
	On:          promised("relationship_queries"),
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for _, t := range traversers(s.Adapter) {
			ps = append(ps, traversals(t)...)
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		disclosed := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return t.Op.Details.Has("relationship_capabilities") })
		unread := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return !t.Op.Details.Is(probes.Object) })
		if !disclosed && !unread {
			return ruling.Departs("relationship_capabilities in the details of an operation", "none").By(got...)
		}
		var rs []ruling.Ruling
		for _, t := range traversers(s.Adapter) {
			about := of(t, got)
			if len(about) == 0 {
				rs = append(rs, ruling.NotProven("a request of "+t.Name+" that is known to be valid", t.KnownGoodRequest()).Mend(t.KnownGoodRequest().Unlock()))
			}
			for _, o := range about {
				if r := traversed(t, o); r.Verdict != ruling.Conforms().Verdict || follows(t, o) {
					rs = append(rs, r)
				} else {
					rs = append(rs, ruling.NotProven("a request that follows relationships", "a plain one of "+t.Name).By(o))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("an operation that follows relationships", "none that is READ")
		}
		return anyway(rs...)
	},
	Fix: "answer the traversals that introspection describes, or drop the flag",
}

// ofRelations matches what operations and parameters that follow relationships are
// usually called.
var ofRelations = regexp.MustCompile(`(?i)relat|graph|travers|neighbo|linked|connect|expand|direction|depth|hops|include|follow`)

// follows reports whether a request asks for relationships: by the name of the
// operation, or by a parameter where there is one for it. Any object may have a list of
// something else.
func follows(s model.Subject, o probes.Observation) bool {
	ways := slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool { return !ofRelations.MatchString(p.Name) })
	return ofRelations.MatchString(s.Name) || len(ways) == 0 || slices.ContainsFunc(ways, func(p probes.Parameter) bool {
		return !model.ValueIn(o.Probe, p.Name).Is(probes.Absent)
	})
}

// traversed rules on one traversal.
func traversed(s model.Subject, o probes.Observation) ruling.Ruling {
	absent := strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	switch {
	case o.Succeeded() && related(s, o.Data()):
		return ruling.Conforms().By(o)
	case o.Succeeded():
		return ruling.NotProven("an element with relationships", o.Data()).By(o)
	case o.Refused() && !o.Deferred() && !absent:
		return ruling.Violates("a traversal answered", o)
	}
	return ruling.NotProven("a traversal answered", o)
}

// related reports whether an answer has related elements: in a list that is named after relationships or one of their
// types, or else in another one. A list of words beside one that is empty may be about anything.
func related(s model.Subject, data probes.Value) bool {
	ofTypes := func(name string) bool {
		return ofRelations.MatchString(name) || slices.ContainsFunc(s.Op.Details.At("relationship_capabilities", "relationship_types").Items(), func(t probes.Value) bool {
			return len(t.Text()) > 2 && strings.Contains(vocab.Letters(name), vocab.Letters(t.Text()))
		})
	}
	var named, others []probes.Value
	var walk func(v probes.Value, name bool)
	walk = func(v probes.Value, name bool) {
		switch {
		case v.Is(probes.Array) && name:
			named = append(named, v)
		case v.Is(probes.Array):
			others = append(others, v)
		}
		for _, m := range v.Members() {
			walk(m.Value, name || ofTypes(m.Name))
		}
	}
	walk(data, false)
	filled := func(v probes.Value) bool { return len(v.Items()) > 0 }
	switch {
	case len(named) > 0:
		return slices.ContainsFunc(named, filled)
	case slices.ContainsFunc(others, func(v probes.Value) bool { return filled(v) && v.Items()[0].Is(probes.Object) }):
		return true
	}
	return len(others) > 0 && !slices.ContainsFunc(others, func(v probes.Value) bool { return !filled(v) })
}
