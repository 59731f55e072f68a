package calls

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// walkFaults lead a client astray that goes from page to page.
var walkFaults = []seam.Fault{
	{ID: "OPS-4.4.3-08", Variant: "offset-ignored", Defect: "every offset of list_folders answers the first folders",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("limit"), seam.StartAt("offset")}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, start = adapter.Integer(t.Params["limit"]), min(adapter.Integer(t.Params["offset"]), total)
			left := min(limit, total-start)
			return left, 0, map[string]any{"limit": limit, "offset": start, "returned": left, "total_items": total, "has_more": start+left < total}
		})},
	{ID: "OPS-4.4.3-08", Variant: "pages-overlap", Defect: "a page of list_folders with room for two folders begins with the last of the page before",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("page_size"), pageNumber()}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, meta = pageOf(t, total)
			return limit, min((adapter.Integer(t.Params["page"])-1)*max(limit-1, 1), total), meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "short-page-lost", Defect: "a last page of list_folders that is not full is empty",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("page_size"), pageNumber()}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, meta = pageOf(t, total)
			start = min((adapter.Integer(t.Params["page"])-1)*limit, total)
			if start > 0 && start+limit > total {
				start = total
			}
			return limit, start, meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "short-page-lost-under-other-names", Defect: "list_folders pages by parameters with names of its own, and a last page that is not full is empty",
		Hooks: pagedFolders(numbered("portion", "blatt"), func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit = adapter.Integer(t.Params["portion"])
			start = min((adapter.Integer(t.Params["blatt"])-1)*limit, total)
			if start > 0 && start+limit > total {
				start = total
			}
			return limit, start, map[string]any{}
		})},
	{ID: "OPS-4.4.3-08", Variant: "skipped-item-under-other-names", Defect: "list_folders pages by parameters with names of its own, and the third page and later ones begin one folder too late",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("portion"), seam.StartAt("vorbei")}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, start = adapter.Integer(t.Params["portion"]), adapter.Integer(t.Params["vorbei"])
			if start > limit {
				start++
			}
			return limit, min(start, total), map[string]any{}
		})},
	{ID: "OPS-4.4.3-08", Variant: "item-lost-behind-own-cursor", Defect: "list_folders pages by a cursor with a name of its own, and each page but the first begins one folder too late",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("portion"), {Name: "marke", Type: "string", Description: "Where the answer before said that more follows"}}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, meta = adapter.Integer(t.Params["portion"]), map[string]any{}
			if at, err := strconv.Atoi(strings.TrimPrefix(t.Text("marke"), "f")); err == nil {
				start = min(at+1, total)
			}
			if start+limit < total {
				meta["weiter"] = "f" + strconv.Itoa(start+limit)
			}
			return limit, start, meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "last-item-lost-behind-own-cursor", Defect: "list_folders pages by a cursor with a name of its own, and names none where one folder is left",
		Hooks: pagedFolders([]adapter.Parameter{seam.PageSize("portion"), {Name: "marke", Type: "string", Description: "Where the answer before said that more follows"}}, func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit, meta = adapter.Integer(t.Params["portion"]), map[string]any{}
			if at, err := strconv.Atoi(strings.TrimPrefix(t.Text("marke"), "f")); err == nil {
				start = min(at, total)
			}
			if start+limit+1 < total {
				meta["weiter"] = "f" + strconv.Itoa(start+limit)
			}
			return limit, start, meta
		})},
	{ID: "OPS-4.4.3-08", Variant: "sorted-page-shortened", Defect: "with sort, each page of list_notes behind a cursor lacks its first note",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "list_notes" && c.Params()["sort"] != nil && c.Params()["after"] != nil && adapter.Succeeded(e) {
				data := adapter.Object(e["data"])
				if items := adapter.Array(data["items"]); len(items) > 0 {
					data["items"] = items[1:]
				}
			}
			return e
		}}},
	{ID: "OPS-4.4.3-08", Variant: "falling-page-shortened", Defect: "in falling order, each page of list_notes behind a cursor lacks its first note",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "list_notes" && adapter.Object(c.Params()["sort"])["order"] == "desc" && c.Params()["after"] != nil && adapter.Succeeded(e) {
				data := adapter.Object(e["data"])
				if items := adapter.Array(data["items"]); len(items) > 0 {
					data["items"] = items[1:]
				}
			}
			return e
		}}},
	{ID: "OPS-4.4.3-08", Variant: "tied-notes-lost", Defect: "a page of list_notes in the order of a field lacks the notes that have the value with which the page before ends",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			data := adapter.Object(e["data"])
			page := adapter.Array(data["items"])
			by, sorted := adapter.Object(c.Params()["sort"])["field"].(string)
			if c.Operation() != "list_notes" || !sorted || c.Params()["after"] == nil || len(page) == 0 {
				return e
			}
			all := adapter.Array(adapter.Object(next(c.Given("after", nil).Given("first", json.Number("100")))["data"])["items"])
			at := slices.IndexFunc(all, func(n any) bool { return adapter.Object(n)["note_id"] == adapter.Object(page[0])["note_id"] })
			if at > 0 {
				last := adapter.Object(all[at-1])[by]
				data["items"] = slices.DeleteFunc(slices.Clone(page), func(n any) bool { return adapter.Object(n)[by] == last })
			}
			return e
		}}},
	{ID: "OPS-4.4.3-08", Variant: "end-told-too-early", Defect: "list_folders pages by parameters with names of its own, and says that no page follows where one folder is left",
		Hooks: pagedFolders(numbered("portion", "blatt"), func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit = adapter.Integer(t.Params["portion"])
			start = min((adapter.Integer(t.Params["blatt"])-1)*limit, total)
			return limit, start, map[string]any{"weiter": start+limit+1 < total}
		})},
	{ID: "OPS-4.4.3-08", Variant: "full-page-promises-more", Defect: "list_folders pages by parameters with names of its own, and says behind each full page that another one follows",
		Hooks: pagedFolders(numbered("portion", "blatt"), func(t adapter.Task, total int) (limit, start int, meta map[string]any) {
			limit = adapter.Integer(t.Params["portion"])
			start = min((adapter.Integer(t.Params["blatt"])-1)*limit, total)
			return limit, start, map[string]any{"weiter": start+limit <= total}
		})},
	{ID: "OPS-4.4.3-08", Variant: "full-page-promises-more-behind-cursors", Defect: "search_notes says behind each full page that another one follows",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			if items := adapter.Array(data["items"]); len(items) > 0 && len(items) == adapter.Integer(c.Params()["first"]) {
				adapter.Object(data["pageInfo"])["hasNextPage"] = true
			}
		})},
	{ID: "OPS-4.4.3-08", Variant: "narrowed-page-shortened", Defect: "with title_only, each page of search_notes behind a cursor lacks its first note",
		Hooks: seam.Found(func(c adapter.Call, data map[string]any) {
			if items := adapter.Array(data["items"]); c.Params()["title_only"] == true && c.Params()["after"] != nil && len(items) > 0 {
				data["items"] = items[1:]
			}
		})},
	{ID: "OPS-4.4.3-08", Variant: "last-from-the-beginning", Defect: "last: 2 of search_notes returns the first two items instead of the last two",
		Hooks: backwards(func(total, last, before int) (start, end int) { return 0, min(last, before) })},
	{ID: "OPS-4.4.3-08", Variant: "before-ignored", Defect: "every cursor in before of search_notes answers the last notes",
		Hooks: backwards(func(total, last, _ int) (start, end int) { return max(0, total-last), total })},
	{ID: "OPS-4.4.3-08", Variant: "before-inclusive", Defect: "a page before a cursor of search_notes ends with the note of the cursor",
		Hooks: backwards(func(total, last, before int) (start, end int) {
			end = min(before+1, total)
			return max(0, end-last), end
		})},
	{ID: "OPS-4.4.3-15", Variant: "last-ignored", Defect: "last of search_notes limits nothing",
		Hooks: backwards(func(_, _, before int) (start, end int) { return 0, before })},
	{ID: "OPS-4.4.3-10", Variant: "total-pages-floor", Defect: "total_pages does not count a last page that is not full",
		Hooks: byPage(1, func(meta map[string]any, total int) {
			pages := total / meta["page_size"].(int)
			meta["total_pages"], meta["has_more"] = pages, meta["page"].(int) < pages
		})},
	{ID: "OPS-4.4.3-07", Variant: "total-of-one-page", Defect: "totalCount of search_notes counts the notes of the page alone",
		Hooks: seam.Found(func(_ adapter.Call, data map[string]any) {
			if info := adapter.Object(data["pageInfo"]); info != nil {
				info["totalCount"] = adapter.Plain(len(adapter.Array(data["items"])))
			}
		})},
	{ID: "OPS-4.4.3-07", Variant: "total-of-hidden-ones", Defect: "totalCount of search_notes counts notes that no page shows",
		Hooks: seam.Found(func(_ adapter.Call, data map[string]any) {
			info := adapter.Object(data["pageInfo"])
			if total, ok := info["totalCount"].(json.Number); ok {
				n, _ := total.Int64()
				info["totalCount"] = adapter.Plain(n + 1)
			}
		})},
	{ID: "OPS-4.4.3-03", Variant: "previous-of-the-first", Defect: "hasPreviousPage of search_notes is true on the first page",
		Hooks: seam.Found(func(_ adapter.Call, data map[string]any) {
			if info := adapter.Object(data["pageInfo"]); info != nil {
				info["hasPreviousPage"] = true
			}
		})},
}

