package routing

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Section 6.2.
var eachOperationHasExactlyOneFamily = check.Check{
	Requirement: "AQL-6.2-02",
	Rule:        "In semantic mode an operation is documented on exactly one endpoint family.",
	Why:         "Each operation belongs to one family, so that the client knows which tool to call.",
	On:          model.Given(model.HasEndpointTools, model.EachListed),
	Ask:         both,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		listed, detailed := s.Op.Summary.At("endpoint"), s.Op.Details.At("endpoint")
		for _, v := range []probes.Value{listed, detailed} {
			if v.Is(probes.Array) {
				return ruling.Violates("one endpoint", v)
			}
		}
		for _, e := range entriesNamed(got[0], s.Name) {
			if e.At("endpoint").Is(probes.String) && listed.Is(probes.String) && e.At("endpoint").Text() != listed.Text() {
				return ruling.NotProven("one entry in the listing", "two").Because("INT-3.2-05")
			}
		}
		switch {
		case !listed.Is(probes.String) || !detailed.Is(probes.String) || listed.Text() == detailed.Text():
			return ruling.Conforms()
		case plain(listed.Text()) == plain(detailed.Text()):
			return ruling.Departs("one spelling of the endpoint in list and details", listed.String()+" and "+detailed.String())
		}
		return ruling.Violates("one endpoint in list and details", listed.String()+" and "+detailed.String()).By(got...)
	},
	Fix: "keep the endpoint family in one place and show it from there",
}

// plain folds the styles in which a family may be written.
func plain(endpoint string) string {
	e := strings.ToLower(endpoint)
	if i := strings.LastIndex(e, "mcp_aql_"); i >= 0 {
		e = e[i+len("mcp_aql_"):]
	}
	return strings.NewReplacer("_", "", "-", "").Replace(e)
}

// Section 10.1.
var endpointFamilyIsDocumented = check.Check{
	Requirement: "AQL-10.1-05",
	Rule:        "Introspection shows for every operation the endpoint family that hosts it.",
	Why:         "Without the family a client in semantic mode cannot know which tool to call.",
	On:          model.EachListed,
	Ask:         both,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		listed, detailed := s.Op.Summary.At("endpoint"), s.Op.Details.At("endpoint")
		if !s.Op.Summary.Is(probes.Object) {
			return ruling.NotProven("a summary object", s.Op.Summary).Because("AQL-7.3-01")
		}
		missing := func(v probes.Value) bool {
			return v.Is(probes.Absent) || v.Is(probes.Null) || v.Is(probes.String) && v.Text() == ""
		}
		for _, v := range []probes.Value{listed, detailed} {
			if !missing(v) && !v.Is(probes.String) && !v.Is(probes.Array) {
				return ruling.Violates("an endpoint that is text", "endpoint "+v.String())
			}
		}
		switch {
		case missing(listed) && missing(detailed) && model.HasEndpointTools(s.Adapter):
			return ruling.Violates("an endpoint in list and details", "none").By(got...)
		case missing(listed) || missing(detailed) && s.Op.Details.Is(probes.Object):
			return ruling.Departs("an endpoint in list and details", "none in one of them")
		}
		return ruling.Conforms()
	},
	Fix: "show each operation's endpoint family in the listing and in the details",
}

// Section 3.3.
var standardToolsHostOnlyTheirCategory = check.Check{
	Requirement: "AQL-3.3-04",
	Rule:        "When the standard CRUDE tool names are used, each tool carries only operations of the category in its name.",
	Why:         "In the standard profile the name of a tool tells the client what it does.",
	On: func(f *model.Adapter) []model.Subject {
		if f.Profile() != "crude" {
			return nil
		}
		return model.EachDetailed(f)
	},
	Ask: model.Details,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		family := probes.CrudeFamily(s.Op.Details.At("mcpTool").Text())
		listed := s.Op.Summary.At("semantic_category")
		switch {
		case listed.Is(probes.String) && listed.Text() != s.Op.Category:
			return ruling.NotProven("one category in list and details", listed.Text()+" and "+s.Op.Category).Because("AQL-6.2-01")
		}
		if family == "" || strings.EqualFold(family, s.Op.Category) || !slices.Contains(categories, s.Op.Category) {
			return ruling.Conforms()
		}
		if s.Name == "introspect" {
			return ruling.NotProven("introspect as READ", s.Op.Category).Because("AQL-7.2-02")
		}
		return ruling.Violates("category "+strings.ToUpper(family)+" on "+s.Op.Tool, "category "+s.Op.Category).By(got[0])
	},
	Fix: "assign every operation to the standard tool of its category",
}

