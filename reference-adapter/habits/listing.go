package habits

import (
	"strconv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// ListingAxis is how the listing of operations is cut.
const ListingAxis = "listing of operations"

// operationsInPages lists eight operations at a time. The member says where the next page
// begins, and introspect takes that as the parameter.
func operationsInPages(place adapter.Parameter, member string) adapter.Hooks {
	const size, mark = 8, "op."
	return seam.Both(
		seam.Added("introspect", place, func(adapter.Task) adapter.Envelope { return nil }),
		seam.Listing(func(c adapter.Call, data map[string]any) {
			all := adapter.Array(data["operations"])
			from := adapter.Integer(c.Params()[place.Name])
			if cursor, ok := c.Params()[place.Name].(string); ok {
				from, _ = strconv.Atoi(strings.TrimPrefix(cursor, mark))
			}
			from = min(max(from, 0), len(all))
			to := min(from+size, len(all))
			data["operations"], data["has_more"] = all[from:to], to < len(all)
			switch {
			case to == len(all):
			case place.Type == "string":
				data[member] = mark + strconv.Itoa(to)
			default:
				data[member] = to
			}
		}),
	)
}

// listingAxes are how operations are listed, and how times are written.
func listingAxes() []Axis {
	return []Axis{
		{Name: ListingAxis, Habits: []Habit{
			{Name: "whole", Section: "spec 7.2"},
			{Name: "in pages from a number", Section: "introspection 8.3", From: "a c", Hooks: operationsInPages(adapter.Parameter{Name: "offset", Type: "integer", Default: 0, Minimum: adapter.Ref(0), Description: "List the operations from this one on"}, "next_offset")},
			{Name: "in pages behind a cursor", Section: "introspection 8.3", From: "a c", Hooks: operationsInPages(adapter.Parameter{Name: "after", Type: "string", Description: "List the operations behind the page with this next_cursor"}, "next_cursor")},
		}},
		{Name: "entries of the listing", Habits: []Habit{
			{Name: "summaries", Section: "introspection 1.2"},
			{Name: "with the names of the parameters", Section: "introspection 1.2 (no tables)", From: "c", Hooks: seam.Listing(func(c adapter.Call, data map[string]any) {
				for _, shown := range adapter.Array(data["operations"]) {
					op, _ := c.OperationNamed(adapter.Object(shown)["name"].(string))
					names := []any{}
					for _, p := range op.Parameters {
						names = append(names, p.Name)
					}
					adapter.Object(shown)["takes"] = names
				}
			})},
		}},
		{Name: "times", Habits: []Habit{
			{Name: "UTC", Section: "spec 4.7.2"},
			{Name: "UTC with milliseconds", Section: "spec 4.7.2 (ISO 8601)", Hooks: timesAs("2006-01-02T15:04:05.000Z", time.UTC)},
			{Name: "UTC with as many digits as needed", Section: "spec 4.7.2 (ISO 8601)", From: "a c", Hooks: withinOneSecond()},
			{Name: "offset", Section: "spec 4.7.2 (SHOULD use UTC)", From: "a c", Hooks: timesAs("2006-01-02T15:04:05-07:00", time.FixedZone("", 2*60*60)), Announces: []string{"AQL-4.7.2-02"}},
		}},
	}
}