// backwards lets search_notes page from the end with last and before. place says which part of all notes
// is a page: before is where the cursor stands, or the end.
func backwards(place func(total, last, before int) (start, end int)) adapter.Hooks {
	return seam.Remade("search_notes", func(op *adapter.Operation) {
		op.Parameters = append(slices.Clone(op.Parameters),
			adapter.Parameter{Name: "last", Type: "integer", Minimum: adapter.Ref(1), Maximum: adapter.Ref(100), Description: "Most notes to return, counted from the end"},
			adapter.Parameter{Name: "before", Type: "string", Description: "Cursor of the note to end before, taken from pageInfo.startCursor"})
		work := op.Run
		op.Run = func(t adapter.Task) adapter.Envelope {
			if t.Params["last"] == nil {
				return work(t)
			}
			back, before := adapter.Integer(t.Params["last"]), t.Text("before")
			t.Params = maps.Clone(t.Params)
			t.Params["first"] = adapter.Plain(10000)
			e := work(t)
			data := adapter.Object(adapter.Plain(e["data"]))
			if !adapter.Succeeded(e) || data["pageInfo"] == nil {
				return e
			}
			items := adapter.Array(data["items"])
			id := func(i int) string { text, _ := adapter.Object(items[i])["note_id"].(string); return text }
			at := len(items)
			for i := range items {
				if before != "" && adapter.Cursor(id(i)) == before {
					at = i
				}
			}
			start, end := place(len(items), back, at)
			info := map[string]any{"hasNextPage": end < len(items), "hasPreviousPage": start > 0, "totalCount": len(items)}
			if start < end {
				info["startCursor"], info["endCursor"] = adapter.Cursor(id(start)), adapter.Cursor(id(end-1))
			}
			return adapter.Success(map[string]any{"items": items[start:end], "pageInfo": info})
		}
	})
}

// numbered returns the parameters of a listing that pages by number.
func numbered(size, from string) []adapter.Parameter {
	page := pageNumber()
	page.Name = from
	return []adapter.Parameter{seam.PageSize(size), page}
}

func pageNumber() adapter.Parameter {
	return adapter.Parameter{Name: "page", Type: "integer", Default: 1, Minimum: adapter.Ref(1), Maximum: adapter.Ref(1000), Description: "Number of the page to return"}
}

// pageOf reads what a page is asked for, and says the truth about it.
func pageOf(t adapter.Task, total int) (limit int, meta map[string]any) {
	limit = adapter.Integer(t.Params["page_size"])
	page, pages := adapter.Integer(t.Params["page"]), (total+limit-1)/limit
	return limit, map[string]any{"page": page, "page_size": limit, "total_items": total, "total_pages": pages, "has_more": page < pages}
}
