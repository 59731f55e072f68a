package mcp

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// What a tool hosts, by introspection.
type hosting struct {
	categories  []string // of the operations whose records agree on category and tool, sorted
	doubtful    bool     // some other operation's records contradict each other
	destructive string   // an UPDATE operation whose record says that it destroys; empty if there is none
}

// hosted returns what stands behind a tool; the unified tool hosts everything.
// Records that contradict each other are the concern of other rows, so what they
// say of a tool counts for nothing here.
func hosted(f *model.Adapter, tool string) hosting {
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
			if h.destructive == "" && o.Category == "UPDATE" && o.Details.At("permissions", "destructive").True() {
				h.destructive = o.Name
			}
		}
	}
	h.categories = slices.Sorted(maps.Keys(categories))
	return h
}

// riskRank orders the categories by what they can do to state.
var riskRank = map[string]int{"READ": 1, "CREATE": 2, "UPDATE": 3, "DELETE": 4, "EXECUTE": 4}

// elsewhereByEndpoint reports whether the endpoint of the record means another
// tool than the one the operation is called by.
func elsewhereByEndpoint(f *model.Adapter, o probes.Operation) bool {
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
func whoseHosting(holds func(h hosting) bool) func(f *model.Adapter) []model.Subject {
	return model.Only(eachEntry, func(s model.Subject) bool {
		return slices.Contains(s.AQL, s.Tool.Name) && holds(hosted(s.Adapter, s.Tool.Name))
	})
}

// pagesAndListing are the evidence of checks that join tools and operations.
func pagesAndListing(s model.Subject) []probes.Probe {
	return append(slices.Clone(s.Pages), s.Listing())
}

// pagesAndEra add the handshake, which says whether annotations exist at all.
func pagesAndEra(s model.Subject) []probes.Probe {
	return append(pagesAndListing(s), check.Handshake(s).As("handshake"))
}

// sinceAnnotations excuses a missing hint in MCP revisions that know none.
func sinceAnnotations(judge func(model.Subject, probes.Answers) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(s model.Subject, got probes.Answers) ruling.Ruling {
		if revision := check.RevisionOf(got.Step("handshake")); revision != "" && revision < "2025-03-26" && !s.Tool.Raw.Has("annotations") {
			return ruling.NotApplicable("MCP " + revision + " has no tool annotations")
		}
		return judge(s, got)
	}
}

// Section mcp/Tool Annotations.
var toolAnnotationsHaveRightTypes = check.Check{
	Requirement: "MCP-ANNOT-01",
	Rule:        "If present, annotations is an object whose known members have the right types.",
	Why:         "Typed clients drop the tool, or the whole list, if a hint is not a boolean.",
	On:          entriesWith("annotations"),
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		annotations := tool.At("annotations")
		if !annotations.Is(probes.Object) {
			return ruling.Violates("annotations as an object", ruling.Clip("annotations "+annotations.String()))
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if v := annotations.At(hint); !check.MissingOr(v, probes.Boolean) {
				return ruling.Violates("a boolean "+hint, ruling.Clip(v.String()))
			}
		}
		if title := annotations.At("title"); !check.MissingOr(title, probes.String) {
			return ruling.Violates("a title that is a string", ruling.Clip(title.String()))
		}
		return ruling.Conforms().Noting(unknownHints(annotations))
	}),
	Fix: "write hints as true or false, or leave them out",
}

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

// Section mcp/readOnlyHint.
var mutatingToolsAreNotMarkedRead = check.Check{
	Requirement: "MCP-ANNOT-02",
	Rule:        "A tool through which state can be changed does not present itself as read-only.",
	Why:         "Hosts call read-only tools without asking anybody; a tool that can change state must not slip in among them.",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() > riskRank["READ"] }),
	Ask:         pagesAndListing,
	Judge: check.JudgeToolHint("readOnlyHint", func(s model.Subject, given probes.Value) ruling.Ruling {
		if given.True() {
			return ruling.Violates("no readOnlyHint true on a tool for "+strings.Join(hosted(s.Adapter, s.Name).categories, ", "), "readOnlyHint true")
		}
		return ruling.Conforms()
	}),
	Fix: "set readOnlyHint false on tools that host more than READ operations",
}

