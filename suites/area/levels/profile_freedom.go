package levels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// What the specification leaves open. These checks accuse nobody: they write down
// which freedom an adapter uses, and stand against judges that would forget it.

// Section 1.3.
var nothingBeyondIntrospectIsPresumed = check.Check{
	Requirement: "AQL-1.3-01",
	Rule:        "Apart from introspect no operation, parameter, domain type or transport behaviour may be demanded, so an introspect-only adapter can reach Level 1.",
	Why:         "An adapter may do one thing, or nothing but describe itself.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		count := map[string]int{}
		for _, t := range model.EachDomain(s.Adapter) {
			count[t.Op.Category]++
		}
		var parts []string
		for _, category := range check.SortedKeys(count) {
			parts = append(parts, fmt.Sprintf("%d %s", count[category], strings.TrimSpace(category+" ")))
		}
		return ruling.Conforms().Noting(fmt.Sprintf("beside introspect: %s; %d types", orNone(strings.Join(parts, ", ")), len(s.Types)))
	},
}

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

// Section 10.3.
var extensionsAsSuchAreNoFinding = check.Check{
	Requirement: "AQL-10.3-01",
	Rule:        "Extra features, custom types, further query kinds and additional introspection members are allowed.",
	Why:         "Clients ignore members that they do not know, so extra members are harmless.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		extra := beyond(listingMembers, got[0].Data())
		for _, o := range s.Operations {
			extra = append(extra, beyond(summaryMembers, o.Summary)...)
			extra = append(extra, beyond(detailMembers, o.Details)...)
			for _, p := range o.Parameters {
				extra = append(extra, beyond(parameterMembers, p.Raw)...)
			}
		}
		for _, kind := range s.EnumOf(introspectQuery(s.Adapter)) {
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
		return ruling.Conforms().Noting(ruling.Clip(note))
	},
}

// beyond returns the member names of an object that are not among the known.
func beyond(known []string, v probes.Value) []string {
	return slices.DeleteFunc(v.Names(), func(n string) bool { return slices.Contains(known, n) })
}

// introspectQuery is the documented parameter query of introspect.
func introspectQuery(f *model.Adapter) probes.Parameter {
	o, _ := f.Operation("introspect")
	s := model.Subject{Adapter: f, Op: o}
	p, _ := check.Parameter(s, "query")
	return p
}

// Section 3.3.
var alternateEndpointFamiliesAreAccepted = check.Check{
	Requirement: "AQL-0-01",
	Rule:        "An adapter may expose its own set of endpoint families; nobody has to offer the five standard tools or tools for categories without operations.",
	Why:         "An adapter without deletions has nothing to offer under a DELETE tool, and other families may fit a database or a device better.",
	On:          model.WholeAdapter,
	Ask:         model.ToolPages,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		note := fmt.Sprintf("profile %s, mode %s: %s", s.Profile(), s.Mode(), orNone(strings.Join(s.AQL, ", ")))
		for _, t := range s.Semantic() {
			if family := t[strings.LastIndexAny(t, "_.-")+1:]; len(strings.TrimRight(family, "0123456789")) < 2 || strings.HasPrefix(family, "tool") {
				note += "; the name " + t + " says nothing"
			}
		}
		return ruling.Conforms().Noting(ruling.Clip(note))
	},
}

var toolMembers = strings.Fields("name title description inputSchema outputSchema annotations _meta")

// Section mcp/Tool Structure.
var unknownToolMembersAreTolerated = check.Check{
	Requirement: "MCP-TOOL-06",
	Rule:        "A tool may have members that the specification does not define.",
	Why:         "Later revisions of MCP have added members, and more will come.",
	On:          model.WholeAdapter,
	Ask:         model.ToolPages,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		var extra []string
		for _, t := range s.Tools {
			extra = append(extra, beyond(toolMembers, t.Raw)...)
		}
		slices.Sort(extra)
		return ruling.Conforms().Noting(ruling.Clip("further members of tools: " + orNone(strings.Join(slices.Compact(extra), ", "))))
	},
}

// Section 4.6.1.
var underscoreNamesInsideParamsStayOpen = check.Check{
	Requirement: "AQL-4.6.1-05",
	Rule:        "Whether underscore names inside the params object are exempt is left open.",
	Why:         "The exemption of underscore names is written for the top level; inside params both readings are fair.",
	On:          model.IntrospectSubject,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.Listing().With("_aqlx", 1)} },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Succeeded() {
			return ruling.Conforms().Noting("underscore names inside params are accepted")
		}
		return ruling.Conforms().Noting("underscore names inside params are answered with " + got[0].Brief())
	},
}

// Section 4.6.2.
var declaredLenientLaunchGetsNoLevel = check.Check{
	Requirement: "AQL-4.6.2-02",
	Rule:        "Adapters may have a lenient development mode; a launch declared as such is examined but cannot establish a level.",
	Why:         "A lenient mode for development is permitted. It is never inferred: only the author can declare it.",
	On: model.Given(func(f *model.Adapter) bool {
		said, declared := f.Hint("non_strict")
		return declared && said != "no" && said != "false"
	}, model.IntrospectSubject),
	Ask: func(s model.Subject) []probes.Probe { return []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1")} },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Conforms().Noting("a launch declared as non-strict establishes no level; an unknown parameter gets " + got[0].Brief())
	},
}

// Section mcp/openWorldHint.
var openWorldHintFitsBackend = check.Check{
	Requirement: "MCP-ANNOT-07",
	Rule:        "The open-world hint reflects whether the adapter talks to outside systems.",
	Why:         "Hosts use the hint to decide whether a tool may reach the network.",
	On:          model.EachAQLTool,
	Ask:         model.ToolPages,
	Judge: check.JudgeToolHint("openWorldHint", func(s model.Subject, hint probes.Value) ruling.Ruling {
		said, told := s.Hint("attest.open_world")
		open := said == "yes" || said == "true"
		switch {
		case !told:
			return model.HintMissing("attest.open_world", "yes if the adapter talks to systems outside, else no")
		case !hint.Is(probes.Absent) && !hint.Is(probes.Null) && hint.True() != open:
			return ruling.Violates(fmt.Sprintf("openWorldHint %t, as the author says of the backend", open), hint)
		}
		return ruling.Conforms()
	}),
	Fix: "set openWorldHint to whether the adapter talks to outside systems",
}
