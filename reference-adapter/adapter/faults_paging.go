package adapter

import (
	"slices"
	"strconv"
)

// cursorFaults break paging by cursor; most leave list_notes as it is, so that one
// collection still shows that pages are served.
var cursorFaults = []Fault{
	{ID: "INT-4.1.1-15", Variant: "pagination-flag-untrue", Defect: "capabilities.pagination is true but first and after are refused",
		Features: "-" + paging, hooks: capability("pagination", true)},
	{ID: "INT-4.1.1-15", Variant: "second-page-refused", Defect: "every cursor is refused, so that no page but the first can be had",
		hooks: both(needs("list_notes", taking("after")), hooks{item: func(c call, next handler) envelope {
			if after, ok := c.params()["after"].(string); ok && domain(operation{Name: c.operation()}) {
				c = c.given("after", "x"+after)
			}
			return next(c)
		}})},
	{ID: "OPS-4.2-02", Variant: "paging-by-page-token", Defect: "list_notes and search_notes page with page_token and max_results",
		hooks: both(both(renamedParameter("list_notes", "first", "max_results"), renamedParameter("list_notes", "after", "page_token")),
			both(both(renamedParameter("search_notes", "first", "max_results"), renamedParameter("search_notes", "after", "page_token")),
				exampled("list_notes", func(params map[string]any) { moved(params, "first", "max_results") })))},
	{ID: "OPS-4.2-02", Variant: "first-typed-string", Defect: "first is typed string",
		hooks: both(both(textSize("list_notes"), textSize("search_notes")), exampled("list_notes", set("first", "2")))},
	{ID: "OPS-4.4.3-02", Variant: "cursor-metadata-elsewhere", Defect: "search_notes puts its metadata under data.pagination",
		hooks: found(func(_ call, data map[string]any) {
			info := object(data["pageInfo"])
			for camel, snake := range map[string]string{"hasNextPage": "has_next_page", "hasPreviousPage": "has_previous_page",
				"startCursor": "start_cursor", "endCursor": "end_cursor", "totalCount": "total_count"} {
				moved(info, camel, snake)
			}
			moved(data, "pageInfo", "pagination")
		})},
	{ID: "OPS-4.4.3-03", Variant: "has-next-page-text", Defect: "hasNextPage is the string \"true\" or \"false\"",
		hooks: informing("hasNextPage", "string", func(v any) any { return strconv.FormatBool(v == true) })},
	{ID: "OPS-4.4.3-05", Variant: "cursor-number", Defect: "endCursor is a number",
		hooks: informing("endCursor", "integer", func(any) any { return plain(4711) })},
	{ID: "OPS-4.4.3-07", Variant: "total-count-text", Defect: "totalCount is a string of digits",
		hooks: informing("totalCount", "string", func(v any) any { return strconv.Itoa(integer(v)) })},
	{ID: "OPS-4.4.3-08", Variant: "cursor-repeats-boundary", Defect: "each page repeats the last item of the one before",
		hooks: found(func(c call, data map[string]any) {
			after, _ := c.params()["after"].(string)
			if id, ok := openCursor(after); ok && c.params()["fields"] == nil {
				data["items"] = append([]any{plain(c.store.notes[id])}, array(data["items"])...)
			}
		})},
	{ID: "OPS-4.4.3-08", Variant: "item-between-pages-lost", Defect: "each page but the first begins one item too late",
		hooks: hooks{item: func(c call, next handler) envelope {
			after, _ := c.params()["after"].(string)
			if id, ok := openCursor(after); ok && c.operation() == "search_notes" {
				c = c.given("after", cursor("note_"+strconv.Itoa(number(id)+1)))
			}
			return next(c)
		}}},
	{ID: "OPS-4.4.3-08", Variant: "endless-next-page", Defect: "hasNextPage stays true for ever",
		hooks: found(func(_ call, data map[string]any) { object(data["pageInfo"])["hasNextPage"] = true })},
	{ID: "CMP-CURSOR-01", Variant: "garbage-cursor-restarts", Defect: "an unknown cursor yields the first page",
		hooks: hooks{item: func(c call, next handler) envelope {
			if after, ok := c.params()["after"].(string); ok && calling("list_notes", "search_notes")(c) {
				if _, known := openCursor(after); !known {
					c = c.given("after", nil)
				}
			}
			return next(c)
		}}},
}

