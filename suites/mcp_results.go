package suites

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
)

// toolResults judges every completed result of a call; interim results of newer
// MCP revisions have no content yet.
func toolResults(judge func(o probes.Observation, result probes.Value) Ruling) func(*Face, probes.Observation) Ruling {
	return func(_ *Face, o probes.Observation) Ruling {
		if result := o.Result(); result.Is(probes.Object) && !interim(result) {
			return judge(o, result)
		}
		return elsewhere
	}
}

// Section mcp/Tool Results. Every client reads content; a result without it is
// empty to all of them, and one that is no object not even that: it is judged here
// though nothing else can be read from it.
var _ = register(Check{
	Requirement: "MCP-RESULT-01",
	Losses:      true,
	Watch: func(_ *Face, o probes.Observation) Ruling {
		result := o.Result()
		switch content := result.At("content"); {
		case !o.Answer().Has("result"), o.Answer().Has("error"), interim(result):
			return elsewhere
		case !result.Is(probes.Object):
			return Violates("a result object with content", "result "+clip(result.String())).By(o)
		case !content.Is(probes.Array):
			return Violates("a content array", "content "+clip(content.String())).By(o)
		case len(content.Items()) == 0 && result.At("isError").True() && o.Probe.Operation() == "":
			return NotProven("content about the bad arguments", "none").Because("MCP-ERROR-04").By(o)
		case len(content.Items()) == 0 && !result.Has("structuredContent"):
			return Departs("content, or structuredContent beside it", "an empty array").By(o)
		}
		return Conforms()
	},
	Fix: "return a content array with each result, also of failures",
})

// contentMembers are the members that each type of content must have.
var contentMembers = map[string][]string{
	"text": {"text"}, "image": {"data", "mimeType"}, "audio": {"data", "mimeType"}, "resource_link": {"uri", "name"}, "resource": {"resource"},
}

// Section mcp/Content Types. A client switches on the type and then takes the
// members of that type for granted.
var _ = register(Check{
	Requirement: "MCP-RESULT-02",
	Watch: toolResults(func(o probes.Observation, result probes.Value) Ruling {
		rs := []Ruling{}
		for _, item := range result.At("content").Items() {
			switch fault, known := contentFault(item); {
			case fault != "":
				rs = append(rs, Violates("content items with the members of their type", fault).By(o))
			case !known:
				rs = append(rs, Departs("a content type that MCP defines", "type "+item.At("type").String()).By(o))
			default:
				rs = append(rs, Conforms())
			}
		}
		if len(rs) == 0 {
			return elsewhere
		}
		return Worst(rs...)
	}),
	Fix: "give each content item a type and the members of that type",
})

// contentFault says what is wrong with one content item, and whether its type is
// known.
func contentFault(item probes.Value) (fault string, known bool) {
	kind := item.At("type")
	if !item.Is(probes.Object) || kind.Text() == "" {
		return "an item with type " + kind.String(), false
	}
	members, known := contentMembers[kind.Text()]
	for _, name := range members {
		if want := map[bool]probes.Kind{true: probes.Object, false: probes.String}[name == "resource"]; !item.At(name).Is(want) {
			return "a " + kind.Text() + " item with " + name + " " + clip(item.At(name).String()), known
		}
	}
	resource := item.At("resource")
	switch {
	case kind.Text() == "resource" && (!resource.At("uri").Is(probes.String) || !resource.At("text").Is(probes.String) && !resource.At("blob").Is(probes.String)):
		return "a resource without uri, or without text and blob", known
	case kind.Text() == "image" || kind.Text() == "audio":
		if _, err := base64.StdEncoding.DecodeString(item.At("data").Text()); err != nil {
			return kind.Text() + " data that is no base64", known
		}
	}
	return "", known
}

// Section mcp/isError. A text "false" is true to many a client.
var _ = register(Check{
	Requirement: "MCP-RESULT-03",
	Watch: toolResults(func(o probes.Observation, result probes.Value) Ruling {
		switch flag := result.At("isError"); flag.Kind() {
		case probes.Absent, probes.Boolean:
			return Conforms()
		case probes.Null:
			return Departs("isError as true, false or absent", "null").By(o)
		default:
			return Violates("isError as true, false or absent", "isError "+clip(flag.String())).By(o)
		}
	}),
	Fix: "make isError a boolean, or leave it out",
})

// modern reports whether a request was made in the era without handshakes.
func modern(o probes.Observation) bool {
	sent, _ := probes.ParseValue(o.SentData())
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text() >= stateless
}

// Section mcp/Structured Content. Clients of the older revisions parse it into an
// object.
var _ = register(Check{
	Requirement: "MCP-RESULT-04",
	Watch: toolResults(func(o probes.Observation, result probes.Value) Ruling {
		switch structured := result.At("structuredContent"); {
		case structured.Is(probes.Absent):
			return elsewhere
		case structured.Is(probes.Object), modern(o):
			return Conforms()
		default:
			return Departs("structuredContent as an object", string(structured.Kind())).By(o)
		}
	}),
	Fix: "wrap structuredContent in an object",
})

