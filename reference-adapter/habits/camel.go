package habits

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// camelAnswers shows the members of answers in camelCase; parameters stay as they are.
func camelAnswers(m *shaped) {
	lessFeatures(adapter.FieldSelection, adapter.Aggregating)(m)
	m.camel = true
}

// specified are members that the specification names for answers.
var specified = []string{
	"execution_id", "started_at", "finished_at", "page_size", "total_items", "total_pages", "has_more",
	"file_content", "file_encoding", "file_mime_type",
}

func camelName(name string) string {
	if slices.Contains(specified, name) || strings.HasPrefix(name, "_") {
		return name
	}
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// camelCased renames the members of data, and of the types that describe it. What stands
// in the free-form member is the client's own.
func camelCased(free string) func(c adapter.Call, next adapter.Handler) adapter.Envelope {
	return func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		name := c.Body["operation"]
		e := next(c)
		results, ok := e["results"].([]any)
		if !ok {
			camelEnvelope(e, name, free)
		}
		for _, item := range results {
			result := adapter.Object(item)
			camelEnvelope(adapter.Object(result["result"]), result["operation"], free)
		}
		return e
	}
}

func camelEnvelope(e adapter.Envelope, operation any, free string) {
	if operation != "introspect" {
		if adapter.Succeeded(e) {
			e["data"] = camel(e["data"], free)
		}
		return
	}
	kind := adapter.Object(adapter.Object(e["data"])["type"])
	name, _ := kind["name"].(string)
	if name == "" || slices.ContainsFunc([]string{"Input", "Body", "Filter", "Sort"}, func(suffix string) bool { return strings.HasSuffix(name, suffix) }) {
		return
	}
	for _, item := range adapter.Array(kind["fields"]) {
		if f := adapter.Object(item); f["name"] != nil {
			f["name"] = camelName(f["name"].(string))
		}
	}
}

func camel(value any, free string) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range value {
			if name != free {
				inner = camel(inner, free)
			}
			out[camelName(name)] = inner
		}
		return out
	case []any:
		for i := range value {
			value[i] = camel(value[i], free)
		}
	}
	return value
}
