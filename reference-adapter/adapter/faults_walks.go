package adapter

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

func pageNumber() parameter {
	return parameter{Name: "page", Type: "integer", Default: 1, Minimum: ref(1), Maximum: ref(1000), Description: "Number of the page to return"}
}

// pageOf reads what a page is asked for, and says the truth about it.
func pageOf(t task, total int) (limit int, meta map[string]any) {
	limit = integer(t.params["page_size"])
	page, pages := integer(t.params["page"]), (total+limit-1)/limit
	return limit, map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page < pages}
}
