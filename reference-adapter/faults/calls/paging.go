package calls

import (
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// cursorFaults break paging by cursor; most leave list_notes as it is, so that one
// collection still shows that pages are served.
var cursorFaults = []seam.Fault{
	{ID: "INT-4.1.1-15", Variant: "pagination-flag-untrue", Defect: "capabilities.pagination is true but first and after are refused",
		Features: "-" + adapter.Paging, Hooks: seam.Capability("pagination", true)},
	{ID: "INT-4.1.1-15", Variant: "second-page-refused", Defect: "every cursor is refused, so that no page but the first can be had",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("after")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if after, ok := c.Params()["after"].(string); ok && seam.Domain(adapter.Operation{Name: c.Operation()}) {
				c = c.Given("after", "x"+after)
			}
			return next(c)
		}})},
	{ID: "OPS-4.2-02", Variant: "paging-by-page-token", Defect: "list_notes and search_notes page with page_token and max_results",
		Hooks: seam.Both(seam.Both(seam.RenamedParameter("list_notes", "first", "max_results"), seam.RenamedParameter("list_notes", "after", "page_token")),
			seam.Both(seam.Both(seam.RenamedParameter("search_notes", "first", "max_results"), seam.RenamedParameter("search_notes", "after", "page_token")),
				seam.Exampled("list_notes", func(params map[string]any) { seam.Moved(params, "first", "max_results") })))},
	{ID: "OPS-4.2-02", Variant: "first-typed-string", Defect: "first is typed string",
		Hooks: seam.Both(seam.Both(textSize("list_notes"), textSize("search_notes")), seam.Exampled("list_notes", seam.Set("first", "2")))},
	{ID: "OPS-4.4.3-02", Variant: "cursor-metadata-elsewhere", Defect: "search_notes puts its metadata under data.pagination",
		Hooks: seam.Found(func(_ adapter.Call, data map[string]any) {
			info := adapter.Object(data["pageInfo"])
			for camel, snake := range map[string]string{"hasNextPage": "has_next_page", "hasPreviousPage": "has_previous_page",
				"startCursor": "start_cursor", "endCursor": "end_cursor", "totalCount": "total_count"} {
				seam.Moved(info, camel, snake)
			}
			seam.Moved(data, "pageInfo", "pagination")
		})},
	{ID: "OPS-4.4.3-02", Variant: "last-page-without-page-info", Defect: "the last page of search_notes that a cursor leads to has no pageInfo",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			if info := adapter.Object(data["pageInfo"]); c.Params()["after"] != nil && info["hasNextPage"] == false {
				delete(data, "pageInfo")
			}
		})},
	{ID: "OPS-4.4.3-03", Variant: "has-next-page-text", Defect: "hasNextPage is the string \"true\" or \"false\"",
		Hooks: informing("hasNextPage", "string", func(v any) any { return strconv.FormatBool(v == true) })},
	{ID: "OPS-4.4.3-05", Variant: "cursor-number", Defect: "endCursor is a number",
		Hooks: informing("endCursor", "integer", func(any) any { return adapter.Plain(4711) })},
	{ID: "OPS-4.4.3-05", Variant: "start-cursor-on-first-page-alone", Defect: "the pages of search_notes that a cursor leads to have no startCursor",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			if c.Params()["after"] != nil {
				delete(adapter.Object(data["pageInfo"]), "startCursor")
			}
		})},
	{ID: "OPS-4.4.3-07", Variant: "total-count-text", Defect: "totalCount is a string of digits",
		Hooks: informing("totalCount", "string", func(v any) any { return strconv.Itoa(adapter.Integer(v)) })},
	{ID: "OPS-4.4.3-08", Variant: "cursor-repeats-boundary", Defect: "each page repeats the last item of the one before",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			after, _ := c.Params()["after"].(string)
			if id, ok := adapter.OpenCursor(after); ok && c.Params()["fields"] == nil {
				data["items"] = append([]any{adapter.Plain(c.Store.Notes[id])}, adapter.Array(data["items"])...)
			}
		})},
	{ID: "OPS-4.4.3-08", Variant: "item-between-pages-lost", Defect: "each page but the first begins one item too late, so an item between two pages is never listed",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			after, _ := c.Params()["after"].(string)
			if id, ok := adapter.OpenCursor(after); ok && c.Operation() == "search_notes" {
				c = c.Given("after", adapter.Cursor("note_"+strconv.Itoa(adapter.Number(id)+1)))
			}
			return next(c)
		}}},
	{ID: "OPS-4.4.3-08", Variant: "removed-cursor-restarts", Defect: "the cursor of a note that is gone begins again at the first page",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			after, _ := c.Params()["after"].(string)
			if id, ok := adapter.OpenCursor(after); ok && c.Store.Notes[id] == nil && seam.Calling("list_notes", "search_notes")(c) {
				c = c.Given("after", nil)
			}
			return next(c)
		}}},
	{ID: "OPS-4.4.3-08", Variant: "endless-next-page", Defect: "hasNextPage stays true for ever",
		Hooks: seam.Found(func(_ adapter.Call, data map[string]any) { adapter.Object(data["pageInfo"])["hasNextPage"] = true })},
	{ID: "CMP-CURSOR-01", Variant: "garbage-cursor-restarts", Defect: "an unknown cursor yields the first page",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if after, ok := c.Params()["after"].(string); ok && seam.Calling("list_notes", "search_notes")(c) {
				if _, known := adapter.OpenCursor(after); !known {
					c = c.Given("after", nil)
				}
			}
			return next(c)
		}}},
}

