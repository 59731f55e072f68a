package habits

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

const (
	anyData    = "spec 5.1, 5.2" // data is specific to the operation
	collection = "operations 4.4.3; spec 5.1"
)

// answerAxes are what operations answer.
func answerAxes() []Axis {
	return []Axis{
		{Name: "create answers", Habits: answerHabits("create_note", "create_folder")},
		{Name: "update answers", Habits: append(answerHabits("update_note"), changeHabits()...)},
		{Name: "delete answers", Habits: []Habit{
			{Name: "what was removed", Section: anyData},
			{Name: "null", Section: anyData + ", 4.7.6", Hooks: removing(scalarType("Nothing", "Nothing: null"), func(map[string]any) any { return nil })},
			{Name: "boolean", Section: anyData, Hooks: removing(scalarType("Done", "true once the object is gone, false for a dry run"), func(data map[string]any) any { return data["deleted"] })},
		}},
		{Name: "delete means", Habits: []Habit{
			{Name: "removal", Section: "spec 8.1"},
			{Name: "a mark", Section: "spec 8.1, 1.3", Hooks: softRemoval(), Announces: []string{"AQL-8.1-06"}},
		}},
		{Name: "absence", Habits: []Habit{
			{Name: "an error", Section: "operations 8.1"},
			{Name: "null", Section: anyData + ", 4.7.6", Hooks: seam.Both(nullForAbsent(), adapter.Hooks{Table: func(a *adapter.Adapter) { seam.Aside(a).Nulls = true }})},
		}},
		{Name: "list shape", Habits: []Habit{
			{Name: "items", Section: collection},
			{Name: "by kind", Section: collection, Hooks: listShape("by kind"), Announces: []string{"OPS-4.4.3-02"}},
			{Name: "edges", Section: collection, From: "b", Hooks: listShape("edges")},
			{Name: "wrapped", Section: collection, From: "b", Hooks: listShape("wrapped"), Announces: []string{"OPS-4.4.3-02", "OPS-4.4.3-09", "OPS-4.4.3-11"}},
			{Name: "bare array", Section: anyData, Hooks: listShape("bare array"), manner: lessFeatures(adapter.Paging, adapter.Aggregating), Conflicts: []string{"paging: offset", "paging: page", "paging: window"}},
		}},
		{Name: "paging", Habits: []Habit{
			{Name: "cursor", Section: collection},
			{Name: "offset", Section: collection, Hooks: pagedBy(offsetStyle), manner: lessFeatures(adapter.Paging)},
			{Name: "page", Section: collection, From: "a", Hooks: pagedBy(pageStyle), manner: lessFeatures(adapter.Paging)},
			{Name: "window", Section: "operations 4.2 (SHOULD)", From: "a b", Hooks: pagedBy(windowStyle), manner: lessFeatures(adapter.Paging), Announces: []string{"OPS-4.2-03"}},
			{Name: "none", Section: "operations 4.2 (SHOULD)", manner: lessFeatures(adapter.Paging)},
		}},
	}
}

func scalarType(name, description string) adapter.TypeInfo {
	return adapter.TypeInfo{Name: name, Kind: "scalar", Description: description}
}

// answerHabits are the ways to answer what was created or changed.
func answerHabits(names ...string) []Habit {
	shaped := func(kind func(resource string) adapter.TypeInfo, shape func(resource string, data map[string]any) any) adapter.Hooks {
		var all adapter.Hooks
		for _, name := range names {
			_, resource, _ := strings.Cut(name, "_")
			all = seam.Both(all, inShape(name, kind(resource), func(data map[string]any) any { return shape(resource, data) }))
		}
		return all
	}
	title := func(resource string) string { return strings.ToUpper(resource[:1]) + resource[1:] }
	return []Habit{
		{Name: "object", Section: anyData},
		{Name: "wrapped object", Section: anyData, From: "b c", Hooks: shaped(func(resource string) adapter.TypeInfo {
			return adapter.TypeInfo{Name: title(resource) + "Result", Kind: "object", Description: "The " + resource + " inside a wrapper",
				Fields: []adapter.Parameter{adapter.Field(resource, title(resource), true, "The "+resource+" as it is now")}}
		}, func(resource string, data map[string]any) any { return map[string]any{resource: data} })},
		{Name: "identifier", Section: anyData, From: "a c", Hooks: shaped(func(resource string) adapter.TypeInfo {
			return adapter.TypeInfo{Name: title(resource) + "Reference", Kind: "object", Description: "What identifies the " + resource,
				Fields: []adapter.Parameter{adapter.Field(resource+"_id", "string", true, "Identifier of the "+resource)}}
		}, func(resource string, data map[string]any) any {
			return map[string]any{resource + "_id": data[resource+"_id"]}
		})},
		{Name: "success alone", Section: anyData, Hooks: shaped(func(resource string) adapter.TypeInfo {
			return adapter.TypeInfo{Name: title(resource) + "Receipt", Kind: "object", Description: "That it was done", Fields: []adapter.Parameter{adapter.Field("done", "boolean", true, "Always true")}}
		}, func(string, map[string]any) any { return map[string]any{"done": true} })},
	}
}

