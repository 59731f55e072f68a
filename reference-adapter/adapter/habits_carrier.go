package adapter

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// carrierAxes are how requests and answers travel, and what introspection tells.
func carrierAxes() []Axis {
	result := func(change func(e envelope, c *carried)) func(*shaped) {
		return func(m *shaped) { m.results = append(m.results, change) }
	}
	endpoints := func(mode, profile string) func(*shaped) {
		return func(m *shaped) { m.mode, m.profile = mode, profile }
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
			{Name: "a permission", Section: "spec 6.2 (names no code); operations 6.3 (informative)", Announces: []string{"OPS-6.3-03"}, hooks: after(func(_ call, e envelope) {
				if object(e["error"])["code"] == "VALIDATION_ENDPOINT_MISMATCH" {
					object(e["error"])["code"] = "PERMISSION_WRONG_ENDPOINT"
				}
			})},
		}},
		{Name: "result", Habits: []Habit{
			{Name: "text and structured content", Section: "MCP 2025-06-18 server/tools"},
			{Name: "text alone", Section: "MCP 2025-06-18 server/tools (structured content is optional)", manner: result(func(_ envelope, c *carried) { c.structured = false })},
			{Name: "text with line breaks", Section: "MCP 2025-06-18 server/tools", From: "c", manner: result(func(_ envelope, c *carried) {
				var out bytes.Buffer
				if json.Indent(&out, []byte(c.texts[0]), "", "  ") == nil {
					c.texts[0], c.structured = out.String(), false
				}
			})},
			{Name: "a second text", Section: "MCP 2025-06-18 server/tools (any number of items)", From: "c", manner: result(func(_ envelope, c *carried) {
				c.texts = append(c.texts, "The first item holds the answer as JSON.")
			})},
		}},
		{Name: "error flag", Habits: []Habit{
			{Name: "on failures", Section: "MCP 2025-06-18 server/tools"},
			{Name: "never", Section: "spec 5.1 (the envelope tells)", From: "b c", manner: result(func(_ envelope, c *carried) { c.failed = false })},
		}},
		{Name: "metadata", Habits: []Habit{
			{Name: "none", Section: "operations 3.4 (MAY)"},
			{Name: "in each answer", Section: "operations 3.4", From: "b c", hooks: after(func(c call, e envelope) {
				e["_meta"] = plain(map[string]any{"served_by": "node-1", "calls": c.count("calls answered") + 1})
			})},
		}},
		{Name: "examples", Habits: []Habit{
			{Name: "for each operation", Section: "introspection 3.3"},
			{Name: "none", Section: "introspection 3.3 (the list may be empty)", Announces: []string{"INT-8.2-01"}, hooks: hooks{table: func(a *Adapter) {
				for i := range a.operations {
					a.operations[i].Examples = []example{}
				}
			}}},
		}},
		{Name: "enumerations", Habits: []Habit{
			{Name: "by type", Section: "introspection 3.4, 5.2.1"},
			{Name: "inline", Section: "introspection 3.4.1", hooks: inlineEnums()},
		}},
		{Name: "constraints", Habits: []Habit{
			{Name: "documented", Section: "introspection 3.4.1"},
			{Name: "none", Section: "introspection 3.4 (optional)", hooks: unconstrained()},
		}},
		{Name: "limits", Habits: []Habit{
			{Name: "as by default", Section: "spec 4.7.5"},
			{Name: "smallest", Section: "spec 4.7.5", manner: func(m *shaped) {
				m.manner.limits = &limits{request: 64 << 10, response: 1 << 20, text: 64 << 10, elements: 100, depth: 8}
			}},
			{Name: "small", Section: "spec 4.7.5", From: "a b c", manner: func(m *shaped) {
				m.manner.limits = &limits{request: 256 << 10, response: 1 << 20, text: 64 << 10, elements: 1000, depth: 16}
			}},
			{Name: "large", Section: "spec 4.7.5", manner: func(m *shaped) {
				m.manner.limits = &limits{request: 4 << 20, response: 40 << 20, text: 2 << 20, elements: 50_000, depth: 64}
			}},
		}},
		{Name: "features", Habits: []Habit{
			{Name: "usual", Section: "spec 10.3"},
			{Name: "no batches", Section: "operations 7.1 (MAY)", From: "a b c", manner: lessFeatures(batching)},
			{Name: "no field selection", Section: "spec 10.1 (SHOULD, level 2)", From: "a b c", manner: lessFeatures(fieldSelection)},
			{Name: "no long work", Section: "spec 8.4 (SHOULD)", manner: lessFeatures(lifecycles)},
			{Name: "bare", Section: "spec 10.3", manner: lessFeatures(batching, fieldSelection, lifecycles)},
			{Name: "version tags", Section: "spec 9.3.2", From: "b c", Conflicts: []string{
				"create answers: identifier", "create answers: success alone", "update answers: identifier", "update answers: success alone", "update answers: names of what changed",
			}, manner: func(m *shaped) { m.features += "," + etags }},
			{Name: "summaries", Section: "operations 4.4.1", manner: func(m *shaped) { m.features += "," + aggregating }},
			{Name: "computed fields", Section: "introspection 3.3", manner: func(m *shaped) { m.features += "," + computing }},
		}},
		{Name: "size", Habits: []Habit{
			{Name: "all members", Section: ownKinds},
			{Name: "few members", Section: ownKinds, hooks: lacking("body", "pinned", "tags", "import_number", "due_date", "budget", "file_content", "file_encoding", "file_mime_type", "sort", "filter", "created_after", "title_only", "owner")},
			{Name: "no free-form members", Section: ownKinds, hooks: lacking("metadata", "file_content", "file_encoding", "file_mime_type")},
		}},
		{Name: listingAxis, Habits: []Habit{
			{Name: "whole", Section: "spec 7.2"},
			{Name: "in pages from a number", Section: "introspection 8.3", From: "a c", hooks: operationsInPages(parameter{Name: "offset", Type: "integer", Default: 0, Minimum: ref(0), Description: "List the operations from this one on"}, "next_offset")},
			{Name: "in pages behind a cursor", Section: "introspection 8.3", From: "a c", hooks: operationsInPages(parameter{Name: "after", Type: "string", Description: "List the operations behind the page with this next_cursor"}, "next_cursor")},
		}},
		{Name: "entries of the listing", Habits: []Habit{
			{Name: "summaries", Section: "introspection 1.2"},
			{Name: "with the names of the parameters", Section: "introspection 1.2 (no tables)", From: "c", hooks: listing(func(c call, data map[string]any) {
				for _, shown := range array(data["operations"]) {
					op, _ := c.operationNamed(object(shown)["name"].(string))
					names := []any{}
					for _, p := range op.Parameters {
						names = append(names, p.Name)
					}
					object(shown)["takes"] = names
				}
			})},
		}},
		{Name: "times", Habits: []Habit{
			{Name: "UTC", Section: "spec 4.7.2"},
			{Name: "UTC with milliseconds", Section: "spec 4.7.2 (ISO 8601)", hooks: timesAs("2006-01-02T15:04:05.000Z", time.UTC)},
			{Name: "UTC with as many digits as needed", Section: "spec 4.7.2 (ISO 8601)", From: "a c", hooks: withinOneSecond()},
			{Name: "offset", Section: "spec 4.7.2 (SHOULD use UTC)", From: "a c", hooks: timesAs("2006-01-02T15:04:05-07:00", time.FixedZone("", 2*60*60)), Announces: []string{"AQL-4.7.2-02"}},
		}},
	}
}

