package adapter

import (
	"fmt"
	"slices"
)

// sharingFaults break the form of parameters that many operations share. What is
// documented is done, so that nothing but the form is wrong.
var sharingFaults = []Fault{
	{ID: "OPS-4.2-01", Variant: "search-uses-keyword", Defect: "search_notes takes keyword instead of query",
		hooks: both(
			replaced("search_notes", "query", []parameter{searchText("keyword", "string", "What to look for: words that occur in the note")},
				func(t task) envelope { moved(t.params, "keyword", "query"); return nil }),
			exampled("search_notes", func(params map[string]any) { moved(params, "query", "keyword") }))},
	{ID: "OPS-4.2-01", Variant: "query-typed-integer", Defect: "query of search_notes is typed integer",
		hooks: both(
			replaced("search_notes", "query", []parameter{searchText("query", "integer", "Number to look for, which occurs in the note")},
				func(t task) envelope { t.params["query"] = fmt.Sprint(t.params["query"]); return nil }),
			exampled("search_notes", set("query", 2026)))},
	{ID: "OPS-4.2-04", Variant: "filter-typed-string", Defect: "filter of search_notes is typed string",
		hooks: replaced("search_notes", "filter",
			[]parameter{{Name: "filter", Type: "string", Description: "Search only the folder with this identifier"}},
			func(t task) envelope {
				if t.params["filter"] != nil {
					t.params["filter"] = map[string]any{"folder_id": t.params["filter"]}
				}
				return nil
			})},
	{ID: "OPS-4.2-05", Variant: "flat-sort-parameters", Defect: "list_notes takes sort_by and sort_order",
		hooks: replaced("list_notes", "sort",
			[]parameter{
				{Name: "sort_by", Type: "NoteSortField", Description: "Field to sort the notes by"},
				{Name: "sort_order", Type: "SortOrder", Default: "asc", Description: "Direction of the order"},
			},
			func(t task) envelope {
				if t.params["sort_by"] != nil {
					t.params["sort"] = map[string]any{"field": t.params["sort_by"], "order": t.params["sort_order"]}
				}
				return nil
			})},
	{ID: "OPS-4.2-08", Variant: "sort-order-ignored", Defect: "order desc returns the same sequence as asc",
		hooks: before(named("list_notes"), func(c call, _ operation) call {
			if sort := copied(c.params()["sort"]); sort["order"] == "desc" {
				sort["order"] = "asc"
				return c.given("sort", sort)
			}
			return c
		})},
	{ID: "OPS-4.2-08", Variant: "page-cut-before-sort", Defect: "the page is cut out of the notes first, and then put in order",
		hooks: sortedBy(notesOrdered)},
	{ID: "OPS-4.2-08", Variant: "titles-by-date", Defect: "sort by title orders the notes by created_at",
		hooks: before(named("list_notes"), func(c call, _ operation) call {
			if sort := copied(c.params()["sort"]); sort["field"] == "title" {
				sort["field"] = "created_at"
				return c.given("sort", sort)
			}
			return c
		})},
	{ID: "OPS-4.4.1-09", Variant: "dry-run-typed-string", Defect: "dry_run of delete_note is typed string",
		hooks: replaced("delete_note", "dry_run",
			[]parameter{{Name: "dry_run", Type: "string", Enum: []string{"no", "yes"}, Default: "no", Description: "With yes: answer what would be deleted, and delete nothing"}},
			func(t task) envelope { t.params["dry_run"] = t.text("dry_run") == "yes"; return nil })},
	{ID: "OPS-4.4.1-10", Variant: "dry-run-executes", Defect: "delete_note with dry_run true deletes",
		hooks: after(func(c call, e envelope) {
			id, _ := object(e["data"])["note_id"].(string)
			if preview, _, _ := c.value("dry_run"); c.operation() == "delete_note" && succeeded(e) && preview == true {
				delete(c.store.notes, id)
			}
		})},
	{ID: "OPS-4.4.4-01", Variant: "dry-run-and-simulate", Defect: "delete_note takes dry_run, delete_folder simulate",
		hooks: added("delete_folder", parameter{Name: "simulate", Type: "boolean", Default: false, Description: "Answer what would be deleted, and delete nothing"},
			func(t task) envelope {
				if _, ok := t.store.folders[t.text("folder_id")]; !ok || t.params["simulate"] != true {
					return nil
				}
				return success(map[string]any{"folder_id": t.text("folder_id"), "deleted": false})
			})},
	{ID: "OPS-4.4.4-02", Variant: "cursor-type-varies", Defect: "after is string on list_notes and string or number on search_notes",
		hooks: reworked("search_notes", "after", func(p *parameter) { p.Type = "string | number" })},
	{ID: "OPS-4.4.4-03", Variant: "limit-two-meanings", Defect: "first means page size on list_notes and budget on search_notes",
		hooks: documented("search_notes", "first", set("description", "Budget in cents that this search may cost"))},
	{ID: "OPS-4.4.4-04", Variant: "limit-default-varies", Defect: "first defaults to 20 on list_notes and to 25 on search_notes",
		hooks: reworked("search_notes", "first", func(p *parameter) { p.Default = 25 })},
	{ID: "OPS-4.4.5-01", Variant: "ref-in-parameters", Defect: "the record of fields holds name, type and an additional $ref",
		hooks: documented("list_notes", "fields", set("$ref", "#/shared_parameters/fields"))},
	{ID: "AQL-4.3-01", Variant: "camel-case-type-field", Defect: "the input type NoteFilter has the field minPriority",
		hooks: both(
			both(
				retyped("NoteFilter", func(t *typeInfo) {
					for i := range t.Fields {
						t.Fields[i].Name = exact(t.Fields[i].Name, "min_priority", "minPriority").(string)
					}
				}),
				reworked("search_notes", "filter", func(p *parameter) {
					p.Description = swapped(p.Description, "min_priority", "minPriority").(string)
				})),
			remade("search_notes", func(op *operation) {
				op.first(func(t task) envelope { moved(object(t.params["filter"]), "minPriority", "min_priority"); return nil })
			}))},
}

func searchText(name, kind, description string) parameter {
	p := parameter{Name: name, Type: kind, Required: true, Description: description}
	if kind == "string" {
		p.MinLength, p.MaxLength = ref(1), ref(200)
	}
	return p
}

// sortedBy puts the notes of a page in order after it was made.
func sortedBy(compare func(a, b note, field string) int) hooks {
	return hooks{item: func(c call, next handler) envelope {
		order := object(c.params()["sort"])
		field, _ := order["field"].(string)
		if c.operation() != "list_notes" || !slices.Contains(sortField, field) || order["order"] != "asc" && order["order"] != "desc" {
			return next(c)
		}
		e := next(c.given("sort", nil))
		items := array(object(e["data"])["items"])
		slices.SortStableFunc(items, func(x, y any) int {
			if order["order"] == "desc" {
				x, y = y, x
			}
			return compare(object(x), object(y), field)
		})
		return e
	}}
}
