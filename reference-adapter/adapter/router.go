package adapter

import (
	"fmt"
	"maps"
	"strings"
)

// Call is one request object on its way through the adapter: a tools/call, or
// one entry of a batch.
type Call struct {
	*Adapter
	Session *Session
	Tool    string
	Entry   bool           // one of a batch
	Body    map[string]any // the request object: operation, params, the rest
	About   string         // the note that a key of several parameters names; empty for none
}

// Handler answers a call. Faults wrap handlers; nothing else does.
type Handler func(Call) Envelope

// Answer takes the raw arguments of a tools/call to its envelope. Nothing that
// happens on the way reaches the client other than as an envelope (spec 5.1).
func (a *Adapter) Answer(s *Session, tool string, arguments []byte) (reply Envelope) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	a.reconfigured()
	defer func() {
		if recover() != nil { // what went wrong is nobody's business but ours (introspection 8.1.3)
			reply = Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
		}
	}()
	if a.Hooks.Arguments != nil {
		arguments = a.Hooks.Arguments(arguments)
	}
	if problem := a.limits.scan(arguments); problem != nil {
		return problem
	}
	value, _ := Decode(arguments) // absent arguments read as null
	body, ok := value.(map[string]any)
	if !ok && value != nil {
		return Mistyped("", "arguments", "object", value)
	}
	if body == nil {
		body = map[string]any{}
	}
	reply = a.Hooks.wrapCall(Whole)(Call{Adapter: a, Session: s, Tool: tool, Body: body})
	if size := len(Printed(reply)); size > a.limits.Response {
		return tooLarge("response_size", a.limits.Response, size, "bytes")
	}
	return reply
}

// Whole answers one tools/call: a batch, or a single request.
func Whole(c Call) Envelope {
	if problem := c.limited(c.Session); problem != nil {
		return problem
	}
	_, single := c.Body["operation"]
	if entries, ok := c.Body["operations"]; ok && !single && c.Has(Batching) {
		return c.batch(entries)
	}
	return c.signed(c.Hooks.wrapItem(one)(c))
}

// one routes, validates and runs a single request, in this order: a request at
// the wrong endpoint is told so before its parameters are looked at (spec 3.2).
func one(c Call) Envelope { return c.said(c.audited(c.done())) }

func (c Call) done() Envelope {
	op, problem := c.route()
	if problem != nil {
		return problem
	}
	given, problem := c.Resolve(op)
	if problem != nil {
		return problem
	}
	params, problem := c.Validate(op, given)
	if problem != nil {
		return problem
	}
	approved, problem := c.Extension.Gate(c, op)
	if problem != nil {
		return problem
	}
	return op.Run(Task{c.Adapter, c.Session, op.Name, params, approved})
}

func (c Call) route() (Operation, Envelope) {
	value, present := c.Body["operation"]
	name, ok := value.(string)
	switch {
	case !present || value == nil:
		return Operation{}, Failure("VALIDATION_MISSING_PARAM",
			"Missing required parameter 'operation'. Expected: string (name of the operation to run; call introspect to see all)",
			map[string]any{"param_name": "operation", "expected_type": "string"})
	case !ok:
		return Operation{}, Mistyped("", "operation", "string", value)
	}
	op, ok := c.OperationNamed(name)
	if !ok {
		available := []string{}
		for _, op := range c.Operations {
			available = append(available, op.Name)
		}
		return op, Failure("NOT_FOUND_OPERATION",
			fmt.Sprintf("Unknown operation '%s'; call introspect to see which operations exist", name),
			map[string]any{"operation": name, "available": available})
	}
	if want := (Family{Name: c.Profile.Of(op)}).Tool(); c.Tool != Unified && c.Tool != want {
		return op, Failure("VALIDATION_ENDPOINT_MISMATCH",
			fmt.Sprintf("Operation '%s' must use the tool '%s', not '%s'", name, c.Wired(want), c.Wired(c.Tool)),
			map[string]any{
				"operation":         name,
				"expected_endpoint": strings.TrimPrefix(want, Unified+"_"),
				"actual_endpoint":   strings.TrimPrefix(c.Tool, Unified+"_"),
			})
	}
	return op, nil
}

// Resolve gathers the parameters of a request. A name is looked for in params
// first, at the top level second (spec 4.2); fields of the protocol and metadata
// with a leading underscore are no parameters (spec 4.6.1).
func (c Call) Resolve(op Operation) (map[string]any, Envelope) {
	inner := map[string]any{}
	if value := c.Body["params"]; value != nil {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, Mistyped(op.Name, "params", "object", value)
		}
		inner = object
	}
	given := map[string]any{}
	for name, value := range c.Body {
		if name != "operation" && name != "params" && !strings.HasPrefix(name, "_") {
			given[name] = value
		}
	}
	maps.Copy(given, inner)
	return given, nil
}
