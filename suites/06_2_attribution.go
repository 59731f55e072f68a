package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// both asks for the two places an operation is described in.
func both(s Subject) []probes.Probe {
	return []probes.Probe{s.Listing(), s.Lookup("operations", s.Op.Name)}
}

var categories = []string{"CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"}

// Section 6.1. Five categories, so that a host can reason about an adapter it has
// never seen.
var _ = register(Check{
	Requirement: "AQL-6.1-01",
	On:          eachListed,
	Ask:         both,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		listed, detailed := s.Op.Summary.At("semantic_category"), s.Op.Details.At("semantic_category")
		if !s.Op.Summary.Is(probes.Object) {
			return NotProven("a summary object", s.Op.Summary).Because("AQL-7.3-01")
		}
		if listed.Is(probes.Absent) && detailed.Is(probes.Absent) {
			r := Violates("a semantic_category", "none in list or details")
			if slices.Contains(categories, strings.ToUpper(s.Op.Endpoint)) {
				r = r.Noting("endpoint holds the category, as an older draft had it")
			}
			return r
		}
		for _, v := range []probes.Value{listed, detailed} {
			if v.Is(probes.Array) {
				return NotProven("one category", v).Because("AQL-6.2-01")
			}
			if !v.Is(probes.Absent) && !slices.Contains(categories, v.Text()) {
				return Violates("CREATE, READ, UPDATE, DELETE or EXECUTE", "semantic_category "+v.String())
			}
		}
		if listed.Is(probes.Absent) || detailed.Is(probes.Absent) && s.Op.Details.Is(probes.Object) {
			return Departs("a semantic_category in list and details", "one in only one of them")
		}
		return Conforms()
	},
	Fix: "classify every operation with one of the five categories, in upper case",
})

// flags are readOnly and destructive by category. Section 6.1.
var flags = map[string][2]bool{"CREATE": {false, false}, "READ": {true, false}, "UPDATE": {false, true}, "DELETE": {false, true}, "EXECUTE": {false, true}}

// Section 6.1. The flags repeat what the category means, for a client that asks
// before it lets a model act.
var _ = register(Check{
	Requirement: "AQL-6.1-02",
	On: only(eachDetailed, func(s Subject) bool {
		p := s.Op.Details.At("permissions")
		return p.At("readOnly").Is(probes.Boolean) && p.At("destructive").Is(probes.Boolean)
	}),
	Ask: details,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		want, known := flags[s.Op.Category]
		if !known {
			return NotProven("a standard category", s.Op.Category).Because("AQL-6.1-01")
		}
		p := s.Op.Details.At("permissions")
		readOnly, destructive := p.At("readOnly").True(), p.At("destructive").True()
		if [2]bool{readOnly, destructive} == want {
			return Conforms()
		}
		mild := readOnly == want[0] && (s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" || s.Op.Category == "EXECUTE")
		if mild {
			return Departs("the flags of category "+s.Op.Category, p).By(got[0])
		}
		return Violates("the flags of category "+s.Op.Category, p).By(got[0])
	},
	Fix: "derive the permission flags from the category",
})

// Section 6.2. One category: two would let a model choose the milder one.
var _ = register(Check{
	Requirement: "AQL-6.2-01",
	On:          eachListed,
	Ask:         both,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var seen []string
		for _, e := range entriesNamed(got[0], s.Name) {
			seen = append(seen, "list: "+e.At("semantic_category").String())
			if e.At("semantic_category").Is(probes.Array) {
				return Violates("one category", e.At("semantic_category"))
			}
		}
		category := s.Op.Details.At("semantic_category")
		if category.Is(probes.Array) {
			return Violates("one category", category)
		}
		values := map[string]bool{}
		for _, e := range append(entriesNamed(got[0], s.Name), s.Op.Details) {
			if c := e.At("semantic_category"); c.Is(probes.String) {
				values[c.Text()] = true
			}
		}
		if len(values) > 1 {
			return Violates("one category in list and details", strings.Join(append(seen, "details: "+category.String()), ", ")).By(got...)
		}
		return Conforms()
	},
	Fix: "keep the category in one place and show it from there",
})

// entriesNamed returns the entries of a listing with that name.
func entriesNamed(listing probes.Observation, name string) []probes.Value {
	var found []probes.Value
	for _, e := range listing.Data().At("operations").Items() {
		if e.At("name").Text() == name {
			found = append(found, e)
		}
	}
	return found
}

// Section 6.2. One family: a client that has to choose a tool must not have to
// choose between two truths.
var _ = register(Check{
	Requirement: "AQL-6.2-02",
	On:          given(semantic, eachListed),
	Ask:         both,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		listed, detailed := s.Op.Summary.At("endpoint"), s.Op.Details.At("endpoint")
		for _, v := range []probes.Value{listed, detailed} {
			if v.Is(probes.Array) {
				return Violates("one endpoint", v)
			}
		}
		for _, e := range entriesNamed(got[0], s.Name) {
			if e.At("endpoint").Is(probes.String) && listed.Is(probes.String) && e.At("endpoint").Text() != listed.Text() {
				return NotProven("one entry in the listing", "two").Because("INT-3.2-05")
			}
		}
		switch {
		case !listed.Is(probes.String) || !detailed.Is(probes.String) || listed.Text() == detailed.Text():
			return Conforms()
		case plain(listed.Text()) == plain(detailed.Text()):
			return Departs("one spelling of the endpoint in list and details", listed.String()+" and "+detailed.String())
		}
		return Violates("one endpoint in list and details", listed.String()+" and "+detailed.String()).By(got...)
	},
	Fix: "keep the endpoint family in one place and show it from there",
})

