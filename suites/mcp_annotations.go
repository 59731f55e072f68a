package suites

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// What a tool hosts, by introspection.
type hosting struct {
	categories []string // of the operations whose records agree on category and tool, sorted
	doubtful   bool     // some other operation's records contradict each other
}

// hosted returns what stands behind a tool; the unified tool hosts everything.
// Records that contradict each other are the concern of other rows, so what they
// say of a tool counts for nothing here.
func hosted(f *Face, tool string) hosting {
	categories := map[string]bool{}
	var h hosting
	for _, o := range f.Operations {
		said := o.Summary.At("semantic_category").Text()
		switch {
		case o.Tool != tool && tool != f.Unified:
		case o.Name == "introspect":
			categories["READ"] = true // whatever its record says: AQL-7.2-02
		case said != "" && said != o.Category, tool != f.Unified && elsewhereByEndpoint(f, o), riskRank[o.Category] == 0:
			h.doubtful = true
		default:
			categories[o.Category] = true
		}
	}
	h.categories = slices.Sorted(maps.Keys(categories))
	return h
}

// riskRank orders the categories by what they can do to state.
var riskRank = map[string]int{"READ": 1, "CREATE": 2, "UPDATE": 3, "DELETE": 4, "EXECUTE": 4}

// elsewhereByEndpoint reports whether the endpoint of the record means another
// tool than the one the operation is called by.
func elsewhereByEndpoint(f *Face, o probes.Operation) bool {
	return !probes.StandsFor(o.Endpoint, o.Tool) && slices.ContainsFunc(f.Semantic(), func(t string) bool {
		return probes.StandsFor(o.Endpoint, t)
	})
}

// riskiest returns the highest rank among the categories.
func (h hosting) riskiest() int {
	most := 0
	for _, c := range h.categories {
		most = max(most, riskRank[c])
	}
	return most
}

// whoseHosting is every AQL tool whose operations meet a condition.
func whoseHosting(holds func(h hosting) bool) func(f *Face) []Subject {
	return only(eachEntry, func(s Subject) bool {
		return slices.Contains(s.AQL, s.Tool.Name) && holds(hosted(s.Face, s.Tool.Name))
	})
}

// pagesAndListing are the evidence of checks that join tools and operations.
func pagesAndListing(s Subject) []probes.Probe { return append(slices.Clone(s.Pages), s.Listing()) }

// pagesAndEra add the handshake, which says whether annotations exist at all.
func pagesAndEra(s Subject) []probes.Probe { return append(pagesAndListing(s), startUp(s)) }

// sinceAnnotations excuses a missing hint in MCP revisions that know none.
func sinceAnnotations(judge func(Subject, []probes.Observation) Ruling) func(Subject, []probes.Observation) Ruling {
	return func(s Subject, got []probes.Observation) Ruling {
		if revision := revisionOf(got[len(got)-1]); revision != "" && revision < "2025-03-26" && !s.Tool.Raw.Has("annotations") {
			return NotApplicable("MCP " + revision + " has no tool annotations")
		}
		return judge(s, got)
	}
}

// ofHint judges one hint of a tool. Hints of another type than boolean are left
// to MCP-ANNOT-01.
func ofHint(hint string, judge func(s Subject, given probes.Value) Ruling) func(Subject, []probes.Observation) Ruling {
	return ofTool(func(s Subject, tool probes.Value) Ruling {
		given := tool.At("annotations", hint)
		broken := tool.Has("annotations") && !tool.At("annotations").Is(probes.Object)
		if broken || !missingOr(given, probes.Boolean) {
			return NotProven("annotations that can be read", clip(tool.At("annotations").String())).Because("MCP-ANNOT-01")
		}
		return judge(s, given)
	})
}

// Section mcp/Tool Annotations. Typed clients drop the tool, or the whole list,
// over a hint that is no boolean.
var _ = register(Check{
	Requirement: "MCP-ANNOT-01",
	On:          entriesWith("annotations"),
	Ask:         toolPages,
	Judge: ofTool(func(_ Subject, tool probes.Value) Ruling {
		annotations := tool.At("annotations")
		if !annotations.Is(probes.Object) {
			return Violates("annotations as an object", clip("annotations "+annotations.String()))
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if v := annotations.At(hint); !missingOr(v, probes.Boolean) {
				return Violates("a boolean "+hint, clip(v.String()))
			}
		}
		if title := annotations.At("title"); !missingOr(title, probes.String) {
			return Violates("a title that is a string", clip(title.String()))
		}
		return Conforms().Noting(unknownHints(annotations))
	}),
	Fix: "write hints as true or false, or leave them out",
})

