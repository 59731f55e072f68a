package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// What the specification leaves open. These checks accuse nobody: they write down
// which freedom an adapter uses, and stand against judges that would forget it.

// Section 1.3. An adapter may do one thing, or nothing but describe itself.
var _ = register(Check{
	Requirement: "AQL-1.3-01",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		count := map[string]int{}
		for _, t := range eachDomain(s.Face) {
			count[t.Op.Category]++
		}
		var parts []string
		for _, category := range sortedKeys(count) {
			parts = append(parts, fmt.Sprintf("%d %s", count[category], strings.TrimSpace(category+" ")))
		}
		return Conforms().Noting(fmt.Sprintf("beside introspect: %s; %d types", orNone(strings.Join(parts, ", ")), len(s.Types)))
	},
})

func orNone(list string) string {
	if list == "" {
		return "nothing"
	}
	return list
}

// Members that the specification and the schemas define in answers of introspect.
var (
	listingMembers   = strings.Fields("operations _protocol")
	summaryMembers   = strings.Fields("name semantic_category endpoint description")
	detailMembers    = strings.Fields("name semantic_category endpoint mcpTool description permissions parameters returns examples lifecycle")
	parameterMembers = strings.Fields("name type required description default enum minimum maximum minLength maxLength pattern format items sensitive")
)

// Section 10.3. Whoever adds a member harms nobody who does not know it.
var _ = register(Check{
	Requirement: "AQL-10.3-01",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		extra := beyond(listingMembers, got[0].Data())
		for _, o := range s.Operations {
			extra = append(extra, beyond(summaryMembers, o.Summary)...)
			extra = append(extra, beyond(detailMembers, o.Details)...)
			for _, p := range o.Parameters {
				extra = append(extra, beyond(parameterMembers, p.Raw)...)
			}
		}
		for _, kind := range s.EnumOf(introspectQuery(s.Face)) {
			if kind.Text() != "operations" && kind.Text() != "types" {
				extra = append(extra, "query "+kind.Text())
			}
		}
		slices.Sort(extra)
		extra = slices.Compact(extra)
		note := "extensions of introspection: " + orNone(strings.Join(extra, ", "))
		if inner := slices.DeleteFunc(extra, func(n string) bool {
			return !slices.Contains([]string{"handler", "mapTo", "map_to", "sources", "source"}, n)
		}); len(inner) > 0 {
			note += "; internal by their name: " + strings.Join(inner, ", ")
		}
		return Conforms().Noting(clip(note))
	},
})

// beyond returns the member names of an object that are not among the known.
func beyond(known []string, v probes.Value) []string {
	return slices.DeleteFunc(v.Names(), func(n string) bool { return slices.Contains(known, n) })
}

// introspectQuery is the documented parameter query of introspect.
func introspectQuery(f *Face) probes.Parameter {
	o, _ := f.Operation("introspect")
	s := Subject{Face: f, Op: o}
	p, _ := s.parameter("query")
	return p
}

// Section 3.3. The five standard tools are one set of families among others.
var _ = register(Check{
	Requirement: "AQL-0-01",
	On:          wholeAdapter,
	Ask:         toolPages,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		note := fmt.Sprintf("profile %s, mode %s: %s", s.Profile(), s.Mode(), orNone(strings.Join(s.AQL, ", ")))
		for _, t := range s.Semantic() {
			if family := t[strings.LastIndexAny(t, "_.-")+1:]; len(strings.TrimRight(family, "0123456789")) < 2 || strings.HasPrefix(family, "tool") {
				note += "; the name " + t + " says nothing"
			}
		}
		return Conforms().Noting(clip(note))
	},
})

var toolMembers = strings.Fields("name title description inputSchema outputSchema annotations _meta")

// Section mcp/Tool Structure. Later revisions of MCP have added members, and more
// will come.
var _ = register(Check{
	Requirement: "MCP-TOOL-06",
	On:          wholeAdapter,
	Ask:         toolPages,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		var extra []string
		for _, t := range s.Tools {
			extra = append(extra, beyond(toolMembers, t.Raw)...)
		}
		slices.Sort(extra)
		return Conforms().Noting(clip("further members of tools: " + orNone(strings.Join(slices.Compact(extra), ", "))))
	},
})

// Section 4.6.1. The exemption of underscore names is written for the top level;
// inside params both readings are fair.
var _ = register(Check{
	Requirement: "AQL-4.6.1-05",
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.Listing().With("_aqlx", 1)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[0].Succeeded() {
			return Conforms().Noting("underscore names inside params are accepted")
		}
		return Conforms().Noting("underscore names inside params are answered with " + got[0].Brief())
	},
})

// Section 4.6.2. A lenient mode for development is allowed to exist, and never
// inferred: only the author can declare it.
var _ = register(Check{
	Requirement: "AQL-4.6.2-02",
	On: given(func(f *Face) bool {
		said, declared := f.Hint("non_strict")
		return declared && said != "no" && said != "false"
	}, introspecting),
	Ask: func(s Subject) []probes.Probe { return []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1")} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return Conforms().Noting("a launch declared as non-strict establishes no level; an unknown parameter gets " + got[0].Brief())
	},
})

// Section mcp/openWorldHint. A host that keeps closed-world tools apart from the
// net believes the hint.
var _ = register(Check{
	Requirement: "MCP-ANNOT-07",
	On:          eachAQLTool,
	Ask:         toolPages,
	Judge: ofHint("openWorldHint", func(s Subject, hint probes.Value) Ruling {
		said, told := s.Hint("attest.open_world")
		open := said == "yes" || said == "true"
		switch {
		case !told:
			return unhinted("attest.open_world", "yes if the adapter talks to systems outside, else no")
		case !hint.Is(probes.Absent) && !hint.Is(probes.Null) && hint.True() != open:
			return Violates(fmt.Sprintf("openWorldHint %t, as the author says of the backend", open), hint)
		}
		return Conforms()
	}),
	Fix: "set openWorldHint to whether the adapter talks to outside systems",
})