// Section mcp/Structured Content. A client that validates, as MCP tells it to,
// throws away what does not fit.
var _ = register(Check{
	Requirement: "MCP-RESULT-05",
	On:          only(eachAQLTool, func(s Subject) bool { return s.Tool.Raw.At("outputSchema").Is(probes.Object) }),
	Ask: func(s Subject) []probes.Probe {
		ps := append([]probes.Probe{}, s.Listing().To(s.Name))
		for _, category := range []string{"READ", ""} {
			for _, o := range s.Operations {
				if b := s.Baselines[o.Name]; b.State == Proven && len(ps) < 3 && o.Tool == s.Name && (category == "" || o.Category == category) {
					ps = append(ps, b.Probe)
				}
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		published, err := compiled(s.Tool.Raw.At("outputSchema"))
		if err != nil {
			return NotProven("an outputSchema that can be read", err).Because("MCP-SCHEMA-04")
		}
		rs := []Ruling{}
		for _, o := range got {
			rs = append(rs, fitsOutput(published, o))
		}
		if slices.ContainsFunc(got, probes.Observation.Succeeded) {
			return Worst(rs...)
		}
		return NotProven("a success on the tool", got[0])
	},
	Fix: "return structuredContent that fits the outputSchema, or correct the schema",
})

func fitsOutput(published *schemas.Published, o probes.Observation) Ruling {
	const want = "structuredContent that fits the outputSchema"
	structured := o.Result().At("structuredContent")
	flagged := o.Result().At("isError").True() || !o.Succeeded()
	if structured.Is(probes.Absent) {
		if flagged {
			return Conforms().By(o)
		}
		return Violates(want, "none").By(o)
	}
	ctx, cancel := budget()
	defer cancel()
	departures, err := published.Check(ctx, structured.Raw())
	switch {
	case errors.Is(err, schemas.ErrBudget):
		return NotProven(want, err).By(o)
	case err != nil:
		return Violates(want, err).By(o)
	case len(departures) > 0 && flagged:
		return Departs(want, "a failure that does not: "+departures[0].Pointer+" "+departures[0].Got).By(o)
	case len(departures) > 0:
		return Violates(want, strings.TrimPrefix(departures[0].Pointer+": ", ": ")+departures[0].Got+", want "+departures[0].Want).By(o)
	}
	return Conforms().By(o)
}

// Section mcp/Structured Content. Clients that know only text see nothing of a
// result without it.
var _ = register(Check{
	Requirement: "MCP-RESULT-06",
	Watch: toolResults(func(o probes.Observation, result probes.Value) Ruling {
		structured, content := result.At("structuredContent"), result.At("content")
		const want = "a text that says the same as structuredContent"
		switch {
		case structured.Is(probes.Absent), !content.Is(probes.Array): // MCP-RESULT-01
			return elsewhere
		case result.At("isError").True() && !readable(content):
			return NotProven(want, "no text").Because("MCP-ERROR-05").By(o)
		case crooked(o) != "":
			return NotProven(want, "text that is no JSON").Because("AQL-4.7.3-01").By(o)
		}
		prose := false
		for _, item := range content.Items() {
			text := strings.TrimSpace(item.At("text").Text())
			v, err := probes.ParseValue([]byte(text))
			switch {
			case err == nil && v.Equal(structured):
				return Conforms()
			case err == nil && v.Has("success"):
				return NotProven(want, "another envelope").Because("AQL-5.1-11").By(o)
			case text != "":
				prose = true
			}
		}
		if fault, _ := contentFault(content.At("0")); len(content.Items()) > 0 && fault != "" {
			return NotProven(want, fault).Because("MCP-RESULT-02").By(o)
		}
		if prose {
			return Conforms().Noting("the text is prose, which newer MCP revisions allow")
		}
		return Departs(want, "none").By(o)
	}),
	Fix: "repeat structuredContent as JSON in a text item",
})

// readable reports whether content has a text that is not blank.
func readable(content probes.Value) bool {
	return slices.ContainsFunc(content.Items(), func(item probes.Value) bool {
		return strings.TrimSpace(item.At("text").Text()+item.At("resource", "text").Text()) != ""
	})
}

// ODD-12. Newer MCP revisions answer in steps; this row exists against checkers
// that accuse them.
var _ = register(Check{
	Requirement: "ODD-12",
	Watch: func(_ *Face, o probes.Observation) Ruling {
		switch {
		case interim(o.Result()):
			return Conforms().Noting("a result that announces another").By(o)
		case o.Result().Is(probes.Object):
			return Conforms()
		}
		return elsewhere
	},
})