// inlineEnums lists the values of a status beside it, without a type.
func inlineEnums() hooks {
	inline := func(list []parameter) []parameter {
		list = slices.Clone(list)
		for i, p := range list {
			if p.Type == "NoteStatus" {
				list[i].Type, list[i].Enum = "string", noteStatus
			}
		}
		return list
	}
	return hooks{table: func(a *Adapter) {
		for i := range a.operations {
			a.operations[i].Parameters = inline(a.operations[i].Parameters)
		}
		for i := range a.types {
			a.types[i].Fields = inline(a.types[i].Fields)
		}
	}}
}

// unconstrained takes any value of the right type.
func unconstrained() hooks {
	free := func(list []parameter) []parameter {
		list = slices.Clone(list)
		for i := range list {
			p := &list[i]
			if p.Name == "first" || p.Name == "limit" || p.Name == "page_size" || p.Name == "page" || p.Name == "offset" {
				continue // a page of nothing is no page
			}
			p.Minimum, p.Maximum, p.MinLength, p.MaxLength, p.Pattern, p.Format = nil, nil, nil, nil, "", ""
		}
		return list
	}
	return hooks{table: func(a *Adapter) {
		for i := range a.operations {
			a.operations[i].Parameters = free(a.operations[i].Parameters)
		}
		for i := range a.types {
			a.types[i].Fields = free(a.types[i].Fields)
		}
	}}
}