// informing answers a member of pageInfo as another type, and documents it so.
func informing(name, kind string, as func(v any) any) adapter.Hooks {
	return seam.Both(
		seam.Retyped("PageInfo", func(t *adapter.TypeInfo) {
			t.Fields = slices.Clone(t.Fields)
			for i := range t.Fields {
				if t.Fields[i].Name == name {
					t.Fields[i].Type = kind
				}
			}
		}),
		seam.After(func(_ adapter.Call, e adapter.Envelope) {
			if info := adapter.Object(adapter.Object(e["data"])["pageInfo"]); info[name] != nil {
				info[name] = as(info[name])
			}
		}))
}

// textSize has an operation take the size of its pages as text.
func textSize(of string) adapter.Hooks {
	return seam.Replaced(of, "first",
		[]adapter.Parameter{{Name: "first", Type: "string", Pattern: "^[1-9][0-9]?$", Description: "How many items to return at most, 20 unless given"}},
		func(t adapter.Task) adapter.Envelope {
			n, err := strconv.Atoi(t.Text("first"))
			if err != nil {
				n = 20
			}
			t.Params["first"] = adapter.Plain(n)
			return nil
		})
}

// compatibleFaults page list_folders in the compatible styles, in which the healthy
// adapter pages nothing.
var compatibleFaults = []seam.Fault{
	{ID: "OPS-4.2-03", Variant: "skip-and-take", Defect: "list_folders takes skip and take",
		Hooks: byOffset("take", "skip", nil)},
	{ID: "OPS-4.2-03", Variant: "limit-typed-string", Defect: "limit is typed string",
		Hooks: seam.Both(byOffset("limit", "offset", nil), seam.Reworked("list_folders", "limit", func(p *adapter.Parameter) {
			*p = adapter.Parameter{Name: "limit", Type: "string", Default: "20", Pattern: "^[1-9][0-9]?$", Description: p.Description}
		}))},
	{ID: "OPS-4.4.2-03", Variant: "page-zero-default", Defect: "page documents default 0",
		Hooks: byPage(0, nil)},
	{ID: "OPS-4.4.3-09", Variant: "page-echo-zero-based", Defect: "page 1 is echoed as 0",
		Hooks: byPage(1, func(meta map[string]any, _ int) { meta["page"] = meta["page"].(int) - 1 })},
	{ID: "OPS-4.4.3-09", Variant: "page-echo-constant", Defect: "each page is echoed as 1",
		Hooks: byPage(1, func(meta map[string]any, _ int) { meta["page"] = 1 })},
	{ID: "OPS-4.4.3-09", Variant: "page-echo-up-to-two", Defect: "each page behind the second is echoed as 2",
		Hooks: byPage(1, func(meta map[string]any, _ int) { meta["page"] = min(meta["page"].(int), 2) })},
	{ID: "OPS-4.4.3-10", Variant: "has-more-on-last-page", Defect: "has_more is true on the last page",
		Hooks: byPage(1, func(meta map[string]any, _ int) { meta["has_more"] = true })},
	{ID: "OPS-4.4.3-10", Variant: "totals-of-one-page", Defect: "total_items and total_pages count what is on the page alone",
		Hooks: byPage(1, func(meta map[string]any, total int) {
			shown := min(meta["page_size"].(int), total)
			meta["total_items"], meta["total_pages"], meta["has_more"] = shown, min(shown, 1), false
		})},
	{ID: "OPS-4.4.3-11", Variant: "offset-echo-page-number", Defect: "offset is echoed as the number of the page",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["offset"] = meta["offset"].(int)/meta["limit"].(int) + 1 })},
	{ID: "OPS-4.4.3-11", Variant: "offset-echo-zero", Defect: "each offset is echoed as 0, its minimum",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["offset"] = 0 })},
	{ID: "OPS-4.4.3-11", Variant: "limit-echo-maximum", Defect: "each limit is echoed as the maximum",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["limit"] = 100 })},
	{ID: "OPS-4.4.3-12", Variant: "returned-repeats-limit", Defect: "returned repeats limit on a short last page",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["returned"] = meta["limit"] })},
	{ID: "OPS-4.4.3-12", Variant: "has-more-at-the-end", Defect: "has_more is true at the last offset",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["has_more"] = true })},
	{ID: "OPS-4.4.3-12", Variant: "total-of-one-page", Defect: "total_items counts what is on the page alone",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { meta["total_items"], meta["has_more"] = meta["returned"], false })},
	{ID: "OPS-4.4.3-13", Variant: "no-total-no-flag", Defect: "neither a total nor has_more is given",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { delete(meta, "total_items"); delete(meta, "has_more") })},
	{ID: "OPS-4.4.3-14", Variant: "pagination-camel-names", Defect: "data.pagination carries totalItems",
		Hooks: byOffset("limit", "offset", func(meta map[string]any, _ int) { seam.Moved(meta, "total_items", "totalItems") })},
	{ID: "OPS-4.4.3-15", Variant: "limit-ignored", Defect: "limit is documented but ignored",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("limit"), seam.StartAt("offset")}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			start = min(adapter.Integer(t.Params["offset"]), total)
			return total, start, map[string]any{"limit": t.Params["limit"], "offset": start, "returned": total - start, "total_items": total, "has_more": false}
		})},
}

