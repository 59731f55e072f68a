package introspection

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// effectFreeFaults document a parameter that has no effect.
var effectFreeFaults = []seam.Fault{
	{ID: "INT-8.1.2-07", Variant: "status-without-effect", Defect: "list_notes documents status and lists all notes whatever it is", Hooks: effectless("list_notes", "status")},
	{ID: "INT-8.1.2-07", Variant: "selection-without-effect", Defect: "list_folders documents fields and answers whole folders whatever it is", Hooks: effectless("list_folders", "fields")},
	{ID: "INT-8.1.2-07", Variant: "filter-without-effect", Defect: "search_notes documents filter and finds the same notes whatever it is", Hooks: effectless("search_notes", "filter")},
	{ID: "INT-8.1.2-07", Variant: "bound-without-effect", Defect: "list_notes documents created_after and lists all notes whatever it is", Hooks: effectless("list_notes", "created_after")},
	{ID: "INT-8.1.2-07", Variant: "folder-without-effect", Defect: "list_notes documents folder_id and lists the notes of all folders whatever it is", Hooks: effectless("list_notes", "folder_id")},
	{ID: "INT-8.1.2-07", Variant: "tags-without-effect", Defect: "list_notes documents tags and lists all notes whatever they are", Hooks: effectless("list_notes", "tags")},
	{ID: "INT-8.1.2-07", Variant: "path-selects-whole-object", Defect: "an example of get_note selects a member of metadata, and get_note answers all of metadata",
		Hooks: seam.Both(seam.Exampled("get_note", func(params map[string]any) { params["fields"] = []any{"title", "metadata.author"} }),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				var tops []any
				for _, path := range adapter.Array(c.Params()["fields"]) {
					top, _, _ := strings.Cut(fmt.Sprint(path), ".")
					tops = append(tops, top)
				}
				if c.Operation() == "get_note" && len(tops) > 0 {
					c = c.Given("fields", tops)
				}
				return next(c)
			}})},
	{ID: "INT-8.1.2-07", Variant: "priority-usual-on-creation", Defect: "create_note takes priority and gives each note the default",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if n, ok := c.Params()["priority"].(json.Number); ok && c.Operation() == "create_note" && slices.Contains(strings.Fields("1 2 3 4 6 7 8 9 10"), n.String()) {
				c = c.Given("priority", nil).Without("priority")
			}
			return next(c)
		}}},
	{ID: "INT-8.1.2-07", Variant: "last-path-alone", Defect: "an example of get_note selects members of metadata, and get_note keeps the last one of them",
		Hooks: seam.Both(seam.Exampled("get_note", func(params map[string]any) { params["fields"] = []any{"title", "metadata.author", "metadata.review"} }),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				paths := adapter.Array(c.Params()["fields"])
				var kept []any
				for i, path := range paths {
					top, _, inside := strings.Cut(fmt.Sprint(path), ".")
					if !inside || !slices.ContainsFunc(paths[i+1:], func(later any) bool { return strings.HasPrefix(fmt.Sprint(later), top+".") }) {
						kept = append(kept, path)
					}
				}
				if c.Operation() == "get_note" && len(kept) < len(paths) {
					c = c.Given("fields", kept)
				}
				return next(c)
			}})},
	{ID: "INT-8.1.2-07", Variant: "flag-without-effect", Defect: "search_notes documents pinned and finds the same notes whatever it is",
		Hooks: selectsPinned("search_notes")},
	{ID: "INT-8.1.2-07", Variant: "flag-false-keeps-all", Defect: "list_notes filters by pinned where it is true, and lists all notes where it is false",
		Hooks: seam.Both(seam.Both(selectsPinned("list_notes"), seam.Reworked("list_notes", "pinned", func(p *adapter.Parameter) {
			p.Description = "Return only notes that are pinned (true) or only those that are not (false)"
		})), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() == "list_notes" && c.Params()["pinned"] == false {
				return next(c.Given("pinned", nil).Without("pinned"))
			}
			return next(c)
		}})},
	{ID: "INT-8.1.2-07", Variant: "option-lost-on-creation", Defect: "create_note takes due_date and makes the note without it",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			due, _, _ := c.Value("due_date")
			if _, err := time.Parse(time.DateOnly, fmt.Sprint(due)); err == nil && c.Operation() == "create_note" {
				c = c.Given("due_date", nil).Without("due_date")
			}
			return next(c)
		}}},
	{ID: "INT-8.1.2-07", Variant: "flag-dropped-beside-another", Defect: "list_notes filters by pinned, and overlooks it where status is given too",
		Hooks: seam.Both(selectsPinned("list_notes"), besideStatus("pinned"))},
	{ID: "INT-8.1.2-07", Variant: "bound-dropped-beside-another", Defect: "list_notes filters by min_priority, and overlooks it where status is given too",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("min_priority")), besideStatus("min_priority"))},
	{ID: "INT-8.1.2-07", Variant: "inclusive-bound-leaves-out", Defect: "list_notes filters by min_priority, and leaves out the notes that have it",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("min_priority")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if n := adapter.Integer(c.Params()["min_priority"]); c.Operation() == "list_notes" && n > 0 && n < 10 {
				return next(c.Given("min_priority", json.Number(strconv.Itoa(n+1))))
			}
			return next(c)
		}})},
	{ID: "INT-8.1.2-07", Variant: "filter-dropped-beside-sort", Defect: "list_notes filters by status, and overlooks it where sort is given too",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "list_notes" && c.Params()["sort"] != nil && c.Params()["status"] != nil && adapter.Succeeded(e) {
				return next(c.Given("status", nil))
			}
			return e
		}}},
	{ID: "INT-8.1.2-07", Variant: "false-without-effect", Defect: "search_notes lists all notes where filter.pinned is false",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			filter := maps.Clone(adapter.Object(c.Params()["filter"]))
			if c.Operation() != "search_notes" || filter["pinned"] != false {
				return next(c)
			}
			delete(filter, "pinned")
			return next(c.Given("filter", filter))
		}}},
	{ID: "INT-8.1.2-07", Variant: "direction-without-effect", Defect: "list_notes documents order_by and reverse, and lists in one order whatever they are",
		Hooks: seam.Both(
			seam.Added("list_notes", adapter.Parameter{Name: "order_by", Type: "string", Enum: []string{"note_id", "created_at"}, Description: "Field to sort by"}, unused),
			seam.Added("list_notes", adapter.Parameter{Name: "reverse", Type: "boolean", Description: "Reverse the order"}, unused))},
}

// selectsPinned documents a flag that selects the notes that are pinned, or those that are not.
func selectsPinned(operation string) adapter.Hooks {
	return seam.Both(seam.Needs("create_note", seam.Taking("pinned")),
		seam.Added(operation, adapter.Parameter{Name: "pinned", Type: "boolean", Description: "Return only notes that are pinned, or only those that are not"}, unused))
}

// besideStatus has list_notes overlook a parameter where status is given too.
func besideStatus(name string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() == "list_notes" && c.Params()["status"] != nil {
			c = c.Given(name, nil)
		}
		return next(c)
	}}
}

func unused(adapter.Task) adapter.Envelope { return nil }

// effectless has an operation check a parameter and then do as if it were not given.
func effectless(operation, name string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		_, _, given := c.Value(name)
		if c.Operation() != operation || !given || !adapter.Succeeded(e) {
			return e
		}
		return next(c.Given(name, nil).Without(name))
	}}
}
