package objects

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// uncheckedFaults are rules between objects that a creation knows and an update does not.
var uncheckedFaults = []seam.Fault{
	{ID: "AQL-4.5.3-10", Variant: "unique-on-creation-alone", Defect: "create_note refuses a title that another note has, update_note does not",
		Hooks: seam.Remade("create_note", func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				same := func(n adapter.Note) bool {
					return n["title"] == t.Params["title"] && n["folder_id"] == t.Params["folder_id"]
				}
				if len(t.Store.NotesWhere(same)) == 0 {
					return nil
				}
				return adapter.Failure("CONFLICT_TITLE_TAKEN", fmt.Sprintf("There is a note with the title %q already; choose another title", t.Text("title")),
					map[string]any{"param_name": "title"})
			})
		})},
	{ID: "AQL-4.5.3-10", Variant: "reference-checked-on-creation-alone", Defect: "update_note moves a note into a folder that does not exist, create_note refuses it",
		Hooks: seam.Both(
			seam.Retyped("NoteInput", func(t *adapter.TypeInfo) {
				t.Fields = append(slices.Clone(t.Fields), adapter.Field("folder_id", "string", false, "Move the note into the folder with this identifier"))
			}),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				given, _, _ := c.Value("input")
				input := maps.Clone(adapter.Object(given))
				folder, moves := input["folder_id"].(string)
				if c.Operation() != "update_note" || !moves {
					return next(c)
				}
				delete(input, "folder_id")
				e := next(c.Given("input", input))
				value, _, _ := c.Value("note_id")
				id, _ := value.(string)
				if n := c.Store.Notes[id]; n != nil && e["success"] == true {
					n = maps.Clone(n)
					n["folder_id"], adapter.Object(e["data"])["folder_id"] = folder, folder
					c.Store.Notes[id] = n
				}
				return e
			}})},
}
