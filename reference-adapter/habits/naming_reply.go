package habits

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// reply translates an envelope towards the wire.
func (v *vocabulary) reply(e adapter.Envelope, operation string) adapter.Envelope {
	out := maps.Clone(e)
	if reason := adapter.Object(e["error"]); reason != nil {
		out["error"] = v.reason(reason, protocolOwn[operation])
	}
	if warnings := adapter.Array(e["warnings"]); warnings != nil {
		out["warnings"] = v.warnings(warnings)
	}
	switch data := e["data"].(type) {
	case map[string]any:
		if operation == "introspect" {
			out["data"] = v.introspection(data)
		} else {
			out["data"] = v.object(data, outward)
		}
	case []any:
		out["data"] = v.member("", data, outward)
	case string:
		out["data"] = v.text(data)
	}
	return out
}

// warnings translates the messages of warnings.
func (v *vocabulary) warnings(list []any) []any {
	out := []any{}
	for _, item := range list {
		warning := maps.Clone(adapter.Object(item))
		if message, ok := warning["message"].(string); ok {
			warning["message"] = v.text(message)
		}
		out = append(out, warning)
	}
	return out
}

// batch translates the results of a batch, each by its operation.
func (v *vocabulary) batch(e adapter.Envelope, results []any) adapter.Envelope {
	out, list := maps.Clone(e), []any{}
	for _, result := range results {
		list = append(list, v.result(adapter.Object(result)))
	}
	out["results"] = list
	if halted := adapter.Object(e["halted_at"]); halted != nil {
		out["halted_at"] = v.result(halted)
	}
	if pending := adapter.Array(e["pending_operations"]); pending != nil {
		left := []any{}
		for _, entry := range pending {
			left = append(left, v.request(adapter.Object(entry), outward))
		}
		out["pending_operations"] = left
	}
	return out
}

func (v *vocabulary) result(result map[string]any) map[string]any {
	out := maps.Clone(result)
	name, _ := result["operation"].(string)
	out["operation"] = outward.name(v.operations, name)
	if inner := adapter.Object(result["result"]); inner != nil {
		out["result"] = v.reply(inner, name)
	}
	return out
}

// reason translates an error object: its message, and the details that hold names.
// The parameters of introspect keep the names of the specification.
func (v *vocabulary) reason(reason map[string]any, fixed bool) map[string]any {
	out := maps.Clone(reason)
	if message, ok := reason["message"].(string); ok && !fixed {
		out["message"] = v.text(message)
	}
	details := adapter.Object(reason["details"])
	if details == nil {
		return out
	}
	shown := maps.Clone(details)
	for key, value := range details {
		switch key {
		case "operation", "available":
			shown[key] = v.named(value, v.operations)
		case "param_name", "unknown_params", "valid_params", "unknown_fields", "valid_fields", "allowed", "resource_type", "expected_type":
			if !fixed {
				shown[key] = v.named(value, naming{})
			}
		}
	}
	out["details"] = shown
	return out
}

// named translates a name or a list of names; by the names of one sort, or of any.
func (v *vocabulary) named(value any, of naming) any {
	switch value := value.(type) {
	case string:
		if of.wire != nil {
			return outward.name(of, value)
		}
		if noun, ok := v.nouns[value]; ok {
			return noun
		}
		return v.Name(value)
	case []any:
		list := []any{}
		for _, item := range value {
			list = append(list, v.named(item, of))
		}
		return list
	}
	return value
}

// introspection translates what introspect answers.
func (v *vocabulary) introspection(data map[string]any) map[string]any {
	out := maps.Clone(data)
	for key, one := range map[string]func(map[string]any) any{
		"operation": v.operation, "type": v.kind, "operations": v.operation, "types": v.kind,
	} {
		switch value := data[key].(type) {
		case map[string]any:
			out[key] = one(value)
		case []any:
			list := []any{}
			for _, item := range value {
				if o := adapter.Object(item); o != nil {
					item = one(o)
				}
				list = append(list, item)
			}
			out[key] = list
		}
	}
	return out
}

func (v *vocabulary) operation(op map[string]any) any {
	out := maps.Clone(op)
	heart, _ := op["name"].(string)
	fixed := protocolOwn[heart]
	out["name"] = v.named(op["name"], v.operations)
	if description, ok := op["description"].(string); ok && !fixed {
		out["description"] = v.text(description) + v.similar[heart]
	}
	if names := adapter.Array(op["takes"]); names != nil && !fixed {
		out["takes"] = v.named(names, v.members)
	}
	if list := adapter.Array(op["parameters"]); list != nil {
		out["parameters"] = v.fields(list, fixed)
	}
	if returns := adapter.Object(op["returns"]); returns != nil {
		out["returns"] = v.kind(returns)
	}
	var examples []any
	for _, item := range adapter.Array(op["examples"]) {
		example := maps.Clone(adapter.Object(item))
		if request := adapter.Object(example["request"]); request != nil {
			example["request"] = v.body(request, outward)
		}
		if text, ok := example["description"].(string); ok {
			example["description"] = v.text(text)
		}
		examples = append(examples, example)
	}
	if examples != nil {
		out["examples"] = examples
	}
	if support := adapter.Object(op["aggregation_support"]); support != nil {
		shown := maps.Clone(support)
		for _, key := range []string{"groupable_fields", "numeric_fields"} {
			shown[key] = v.named(support[key], v.members)
		}
		out["aggregation_support"] = shown
	}
	return out
}

// kind translates the record of a type.
func (v *vocabulary) kind(kind map[string]any) any {
	out := maps.Clone(kind)
	name, _ := kind["name"].(string)
	out["name"] = outward.name(v.types, name)
	if text, ok := kind["description"].(string); ok {
		out["description"] = v.text(text)
	}
	switch name {
	case "NoteStatus":
		out["values"] = v.named(kind["values"], v.values)
	case "NoteSortField":
		out["values"] = v.named(kind["values"], v.members)
	}
	if list := adapter.Array(kind["fields"]); list != nil {
		out["fields"] = v.fields(list, false)
	}
	if list := adapter.Array(kind["members"]); list != nil {
		out["members"] = v.named(list, v.types)
	}
	return out
}

// fields translates the records of parameters or fields.
func (v *vocabulary) fields(list []any, fixed bool) []any {
	out := []any{}
	execution := slices.ContainsFunc(list, func(item any) bool { return adapter.Object(item)["name"] == "execution_id" })
	for _, item := range list {
		field := adapter.Object(item)
		if field == nil || fixed {
			out = append(out, item)
			continue
		}
		shown := maps.Clone(field)
		name, _ := field["name"].(string)
		own := execution && name == "status" // of the specification
		if !own {
			shown["name"] = outward.name(v.members, name)
		}
		if kind, ok := field["type"].(string); ok {
			shown["type"] = outward.name(v.types, kind)
		}
		if text, ok := field["description"].(string); ok {
			shown["description"] = v.text(text)
		}
		if items := adapter.Object(field["items"]); items != nil {
			items = maps.Clone(items)
			items["type"] = v.named(items["type"], v.types)
			shown["items"] = items
		}
		if name == "status" && !own {
			for _, key := range []string{"enum", "default"} {
				if field[key] != nil {
					shown[key] = v.named(field[key], v.values)
				}
			}
		}
		out = append(out, shown)
	}
	return out
}
