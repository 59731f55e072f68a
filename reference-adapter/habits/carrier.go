package habits

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// carrierAxes are how requests and answers travel, and what introspection tells.
func carrierAxes() []Axis {
	return slices.Concat(resultAxes(), tableAxes(), offerAxes(), listingAxes())
}

func resultAxes() []Axis {
	result := func(change func(e adapter.Envelope, c *adapter.Carried)) func(*shaped) {
		return func(m *shaped) { m.Results = append(m.Results, change) }
	}
	endpoints := func(mode, profile string) func(*shaped) {
		return func(m *shaped) { m.Mode, m.Profile = mode, profile }
	}
	const modes = "spec 3.3"
	return []Axis{
		{Name: "endpoints", Habits: []Habit{
			{Name: "five families", Section: modes},
			{Name: "four families", Section: modes, manner: endpoints("semantic", "alternative")},
			{Name: "families of a database", Section: modes, manner: endpoints("semantic", "database")},
			{Name: "families of a device", Section: modes, manner: endpoints("semantic", "device")},
			{Name: "one tool", Section: modes, manner: endpoints("single", "")},
			{Name: "families and one tool", Section: modes, From: "a b", manner: endpoints("all", "")},
		}},
		{Name: "code of a wrong endpoint", Habits: []Habit{
			{Name: "as operations 6.3", Section: "operations 6.3"},
			{Name: "a permission", Section: "spec 6.2 (names no code); operations 6.3 (informative)", Announces: []string{"OPS-6.3-03"}, Hooks: seam.After(func(_ adapter.Call, e adapter.Envelope) {
				if adapter.Object(e["error"])["code"] == "VALIDATION_ENDPOINT_MISMATCH" {
					adapter.Object(e["error"])["code"] = "PERMISSION_WRONG_ENDPOINT"
				}
			})},
		}},
		{Name: "result", Habits: []Habit{
			{Name: "text and structured content", Section: "MCP 2025-06-18 server/tools"},
			{Name: "text alone", Section: "MCP 2025-06-18 server/tools (structured content is optional)", manner: result(func(_ adapter.Envelope, c *adapter.Carried) { c.Structured = false })},
			{Name: "text with line breaks", Section: "MCP 2025-06-18 server/tools", From: "c", manner: result(func(_ adapter.Envelope, c *adapter.Carried) {
				var out bytes.Buffer
				if json.Indent(&out, []byte(c.Texts[0]), "", "  ") == nil {
					c.Texts[0], c.Structured = out.String(), false
				}
			})},
			{Name: "a second text", Section: "MCP 2025-06-18 server/tools (any number of items)", From: "c", manner: result(func(_ adapter.Envelope, c *adapter.Carried) {
				c.Texts = append(c.Texts, "The first item holds the answer as JSON.")
			})},
		}},
		{Name: "error flag", Habits: []Habit{
			{Name: "on failures", Section: "MCP 2025-06-18 server/tools"},
			{Name: "never", Section: "spec 5.1 (the envelope tells)", From: "b c", manner: result(func(_ adapter.Envelope, c *adapter.Carried) { c.Failed = false })},
		}},
		{Name: "metadata", Habits: []Habit{
			{Name: "none", Section: "operations 3.4 (MAY)"},
			{Name: "in each answer", Section: "operations 3.4", From: "b c", Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
				e["_meta"] = adapter.Plain(map[string]any{"served_by": "node-1", "calls": seam.Count(c.Adapter, "calls answered") + 1})
			})},
		}},
	}
}