// Section mcp/readOnlyHint.
var readOnlyToolsSaySo = check.Check{
	Requirement: "MCP-ANNOT-03",
	Rule:        "A tool that hosts only READ operations says so explicitly, because the default is the opposite.",
	Why:         "The default is false, so a tool that keeps silent is treated as one that writes.",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() == riskRank["READ"] }),
	Ask:         pagesAndEra,
	Judge: sinceAnnotations(check.JudgeToolHint("readOnlyHint", func(s model.Subject, given probes.Value) ruling.Ruling {
		switch {
		case hosted(s.Adapter, s.Name).doubtful:
			return ruling.NotProven("operations whose records agree on category and tool", "records that do not")
		case !given.True():
			return ruling.Violates("readOnlyHint true on a tool for READ alone", "readOnlyHint "+given.String())
		}
		return ruling.Conforms()
	})),
	Fix: "set readOnlyHint true on tools that host READ operations only",
}

// Section mcp/destructiveHint.
var destructiveHintFitsRiskiestCategory = check.Check{
	Requirement: "MCP-ANNOT-04",
	Rule:        "The effective destructive hint agrees with the riskiest category behind the tool.",
	Why:         "The default is true: a harmless CREATE that keeps silent asks for needless confirmation, a DELETE that says false gets none.",
	On:          whoseHosting(func(h hosting) bool { return h.riskiest() > riskRank["READ"] }),
	Ask:         pagesAndEra,
	Judge: sinceAnnotations(check.JudgeToolHint("destructiveHint", func(s model.Subject, given probes.Value) ruling.Ruling {
		h := hosted(s.Adapter, s.Name)
		destructive, said := !given.False(), "destructiveHint "+given.String()
		switch {
		case s.Tool.Raw.At("annotations", "readOnlyHint").True():
			return ruling.NotProven("a tool that is not marked read-only", "readOnlyHint true").Because("MCP-ANNOT-02")
		case h.riskiest() > riskRank["UPDATE"] && !destructive: // whatever the doubtful ones are
			return ruling.Violates("destructiveHint true or none on a tool for "+strings.Join(h.categories, ", "), said)
		case h.destructive != "" && !destructive:
			return ruling.Violates("destructiveHint true or none on a tool for "+h.destructive+", whose record says destructive true", said)
		case h.doubtful:
			return ruling.NotProven("operations whose records agree on category and tool", "records that do not")
		case h.riskiest() == riskRank["CREATE"] && destructive:
			return ruling.Violates("destructiveHint false on a tool that only adds", said)
		case h.riskiest() == riskRank["UPDATE"] && !destructive:
			return ruling.Conforms().Noting("an UPDATE that never loses data may say so")
		}
		return ruling.Conforms()
	})),
	Fix: "set destructiveHint by the riskiest operation behind the tool",
}

// Section mcp/Annotation Meanings.
var toolHintsDoNotContradictEach = check.Check{
	Requirement: "MCP-ANNOT-05",
	Rule:        "Hint combinations do not contradict each other.",
	Why:         "A tool cannot both leave everything as it is and destroy something; a host has to guess which half to believe.",
	On:          entriesWith("annotations"),
	Ask:         model.ToolPages,
	Judge: check.JudgeToolHint("destructiveHint", func(s model.Subject, given probes.Value) ruling.Ruling {
		if s.Tool.Raw.At("annotations", "readOnlyHint").True() && given.True() {
			return ruling.Violates("no destructiveHint true beside readOnlyHint true", "both true")
		}
		return ruling.Conforms()
	}),
	Fix: "leave destructiveHint out or false where readOnlyHint is true",
}

// Section mcp/idempotentHint.
var executeToolsDoNotClaimIdempotency = check.Check{
	Requirement: "MCP-ANNOT-06",
	Rule:        "A tool that hosts non-repeatable operations does not claim that repetition has no effect.",
	Why:         "A host repeats an idempotent call after a lost answer; repeating an EXECUTE runs it twice.",
	On:          whoseHosting(func(h hosting) bool { return slices.Contains(h.categories, "EXECUTE") }),
	Ask:         pagesAndListing,
	Judge: check.JudgeToolHint("idempotentHint", func(_ model.Subject, given probes.Value) ruling.Ruling {
		if given.True() {
			return ruling.Violates("no idempotentHint true on a tool for EXECUTE", "idempotentHint true")
		}
		return ruling.Conforms()
	}),
	Fix: "leave idempotentHint out on tools that host EXECUTE operations",
}