// Appendix D.
var documentedToolExists = check.Check{
	Requirement: "INT-3.3-32",
	Rule:        "The tool named in the details of an operation is an exact member of tools/list.",
	Why:         "A tool that does not exist cannot be called.",
	On: model.Only(model.EachDetailed, func(s model.Subject) bool {
		return s.Ruling != nil || s.Op.Details.At("mcpTool").Text() != ""
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		documented := s.Op.Details.At("mcpTool").Text()
		if _, exists := s.Adapter.Tool(documented); exists {
			if documented == s.Unified && model.HasEndpointTools(s.Adapter) && declaredAll(s) {
				return ruling.Departs("the tool of the operation's family", documented).Noting("the unified tool is named in mode all")
			}
			return ruling.Conforms()
		}
		if len(additions(s.Adapter)) == 1 && addition(s.Adapter, s.Op) != "" {
			return ruling.Departs("a tool of tools/list", documented).Noting("the name lacks the prefix or suffix of " + s.Op.Tool)
		}
		return ruling.Violates("a tool of tools/list", documented).By(got[0])
	},
	Fix: "name the tool exactly as tools/list does",
}

// addition is what a gateway or deployment has put around the documented name of the tool: the exposed name
// with a blank in the place of the documented one. It is empty where the one does not contain the other so.
func addition(f *model.Adapter, o probes.Operation) string {
	documented := o.Details.At("mcpTool").Text()
	if _, exists := f.Tool(documented); exists {
		return " "
	}
	before, prefixed := strings.CutSuffix(o.Tool, documented)
	behind, suffixed := strings.CutPrefix(o.Tool, documented)
	_, exposed := f.Tool(o.Tool)
	switch {
	case !exposed || documented == "":
		return ""
	case prefixed:
		return before + " "
	case suffixed:
		return " " + behind
	}
	return ""
}

// additions are those of all operations. A gateway renames every tool alike: where they differ, a name is wrong.
func additions(f *model.Adapter) map[string]bool {
	all := map[string]bool{}
	for _, o := range f.Operations {
		all[addition(f, o)] = true
	}
	delete(all, "")
	return all
}

// declaredAll reports whether every operation names the unified tool beside
// semantic ones.
func declaredAll(s model.Subject) bool { return s.Mode() == "all" }

// Section 6.2.
var everyFamilyMapsToOneTool = check.Check{
	Requirement: "INT-3.2-06",
	Rule:        "Every endpoint value in the listing corresponds to a family that is really exposed as an MCP tool.",
	Why:         "If two tools serve one family, the client has to guess which one to call.",
	On:          model.Given(model.HasEndpointTools, model.WholeAdapter),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		tools := map[string]string{}
		for _, o := range s.Operations {
			tool := o.Details.At("mcpTool").Text()
			if _, exists := s.Adapter.Tool(tool); !exists || o.Endpoint == "" {
				continue
			}
			if known, ok := tools[o.Endpoint]; ok && known != tool {
				return ruling.Violates("one tool for the family "+o.Endpoint, known+" and "+tool)
			}
			tools[o.Endpoint] = tool
		}
		return ruling.Conforms()
	},
	Fix: "serve each endpoint family with one tool",
}

// Introspection document, section 4.1.
var standardEndpointValuesAreLowerCase = check.Check{
	Requirement: "INT-4.1-02",
	Rule:        "In the standard five-endpoint profile the endpoint value is the lower-case family word (create, read, update, delete, execute).",
	Why:         "One spelling lets clients compare.",
	On: func(f *model.Adapter) []model.Subject {
		if f.Profile() != "crude" && !standardTools(f) {
			return nil
		}
		return model.EachListed(f)
	},
	Ask: model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		endpoint := s.Op.Summary.At("endpoint")
		family := probes.CrudeFamily(s.Op.Tool)
		_, tool := s.Adapter.Tool(endpoint.Text())
		another := probes.CrudeFamily("mcp_aql_"+strings.ToLower(endpoint.Text())) != "" && !strings.EqualFold(endpoint.Text(), family)
		if !endpoint.Is(probes.String) || family == "" || endpoint.Text() == family || tool || another || endpoint.Text() == "" {
			return ruling.Conforms() // that of another family or of a tool belongs to other requirements
		}
		return ruling.Violates("endpoint "+family, endpoint)
	},
	Fix: "write the word of the endpoint family, in lower case",
}

// standardTools reports whether all endpoint tools have standard names and serve their category alone. An adapter
// without operations of a category needs no tool for it.
func standardTools(f *model.Adapter) bool {
	return len(f.Semantic()) > 0 && !slices.ContainsFunc(f.Semantic(), func(t string) bool { return probes.CrudeFamily(t) == "" }) &&
		!slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
			return o.Category != "" && strings.ToLower(o.Category) != probes.CrudeFamily(o.Tool)
		})
}

// Introspection document, section 4.1.
var endpointIsFamilyNotTool = check.Check{
	Requirement: "INT-4.1-03",
	Rule:        "The endpoint value is a family word, not the MCP tool name.",
	Why:         "The family is a word of the domain; the tool's name belongs into mcpTool.",
	On:          model.Given(model.HasEndpointTools, model.EachListed),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		endpoint := s.Op.Summary.At("endpoint")
		if strings.Contains(strings.ToLower(endpoint.Text()), "mcp_aql") || slices.Contains(prefixedTools(s.Adapter), endpoint.Text()) {
			return ruling.Violates("a family word", endpoint)
		}
		return ruling.Conforms()
	},
	Fix: "put the family into endpoint and the tool's name into mcpTool",
}

// prefixedTools are the names of the endpoint tools where all of them begin with the same word:
// then the name of a tool is more than that of its family. So it is where all of them are a category and
// the same word behind it. Any other word may belong to the families: read_only, write_only.
func prefixedTools(f *model.Adapter) []string {
	tools := f.Semantic()
	before, behind := true, true
	for _, t := range tools {
		all, words := vocab.Words(tools[0]), vocab.Words(t)
		before = before && len(words) > 1 && words[0] == all[0]
		behind = behind && len(words) == 2 && words[1] == all[len(all)-1] && slices.Contains(categories, strings.ToUpper(words[0]))
	}
	if len(tools) < 2 || !before && !behind {
		return nil
	}
	return tools
}
