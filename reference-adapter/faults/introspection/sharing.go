package introspection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// sharingFaults break the form of parameters that many operations share. What is
// documented is done, so that nothing but the form is wrong.
var sharingFaults = []seam.Fault{
	{ID: "OPS-4.2-01", Variant: "search-uses-keyword", Defect: "search_notes takes keyword instead of query",
		Hooks: seam.Both(
			seam.Replaced("search_notes", "query", []adapter.Parameter{searchText("keyword", "string", "What to look for: words that occur in the note")},
				func(t adapter.Task) adapter.Envelope { seam.Moved(t.Params, "keyword", "query"); return nil }),
			seam.Exampled("search_notes", func(params map[string]any) { seam.Moved(params, "query", "keyword") }))},
	{ID: "OPS-4.2-01", Variant: "query-typed-integer", Defect: "query of search_notes is typed integer",
		Hooks: seam.Both(
			seam.Replaced("search_notes", "query", []adapter.Parameter{searchText("query", "integer", "Number to look for, which occurs in the note")},
				func(t adapter.Task) adapter.Envelope { t.Params["query"] = fmt.Sprint(t.Params["query"]); return nil }),
			seam.Exampled("search_notes", seam.Set("query", 2026)))},
	{ID: "OPS-4.2-04", Variant: "filter-typed-string", Defect: "filter of search_notes is typed string",
		Hooks: seam.Replaced("search_notes", "filter",
			[]adapter.Parameter{{Name: "filter", Type: "string", Description: "Search only the folder with this identifier"}},
			func(t adapter.Task) adapter.Envelope {
				if t.Params["filter"] != nil {
					t.Params["filter"] = map[string]any{"folder_id": t.Params["filter"]}
				}
				return nil
			})},
	{ID: "OPS-4.2-05", Variant: "flat-sort-parameters", Defect: "list_notes takes sort_by and sort_order",
		Hooks: seam.Replaced("list_notes", "sort",
			[]adapter.Parameter{
				{Name: "sort_by", Type: "NoteSortField", Description: "Field to sort the notes by"},
				{Name: "sort_order", Type: "SortOrder", Default: "asc", Description: "Direction of the order"},
			},
			func(t adapter.Task) adapter.Envelope {
				if t.Params["sort_by"] != nil {
					t.Params["sort"] = map[string]any{"field": t.Params["sort_by"], "order": t.Params["sort_order"]}
				}
				return nil
			})},
	{ID: "OPS-4.2-05", Variant: "ordering-with-minus", Defect: "list_notes takes ordering with the values title and -title",
		Hooks: seam.Replaced("list_notes", "sort",
			[]adapter.Parameter{{Name: "ordering", Type: "string", Enum: []string{"created_at", "-created_at", "title", "-title"}, Description: "Field to sort the notes by; with a minus, from the greatest"}},
			func(t adapter.Task) adapter.Envelope {
				if by := t.Text("ordering"); by != "" {
					field, down := strings.CutPrefix(by, "-")
					t.Params["sort"] = map[string]any{"field": field, "order": map[bool]string{false: "asc", true: "desc"}[down]}
				}
				return nil
			})},
	{ID: "OPS-4.2-08", Variant: "sort-order-ignored", Defect: "order desc returns the same sequence as asc",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if sort := seam.Copied(c.Params()["sort"]); sort["order"] == "desc" {
				sort["order"] = "asc"
				return c.Given("sort", sort)
			}
			return c
		})},
	{ID: "OPS-4.2-08", Variant: "page-cut-before-sort", Defect: "the page is cut out of the notes first, and then put in order",
		Hooks: sortedBy(adapter.NotesOrdered)},
	{ID: "OPS-4.2-08", Variant: "fields-lose-the-order", Defect: "list_notes with fields answers the notes in the order of the store, whatever sort says",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if c.Params()["fields"] != nil {
				return c.Given("sort", nil)
			}
			return c
		})},
	{ID: "OPS-4.2-08", Variant: "titles-by-date", Defect: "sort by title orders the notes by created_at",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if sort := seam.Copied(c.Params()["sort"]); sort["field"] == "title" {
				sort["field"] = "created_at"
				return c.Given("sort", sort)
			}
			return c
		})},
	{ID: "OPS-4.4.1-09", Variant: "dry-run-typed-string", Defect: "dry_run of delete_note is typed string",
		Hooks: seam.Replaced("delete_note", "dry_run",
			[]adapter.Parameter{{Name: "dry_run", Type: "string", Enum: []string{"no", "yes"}, Default: "no", Description: "With yes: answer what would be deleted, and delete nothing"}},
			func(t adapter.Task) adapter.Envelope { t.Params["dry_run"] = t.Text("dry_run") == "yes"; return nil })},
	{ID: "OPS-4.4.1-10", Variant: "dry-run-executes", Defect: "delete_note with dry_run true deletes",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			id, _ := adapter.Object(e["data"])["note_id"].(string)
			if preview, _, _ := c.Value("dry_run"); c.Operation() == "delete_note" && adapter.Succeeded(e) && preview == true {
				delete(c.Store.Notes, id)
			}
		})},
	{ID: "OPS-4.4.4-01", Variant: "dry-run-and-simulate", Defect: "delete_note takes dry_run, delete_folder simulate",
		Hooks: seam.Added("delete_folder", adapter.Parameter{Name: "simulate", Type: "boolean", Default: false, Description: "Answer what would be deleted, and delete nothing"},
			func(t adapter.Task) adapter.Envelope {
				if _, ok := t.Store.Folders[t.Text("folder_id")]; !ok || t.Params["simulate"] != true {
					return nil
				}
				return adapter.Success(map[string]any{"folder_id": t.Text("folder_id"), "deleted": false})
			})},
	{ID: "OPS-4.4.4-02", Variant: "cursor-type-varies", Defect: "after is string on list_notes and string or number on search_notes",
		Hooks: seam.Reworked("search_notes", "after", func(p *adapter.Parameter) { p.Type = "string | number" })},
	{ID: "OPS-4.4.4-03", Variant: "limit-two-meanings", Defect: "first means page size on list_notes and budget on search_notes",
		Hooks: seam.Documented("search_notes", "first", seam.Set("description", "Budget in cents that this search may cost"))},
	{ID: "OPS-4.4.4-04", Variant: "limit-default-varies", Defect: "first defaults to 20 on list_notes and to 25 on search_notes",
		Hooks: seam.Reworked("search_notes", "first", func(p *adapter.Parameter) { p.Default = 25 })},
	{ID: "OPS-4.4.5-01", Variant: "ref-in-parameters", Defect: "the record of fields holds name, type and an additional $ref",
		Hooks: seam.Documented("list_notes", "fields", seam.Set("$ref", "#/shared_parameters/fields"))},
	{ID: "AQL-4.3-01", Variant: "camel-case-type-field", Defect: "the input type NoteFilter has the field minPriority",
		Hooks: seam.Both(
			seam.Both(
				seam.Retyped("NoteFilter", func(t *adapter.TypeInfo) {
					for i := range t.Fields {
						t.Fields[i].Name = seam.Exact(t.Fields[i].Name, "min_priority", "minPriority").(string)
					}
				}),
				seam.Reworked("search_notes", "filter", func(p *adapter.Parameter) {
					p.Description = seam.Swapped(p.Description, "min_priority", "minPriority").(string)
				})),
			seam.Remade("search_notes", func(op *adapter.Operation) {
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					seam.Moved(adapter.Object(t.Params["filter"]), "minPriority", "min_priority")
					return nil
				})
			}))},
}

func searchText(name, kind, description string) adapter.Parameter {
	p := adapter.Parameter{Name: name, Type: kind, Required: true, Description: description}
	if kind == "string" {
		p.MinLength, p.MaxLength = adapter.Ref(1), adapter.Ref(200)
	}
	return p
}

// sortedBy puts the notes of a page in order after it was made.
func sortedBy(compare func(a, b adapter.Note, field string) int) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		order := adapter.Object(c.Params()["sort"])
		field, _ := order["field"].(string)
		if c.Operation() != "list_notes" || !slices.Contains(adapter.SortField, field) || order["order"] != "asc" && order["order"] != "desc" {
			return next(c)
		}
		e := next(c.Given("sort", nil))
		items := adapter.Array(adapter.Object(e["data"])["items"])
		slices.SortStableFunc(items, func(x, y any) int {
			if order["order"] == "desc" {
				x, y = y, x
			}
			return compare(adapter.Object(x), adapter.Object(y), field)
		})
		return e
	}}
}
