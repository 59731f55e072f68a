package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// An adapter may require the version of the object in each change and each removal. Changes and removals are
// tried all the same, with the version that a read has shown, and what is broken in them shows.
func TestRequiredVersionsAreRead(t *testing.T) {
	for fault, want := range map[string]string{
		"": "", "AQL-4.5.1-03.shallow-merge": "AQL-4.5.1-03", "AQL-9.3.3-02.etag-advertised-only": "AQL-9.3.3-02",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			tags := map[any]any{}
			asked := func(call map[string]any) {
				params, _ := objectAt(call, "params")
				switch call["operation"] {
				case "update_note":
					if params != nil && params["if_match"] == nil {
						params["if_match"] = 1 // is refused
					}
				case "delete_note":
					if params != nil && params["if_match"] == tags[params["note_id"]] {
						delete(params, "if_match") // any other is refused as unknown
					}
				}
			}
			answered := func(call, e map[string]any) {
				if data, _ := objectAt(e, "data"); data["_etag"] != nil {
					tags[data["note_id"]] = data["_etag"]
				}
				record, _ := objectAt(e, "data", "operation")
				list, _ := record["parameters"].([]any)
				if record["name"] == "delete_note" {
					record["parameters"] = append(list, map[string]any{"name": "if_match", "type": "string", "required": true, "description": "Version tag from _etag of the note"})
				}
				eachObject(record["parameters"], func(p map[string]any) { p["required"] = p["required"] == true || p["name"] == "if_match" })
				delete(record, "examples")
			}
			served := stand.Config{Mode: "all", Features: "usual," + adapter.Etags, Fault: fault}
			run := strings.Fields("AQL-4.5.1-01 AQL-4.5.1-03 AQL-8.1-06 AQL-9.3.2-03 AQL-9.3.2-04 AQL-9.3.3-02 OPS-5.1-02")
			r := judgedAs(t, served, inFront(asked, answered), plan.Selection{Checks: All(), Run: run}, hintsFor(t, seam.Fault{}))
			accused, proven := r.outcomes("note")
			if got := strings.Join(accused, " "); got != want {
				t.Errorf("accused of %q, want %q", got, want)
			}
			if fault == "" && !slices.Equal(proven, run) {
				t.Errorf("proven: %v", proven)
			}
		})
	}
}
