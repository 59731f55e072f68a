package adapter

import (
	"maps"
	"slices"
)

// walkFaults lead a client astray that goes from page to page.
var walkFaults = []Fault{
	{ID: "OPS-4.4.3-08", Variant: "offset-ignored", Defect: "every offset of list_folders answers the first folders",
		hooks: pagedFolders([]parameter{pageSize("limit"), startAt("offset")}, func(t task, total int) (limit, start int, meta map[string]any) {
			limit, start = integer(t.params["limit"]), min(integer(t.params["offset"]), total)
			left := min(limit, total-start)
			return left, 0, map[string]any{"limit": limit, "offset": start, "returned": left, "total_items": total, "has_more": start+left < total}
		})},
	{ID: "OPS-4.4.3-08", Variant: "pages-overlap", Defect: "a page of list_folders with room for two folders begins with the last of the page before",
		hooks: pagedFolders([]parameter{pageSize("page_size"), pageNumber()}, func(t task, total int) (limit, start int, meta map[string]any) {
			limit, meta = pageOf(t, total)
			return limit, min((integer(t.params["page"])-1)*max(limit-1, 1), total), meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "short-page-lost", Defect: "a last page of list_folders that is not full is empty",
		hooks: pagedFolders([]parameter{pageSize("page_size"), pageNumber()}, func(t task, total int) (limit, start int, meta map[string]any) {
			limit, meta = pageOf(t, total)
			start = min((integer(t.params["page"])-1)*limit, total)
			if start > 0 && start+limit > total {
				start = total
			}
			return limit, start, meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "last-from-the-beginning", Defect: "last of search_notes counts from the beginning",
		hooks: backwards(func(total, last, before int) (start, end int) { return 0, min(last, before) })},
	{ID: "OPS-4.4.3-08", Variant: "before-ignored", Defect: "every cursor in before of search_notes answers the last notes",
		hooks: backwards(func(total, last, _ int) (start, end int) { return max(0, total-last), total })},
	{ID: "OPS-4.4.3-08", Variant: "before-inclusive", Defect: "a page before a cursor of search_notes ends with the note of the cursor",
		hooks: backwards(func(total, last, before int) (start, end int) {
			end = min(before+1, total)
			return max(0, end-last), end
		})},
	{ID: "OPS-4.4.3-15", Variant: "last-ignored", Defect: "last of search_notes limits nothing",
		hooks: backwards(func(_, _, before int) (start, end int) { return 0, before })},
	{ID: "OPS-4.4.3-10", Variant: "total-pages-floor", Defect: "total_pages does not count a last page that is not full",
		hooks: byPage(1, func(meta map[string]any, total int) {
			pages := total / meta["page_size"].(int)
			meta["total_pages"], meta["has_more"] = pages, meta["page"].(int) < pages
		})},
	{ID: "OPS-4.4.3-07", Variant: "total-of-one-page", Defect: "totalCount of search_notes counts the notes of the page alone",
		hooks: found(func(_ call, data map[string]any) {
			if info := object(data["pageInfo"]); info != nil {
				info["totalCount"] = plain(len(array(data["items"])))
			}
		})},
	{ID: "OPS-4.4.3-03", Variant: "previous-of-the-first", Defect: "hasPreviousPage of search_notes is true on the first page",
		hooks: found(func(_ call, data map[string]any) {
			if info := object(data["pageInfo"]); info != nil {
				info["hasPreviousPage"] = true
			}
		})},
}

// backwards lets search_notes page from the end with last and before. place says which part of all notes
// is a page: before is where the cursor stands, or the end.
func backwards(place func(total, last, before int) (start, end int)) hooks {
	return remade("search_notes", func(op *operation) {
		op.Parameters = append(slices.Clone(op.Parameters),
			parameter{Name: "last", Type: "integer", Minimum: ref(1), Maximum: ref(100), Description: "Most notes to return, counted from the end"},
			parameter{Name: "before", Type: "string", Description: "Cursor of the note to end before, taken from pageInfo.startCursor"})
		work := op.run
		op.run = func(t task) envelope {
			if t.params["last"] == nil {
				return work(t)
			}
			back, before := integer(t.params["last"]), t.text("before")
			t.params = maps.Clone(t.params)
			t.params["first"] = plain(10000)
			e := work(t)
			data := object(plain(e["data"]))
			if !succeeded(e) || data["pageInfo"] == nil {
				return e
			}
			items := array(data["items"])
			id := func(i int) string { text, _ := object(items[i])["note_id"].(string); return text }
			at := len(items)
			for i := range items {
				if before != "" && cursor(id(i)) == before {
					at = i
				}
			}
			start, end := place(len(items), back, at)
			info := map[string]any{"hasNextPage": end < len(items), "hasPreviousPage": start > 0, "totalCount": len(items)}
			if start < end {
				info["startCursor"], info["endCursor"] = cursor(id(start)), cursor(id(end-1))
			}
			return success(map[string]any{"items": items[start:end], "pageInfo": info})
		}
	})
}

func pageNumber() parameter {
	return parameter{Name: "page", Type: "integer", Default: 1, Minimum: ref(1), Maximum: ref(1000), Description: "Number of the page to return"}
}

// pageOf reads what a page is asked for, and says the truth about it.
func pageOf(t task, total int) (limit int, meta map[string]any) {
	limit = integer(t.params["page_size"])
	page, pages := integer(t.params["page"]), (total+limit-1)/limit
	return limit, map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page < pages}
}
