package mcp

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// toolResults judges every completed result of a call; interim results of newer
// MCP revisions have no content yet.
func toolResults(judge func(o probes.Observation, result probes.Value) ruling.Ruling) func(*model.Adapter, probes.Observation) ruling.Ruling {
	return func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		if result := o.Result(); result.Is(probes.Object) && !check.IsInterim(result) {
			return judge(o, result)
		}
		return check.Irrelevant
	}
}

// Section mcp/Tool Results.
var toolResultsCarryContentArray = check.Check{
	Requirement: "MCP-RESULT-01",
	Rule:        "A completed tool call returns a result with a content array.",
	Why:         "Every client reads content; a result without it is empty to all of them, and one that is no object not even that: it is judged here though nothing else can be read from it.",
	Handles:     check.Unanswered,
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		result := o.Result()
		switch content := result.At("content"); {
		case !o.Answer().Has("result"), o.Answer().Has("error"), check.IsInterim(result):
			return check.Irrelevant
		case !result.Is(probes.Object):
			return ruling.Violates("a result object with content", "result "+ruling.Clip(result.String())).By(o)
		case !content.Is(probes.Array):
			return ruling.Violates("a content array", "content "+ruling.Clip(content.String())).By(o)
		case len(content.Items()) == 0 && result.At("isError").True() && o.Probe.Operation() == "":
			return ruling.NotProven("content about the bad arguments", "none").Because("MCP-ERROR-04").By(o)
		case len(content.Items()) == 0 && !result.Has("structuredContent"):
			return ruling.Departs("content, or structuredContent beside it", "an empty array").By(o)
		}
		return ruling.Conforms()
	}},
	Fix: "return a content array with each result, also of failures",
}

// contentMembers are the members that each type of content must have.
var contentMembers = map[string][]string{
	"text": {"text"}, "image": {"data", "mimeType"}, "audio": {"data", "mimeType"}, "resource_link": {"uri", "name"}, "resource": {"resource"},
}

// Section mcp/Content Types.
var contentItemsAreWellFormed = check.Check{
	Requirement: "MCP-RESULT-02",
	Rule:        "Each content item has a known type and that type's mandatory members.",
	Why:         "A client switches on the type and then takes the members of that type for granted.",
	Ambient: &check.Ambient{Watch: toolResults(func(o probes.Observation, result probes.Value) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, item := range result.At("content").Items() {
			switch fault, known := contentFault(item); {
			case fault != "":
				rs = append(rs, ruling.Violates("content items with the members of their type", fault).By(o))
			case !known:
				rs = append(rs, ruling.Departs("a content type that MCP defines", "type "+item.At("type").String()).By(o))
			default:
				rs = append(rs, ruling.Conforms())
			}
		}
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	})},
	Fix: "give each content item a type and the members of that type",
}

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
			return "a " + kind.Text() + " item with " + name + " " + ruling.Clip(item.At(name).String()), known
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

// Section mcp/isError.
var errorFlagIsBoolean = check.Check{
	Requirement: "MCP-RESULT-03",
	Rule:        "isError, if present, is boolean; absence means no error.",
	Why:         `A text "false" is true to many a client.`,
	Ambient: &check.Ambient{Watch: toolResults(func(o probes.Observation, result probes.Value) ruling.Ruling {
		switch flag := result.At("isError"); flag.Kind() {
		case probes.Absent, probes.Boolean:
			return ruling.Conforms()
		case probes.Null:
			return ruling.Departs("isError as true, false or absent", "null").By(o)
		default:
			return ruling.Violates("isError as true, false or absent", "isError "+ruling.Clip(flag.String())).By(o)
		}
	})},
	Fix: "make isError a boolean, or leave it out",
}

// Section mcp/Structured Content.
var structuredContentFitsRevision = check.Check{
	Requirement: "MCP-RESULT-04",
	Rule:        "StructuredContent has a JSON type that the negotiated revision allows.",
	Why:         "Clients of the older revisions parse it into an object.",
	Ambient: &check.Ambient{Watch: toolResults(func(o probes.Observation, result probes.Value) ruling.Ruling {
		switch structured := result.At("structuredContent"); {
		case structured.Is(probes.Absent):
			return check.Irrelevant
		case structured.Is(probes.Object), !check.InSession(o):
			return ruling.Conforms()
		default:
			return ruling.Departs("structuredContent as an object", string(structured.Kind())).By(o)
		}
	})},
	Fix: "wrap structuredContent in an object",
}

