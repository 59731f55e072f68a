package wire

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

func annotations(rewrite func(hints map[string]any)) func(tool map[string]any) {
	return func(tool map[string]any) { rewrite(adapter.Object(tool["annotations"])) }
}

// besideTool adds a tool that takes no operation, in the form that rewrite gives
// it. Such a tool is legal, nobody calls it, and what is wrong with it is wrong
// with nothing else.
func besideTool(rewrite func(tool map[string]any)) adapter.Hooks {
	return seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
		tool := map[string]any{
			"name":        "notes_help",
			"description": "Explains how notes and folders belong together",
			"inputSchema": map[string]any{
				"type":       "object",
				"properties": map[string]any{"topic": map[string]any{"type": "string", "description": "What to explain"}},
			},
			"annotations": map[string]any{"readOnlyHint": true, "openWorldHint": false},
		}
		rewrite(tool)
		return append(tools, tool)
	})
}

// besideSchema is besideTool for what is wrong inside the input schema.
func besideSchema(rewrite func(schema map[string]any)) adapter.Hooks {
	return besideTool(func(tool map[string]any) { rewrite(adapter.Object(tool["inputSchema"])) })
}

// text rewrites the text of a result.
func text(result map[string]any, change func(string) string) {
	block := adapter.Object(adapter.Array(result["content"])[0])
	block["text"] = change(block["text"].(string))
}

// withoutQuery picks introspect requests that are refused for lacking query.
func withoutQuery(arguments map[string]any, e adapter.Envelope) bool {
	return arguments["operation"] == "introspect" && seam.FailedWith("VALIDATION_MISSING_PARAM")(nil, e)
}

// eating drops the line behind each line that is no JSON.
func eating() adapter.Hooks {
	return adapter.Hooks{Input: func(_ *adapter.Adapter, in io.Reader) io.Reader {
		whole, out := io.Pipe()
		go func() {
			lines, broken := bufio.NewReader(in), false
			for {
				line, err := lines.ReadBytes('\n')
				if !broken {
					_, _ = out.Write(line)
				}
				broken = !broken && !json.Valid(line)
				if err != nil {
					_ = out.CloseWithError(err)
					return
				}
			}
		}()
		return whole
	}}
}

// dyingOfArguments is a server that some arguments of a call kill.
func dyingOfArguments(deadly func(arguments string) bool) adapter.Hooks {
	return dyingOf(func(message []byte) bool {
		var m struct {
			Params struct {
				Arguments json.RawMessage `json:"arguments"`
			} `json:"params"`
		}
		return json.Unmarshal(message, &m) == nil && deadly(string(m.Params.Arguments))
	})
}