// inShape has an operation answer in another shape, and documents it.
func inShape(name string, kind adapter.TypeInfo, shape func(data map[string]any) any) adapter.Hooks {
	return seam.Both(seam.After(func(c adapter.Call, e adapter.Envelope) {
		if data := adapter.Object(e["data"]); c.Operation() == name && adapter.Succeeded(e) && data != nil {
			e["data"] = shape(data)
		}
	}), returning(name, kind))
}

// returning documents what an operation answers.
func returning(name string, kind adapter.TypeInfo) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i := range a.Operations {
			if a.Operations[i].Name == name {
				a.Operations[i].Returns = kind.Summary()
			}
		}
		if _, known := a.TypeNamed(kind.Name); !known {
			a.Types = append([]adapter.TypeInfo{kind}, a.Types...)
		}
	}}
}

func removing(kind adapter.TypeInfo, shape func(data map[string]any) any) adapter.Hooks {
	return seam.Both(inShape("delete_note", kind, shape), inShape("delete_folder", kind, shape))
}

// softRemoval keeps removed notes: who knows the key can still read them.
func softRemoval() adapter.Hooks {
	mark := adapter.DateTime("deleted_at", false, "When the note was removed, UTC; only a removed note has it")
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		text, _, _ := c.Value("note_id")
		id, _ := text.(string)
		before := c.Store.Notes[id]
		e := next(c)
		switch {
		case c.Operation() == "delete_note" && adapter.Succeeded(e) && c.Store.Notes[id] == nil && before != nil:
			gone := maps.Clone(before)
			gone["deleted_at"] = adapter.Now()
			seam.Aside(c.Adapter).Removed[id] = gone
		case c.Operation() == "get_note" && seam.Aside(c.Adapter).Removed[id] != nil && adapter.Object(e["error"])["code"] == "NOT_FOUND_RESOURCE":
			c.Store.Notes[id] = seam.Aside(c.Adapter).Removed[id]
			e = next(c)
			delete(c.Store.Notes, id)
		}
		return e
	}}, seam.Both(seam.Retyped("Note", func(kind *adapter.TypeInfo) { kind.Fields = append(slices.Clone(kind.Fields), mark) }),
		seam.Remade("delete_note", func(op *adapter.Operation) {
			op.Description = "Remove a note from all lists; reading it by its identifier still shows it, with the time of its removal"
		})))
}

// nullForAbsent answers a read of what is not there with null.
func nullForAbsent() adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if adapter.Object(e["error"])["code"] == "NOT_FOUND_RESOURCE" && seam.Calling("get_note", "get_folder")(c) {
			return adapter.Envelope{"success": true, "data": nil}
		}
		return e
	}, Table: func(a *adapter.Adapter) {
		for i, op := range a.Operations {
			if op.Name == "get_note" || op.Name == "get_folder" {
				a.Operations[i].Description += ", or null if there is none"
			}
		}
	}}
}

// lists are the operations that answer lists of notes or folders, with the type of the answer.
var lists = map[string]struct{ kind, of, plural string }{
	"list_notes":   {"NoteList", "Note", "notes"},
	"search_notes": {"NoteList", "Note", "notes"},
	"list_folders": {"FolderList", "Folder", "folders"},
}

// listShape answers lists in another shape.
func listShape(shape string) adapter.Hooks {
	return seam.Both(seam.After(func(c adapter.Call, e adapter.Envelope) {
		as, ok := lists[c.Operation()]
		data := adapter.Object(e["data"])
		if !ok || !adapter.Succeeded(e) || data["items"] == nil && shape != "wrapped" {
			return
		}
		switch shape {
		case "by kind":
			seam.Moved(data, "items", as.plural)
		case "edges":
			edges := []any{}
			for _, item := range adapter.Array(data["items"]) {
				edges = append(edges, map[string]any{"node": item})
			}
			delete(data, "items")
			data["edges"] = edges
		case "wrapped":
			e["data"] = map[string]any{"result": data}
		case "bare array":
			e["data"] = data["items"]
		}
	}), adapter.Hooks{Table: func(a *adapter.Adapter) { documentLists(a, shape) }})
}

