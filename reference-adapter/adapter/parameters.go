package adapter

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Parameter is one documented parameter or field. Introspection prints it and
// validation enforces it, so the two cannot drift apart (introspection 8.1.1).
type Parameter struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Required    bool           `json:"required"`
	Description string         `json:"description"`
	Default     any            `json:"default,omitempty"`
	Enum        []string       `json:"enum,omitempty"`
	Minimum     *int           `json:"minimum,omitempty"`
	Maximum     *int           `json:"maximum,omitempty"`
	MinLength   *int           `json:"minLength,omitempty"`
	MaxLength   *int           `json:"maxLength,omitempty"`
	Pattern     string         `json:"pattern,omitempty"`
	Format      string         `json:"format,omitempty"`
	Items       map[string]any `json:"items,omitempty"`
	Sensitive   bool           `json:"sensitive,omitempty"`
	Feature     string         `json:"-"` // the optional feature that it belongs to; empty for none
}

// A step is one part of validation. Its order is a habit.
var steps = map[string]func(a *Adapter, op Operation, given map[string]any) Envelope{
	"required": func(_ *Adapter, op Operation, given map[string]any) Envelope {
		for _, p := range op.Parameters {
			if p.Required && given[p.Name] == nil {
				return Missing(op.Name, p)
			}
		}
		return nil
	},
	"types": func(a *Adapter, op Operation, given map[string]any) Envelope {
		return eachParameter(op, given, a.CheckType)
	},
	"known": func(_ *Adapter, op Operation, given map[string]any) Envelope { return CheckKnown(op, given) },
	"values": func(a *Adapter, op Operation, given map[string]any) Envelope {
		return eachParameter(op, given, a.CheckValue)
	},
	"existence": func(a *Adapter, op Operation, given map[string]any) Envelope {
		at := slices.IndexFunc(op.Parameters, func(p Parameter) bool { return p.Name == "note_id" })
		id, ok := given["note_id"].(string)
		if !ok || at < 0 || op.Category == "CREATE" || a.Store.Notes[id] != nil || a.CheckValue(op.Name, "note_id", op.Parameters[at], id) != nil {
			return nil
		}
		return Absent("note", id)
	},
}

func eachParameter(op Operation, given map[string]any, check func(operation, name string, p Parameter, value any) Envelope) Envelope {
	for _, p := range op.Parameters {
		if problem := check(op.Name, p.Name, p, given[p.Name]); problem != nil {
			return problem
		}
	}
	return nil
}

// order is the order of the steps of validation, that of operations 5.4 unless a habit
// has another.
func (a *Adapter) order() []string {
	if len(a.Manner.Order) > 0 {
		return a.Manner.Order
	}
	return []string{"required", "types", "known", "values"}
}

// Validate checks given against the documented parameters of op, then fills in defaults. The operation runs only if all is well,
// so a refused request never leaves an effect. A null stands for an absent value.
func (a *Adapter) Validate(op Operation, given map[string]any) (map[string]any, Envelope) {
	for _, name := range a.order() {
		if problem := steps[name](a, op, given); problem != nil {
			return nil, problem
		}
	}
	out := map[string]any{}
	for _, p := range op.Parameters {
		value := given[p.Name]
		if value == nil {
			value = Plain(p.Default)
		}
		if value != nil {
			out[p.Name] = value
		}
	}
	return out, nil
}

