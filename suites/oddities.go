package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An oddity is something an adapter may do or leave: the rows on oddities accuse
// nobody. What was seen is noted, so that a reader of the report knows the adapter
// he has.
type oddTrait struct {
	id   string
	seen func(f *Face, got []probes.Observation) string
}

var oddTraits = []oddTrait{
	// A question before a removal is allowed, and no refusal.
	{"AQL-8.1-07", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "DELETE operations asked for confirmation", func(o probes.Operation) bool {
			return o.Category == "DELETE" && f.Baselines[o.Name].Reply.Code() == "CONFIRMATION_REQUIRED"
		})
	}},
	// An adapter may serve more than MCP-AQL: what its other tools do is no concern of these rules.
	{"ODD-01", func(f *Face, _ []probes.Observation) string {
		return fmt.Sprintf("%d tools beside those that speak MCP-AQL", len(f.Tools)-len(f.AQL))
	}},
	// What nobody may call here shows neither a right nor a wrong answer.
	{"ODD-02", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations stand behind credentials, limits or a backend", func(o probes.Operation) bool { return f.Baselines[o.Name].State == Blocked })
	}},
	// Who asks, and when, may decide what there is to list.
	{"ODD-03", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations were listed", func(probes.Operation) bool { return true })
	}},
	// An adapter needs no family for which it has no operations, and may have one alone.
	{"ODD-04", func(f *Face, _ []probes.Observation) string {
		return fmt.Sprintf("%d endpoint families", len(f.Semantic()))
	}},
	// A gateway that puts a prefix before tool names leaves the adapter as it was.
	{"ODD-05", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations name a tool that is listed under another name", func(o probes.Operation) bool {
			named := o.Details.At("mcpTool").Text()
			return named != "" && !slices.Contains(f.AQL, named)
		})
	}},
	// That there is no such object may be said with null.
	{"ODD-06", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations answered null data", func(o probes.Operation) bool { return f.Baselines[o.Name].Reply.Data().Is(probes.Null) })
	}},
	// An object may be known by a number or by its name: no shape of identifier is prescribed.
	{"ODD-07", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations take an identifier that is a number or a name", func(o probes.Operation) bool {
			return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
				return probes.IsReference(o, p) && (p.Name == "name" || p.Type == "integer" || p.Type == "number")
			})
		})
	}},
	// A write may be accepted now and done later, if the answer says so.
	{"ODD-08", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "writes were announced as pending", func(o probes.Operation) bool {
			return o.Category != "READ" && announcedPending(f.Baselines[o.Name].Reply)
		})
	}},
	// Many languages cannot tell a member that is null from one that is not there.
	{"ODD-09", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations have parameters that may be null", func(o probes.Operation) bool { return len(o.Parameters) > 0 })
	}},
	// The values of an enum may be known at run time alone, or not at all yet.
	{"ODD-10", func(f *Face, _ []probes.Observation) string {
		empty := 0
		for _, t := range f.Types {
			if t.Kind == "enum" && len(t.Details.At("values").Items()) == 0 {
				empty++
			}
		}
		return fmt.Sprintf("%d enums were empty", empty)
	}},
	// A person may be asked on a way of his own, and no token goes through the client.
	{"ODD-11", func(f *Face, _ []probes.Observation) string {
		return countOf(f, "operations asked for a confirmation without showing a token", func(o probes.Operation) bool {
			reply := f.Baselines[o.Name].Reply
			return reply.Code() == "CONFIRMATION_REQUIRED" && reply.ConfirmationToken().Is(probes.Absent)
		})
	}},
	// Describing itself is all that an adapter owes.
	{"ODD-13", func(f *Face, _ []probes.Observation) string {
		return fmt.Sprintf("%d operations beside introspect", len(eachDomain(f)))
	}},
}

