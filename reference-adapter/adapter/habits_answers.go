package adapter

import (
	"maps"
	"slices"
	"strings"
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
			{Name: "null", Section: anyData + ", 4.7.6", hooks: removing(scalarType("Nothing", "Nothing: null"), func(map[string]any) any { return nil })},
			{Name: "boolean", Section: anyData, hooks: removing(scalarType("Done", "true once the object is gone, false for a dry run"), func(data map[string]any) any { return data["deleted"] })},
		}},
		{Name: "delete means", Habits: []Habit{
			{Name: "removal", Section: "spec 8.1"},
			{Name: "a mark", Section: "spec 8.1, 1.3", hooks: softRemoval(), Announces: []string{"AQL-8.1-06"}},
		}},
		{Name: "absence", Habits: []Habit{
			{Name: "an error", Section: "operations 8.1"},
			{Name: "null", Section: anyData + ", 4.7.6", hooks: both(nullForAbsent(), hooks{table: func(a *Adapter) { a.aside().nulls = true }})},
		}},
		{Name: "list shape", Habits: []Habit{
			{Name: "items", Section: collection},
			{Name: "by kind", Section: collection, hooks: listShape("by kind"), Announces: []string{"OPS-4.4.3-02"}},
			{Name: "edges", Section: collection, From: "b", hooks: listShape("edges")},
			{Name: "wrapped", Section: collection, From: "b", hooks: listShape("wrapped"), Announces: []string{"OPS-4.4.3-02", "OPS-4.4.3-09", "OPS-4.4.3-11"}},
			{Name: "bare array", Section: anyData, hooks: listShape("bare array"), manner: lessFeatures(paging, aggregating), Conflicts: []string{"paging: offset", "paging: page"}},
		}},
		{Name: "paging", Habits: []Habit{
			{Name: "cursor", Section: collection},
			{Name: "offset", Section: collection, hooks: pagedBy(offsetStyle), manner: lessFeatures(paging)},
			{Name: "page", Section: collection, From: "a", hooks: pagedBy(pageStyle), manner: lessFeatures(paging)},
			{Name: "none", Section: "operations 4.2 (SHOULD)", manner: lessFeatures(paging)},
		}},
	}
}

func scalarType(name, description string) typeInfo {
	return typeInfo{Name: name, Kind: "scalar", Description: description}
}

// answerHabits are the ways to answer what was created or changed.
func answerHabits(names ...string) []Habit {
	shaped := func(kind func(resource string) typeInfo, shape func(resource string, data map[string]any) any) hooks {
		var all hooks
		for _, name := range names {
			_, resource, _ := strings.Cut(name, "_")
			all = both(all, inShape(name, kind(resource), func(data map[string]any) any { return shape(resource, data) }))
		}
		return all
	}
	title := func(resource string) string { return strings.ToUpper(resource[:1]) + resource[1:] }
	return []Habit{
		{Name: "object", Section: anyData},
		{Name: "wrapped object", Section: anyData, From: "b c", hooks: shaped(func(resource string) typeInfo {
			return typeInfo{Name: title(resource) + "Result", Kind: "object", Description: "The " + resource + " inside a wrapper",
				Fields: []parameter{field(resource, title(resource), true, "The "+resource+" as it is now")}}
		}, func(resource string, data map[string]any) any { return map[string]any{resource: data} })},
		{Name: "identifier", Section: anyData, From: "a c", hooks: shaped(func(resource string) typeInfo {
			return typeInfo{Name: title(resource) + "Reference", Kind: "object", Description: "What identifies the " + resource,
				Fields: []parameter{field(resource+"_id", "string", true, "Identifier of the "+resource)}}
		}, func(resource string, data map[string]any) any {
			return map[string]any{resource + "_id": data[resource+"_id"]}
		})},
		{Name: "success alone", Section: anyData, hooks: shaped(func(resource string) typeInfo {
			return typeInfo{Name: title(resource) + "Receipt", Kind: "object", Description: "That it was done", Fields: []parameter{field("done", "boolean", true, "Always true")}}
		}, func(string, map[string]any) any { return map[string]any{"done": true} })},
	}
}

// inShape has an operation answer in another shape, and documents it.
func inShape(name string, kind typeInfo, shape func(data map[string]any) any) hooks {
	return both(after(func(c call, e envelope) {
		if data := object(e["data"]); c.operation() == name && succeeded(e) && data != nil {
			e["data"] = shape(data)
		}
	}), returning(name, kind))
}

// returning documents what an operation answers.
func returning(name string, kind typeInfo) hooks {
	return hooks{table: func(a *Adapter) {
		for i := range a.operations {
			if a.operations[i].Name == name {
				a.operations[i].Returns = kind.summary()
			}
		}
		if _, known := a.typeNamed(kind.Name); !known {
			a.types = append([]typeInfo{kind}, a.types...)
		}
	}}
}

func removing(kind typeInfo, shape func(data map[string]any) any) hooks {
	return both(inShape("delete_note", kind, shape), inShape("delete_folder", kind, shape))
}

