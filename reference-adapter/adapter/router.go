package adapter

import (
	"fmt"
	"maps"
	"strings"
)

// call is one request object on its way through the adapter: a tools/call, or
// one entry of a batch.
type call struct {
	*Adapter
	session *session
	tool    string
	entry   bool           // one of a batch
	body    map[string]any // the request object: operation, params, the rest
	about   string         // the note that a key of several parameters names; empty for none
}

// handler answers a call. Faults wrap handlers; nothing else does.
type handler func(call) envelope

// answer takes the raw arguments of a tools/call to its envelope. Nothing that
// happens on the way reaches the client other than as an envelope (spec 5.1).
func (a *Adapter) answer(s *session, tool string, arguments []byte) (reply envelope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reconfigured()
	defer func() {
		if recover() != nil { // what went wrong is nobody's business but ours (introspection 8.1.3)
			reply = failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
		}
	}()
	if a.hooks.arguments != nil {
		arguments = a.hooks.arguments(arguments)
	}
	if problem := a.limits.scan(arguments); problem != nil {
		return problem
	}
	value, _ := decode(arguments) // absent arguments read as null
	body, ok := value.(map[string]any)
	if !ok && value != nil {
		return mistyped("", "arguments", "object", value)
	}
	if body == nil {
		body = map[string]any{}
	}
	reply = a.hooks.wrapCall(whole)(call{Adapter: a, session: s, tool: tool, body: body})
	if size := len(printed(reply)); size > a.limits.response {
		return tooLarge("response_size", a.limits.response, size, "bytes")
	}
	return reply
}

// whole answers one tools/call: a batch, or a single request.
func whole(c call) envelope {
	if problem := c.limited(c.session); problem != nil {
		return problem
	}
	_, single := c.body["operation"]
	if entries, ok := c.body["operations"]; ok && !single && c.has(batching) {
		return c.batch(entries)
	}
	return c.signed(c.hooks.wrapItem(one)(c))
}

// one routes, validates and runs a single request, in this order: a request at
// the wrong endpoint is told so before its parameters are looked at (spec 3.2).
func one(c call) envelope { return c.said(c.done()) }

func (c call) done() envelope {
	op, problem := c.route()
	if problem != nil {
		return problem
	}
	given, problem := c.resolve(op)
	if problem != nil {
		return problem
	}
	params, problem := c.validate(op, given)
	if problem != nil {
		return problem
	}
	approved, problem := c.gate(op)
	if problem != nil {
		return problem
	}
	return op.run(task{c.Adapter, c.session, op.Name, params, approved})
}

func (c call) route() (operation, envelope) {
	value, present := c.body["operation"]
	name, ok := value.(string)
	switch {
	case !present || value == nil:
		return operation{}, failure("VALIDATION_MISSING_PARAM",
			"Missing required parameter 'operation'. Expected: string (name of the operation to run; call introspect to see all)",
			map[string]any{"param_name": "operation", "expected_type": "string"})
	case !ok:
		return operation{}, mistyped("", "operation", "string", value)
	}
	op, ok := c.operationNamed(name)
	if !ok {
		available := []string{}
		for _, op := range c.operations {
			available = append(available, op.Name)
		}
		return op, failure("NOT_FOUND_OPERATION",
			fmt.Sprintf("Unknown operation '%s'; call introspect to see which operations exist", name),
			map[string]any{"operation": name, "available": available})
	}
	if want := (family{name: c.profile.of(op)}).tool(); c.tool != unified && c.tool != want {
		return op, failure("VALIDATION_ENDPOINT_MISMATCH",
			fmt.Sprintf("Operation '%s' must use the tool '%s', not '%s'", name, c.wired(want), c.wired(c.tool)),
			map[string]any{
				"operation":         name,
				"expected_endpoint": strings.TrimPrefix(want, unified+"_"),
				"actual_endpoint":   strings.TrimPrefix(c.tool, unified+"_"),
			})
	}
	return op, nil
}

// resolve gathers the parameters of a request. A name is looked for in params
// first, at the top level second (spec 4.2); fields of the protocol and metadata
// with a leading underscore are no parameters (spec 4.6.1).
func (c call) resolve(op operation) (map[string]any, envelope) {
	inner := map[string]any{}
	if value := c.body["params"]; value != nil {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, mistyped(op.Name, "params", "object", value)
		}
		inner = object
	}
	given := map[string]any{}
	for name, value := range c.body {
		if name != "operation" && name != "params" && !strings.HasPrefix(name, "_") {
			given[name] = value
		}
	}
	maps.Copy(given, inner)
	return given, nil
}
