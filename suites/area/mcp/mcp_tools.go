package mcp

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachEntry is every entry of tools/list, helper tools included and each once;
// one that repeats word for word is the concern of MCP-LIST-03 and MCP-TOOL-02.
func eachEntry(f *model.Adapter) []model.Subject {
	var all []model.Subject
	seen := map[string]bool{}
	for i, t := range f.Tools {
		if !t.Raw.Is(probes.Object) || seen[string(t.Raw.Raw())] {
			continue
		}
		seen[string(t.Raw.Raw())] = true
		all = append(all, model.Subject{Adapter: f, Name: cmp.Or(t.Name, fmt.Sprintf("tool %d of the list", i+1)), Tool: t})
	}
	if len(all) == 0 {
		s := model.Subject{Adapter: f, Name: "adapter"}
		all = append(all, s.WithRuling(ruling.NotProven("a tool in tools/list", "none").Because("AQL-2.1-01")))
	}
	return all
}

// entriesWith is every entry of tools/list that has the member.
func entriesWith(member string) func(f *model.Adapter) []model.Subject {
	return model.Only(eachEntry, func(s model.Subject) bool { return s.Ruling != nil || s.Tool.Raw.Has(member) })
}

// Section mcp/Required Fields.
var everyToolHasName = check.Check{
	Requirement: "MCP-TOOL-01",
	Rule:        "Each tool has a name that is a non-empty string.",
	Why:         "The name is what tools/call dispatches by; a title is for people and cannot stand in for it.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		if tool.At("name").Text() == "" {
			return ruling.Violates("a name that is a non-empty string", "name "+tool.At("name").String())
		}
		return ruling.Conforms()
	}),
	Fix: "give every tool a name",
}