func CheckKnown(op Operation, given map[string]any) Envelope {
	valid := []string{}
	for _, p := range op.Parameters {
		valid = append(valid, p.Name)
	}
	unknown := []string{}
	for name := range given {
		if !slices.Contains(valid, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return Failure("VALIDATION_UNKNOWN_PARAM",
		fmt.Sprintf("Unknown parameter '%s' for operation '%s'. Valid parameters: %s",
			strings.Join(unknown, "', '"), op.Name, strings.Join(valid, ", ")),
		map[string]any{"operation": op.Name, "unknown_params": unknown, "valid_params": valid})
}

func Missing(operation string, p Parameter) Envelope {
	return Failure("VALIDATION_MISSING_PARAM",
		fmt.Sprintf("Missing required parameter '%s' for operation '%s'. Expected: %s (%s)", p.Name, operation, p.Type, p.Description),
		map[string]any{"param_name": p.Name, "operation": operation, "expected_type": p.Type})
}

func Mistyped(operation, name, want string, value any) Envelope {
	details := map[string]any{"param_name": name, "expected_type": want, "actual_type": JSONType(value)}
	of := ""
	if operation != "" { // unknown while the request itself is malformed
		details["operation"] = operation
		of = " of operation '" + operation + "'"
	}
	return Failure("VALIDATION_INVALID_TYPE",
		fmt.Sprintf("Parameter '%s'%s expected '%s', got '%s'", name, of, want, JSONType(value)), details)
}

// Misvalued answers a value of the right type that breaks a documented
// constraint; allowed says in words or as a list what would be accepted.
func Misvalued(operation, name string, allowed any) Envelope {
	words := fmt.Sprint(allowed)
	if list, ok := allowed.([]string); ok {
		words = "one of '" + strings.Join(list, "', '") + "'"
	}
	return Failure("VALIDATION_INVALID_VALUE",
		fmt.Sprintf("Invalid value for parameter '%s' of operation '%s'. Allowed: %s", name, operation, words),
		map[string]any{"param_name": name, "operation": operation, "allowed": allowed})
}

func (a *Adapter) CheckType(operation, name string, p Parameter, value any) Envelope {
	if value == nil {
		return nil
	}
	want := p.Type
	if named, ok := a.TypeNamed(p.Type); ok {
		want = map[string]string{"enum": "string"}[named.Kind]
		if want == "" {
			want = "object"
		}
	}
	for _, arm := range strings.Split(want, " | ") {
		if HasType(arm, value) {
			return a.checkElements(operation, name, p, value)
		}
	}
	return Mistyped(operation, name, want, value)
}

func (a *Adapter) checkElements(operation, name string, p Parameter, value any) Envelope {
	list, ok := value.([]any)
	if !ok || p.Items == nil {
		return nil
	}
	for _, element := range list {
		if want := p.Items["type"].(string); !HasType(want, element) {
			return Mistyped(operation, name, "array of "+want, []any{})
		}
	}
	return nil
}

func HasType(want string, value any) bool {
	switch want {
	case "integer":
		number, ok := value.(json.Number)
		whole, err := number.Float64()
		return ok && err == nil && whole == math.Trunc(whole)
	case "string[]":
		list, ok := value.([]any)
		return ok && !slices.ContainsFunc(list, func(e any) bool { return JSONType(e) != "string" })
	}
	return want == JSONType(value)
}

// JSONType names the JSON type of a decoded value.
func JSONType(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func (a *Adapter) CheckValue(operation, name string, p Parameter, value any) Envelope {
	switch value := value.(type) {
	case json.Number:
		n, _ := value.Float64()
		if p.Minimum != nil && n < float64(*p.Minimum) || p.Maximum != nil && n > float64(*p.Maximum) {
			return Misvalued(operation, name, fmt.Sprintf("%d to %d", *p.Minimum, *p.Maximum))
		}
	case string:
		return a.checkText(operation, name, p, value)
	case map[string]any:
		if named, ok := a.TypeNamed(p.Type); ok && named.Kind == "object" {
			return a.CheckObject(operation, name, named, value)
		}
	}
	return nil
}

// CheckObject checks the fields of an object against its registered type: nothing
// unknown, nothing lacking, each as documented (for input: spec 4.5.3).
func (a *Adapter) CheckObject(operation, name string, kind TypeInfo, value map[string]any) Envelope {
	if problem := checkFields(operation, name, kind, value); problem != nil {
		return problem
	}
	for _, f := range kind.Fields {
		f, given := f, value[f.Name]
		f.Name = name + "." + f.Name
		if f.Required && given == nil {
			return Missing(operation, f)
		}
		if problem := a.CheckType(operation, f.Name, f, given); problem != nil {
			return problem
		}
		if problem := a.CheckValue(operation, f.Name, f, given); problem != nil {
			return problem
		}
	}
	return nil
}

func checkFields(operation, name string, kind TypeInfo, value map[string]any) Envelope {
	var unknown, valid []string
	for _, f := range kind.Fields {
		valid = append(valid, f.Name)
	}
	for field := range value {
		if !slices.Contains(valid, field) {
			unknown = append(unknown, field)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return Failure("VALIDATION_UNKNOWN_FIELD",
		fmt.Sprintf("Unknown field '%s' in %s of operation '%s'; identifiers belong beside it. Valid fields: %s",
			strings.Join(unknown, "', '"), name, operation, strings.Join(valid, ", ")),
		map[string]any{"operation": operation, "unknown_fields": unknown, "valid_fields": valid})
}

// Integer returns a validated whole number, and 0 for an absent one.
func Integer(value any) int {
	number, _ := value.(json.Number)
	n, _ := number.Float64()
	return int(n)
}

func Ref(n int) *int { return &n }