func countOf(f *Face, what string, holds func(probes.Operation) bool) string {
	n := 0
	for _, o := range f.Operations {
		if holds(o) {
			n++
		}
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Specification, sections 1.3 and 10.3. What the texts do not prescribe is free.
var _ = func() bool {
	for _, odd := range oddTraits {
		register(Check{
			Requirement: odd.id,
			On:          given(func(f *Face) bool { return odd.id != "AQL-8.1-07" || confirms(f) }, introspecting),
			Ask:         listing,
			Judge: func(s Subject, got []probes.Observation) Ruling {
				return Conforms().Noting(odd.seen(s.Face, got)).By(got[0])
			},
		})
	}
	return true
}()

// Section 4.2. Both kinds of query have to follow the top level: an adapter that
// ignores it may default to one of them.
var _ = register(Check{
	Requirement: "AQL-4.2-01",
	On:          introspecting,
	Drive:       func(s Subject, ask Asking) { s.ResolvesTopLevel(ask) },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		i := -1
		resolves := s.ResolvesTopLevel(func(probes.Probe) probes.Observation { i++; return got[i] })
		return Conforms().Noting(fmt.Sprintf("top-level parameters resolved: %t", resolves)).By(got...)
	},
})

// Introspection document, section 8.3. Completeness is judged on all pages together.
var _ = register(Check{
	Requirement: "INT-8.3-04",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !slices.ContainsFunc(got[0].Data().Names(), func(n string) bool { return slices.Contains(pageWords, n) }) {
			return NotApplicable("does not hold: the listing carries paging metadata")
		}
		way := "no documented way on"
		if slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name != "query" && p.Name != "name" }) {
			way = "documented parameters"
		}
		return Conforms().Noting("the listing has pages, with " + way).By(got[0])
	},
})

// pageWords are members by which a listing says that it is one page of several.
var pageWords = strings.Fields("pageInfo page_info pagination next_cursor nextCursor has_more hasMore total total_count")

// Section 2.3.4. Whether stored data outlives a session decides how the rows on
// several sessions are read.
var _ = register(Check{
	Requirement: "AQL-2.3.4-01",
	On:          introspecting,
	Lane:        probes.Serial,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		ask(s.Listing())
		ask(s.Listing().Over(s.Conn + second))
		for _, name := range keptObjects(s.Face) {
			sp, _ := s.specimen(name)
			ask(sp.maker.ValidCall())
			sp.base = 2
			ask(sp.look(writeTake + 90).Over(s.Conn + second))
		}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		note := "nothing written that a second session could show"
		if len(got) == 4 {
			note = fmt.Sprintf("what one session wrote is visible in the next: %t", got[3].Succeeded())
		}
		return Conforms().Noting(note).By(got...)
	},
})

// keptObjects is one CREATE operation whose object a READ shows.
func keptObjects(f *Face) []string {
	for _, s := range eachListed(f) {
		if sp, why := f.specimen(s.Name); s.Op.Category == "CREATE" && why == nil && sp.viewer.Name != "" {
			return []string{s.Name}
		}
	}
	return nil
}

// Section 3.3. Two modes serve two kinds of client; one launch shows one of them.
var _ = register(Check{
	Requirement: "AQL-3.3-02",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		ps := listing(s)
		for _, tool := range s.AQL {
			ps = append(ps, s.Listing().To(tool))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		modes, declared := s.Hint("modes")
		stated := s.Protocol.At("mode").Text()
		both := s.Mode() == "all" || s.Other != nil && s.Other.Introspect != "" && s.Other.Mode() != s.Mode()
		switch {
		case both:
			return Conforms().By(got...)
		case stated == "all" && s.Mode() != "all":
			return Violates("the unified tool beside the endpoint tools, as mode all promises", s.Mode()+" mode alone").By(got...)
		case !declared:
			return unhinted("modes", "the endpoint modes the adapter can be launched in, as in semantic,single").By(got...)
		case s.Protocol.At("conformance").Text() == "level-2" && s.Mode() != "all":
			return NotProven("both endpoint modes, which level 2 promises", modes+" alone").By(got...).Because("INT-4.1.1-10")
		case !strings.Contains(modes, ",") && !strings.Contains(modes, "all"):
			return Violates("both endpoint modes", modes+" alone").By(got...)
		}
		return NotProven("a launch in the other mode", "one launch").By(got...).Mend("--also-cmd or --also-url: the adapter launched in the other mode")
	},
	Fix: "offer both the semantic and the single endpoint mode",
})
