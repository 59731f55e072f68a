package adapter

import "maps"

// Faults of the MCP layer rewrite JSON-RPC messages. They work the same over
// stdio, where a message is a line, and over HTTP, where it is a body.

// answering lets a fault rewrite the results of one MCP method.
func answering(method string, rewrite func(x *exchange, result map[string]any)) hooks {
	return hooks{answer: func(x *exchange) {
		for _, reply := range x.replies {
			if result := object(reply["result"]); result != nil && x.original["method"] == method {
				rewrite(x, result)
			}
		}
	}}
}

// starting rewrites what the server says about itself, in either era of MCP.
func starting(rewrite func(result map[string]any)) hooks {
	return both(
		answering("initialize", func(_ *exchange, result map[string]any) { rewrite(result) }),
		answering("server/discover", func(_ *exchange, result map[string]any) { rewrite(result) }),
	)
}

// toolList rewrites the array of tools.
func toolList(rewrite func(x *exchange, tools []any) any) hooks {
	return answering("tools/list", func(x *exchange, result map[string]any) {
		result["tools"] = rewrite(x, array(result["tools"]))
	})
}

// toolHosting rewrites the tool that an operation belongs to.
func toolHosting(operation string, rewrite func(tool map[string]any)) hooks {
	return both(needs(operation, nil), toolList(func(x *exchange, tools []any) any {
		op, _ := x.operationNamed(operation)
		inList(tools, x.toolOf(op), rewrite)
		return tools
	}))
}

func annotations(rewrite func(hints map[string]any)) func(tool map[string]any) {
	return func(tool map[string]any) { rewrite(object(tool["annotations"])) }
}

// besideTool adds a tool that takes no operation, in the form that rewrite gives
// it. Such a tool is legal, nobody calls it, and what is wrong with it is wrong
// with nothing else.
func besideTool(rewrite func(tool map[string]any)) hooks {
	return toolList(func(_ *exchange, tools []any) any {
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
func besideSchema(rewrite func(schema map[string]any)) hooks {
	return besideTool(func(tool map[string]any) { rewrite(object(tool["inputSchema"])) })
}

// results lets a fault rewrite the MCP result around the envelope of the calls
// that it picks.
func results(pick func(arguments map[string]any, e envelope) bool, rewrite func(result map[string]any)) hooks {
	return answering("tools/call", func(x *exchange, result map[string]any) {
		arguments := x.arguments()
		if e := saidIn(result); e != nil && pick(arguments, e) {
			rewrite(result)
		}
	})
}

// arguments are those of a call, with the name that the operation has in the heart.
func (x *exchange) arguments() map[string]any {
	said := object(object(x.original["params"])["arguments"])
	name, named := said["operation"].(string)
	w := x.aside().words
	if !named || w == nil {
		return said
	}
	heart := maps.Clone(said)
	heart["operation"] = w.toHeart(name)
	return heart
}

// outward is the name on the wire of an operation of the heart.
func (a *Adapter) outward(operation string) string {
	if w := a.aside().words; w != nil {
		return w.toWire(operation)
	}
	return operation
}

// inward puts what a client wrote as text into the names of the heart.
func (a *Adapter) inward(value map[string]any) map[string]any {
	if w := a.aside().words; w != nil {
		return w.objectToHeart(value)
	}
	return value
}

// saidIn is the envelope of a result: its structured content, else the first text that is one.
func saidIn(result map[string]any) envelope {
	if e := object(result["structuredContent"]); e != nil {
		return e
	}
	for _, item := range array(result["content"]) {
		said, _ := object(item)["text"].(string)
		if value, err := decode([]byte(said)); err == nil && object(value) != nil {
			return object(value)
		}
	}
	return nil
}

// text rewrites the text of a result.
func text(result map[string]any, change func(string) string) {
	block := object(array(result["content"])[0])
	block["text"] = change(block["text"].(string))
}

func failedWith(code string) func(map[string]any, envelope) bool {
	return func(_ map[string]any, e envelope) bool { return object(e["error"])["code"] == code }
}

// succeededAt picks the successes of one operation.
func succeededAt(operation string) func(map[string]any, envelope) bool {
	return func(arguments map[string]any, e envelope) bool {
		return arguments["operation"] == operation && succeeded(e)
	}
}

// withoutQuery picks introspect requests that are refused for lacking query.
func withoutQuery(arguments map[string]any, e envelope) bool {
	return arguments["operation"] == "introspect" && failedWith("VALIDATION_MISSING_PARAM")(nil, e)
}

// rpcRefusal turns the answers that it picks into JSON-RPC errors.
func rpcRefusal(pick func(x *exchange, result map[string]any) bool, code int, message string) hooks {
	return hooks{answer: func(x *exchange) {
		for _, reply := range x.replies {
			if result := object(reply["result"]); result != nil && pick(x, result) {
				delete(reply, "result")
				reply["error"] = map[string]any{"code": code, "message": message}
			}
		}
	}}
}