// found rewrites what search_notes answers.
func found(rewrite func(c call, data map[string]any)) hooks {
	return after(func(c call, e envelope) {
		if c.operation() == "search_notes" && succeeded(e) {
			rewrite(c, object(e["data"]))
		}
	})
}

// informing answers a member of pageInfo as another type, and documents it so.
func informing(name, kind string, as func(v any) any) hooks {
	return both(
		retyped("PageInfo", func(t *typeInfo) {
			t.Fields = slices.Clone(t.Fields)
			for i := range t.Fields {
				if t.Fields[i].Name == name {
					t.Fields[i].Type = kind
				}
			}
		}),
		after(func(_ call, e envelope) {
			if info := object(object(e["data"])["pageInfo"]); info[name] != nil {
				info[name] = as(info[name])
			}
		}))
}

// textSize has an operation take the size of its pages as text.
func textSize(of string) hooks {
	return replaced(of, "first",
		[]parameter{{Name: "first", Type: "string", Pattern: "^[1-9][0-9]?$", Description: "How many items to return at most, 20 unless given"}},
		func(t task) envelope {
			n, err := strconv.Atoi(t.text("first"))
			if err != nil {
				n = 20
			}
			t.params["first"] = plain(n)
			return nil
		})
}

// compatibleFaults page list_folders in the compatible styles, in which the healthy
// adapter pages nothing.
var compatibleFaults = []Fault{
	{ID: "OPS-4.2-03", Variant: "skip-and-take", Defect: "list_folders takes skip and take",
		hooks: byOffset("take", "skip", nil)},
	{ID: "OPS-4.2-03", Variant: "limit-typed-string", Defect: "limit is typed string",
		hooks: both(byOffset("limit", "offset", nil), reworked("list_folders", "limit", func(p *parameter) {
			*p = parameter{Name: "limit", Type: "string", Default: "20", Pattern: "^[1-9][0-9]?$", Description: p.Description}
		}))},
	{ID: "OPS-4.4.2-03", Variant: "page-zero-default", Defect: "page documents default 0",
		hooks: byPage(0, nil)},
	{ID: "OPS-4.4.3-09", Variant: "page-echo-zero-based", Defect: "page 1 is echoed as 0",
		hooks: byPage(1, func(meta map[string]any, _ int) { meta["page"] = meta["page"].(int) - 1 })},
	{ID: "OPS-4.4.3-10", Variant: "has-more-on-last-page", Defect: "has_more is true on the last page",
		hooks: byPage(1, func(meta map[string]any, _ int) { meta["has_more"] = true })},
	{ID: "OPS-4.4.3-10", Variant: "totals-of-one-page", Defect: "total_items and total_pages count what is on the page alone",
		hooks: byPage(1, func(meta map[string]any, total int) {
			shown := min(meta["page_size"].(int), total)
			meta["total_items"], meta["total_pages"], meta["has_more"] = shown, min(shown, 1), false
		})},
	{ID: "OPS-4.4.3-11", Variant: "offset-echo-page-number", Defect: "offset is echoed as the number of the page",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["offset"] = meta["offset"].(int)/meta["limit"].(int) + 1 })},
	{ID: "OPS-4.4.3-12", Variant: "returned-repeats-limit", Defect: "returned repeats limit on a short last page",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["returned"] = meta["limit"] })},
	{ID: "OPS-4.4.3-12", Variant: "has-more-at-the-end", Defect: "has_more is true at the last offset",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["has_more"] = true })},
	{ID: "OPS-4.4.3-12", Variant: "total-of-one-page", Defect: "total_items counts what is on the page alone",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["total_items"], meta["has_more"] = meta["returned"], false })},
	{ID: "OPS-4.4.3-13", Variant: "no-total-no-flag", Defect: "neither a total nor has_more is given",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { delete(meta, "total_items"); delete(meta, "has_more") })},
	{ID: "OPS-4.4.3-14", Variant: "pagination-camel-names", Defect: "data.pagination carries totalItems",
		hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { moved(meta, "total_items", "totalItems") })},
	{ID: "OPS-4.4.3-15", Variant: "limit-ignored", Defect: "limit is documented but ignored",
		hooks: pagedFolders([]parameter{pageSize("limit"), startAt("offset")}, func(t task, total int) (limit, start int, meta map[string]any) {
			start = min(integer(t.params["offset"]), total)
			return total, start, map[string]any{"limit": t.params["limit"], "offset": start, "returned": total - start, "total_items": total, "has_more": false}
		})},
}

