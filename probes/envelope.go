package probes

import "strings"

// A Carrier says where in a tool result the envelope was found.
type Carrier struct {
	Place      string // "structured", "text", "resource"; empty when there is no envelope
	Structured Value  // structuredContent, when it is an object with success
	Text       Value  // the text item's object, when it is one with success
	Wrapped    string // what stood around the object in the text: "prose", "code fence"; empty when nothing did
}

// findEnvelope looks for the MCP-AQL envelope in a raw CallToolResult. The
// specification leaves the carrier open, so structuredContent with a success
// member comes first, then the first text item that holds such an object, then
// one embedded resource.
func findEnvelope(result Value) (Value, Carrier) {
	var c Carrier
	if s := result.At("structuredContent"); s.Has("success") {
		c.Structured = s
	}
	for _, item := range result.At("content").Items() {
		text, place := item.At("text"), "text"
		if item.At("type").Text() == "resource" {
			text, place = item.At("resource", "text"), "resource"
		}
		object, wrapped, ok := c.Structured, "", string(c.Structured.Raw()) == text.Text() // as most write it twice
		if !ok {
			object, wrapped, ok = embedded(text.Text())
		}
		if !ok || !object.Has("success") && !object.Has("error") {
			continue
		}
		if c.Text.Is(Absent) || object.Has("success") && !c.Text.Has("success") {
			c.Text, c.Wrapped, c.Place = object, wrapped, place
		}
	}
	switch { // where one holds the data of the other alone, its members are the domain's, whatever they are called
	case c.Structured.Is(Absent) || c.Text.Is(Absent):
	case c.Text.Equal(c.Structured.At("data")):
		c.Text, c.Wrapped = Value{}, ""
	case c.Structured.Equal(c.Text.At("data")):
		c.Structured = Value{}
	}
	switch {
	case !c.Structured.Is(Absent):
		c.Place = "structured"
		return c.Structured, c
	case !c.Text.Is(Absent):
		return c.Text, c
	}
	return Value{}, c
}

// embedded finds one JSON object in a text: the whole of it, else the first one
// that stands inside prose or a code fence.
func embedded(text string) (v Value, wrapped string, ok bool) {
	trimmed := strings.TrimSpace(text)
	start := strings.IndexByte(trimmed, '{')
	if start < 0 {
		return Value{}, "", false
	}
	v, rest, err := parsePrefix(bytesOf(trimmed[start:]))
	if err != nil {
		return Value{}, "", false
	}
	switch around := trimmed[:start] + string(rest); {
	case strings.TrimSpace(around) == "":
		return v, "", true
	case strings.Contains(around, "```"):
		return v, "a code fence", true
	default:
		return v, "prose", true
	}
}