// plain folds the styles in which a family may be written.
func plain(endpoint string) string {
	e := strings.ToLower(endpoint)
	if i := strings.LastIndex(e, "mcp_aql_"); i >= 0 {
		e = e[i+len("mcp_aql_"):]
	}
	return strings.NewReplacer("_", "", "-", "").Replace(e)
}

// Section 10.1. Without the family a client in semantic mode cannot know which
// tool to call.
var _ = register(Check{
	Requirement: "AQL-10.1-05",
	On:          eachListed,
	Ask:         both,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		listed, detailed := s.Op.Summary.At("endpoint"), s.Op.Details.At("endpoint")
		if !s.Op.Summary.Is(probes.Object) {
			return NotProven("a summary object", s.Op.Summary).Because("AQL-7.3-01")
		}
		missing := func(v probes.Value) bool {
			return v.Is(probes.Absent) || v.Is(probes.Null) || v.Is(probes.String) && v.Text() == ""
		}
		for _, v := range []probes.Value{listed, detailed} {
			if !missing(v) && !v.Is(probes.String) && !v.Is(probes.Array) {
				return Violates("an endpoint that is text", "endpoint "+v.String())
			}
		}
		switch {
		case missing(listed) && missing(detailed) && semantic(s.Face):
			return Violates("an endpoint in list and details", "none").By(got...)
		case missing(listed) || missing(detailed) && s.Op.Details.Is(probes.Object):
			return Departs("an endpoint in list and details", "none in one of them")
		}
		return Conforms()
	},
	Fix: "show each operation's endpoint family in the listing and in the details",
})

// Section 3.3. In the standard profile the tool's name is a promise about what it
// does.
var _ = register(Check{
	Requirement: "AQL-3.3-04",
	On: func(f *Face) []Subject {
		if f.Profile() != "crude" {
			return nil
		}
		return eachDetailed(f)
	},
	Ask: details,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		family := probes.CrudeFamily(s.Op.Details.At("mcpTool").Text())
		listed := s.Op.Summary.At("semantic_category")
		switch {
		case listed.Is(probes.String) && listed.Text() != s.Op.Category:
			return NotProven("one category in list and details", listed.Text()+" and "+s.Op.Category).Because("AQL-6.2-01")
		}
		if family == "" || strings.EqualFold(family, s.Op.Category) || !slices.Contains(categories, s.Op.Category) {
			return Conforms()
		}
		if s.Name == "introspect" {
			return NotProven("introspect as READ", s.Op.Category).Because("AQL-7.2-02")
		}
		return Violates("category "+strings.ToUpper(family)+" on "+s.Op.Tool, "category "+s.Op.Category).By(got[0])
	},
	Fix: "assign every operation to the standard tool of its category",
})

// Appendix D. A tool that does not exist cannot be called.
var _ = register(Check{
	Requirement: "INT-3.3-32",
	On: only(eachDetailed, func(s Subject) bool {
		return s.settled != nil || s.Op.Details.At("mcpTool").Text() != ""
	}),
	Ask: details,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		documented := s.Op.Details.At("mcpTool").Text()
		if _, exists := s.Face.Tool(documented); exists {
			if documented == s.Unified && semantic(s.Face) && s.declaredAll() {
				return Departs("the tool of the operation's family", documented).Noting("the unified tool is named in mode all")
			}
			return Conforms()
		}
		for _, t := range s.AQL {
			if strings.HasSuffix(t, documented) && s.Op.Tool == t {
				return Departs("a tool of tools/list", documented).Noting("the name lacks the prefix of " + t)
			}
		}
		return Violates("a tool of tools/list", documented).By(got[0])
	},
	Fix: "name the tool exactly as tools/list does",
})

// declaredAll reports whether every operation names the unified tool beside
// semantic ones.
func (s Subject) declaredAll() bool { return s.Mode() == "all" }

// Section 6.2. A family that is two tools leaves the client to guess.
var _ = register(Check{
	Requirement: "INT-3.2-06",
	On:          given(semantic, wholeAdapter),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		tools := map[string]string{}
		for _, o := range s.Operations {
			tool := o.Details.At("mcpTool").Text()
			if _, exists := s.Face.Tool(tool); !exists || o.Endpoint == "" {
				continue
			}
			if known, ok := tools[o.Endpoint]; ok && known != tool {
				return Violates("one tool for the family "+o.Endpoint, known+" and "+tool)
			}
			tools[o.Endpoint] = tool
		}
		return Conforms()
	},
	Fix: "serve each endpoint family with one tool",
})

// Introspection document, section 4.1. One spelling lets clients compare.
var _ = register(Check{
	Requirement: "INT-4.1-02",
	On: func(f *Face) []Subject {
		if f.Profile() != "crude" {
			return nil
		}
		return eachListed(f)
	},
	Ask: listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		endpoint := s.Op.Summary.At("endpoint")
		family := probes.CrudeFamily(s.Op.Tool)
		if !endpoint.Is(probes.String) || family == "" || endpoint.Text() == family || !strings.EqualFold(endpoint.Text(), family) {
			return Conforms()
		}
		return Violates("endpoint "+family, endpoint)
	},
	Fix: "write the endpoint family in lower case",
})

// Introspection document, section 4.1. The family is a word of the domain; the
// tool's name belongs into mcpTool.
var _ = register(Check{
	Requirement: "INT-4.1-03",
	On:          given(semantic, eachListed),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if endpoint := s.Op.Summary.At("endpoint"); strings.Contains(strings.ToLower(endpoint.Text()), "mcp_aql") {
			return Violates("a family word", endpoint)
		}
		return Conforms()
	},
	Fix: "put the family into endpoint and the tool's name into mcpTool",
})