// tableAxes are what is documented, and the limits.
func tableAxes() []Axis {
	return []Axis{
		{Name: "examples", Habits: []Habit{
			{Name: "for each operation", Section: "introspection 3.3"},
			{Name: "none", Section: "introspection 3.3 (the list may be empty)", Announces: []string{"INT-8.2-01"}, Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
				for i := range a.Operations {
					a.Operations[i].Examples = []adapter.Example{}
				}
			}}},
		}},
		{Name: "enumerations", Habits: []Habit{
			{Name: "by type", Section: "introspection 3.4, 5.2.1"},
			{Name: "inline", Section: "introspection 3.4.1", Hooks: inlineEnums()},
		}},
		{Name: "constraints", Habits: []Habit{
			{Name: "documented", Section: "introspection 3.4.1"},
			{Name: "none", Section: "introspection 3.4 (optional)", Hooks: unconstrained()},
		}},
		{Name: "limits", Habits: []Habit{
			{Name: "as by default", Section: "spec 4.7.5"},
			{Name: "smallest", Section: "spec 4.7.5", manner: func(m *shaped) {
				m.Manner.Limits = &adapter.Limits{Request: 64 << 10, Response: 1 << 20, Text: 64 << 10, Elements: 100, Depth: 8}
			}},
			{Name: "small", Section: "spec 4.7.5", From: "a b c", manner: func(m *shaped) {
				m.Manner.Limits = &adapter.Limits{Request: 256 << 10, Response: 1 << 20, Text: 64 << 10, Elements: 1000, Depth: 16}
			}},
			{Name: "large", Section: "spec 4.7.5", manner: func(m *shaped) {
				m.Manner.Limits = &adapter.Limits{Request: 4 << 20, Response: 40 << 20, Text: 2 << 20, Elements: 50_000, Depth: 64}
			}},
		}},
	}
}

// offerAxes are what is offered.
func offerAxes() []Axis {
	return []Axis{
		{Name: "features", Habits: []Habit{
			{Name: "usual", Section: "spec 10.3"},
			{Name: "no batches", Section: "operations 7.1 (MAY)", From: "a b c", manner: lessFeatures(adapter.Batching)},
			{Name: "no field selection", Section: "spec 10.1 (SHOULD, level 2)", From: "a b c", manner: lessFeatures(adapter.FieldSelection)},
			{Name: "no long work", Section: "spec 8.4 (SHOULD)", manner: lessFeatures(adapter.Lifecycles)},
			{Name: "bare", Section: "spec 10.3", manner: lessFeatures(adapter.Batching, adapter.FieldSelection, adapter.Lifecycles)},
			{Name: "version tags", Section: "spec 9.3.2", From: "b c", Conflicts: []string{
				"create answers: identifier", "create answers: success alone", "update answers: identifier", "update answers: success alone", "update answers: names of what changed",
			}, manner: func(m *shaped) { m.Features += "," + adapter.Etags }},
			{Name: "version tags that updates demand", Section: "spec 9.3.2; 4.5 (speaks of input alone)", Announces: []string{"INT-8.2-01"}, Conflicts: []string{
				"create answers: identifier", "create answers: success alone", "update answers: identifier", "update answers: success alone", "update answers: names of what changed",
			}, Hooks: tagDemanded(), manner: func(m *shaped) { m.Features += "," + adapter.Etags }},
			{Name: "summaries", Section: "operations 4.4.1", manner: func(m *shaped) { m.Features += "," + adapter.Aggregating }},
			{Name: "computed fields", Section: "introspection 3.3", manner: func(m *shaped) { m.Features += "," + adapter.Computing }},
		}},
		{Name: "size", Habits: []Habit{
			{Name: "all members", Section: ownKinds},
			{Name: "few members", Section: ownKinds, Hooks: lacking("body", "pinned", "tags", "import_number", "due_date", "budget", "file_content", "file_encoding", "file_mime_type", "sort", "filter", "created_after", "title_only", "owner")},
			{Name: "no free-form members", Section: ownKinds, Hooks: lacking("metadata", "file_content", "file_encoding", "file_mime_type")},
		}},
	}
}

// inlineEnums lists the values of a status beside it, without a type.
func inlineEnums() adapter.Hooks {
	inline := func(list []adapter.Parameter) []adapter.Parameter {
		list = slices.Clone(list)
		for i, p := range list {
			if p.Type == "NoteStatus" {
				list[i].Type, list[i].Enum = "string", adapter.NoteStatus
			}
		}
		return list
	}
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i := range a.Operations {
			a.Operations[i].Parameters = inline(a.Operations[i].Parameters)
		}
		for i := range a.Types {
			a.Types[i].Fields = inline(a.Types[i].Fields)
		}
	}}
}