// lacking serves no such parameters and fields.
func lacking(names ...string) hooks {
	left := func(list []parameter) []parameter {
		return slices.DeleteFunc(slices.Clone(list), func(p parameter) bool { return slices.Contains(names, p.Name) })
	}
	return hooks{table: func(a *Adapter) {
		for i, op := range a.operations {
			a.operations[i].Parameters = left(op.Parameters)
			a.operations[i].Examples = leaner(op.Examples, names)
		}
		for i := range a.types {
			a.types[i].Fields = left(a.types[i].Fields)
		}
		for _, n := range a.store.notes {
			for _, name := range names {
				delete(n, name)
			}
		}
		for _, f := range a.store.folders {
			for _, name := range names {
				delete(f, name)
			}
		}
	}}
}

// leaner leaves in examples what can be given.
func leaner(examples []example, names []string) []example {
	examples = slices.Clone(examples)
	for i, e := range examples {
		params := copied(e.Request["params"])
		input := copied(params["input"])
		for _, name := range names {
			delete(params, name)
			delete(input, name)
		}
		if len(input) > 0 {
			params["input"] = input
		}
		examples[i].Request = request(e.Request["operation"].(string), params)
	}
	return examples
}

// timesAs writes times in another form.
func timesAs(layout string, zone *time.Location) hooks {
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
					if o := object(item); o != nil {
						rewrite(o)
					}
				}
			}
		}
	}
	return after(func(c call, e envelope) {
		if c.operation() != "introspect" {
			rewrite(e)
		}
	})
}

// withinOneSecond has some notes created within one second.
func withinOneSecond() hooks {
	return hooks{table: func(a *Adapter) {
		for i, fraction := range []string{"", ".12", ".125"} {
			if n := a.store.notes["note_"+strconv.Itoa(i+1)]; n != nil {
				n["created_at"] = "2026-01-05T09:00:00" + fraction + "Z"
				n["updated_at"] = n["created_at"]
			}
		}
	}}
}

// listingAxis is how the listing of operations is cut.
const listingAxis = "listing of operations"

// operationsInPages lists eight operations at a time. The member says where the next page
// begins, and introspect takes that as the parameter.
func operationsInPages(place parameter, member string) hooks {
	const size, mark = 8, "op."
	return both(
		added("introspect", place, func(task) envelope { return nil }),
		listing(func(c call, data map[string]any) {
			all := array(data["operations"])
			from := integer(c.params()[place.Name])
			if cursor, ok := c.params()[place.Name].(string); ok {
				from, _ = strconv.Atoi(strings.TrimPrefix(cursor, mark))
			}
			from = min(max(from, 0), len(all))
			to := min(from+size, len(all))
			data["operations"], data["has_more"] = all[from:to], to < len(all)
			switch {
			case to == len(all):
			case place.Type == "string":
				data[member] = mark + strconv.Itoa(to)
			default:
				data[member] = to
			}
		}),
	)
}
