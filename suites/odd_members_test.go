package suites

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// An object field may have documented members and take no others, or be a map of texts. It is merged all the same, and
// a merge that is broken shows.
func TestDocumentedMembersAreMerged(t *testing.T) {
	member := func(name string) any {
		return map[string]any{"name": name, "type": "string", "required": false, "description": "The " + name + " of the note"}
	}
	for shape, document := range map[string]func(p map[string]any){
		"members": func(p map[string]any) { p["properties"] = []any{member("mood"), member("place")} },
		"map":     func(p map[string]any) { p["additionalProperties"] = map[string]any{"type": "string"} },
	} {
		answered := documenting("metadata", document)
		for fault, want := range map[string]string{
			"": "", "AQL-4.5.1-02.nested-input-ignored": "AQL-4.5.1-02", "AQL-4.5.1-03.shallow-merge": "AQL-4.5.1-03", "AQL-4.5.2-02.nested-null-ignored": "AQL-4.5.2-02",
		} {
			t.Run(shape+"/"+fault, func(t *testing.T) {
				t.Parallel()
				run := plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-02", "AQL-4.5.1-03", "AQL-4.5.2-02"}}
				r := judgedAs(t, stand.Config{Mode: "all", Fault: fault}, inFront(func(map[string]any) {}, answered), run, hintsFor(t, seam.Fault{}))
				accused, proven := r.outcomes("")
				if got := strings.Join(accused, " "); got != want {
					t.Errorf("accused of %q, want %q", got, want)
				}
				if fault == "" && len(proven) != 3 {
					t.Errorf("proven: %v", proven)
				}
			})
		}
	}
}

// A list may take texts of one documented form alone, as addresses. It is replaced all the same.
func TestDocumentedItemsAreReplaced(t *testing.T) {
	answered := documenting("tags", func(p map[string]any) {
		p["items"] = map[string]any{"type": "string", "pattern": "^[a-z]{3,8}$"}
	})
	for fault, want := range map[string]string{"": "", "AQL-4.5.1-06.arrays-concatenated": "AQL-4.5.1-06"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			run := plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-06"}}
			r := judgedAs(t, stand.Config{Mode: "all", Fault: fault}, inFront(func(map[string]any) {}, answered), run, hintsFor(t, seam.Fault{}))
			accused, proven := r.outcomes("")
			if got := strings.Join(accused, " "); got != want || want == "" && len(proven) != 1 {
				t.Errorf("accused of %q, want %q; proven: %v", got, want, proven)
			}
		})
	}
}

// documenting changes what is documented of a field. The examples go: they may not fit what is documented then.
func documenting(field string, document func(p map[string]any)) func(call, envelope map[string]any) {
	return func(_, e map[string]any) {
		for _, place := range [][]string{{"data", "operation"}, {"data", "type"}} {
			record, _ := objectAt(e, place...)
			for _, list := range []any{record["parameters"], record["fields"]} {
				eachObject(list, func(p map[string]any) {
					if p["name"] == field {
						document(p)
					}
				})
			}
			if record != nil {
				delete(record, "examples")
			}
		}
	}
}