func documentLists(a *adapter.Adapter, shape string) {
	for _, name := range slices.Sorted(maps.Keys(lists)) { // in one order, because types are put in front
		as := lists[name]
		switch shape {
		case "by kind":
			retype(a, as.kind, func(fields []adapter.Parameter) []adapter.Parameter {
				return renamedField(fields, "items", as.plural)
			})
		case "edges":
			edge := adapter.TypeInfo{Name: as.of + "Edge", Kind: "object", Description: "Place of one of several in a list", Fields: []adapter.Parameter{adapter.Field("node", as.of, true, "What stands there")}}
			returning("", edge).Table(a)
			retype(a, as.kind, func(fields []adapter.Parameter) []adapter.Parameter {
				if len(fields) > 0 && fields[0].Name == "items" {
					fields[0] = adapter.List("edges", edge.Name, "Places of the list, in its order")
				}
				return fields
			})
		case "wrapped":
			outer := adapter.TypeInfo{Name: as.of + "Listing", Kind: "object", Description: "Wrapper of a list", Fields: []adapter.Parameter{adapter.Field("result", as.kind, true, "The list")}}
			returning(name, outer).Table(a)
		case "bare array":
			returning(name, adapter.TypeInfo{Name: as.of + "Array", Kind: "scalar", Description: "JSON array of " + as.of}).Table(a)
		}
	}
}

func retype(a *adapter.Adapter, name string, change func(fields []adapter.Parameter) []adapter.Parameter) {
	for i, kind := range a.Types {
		if kind.Name == name {
			a.Types[i].Fields = change(slices.Clone(kind.Fields))
		}
	}
}

func renamedField(fields []adapter.Parameter, from, to string) []adapter.Parameter {
	for i := range fields {
		if fields[i].Name == from {
			fields[i].Name = to
		}
	}
	return fields
}

// A pageStyle cuts a list by offset, by page, or by a window under names of its own.
type pageStyles struct {
	parameters []adapter.Parameter
	place      func(t adapter.Task, total int) (limit, start int, meta map[string]any)
}

var offsetStyle = pageStyles{[]adapter.Parameter{seam.PageSize("limit"), seam.StartAt("offset")}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
	limit, start = adapter.Integer(t.Params["limit"]), min(adapter.Integer(t.Params["offset"]), total)
	left := min(limit, total-start)
	return limit, start, map[string]any{"limit": limit, "offset": start, "returned": left, "total_items": total, "has_more": start+left < total}
}}

var pageStyle = pageStyles{[]adapter.Parameter{seam.PageSize("page_size"), {Name: "page", Type: "integer", Default: 1, Minimum: adapter.Ref(1), Maximum: adapter.Ref(1000), Description: "Number of the page to return, the first is 1"}},
	func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
		limit, page := adapter.Integer(t.Params["page_size"]), adapter.Integer(t.Params["page"])
		pages := (total + limit - 1) / limit
		return limit, min((page-1)*limit, total), map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page < pages}
	}}

var windowStyle = pageStyles{[]adapter.Parameter{seam.PageSize("rows"), seam.StartAt("begin_at")}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
	limit, start = adapter.Integer(t.Params["rows"]), min(adapter.Integer(t.Params["begin_at"]), total)
	return limit, start, map[string]any{"begin_at": start, "rows": min(limit, total-start), "total_items": total, "has_more": start+limit < total}
}}

// pagedBy pages every list in that style.
func pagedBy(style pageStyles) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		documented := map[string]bool{}
		for i, op := range a.Operations {
			as, ok := lists[op.Name]
			if !ok {
				continue
			}
			if !documented[as.kind] {
				documented[as.kind] = true
				retype(a, as.kind, func(fields []adapter.Parameter) []adapter.Parameter {
					return append(fields, adapter.Field("pagination", "object", true, "Where this page stands: sizes, totals, and whether more follows"))
				})
			}
			work := op.Run
			a.Operations[i].Parameters = append(slices.Clone(op.Parameters), style.parameters...)
			a.Operations[i].Examples = slices.DeleteFunc(slices.Clone(op.Examples), func(e adapter.Example) bool { return adapter.Object(e.Request["params"])["first"] != nil })
			a.Operations[i].Run = func(t adapter.Task) adapter.Envelope {
				e := work(t)
				if !adapter.Succeeded(e) || adapter.Object(e["data"])["items"] == nil {
					return e
				}
				data := adapter.Object(e["data"])
				items := adapter.Array(data["items"])
				limit, start, meta := style.place(t, len(items))
				data["items"], data["pagination"] = items[start:min(start+limit, len(items))], adapter.Plain(meta)
				return e
			}
		}
	}}
}