// unknownHints names members that no revision so far defines.
func unknownHints(annotations probes.Value) string {
	var unknown []string
	for _, name := range annotations.Names() {
		if !slices.Contains([]string{"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}, name) {
			unknown = append(unknown, name)
		}
	}
	if unknown == nil {
		return ""
	}
	return "members of no known MCP revision: " + strings.Join(unknown, ", ")
}

// Section mcp/readOnlyHint. Hosts call read-only tools without asking anybody;
// a tool that can change state must not slip in among them.
var _ = register(Check{
	Requirement: "MCP-ANNOT-02",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() > riskRank["READ"] }),
	Ask:         pagesAndListing,
	Judge: ofHint("readOnlyHint", func(s Subject, given probes.Value) Ruling {
		if given.True() {
			return Violates("no readOnlyHint true on a tool for "+strings.Join(hosted(s.Face, s.Name).categories, ", "), "readOnlyHint true")
		}
		return Conforms()
	}),
	Fix: "set readOnlyHint false on tools that host more than READ operations",
})

// Section mcp/readOnlyHint. The default is false, so a tool that keeps silent is
// treated as one that writes.
var _ = register(Check{
	Requirement: "MCP-ANNOT-03",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() == riskRank["READ"] }),
	Ask:         pagesAndEra,
	Judge: sinceAnnotations(ofHint("readOnlyHint", func(s Subject, given probes.Value) Ruling {
		switch {
		case hosted(s.Face, s.Name).doubtful:
			return NotProven("operations whose records agree on category and tool", "records that do not")
		case !given.True():
			return Violates("readOnlyHint true on a tool for READ alone", "readOnlyHint "+given.String())
		}
		return Conforms()
	})),
	Fix: "set readOnlyHint true on tools that host READ operations only",
})

// Section mcp/destructiveHint. The default is true: a harmless CREATE that keeps
// silent asks for needless confirmation, a DELETE that says false gets none.
var _ = register(Check{
	Requirement: "MCP-ANNOT-04",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() > riskRank["READ"] }),
	Ask:         pagesAndEra,
	Judge: sinceAnnotations(ofHint("destructiveHint", func(s Subject, given probes.Value) Ruling {
		h := hosted(s.Face, s.Name)
		destructive, said := !given.False(), "destructiveHint "+given.String()
		switch {
		case s.Tool.Raw.At("annotations", "readOnlyHint").True():
			return NotProven("a tool that is not marked read-only", "readOnlyHint true").Because("MCP-ANNOT-02")
		case h.doubtful:
			return NotProven("operations whose records agree on category and tool", "records that do not")
		case h.riskiest() == riskRank["CREATE"] && destructive:
			return Violates("destructiveHint false on a tool that only adds", said)
		case h.riskiest() == riskRank["UPDATE"] && !destructive:
			return Conforms().Noting("an UPDATE that never loses data may say so")
		case h.riskiest() > riskRank["CREATE"] && !destructive:
			return Violates("destructiveHint true or none on a tool for "+strings.Join(h.categories, ", "), said)
		}
		return Conforms()
	})),
	Fix: "set destructiveHint by the riskiest operation behind the tool",
})

// Section mcp/Annotation Meanings. A tool cannot both leave everything as it is
// and destroy something; a host has to guess which half to believe.
var _ = register(Check{
	Requirement: "MCP-ANNOT-05",
	On:          entriesWith("annotations"),
	Ask:         toolPages,
	Judge: ofHint("destructiveHint", func(s Subject, given probes.Value) Ruling {
		if s.Tool.Raw.At("annotations", "readOnlyHint").True() && given.True() {
			return Violates("no destructiveHint true beside readOnlyHint true", "both true")
		}
		return Conforms()
	}),
	Fix: "leave destructiveHint out or false where readOnlyHint is true",
})

// Section mcp/idempotentHint. A host repeats an idempotent call after a lost
// answer; repeating an EXECUTE runs it twice.
var _ = register(Check{
	Requirement: "MCP-ANNOT-06",
	On:          whoseHosting(func(h hosting) bool { return slices.Contains(h.categories, "EXECUTE") }),
	Ask:         pagesAndListing,
	Judge: ofHint("idempotentHint", func(_ Subject, given probes.Value) Ruling {
		if given.True() {
			return Violates("no idempotentHint true on a tool for EXECUTE", "idempotentHint true")
		}
		return Conforms()
	}),
	Fix: "leave idempotentHint out on tools that host EXECUTE operations",
})