// Section mcp/Uniqueness Requirement.
var toolNamesAreUnique = check.Check{
	Requirement: "MCP-TOOL-02",
	Rule:        "No two tools of one server share a name.",
	Why:         "Two tools of one name make it undefined which of them a call reaches.",
	On:          model.WholeAdapter,
	Ask:         model.ToolPages,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		type place struct{ page, entry string }
		names, folded := map[string]place{}, map[string]string{}
		rs := []ruling.Ruling{ruling.NotProven("a tool with a name", "none").Because("MCP-TOOL-01")}
		for i, page := range got {
			for _, entry := range page.Result().At("tools").Items() {
				name := entry.At("name").Text()
				here := place{fmt.Sprint(i), entry.Canonical(nil)}
				first, again := names[name]
				other := folded[strings.ToLower(name)]
				switch {
				case name == "":
					continue // MCP-TOOL-01
				case again && first.entry == here.entry && first.page != here.page:
					continue // overlapping pages: MCP-LIST-03
				case again:
					return ruling.Violates("each name once", "a second tool "+name).By(page)
				case other != "":
					rs = append(rs, ruling.Departs("names that differ in more than letter case", other+" and "+name).By(page))
				}
				names[name], folded[strings.ToLower(name)] = here, name
				rs[0] = ruling.Conforms().By(page)
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "register each tool once, under a name of its own",
}

var portableName = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,128}$`)

// Section mcp/Tool Naming Conventions.
var toolNamesUsePortableCharacters = check.Check{
	Requirement: "MCP-NAME-01",
	Rule:        "Tool names stay within the portable character set and length.",
	Why:         "Hosts and model providers cut or refuse names outside this set. The sources differ on the slash and on 64 or 128 characters, so only what all of them rule out is reported.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		switch name := tool.At("name"); {
		case name.Text() == "":
			return ruling.NotProven("a tool with a name", tool.At("name")).Because("MCP-TOOL-01")
		case !portableName.MatchString(name.Text()):
			return ruling.Violates("1 to 128 letters, digits and _ - . / in the name", name)
		}
		return ruling.Conforms()
	}),
	Fix: "rename the tool with ASCII letters, digits and underscores",
}

var snakeName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Section mcp/Recommended Format.
var toolNamesAreSnakeCase = check.Check{
	Requirement: "MCP-NAME-02",
	Rule:        "Tool names follow lower snake_case.",
	Why:         "One spelling convention over all servers spares a model from guessing between readFile and read_file.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		switch name := tool.At("name"); {
		case name.Text() == "":
			return ruling.NotProven("a tool with a name", name).Because("MCP-TOOL-01")
		case !portableName.MatchString(name.Text()):
			return ruling.NotProven("a name of portable characters", name).Because("MCP-NAME-01")
		case !snakeName.MatchString(name.Text()):
			return ruling.Violates("a name in lower snake_case", name)
		}
		return ruling.Conforms()
	}),
	Fix: "rename the tool in lower snake_case",
}

// Section mcp/Optional Fields.
var toolTitleAndDescriptionAreStrings = check.Check{
	Requirement: "MCP-TOOL-03",
	Rule:        "If present, title and description are strings.",
	Why:         "Typed clients drop the whole list if one member has the wrong type, so null or an array is worse than leaving it out.",
	On:          eachEntry,
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, member := range []string{"title", "description"} {
			if v := tool.At(member); !v.Is(probes.Absent) && v.Text() == "" {
				rs = append(rs, ruling.Violates("a "+member+" that is a non-empty string or left out", ruling.Clip(member+" "+v.String())))
			}
		}
		return ruling.Worst(rs...)
	}),
	Fix: "write title and description as strings, or leave them out",
}

// Section mcp/description.
var toolDescriptionsSayWhatTheyDo = check.Check{
	Requirement: "MCP-TOOL-04",
	Rule:        "A tool carries a description that tells a model what it is for.",
	Why:         "The description is all a model sees before it decides to call; a repeated name tells it nothing.",
	On:          model.Only(eachEntry, func(s model.Subject) bool { return slices.Contains(s.AQL, s.Tool.Name) }),
	Ask:         model.ToolPages,
	Judge: check.JudgeTool(func(s model.Subject, tool probes.Value) ruling.Ruling {
		text := strings.TrimSpace(tool.At("description").Text())
		words := strings.NewReplacer("_", " ", "-", " ", ".", " ")
		switch {
		case tool.Has("description") && tool.At("description").Text() == "":
			return ruling.NotProven("a description to read", tool.At("description")).Because("MCP-TOOL-03")
		case text == "":
			return ruling.Violates("a description of what the tool is for", "none")
		case len([]rune(text)) < 10 && check.WordCount(text) < 3, strings.EqualFold(words.Replace(text), words.Replace(s.Tool.Name)):
			return ruling.Violates("a description that says more than the name", tool.At("description"))
		}
		return ruling.Conforms()
	}),
	Fix: "describe what the tool does and where to start",
}

// metaKey is a legal key of _meta: an optional prefix of dotted labels and a
// slash, then a name that begins and ends with a letter or digit.
var metaKey = regexp.MustCompile(`^(?:([A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)

// Section mcp/_meta.
var toolMetadataIsWellFormedObject = check.Check{
	Requirement: "MCP-TOOL-05",
	Rule:        "If present, _meta on a tool is an object with legal key names.",
	Why:         "Keys are shared between MCP, hosts and servers; one outside the grammar or inside MCP's own prefix can collide with what others mean by it.",
	On:          entriesWith("_meta"),
	Ask: func(s model.Subject) []probes.Probe {
		return append(slices.Clone(s.Pages), check.Handshake(s).As("handshake"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		revision := check.RevisionOf(got.Step("handshake"))
		return check.JudgeTool(func(_ model.Subject, tool probes.Value) ruling.Ruling {
			meta := tool.At("_meta")
			if !meta.Is(probes.Object) {
				return ruling.Violates("_meta as an object", meta)
			}
			for _, key := range meta.Names() {
				parts := metaKey.FindStringSubmatch(key)
				switch {
				case parts == nil:
					return ruling.Violates("_meta keys made of an optional dotted prefix and a name", fmt.Sprintf("key %q", key))
				case reservedPrefix(parts[1], revision):
					return ruling.Violates("no _meta key under a prefix reserved for MCP", fmt.Sprintf("key %q", key))
				}
			}
			return ruling.Conforms()
		})(s, got)
	},
	Fix: "put own metadata under a prefix of your own, such as com.example/name",
}

// reservedPrefix reports whether MCP keeps a prefix of _meta keys to itself. Up
// to 2025-06-18 that was any mcp label with another behind it (mcp.dev/), later
// it is the second label (dev.mcp/).
func reservedPrefix(prefix, revision string) bool {
	labels := strings.Split(prefix, ".")
	if revision > "2025-06-18" {
		labels = labels[min(1, len(labels)):min(2, len(labels))]
	} else {
		labels = labels[:len(labels)-1]
	}
	return slices.Contains(labels, "mcp") || slices.Contains(labels, "modelcontextprotocol")
}