func pageSize(name string) parameter {
	return parameter{Name: name, Type: "integer", Default: 20, Minimum: ref(1), Maximum: ref(100), Description: "How many items to return at most"}
}

func startAt(name string) parameter {
	return parameter{Name: name, Type: "integer", Default: 0, Minimum: ref(0), Maximum: ref(1000), Description: "How many items to skip from the start of the list"}
}

// byOffset has list_folders take a number of folders from an offset.
func byOffset(size, from string, spoil func(meta map[string]any, total int)) hooks {
	return pagedFolders([]parameter{pageSize(size), startAt(from)}, func(t task, total int) (limit, start int, meta map[string]any) {
		limit, start = integer(t.params[size]), integer(t.params[from])
		if n, err := strconv.Atoi(t.text(size)); err == nil {
			limit = n
		}
		if limit == 0 {
			limit = 20
		}
		start = min(start, total)
		left := min(limit, total-start)
		meta = map[string]any{"limit": limit, "offset": start, "returned": left, "total_items": total, "has_more": start+left < total}
		return limit, start, spoiled(meta, total, spoil)
	})
}

// byPage has list_folders take the number of a page, counted from first.
func byPage(first int, spoil func(meta map[string]any, total int)) hooks {
	at := parameter{Name: "page", Type: "integer", Default: first, Minimum: ref(first), Maximum: ref(1000), Description: "Number of the page to return"}
	return pagedFolders([]parameter{pageSize("page_size"), at}, func(t task, total int) (limit, start int, meta map[string]any) {
		limit, page := integer(t.params["page_size"]), integer(t.params["page"])
		pages := (total + limit - 1) / limit
		meta = map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page-first+1 < pages}
		return limit, min((page-first)*limit, total), spoiled(meta, total, spoil)
	})
}

func spoiled(meta map[string]any, total int, spoil func(meta map[string]any, total int)) map[string]any {
	if spoil != nil {
		spoil(meta, total)
	}
	return meta
}

// pagedFolders has list_folders answer a part of its list, with data.pagination.
func pagedFolders(with []parameter, place func(t task, total int) (limit, start int, meta map[string]any)) hooks {
	return both(
		retyped("FolderList", func(kind *typeInfo) {
			kind.Fields = append(slices.Clone(kind.Fields), field("pagination", "object", true, "Where this page stands: sizes, totals, and whether more follows"))
		}),
		remade("list_folders", func(op *operation) {
			op.Parameters = append(slices.Clone(op.Parameters), with...)
			work := op.run
			op.run = func(t task) envelope {
				e := work(t)
				if !succeeded(e) {
					return e
				}
				items := array(object(e["data"])["items"])
				limit, start, meta := place(t, len(items))
				return success(map[string]any{"items": items[start:min(start+limit, len(items))], "pagination": meta})
			}
		}))
}