// softRemoval keeps removed notes: who knows the key can still read them.
func softRemoval() hooks {
	mark := dateTime("deleted_at", false, "When the note was removed, UTC; only a removed note has it")
	return both(hooks{item: func(c call, next handler) envelope {
		text, _, _ := c.value("note_id")
		id, _ := text.(string)
		before := c.store.notes[id]
		e := next(c)
		switch {
		case c.operation() == "delete_note" && succeeded(e) && c.store.notes[id] == nil && before != nil:
			gone := maps.Clone(before)
			gone["deleted_at"] = now()
			c.aside().removed[id] = gone
		case c.operation() == "get_note" && c.aside().removed[id] != nil && object(e["error"])["code"] == "NOT_FOUND_RESOURCE":
			c.store.notes[id] = c.aside().removed[id]
			e = next(c)
			delete(c.store.notes, id)
		}
		return e
	}}, both(retyped("Note", func(kind *typeInfo) { kind.Fields = append(slices.Clone(kind.Fields), mark) }),
		remade("delete_note", func(op *operation) {
			op.Description = "Remove a note from all lists; reading it by its identifier still shows it, with the time of its removal"
		})))
}

// nullForAbsent answers a read of what is not there with null.
func nullForAbsent() hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if object(e["error"])["code"] == "NOT_FOUND_RESOURCE" && calling("get_note", "get_folder")(c) {
			return envelope{"success": true, "data": nil}
		}
		return e
	}, table: func(a *Adapter) {
		for i, op := range a.operations {
			if op.Name == "get_note" || op.Name == "get_folder" {
				a.operations[i].Description += ", or null if there is none"
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
func listShape(shape string) hooks {
	return both(after(func(c call, e envelope) {
		as, ok := lists[c.operation()]
		data := object(e["data"])
		if !ok || !succeeded(e) || data["items"] == nil && shape != "wrapped" {
			return
		}
		switch shape {
		case "by kind":
			moved(data, "items", as.plural)
		case "edges":
			edges := []any{}
			for _, item := range array(data["items"]) {
				edges = append(edges, map[string]any{"node": item})
			}
			delete(data, "items")
			data["edges"] = edges
		case "wrapped":
			e["data"] = map[string]any{"result": data}
		case "bare array":
			e["data"] = data["items"]
		}
	}), hooks{table: func(a *Adapter) { a.documentLists(shape) }})
}

func (a *Adapter) documentLists(shape string) {
	for name, as := range lists {
		switch shape {
		case "by kind":
			a.retype(as.kind, func(fields []parameter) []parameter {
				return renamedField(fields, "items", as.plural)
			})
		case "edges":
			edge := typeInfo{Name: as.of + "Edge", Kind: "object", Description: "Place of one of several in a list", Fields: []parameter{field("node", as.of, true, "What stands there")}}
			returning("", edge).table(a)
			a.retype(as.kind, func(fields []parameter) []parameter {
				if len(fields) > 0 && fields[0].Name == "items" {
					fields[0] = list("edges", edge.Name, "Places of the list, in its order")
				}
				return fields
			})
		case "wrapped":
			outer := typeInfo{Name: as.of + "Listing", Kind: "object", Description: "Wrapper of a list", Fields: []parameter{field("result", as.kind, true, "The list")}}
			returning(name, outer).table(a)
		case "bare array":
			returning(name, typeInfo{Name: as.of + "Array", Kind: "scalar", Description: "JSON array of " + as.of}).table(a)
		}
	}
}

func (a *Adapter) retype(name string, change func(fields []parameter) []parameter) {
	for i, kind := range a.types {
		if kind.Name == name {
			a.types[i].Fields = change(slices.Clone(kind.Fields))
		}
	}
}

func renamedField(fields []parameter, from, to string) []parameter {
	for i := range fields {
		if fields[i].Name == from {
			fields[i].Name = to
		}
	}
	return fields
}

// A pageStyle cuts a list by offset or by page.
type pageStyles struct {
	parameters []parameter
	place      func(t task, total int) (limit, start int, meta map[string]any)
}

var offsetStyle = pageStyles{[]parameter{pageSize("limit"), startAt("offset")}, func(t task, total int) (limit, start int, meta map[string]any) {
	limit, start = integer(t.params["limit"]), min(integer(t.params["offset"]), total)
	left := min(limit, total-start)
	return limit, start, map[string]any{"limit": limit, "offset": start, "returned": left, "total_items": total, "has_more": start+left < total}
}}

var pageStyle = pageStyles{[]parameter{pageSize("page_size"), {Name: "page", Type: "integer", Default: 1, Minimum: ref(1), Maximum: ref(1000), Description: "Number of the page to return, the first is 1"}},
	func(t task, total int) (limit, start int, meta map[string]any) {
		limit, page := integer(t.params["page_size"]), integer(t.params["page"])
		pages := (total + limit - 1) / limit
		return limit, min((page-1)*limit, total), map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page < pages}
	}}

// pagedBy pages every list in that style.
func pagedBy(style pageStyles) hooks {
	return hooks{table: func(a *Adapter) {
		documented := map[string]bool{}
		for i, op := range a.operations {
			as, ok := lists[op.Name]
			if !ok {
				continue
			}
			if !documented[as.kind] {
				documented[as.kind] = true
				a.retype(as.kind, func(fields []parameter) []parameter {
					return append(fields, field("pagination", "object", true, "Where this page stands: sizes, totals, and whether more follows"))
				})
			}
			work := op.run
			a.operations[i].Parameters = append(slices.Clone(op.Parameters), style.parameters...)
			a.operations[i].Examples = slices.DeleteFunc(slices.Clone(op.Examples), func(e example) bool { return object(e.Request["params"])["first"] != nil })
			a.operations[i].run = func(t task) envelope {
				e := work(t)
				if !succeeded(e) || object(e["data"])["items"] == nil {
					return e
				}
				data := object(e["data"])
				items := array(data["items"])
				limit, start, meta := style.place(t, len(items))
				data["items"], data["pagination"] = items[start:min(start+limit, len(items))], plain(meta)
				return e
			}
		}
	}}
}