// byOffset has list_folders take a number of folders from an offset.
func byOffset(size, from string, spoil func(meta map[string]any, total int)) adapter.Hooks {
	return pagedFolders([]adapter.Parameter{seam.PageSize(size), seam.StartAt(from)}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
		limit, start = adapter.Integer(t.Params[size]), adapter.Integer(t.Params[from])
		if n, err := strconv.Atoi(t.Text(size)); err == nil {
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
func byPage(first int, spoil func(meta map[string]any, total int)) adapter.Hooks {
	at := adapter.Parameter{Name: "page", Type: "integer", Default: first, Minimum: adapter.Ref(first), Maximum: adapter.Ref(1000), Description: "Number of the page to return"}
	return pagedFolders([]adapter.Parameter{seam.PageSize("page_size"), at}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
		limit, page := adapter.Integer(t.Params["page_size"]), adapter.Integer(t.Params["page"])
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
func pagedFolders(with []adapter.Parameter, place func(t adapter.Task, total int) (limit, start int, meta map[string]any)) adapter.Hooks {
	return seam.Both(
		seam.Retyped("FolderList", func(kind *adapter.TypeInfo) {
			kind.Fields = append(slices.Clone(kind.Fields), adapter.Field("pagination", "object", true, "Where this page stands: sizes, totals, and whether more follows"))
		}),
		seam.Remade("list_folders", func(op *adapter.Operation) {
			op.Parameters = append(slices.Clone(op.Parameters), with...)
			work := op.Run
			op.Run = func(t adapter.Task) adapter.Envelope {
				e := work(t)
				if !adapter.Succeeded(e) {
					return e
				}
				items := adapter.Array(adapter.Object(e["data"])["items"])
				limit, start, meta := place(t, len(items))
				return adapter.Success(map[string]any{"items": items[start:min(start+limit, len(items))], "pagination": meta})
			}
		}))
}