// unconstrained takes any value of the right type.
func unconstrained() adapter.Hooks {
	free := func(list []adapter.Parameter) []adapter.Parameter {
		list = slices.Clone(list)
		for i := range list {
			p := &list[i]
			if p.Name == "first" || p.Name == "limit" || p.Name == "page_size" || p.Name == "page" || p.Name == "offset" || p.Name == "rows" || p.Name == "begin_at" {
				continue // a page of nothing is no page
			}
			p.Minimum, p.Maximum, p.MinLength, p.MaxLength, p.Pattern, p.Format = nil, nil, nil, nil, "", ""
		}
		return list
	}
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i := range a.Operations {
			a.Operations[i].Parameters = free(a.Operations[i].Parameters)
		}
		for i := range a.Types {
			a.Types[i].Fields = free(a.Types[i].Fields)
		}
	}}
}

// lacking serves no such parameters and fields.
func lacking(names ...string) adapter.Hooks {
	left := func(list []adapter.Parameter) []adapter.Parameter {
		return slices.DeleteFunc(slices.Clone(list), func(p adapter.Parameter) bool { return slices.Contains(names, p.Name) })
	}
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i, op := range a.Operations {
			a.Operations[i].Parameters = left(op.Parameters)
			a.Operations[i].Examples = leaner(op.Examples, names)
		}
		for i := range a.Types {
			a.Types[i].Fields = left(a.Types[i].Fields)
		}
		for _, n := range a.Store.Notes {
			for _, name := range names {
				delete(n, name)
			}
		}
		for _, f := range a.Store.Folders {
			for _, name := range names {
				delete(f, name)
			}
		}
	}}
}

// leaner leaves in examples what can be given.
func leaner(examples []adapter.Example, names []string) []adapter.Example {
	examples = slices.Clone(examples)
	for i, e := range examples {
		params := seam.Copied(e.Request["params"])
		input := seam.Copied(params["input"])
		for _, name := range names {
			delete(params, name)
			delete(input, name)
		}
		if len(input) > 0 {
			params["input"] = input
		}
		examples[i].Request = adapter.Request(e.Request["operation"].(string), params)
	}
	return examples
}

// tagDemanded has updates name the version that they change.
func tagDemanded() adapter.Hooks {
	return seam.Remade("update_note", func(op *adapter.Operation) {
		seam.Change(op, "if_match", func(p *adapter.Parameter) { p.Required = true })
		op.Examples = []adapter.Example{}
	})
}

// timesAs writes times in another form.
func timesAs(layout string, zone *time.Location) adapter.Hooks {
	var rewrite func(values map[string]any)
	rewrite = func(values map[string]any) {
		for name, value := range values {
			switch value := value.(type) {
			case string:
				if name != "created_at" && name != "updated_at" {
					continue
				}
				if at, err := time.Parse(time.RFC3339, value); err == nil {
					values[name] = at.In(zone).Format(layout)
				}
			case map[string]any:
				if name != "metadata" {
					rewrite(value)
				}
			case []any:
				for _, item := range value {
					if o := adapter.Object(item); o != nil {
						rewrite(o)
					}
				}
			}
		}
	}
	return seam.After(func(c adapter.Call, e adapter.Envelope) {
		if c.Operation() != "introspect" {
			rewrite(e)
		}
	})
}

// withinOneSecond has some notes created within one second.
func withinOneSecond() adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i, fraction := range []string{"", ".12", ".125"} {
			if n := a.Store.Notes["note_"+strconv.Itoa(i+1)]; n != nil {
				n["created_at"] = "2026-01-05T09:00:00" + fraction + "Z"
				n["updated_at"] = n["created_at"]
			}
		}
	}}
}