// Section mcp/Structured Content.
var structuredContentFitsItsSchema = check.Check{
	Requirement: "MCP-RESULT-05",
	Rule:        "A tool that publishes an outputSchema returns structuredContent that fits it.",
	Why:         "A client that validates, as MCP tells it to, throws away what does not fit.",
	On:          model.Only(model.EachAQLTool, func(s model.Subject) bool { return s.Tool.Raw.At("outputSchema").Is(probes.Object) }),
	Ask: func(s model.Subject) []probes.Probe {
		ps := append([]probes.Probe{}, s.Listing().To(s.Name))
		for _, category := range []string{"READ", ""} {
			for _, o := range s.Operations {
				if b := s.KnownGood[o.Name]; b.State == model.Proven && len(ps) < 3 && o.Tool == s.Name && (category == "" || o.Category == category) {
					ps = append(ps, b.Probe)
				}
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		published, err := check.CompileSchema(s.Tool.Raw.At("outputSchema"))
		if err != nil {
			return ruling.NotProven("an outputSchema that can be read", err).Because("MCP-SCHEMA-04")
		}
		rs := []ruling.Ruling{}
		for _, o := range got {
			rs = append(rs, fitsOutput(published, o))
		}
		if slices.ContainsFunc(got, probes.Observation.Succeeded) {
			return ruling.Worst(rs...)
		}
		return ruling.NotProven("a success on the tool", got[0])
	},
	Fix: "return structuredContent that fits the outputSchema, or correct the schema",
}

func fitsOutput(published *schemas.Published, o probes.Observation) ruling.Ruling {
	const want = "structuredContent that fits the outputSchema"
	structured := o.Result().At("structuredContent")
	flagged := o.Result().At("isError").True() || !o.Succeeded()
	if structured.Is(probes.Absent) {
		if flagged {
			return ruling.Conforms().By(o)
		}
		return ruling.Violates(want, "none").By(o)
	}
	ctx, cancel := model.SchemaContext()
	defer cancel()
	departures, err := published.Check(ctx, structured.Raw())
	switch {
	case errors.Is(err, schemas.ErrBudget):
		return ruling.NotProven(want, err).By(o)
	case err != nil:
		return ruling.Violates(want, err).By(o)
	case len(departures) > 0 && flagged:
		return ruling.Departs(want, "a failure that does not: "+departures[0].Pointer+" "+departures[0].Got).By(o)
	case len(departures) > 0:
		return ruling.Violates(want, strings.TrimPrefix(departures[0].Pointer+": ", ": ")+departures[0].Got+", want "+departures[0].Want).By(o)
	}
	return ruling.Conforms().By(o)
}

// Section mcp/Structured Content.
var structuredContentHasTextTwin = check.Check{
	Requirement: "MCP-RESULT-06",
	Rule:        "Structured output is accompanied by an equivalent text form.",
	Why:         "Clients that know only text see nothing of a result without it.",
	Ambient: &check.Ambient{Watch: toolResults(func(o probes.Observation, result probes.Value) ruling.Ruling {
		structured, content := result.At("structuredContent"), result.At("content")
		const want = "a text that says the same as structuredContent"
		switch {
		case structured.Is(probes.Absent), !content.Is(probes.Array): // MCP-RESULT-01
			return check.Irrelevant
		case result.At("isError").True() && !readable(content):
			return ruling.NotProven(want, "no text").Because("MCP-ERROR-05").By(o)
		case check.JSONDefect(o) != "":
			return ruling.NotProven(want, "text that is no JSON").Because("AQL-4.7.3-01").By(o)
		}
		prose := false
		for _, item := range content.Items() {
			text := strings.TrimSpace(item.At("text").Text())
			v, err := probes.ParseValue([]byte(text))
			switch {
			case err == nil && v.Equal(structured):
				return ruling.Conforms()
			case err == nil && v.Has("success"):
				return ruling.NotProven(want, "another envelope").Because("AQL-5.1-11").By(o)
			case text != "":
				prose = true
			}
		}
		if fault, _ := contentFault(content.At("0")); len(content.Items()) > 0 && fault != "" {
			return ruling.NotProven(want, fault).Because("MCP-RESULT-02").By(o)
		}
		if prose {
			return ruling.Conforms().Noting("the text is prose, which newer MCP revisions allow")
		}
		return ruling.Departs(want, "none").By(o)
	})},
	Fix: "repeat structuredContent as JSON in a text item",
}

// readable reports whether content has a text that is not blank.
func readable(content probes.Value) bool {
	return slices.ContainsFunc(content.Items(), func(item probes.Value) bool {
		return strings.TrimSpace(item.At("text").Text()+item.At("resource", "text").Text()) != ""
	})
}

// ODD-12.
var newerMcpRevisionsMayAnswerIn = check.Check{
	Requirement: "ODD-12",
	Rule:        "Input-required results, elicitation and task handles of newer MCP revisions are not envelopes and not violations.",
	Why:         "Newer MCP revisions answer in steps; this row exists against checkers that accuse them.",
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		switch {
		case check.IsInterim(o.Result()):
			return ruling.Conforms().Noting("a result that announces another").By(o)
		case o.Result().Is(probes.Object):
			return ruling.Conforms()
		}
		return check.Irrelevant
	}},
}
