package objects

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// uncheckedFaults are rules between objects that a creation knows and an update does not.
var uncheckedFaults = []seam.Fault{
	{ID: "AQL-4.5.3-10", Variant: "unique-on-creation-alone", Defect: "create_note refuses a title that another note has, update_note does not",
		Hooks: titled(func(one, other string) bool { return one == other })},
	{ID: "AQL-4.5.3-10", Variant: "capitals-checked-on-creation-alone", Defect: "create_note refuses the title of another note in capitals as well, update_note as it is alone",
		Hooks: seam.Both(titled(strings.EqualFold), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			input, _, _ := c.Value("input")
			title, set := adapter.Object(input)["title"].(string)
			if c.Operation() == "update_note" && set && len(c.Store.NotesWhere(func(n adapter.Note) bool { return n["title"] == title })) > 0 {
				return titleTaken(title)
			}
			return next(c)
		}})},
	{ID: "AQL-4.5.3-10", Variant: "pair-checked-on-creation-alone", Defect: "create_note refuses the title of another note of the same status, update_note does so for a new title alone",
		Hooks: adapter.Hooks{Item: oneTitleOfAStatus}},
	{ID: "AQL-4.5.3-10", Variant: "list-checked-on-creation-alone", Defect: "create_note refuses a tag that comes twice, update_note stores it",
		Hooks: seam.Both(seam.Needs("create_note", seam.Taking("tags")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			tags := adapter.Array(c.Params()["tags"])
			for i, tag := range tags {
				if text, ok := tag.(string); ok && c.Operation() == "create_note" && slices.Contains(tags[:i], any(text)) {
					return adapter.Misvalued("create_note", "tags", "no tag twice")
				}
			}
			return next(c)
		}})},
	{ID: "AQL-4.5.3-10", Variant: "reference-checked-on-creation-alone", Defect: "update_note moves a note into a folder that does not exist, create_note refuses it",
		Hooks: moving(false)},
	{ID: "AQL-4.5.3-10", Variant: "state-checked-on-creation-alone", Defect: "create_note refuses a closed folder, update_note moves a note into it",
		Hooks: seam.Both(moving(true), adapter.Hooks{Table: closing})},
	{ID: "AQL-4.5.1-01", Variant: "follower-of-creation", Defect: "get_note shows a rank that follows from pinned, and goes on showing the first one after an update",
		Hooks: seam.Both(
			seam.Both(seam.Needs("create_note", seam.Taking("pinned")), seam.Retyped("Note", func(t *adapter.TypeInfo) {
				t.Fields = append(t.Fields, adapter.Field("rank", "integer", false, "Place of the note in its folder: 1 where pinned is true, 2 otherwise"))
			})),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				e := next(c)
				data, kept, id := adapter.Object(adapter.Plain(e["data"])), seam.Aside(c.Adapter).Kept, noteMeant(c)
				if c.Operation() != "get_note" || !adapter.Succeeded(e) || data["title"] == nil || id == "" {
					return e
				}
				if kept[id] == nil {
					kept[id] = adapter.Note{"rank": 2}
					if data["pinned"] == true {
						kept[id]["rank"] = 1
					}
				}
				data["rank"] = kept[id]["rank"]
				e["data"] = data
				return e
			}})},
	{ID: "AQL-4.5.1-01", Variant: "form-of-creation-alone", Defect: "create_note stores tags in small letters and each once, update_note stores them as they are sent",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if tags := adapter.Array(c.Params()["tags"]); c.Operation() == "create_note" && !slices.ContainsFunc(tags, func(tag any) bool { _, text := tag.(string); return !text }) && len(tags) > 0 {
				var set []any
				for _, tag := range tags {
					if small := any(strings.ToLower(tag.(string))); !slices.Contains(set, small) {
						set = append(set, small)
					}
				}
				c = c.Given("tags", set)
			}
			return next(c)
		}}},
	{ID: "AQL-8.1-06", Variant: "title-stays-taken", Defect: "create_note refuses the title of a note that was removed",
		Hooks: seam.Both(
			seam.Remade("create_note", func(op *adapter.Operation) {
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					n := seam.Recall(t.Adapter, "removed "+t.Text("title"))
					if n == 0 {
						return nil
					}
					return adapter.Failure("CONFLICT_ALREADY_EXISTS", fmt.Sprintf("There is a note with the title %q already: 'note_%d'; choose another title", t.Text("title"), n),
						map[string]any{"param_name": "title"})
				})
			}),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				value, _, _ := c.Value("note_id")
				id, _ := value.(string)
				title, _ := c.Store.Notes[id]["title"].(string)
				e := next(c)
				if _, there := c.Store.Notes[id]; c.Operation() == "delete_note" && title != "" && !there {
					n, _ := strconv.Atoi(strings.TrimPrefix(id, "note_"))
					seam.Remember(c.Adapter, "removed "+title, n)
				}
				return e
			}})},
	{ID: "AQL-8.1-06", Variant: "found-after-removal", Defect: "search_notes finds a removed note by its title",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			value, _, _ := c.Value("note_id")
			id, _ := value.(string)
			note := maps.Clone(c.Store.Notes[id])
			e := next(c)
			query, _ := c.Params()["query"].(string)
			switch title, _ := note["title"].(string); {
			case c.Operation() == "delete_note" && title != "" && c.Store.Notes[id] == nil:
				n, _ := strconv.Atoi(strings.TrimPrefix(id, "note_"))
				seam.Remember(c.Adapter, "gone "+title, n)
			case c.Operation() == "search_notes" && seam.Recall(c.Adapter, "gone "+query) > 0 && adapter.Succeeded(e):
				data, gone := adapter.Object(e["data"]), maps.Clone(c.Store.Notes["note_1"])
				gone["note_id"], gone["title"] = fmt.Sprintf("note_%d", seam.Recall(c.Adapter, "gone "+query)), query
				data["items"] = append(adapter.Array(data["items"]), adapter.Plain(gone))
			}
			return e
		}}},
	{ID: "AQL-8.1-06", Variant: "notes-outlive-folder", Defect: "delete_folder removes a folder with notes, names these as well, and keeps them",
		Hooks: seam.Remade("delete_folder", func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				id := t.Text("folder_id")
				inside := t.Store.NotesWhere(func(n adapter.Note) bool { return n["folder_id"] == id })
				if t.Store.Folders[id] == nil || len(inside) == 0 {
					return nil
				}
				delete(t.Store.Folders, id)
				notes := []any{}
				for _, n := range inside {
					notes = append(notes, n["note_id"])
				}
				return adapter.Success(map[string]any{"folder_id": id, "deleted": true, "notes": notes})
			})
		})},
	{ID: "AQL-8.1-06", Variant: "notes-counted-and-kept", Defect: "delete_folder removes a folder with notes, counts these as removed, and keeps them",
		Hooks: seam.Remade("delete_folder", func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				id := t.Text("folder_id")
				if t.Store.Folders[id] == nil {
					return nil
				}
				inside := t.Store.NotesWhere(func(n adapter.Note) bool { return n["folder_id"] == id })
				delete(t.Store.Folders, id)
				return adapter.Success(map[string]any{"folder_id": id, "deleted": true, "removed_notes": len(inside)})
			})
		})},
	{ID: "OPS-4.4.1-10", Variant: "rehearsal-keeps-members", Defect: "a flag of update_note answers what a change would make, and keeps the members of metadata",
		Hooks: seam.Both(
			seam.Added("delete_folder", rehearseFlag, func(t adapter.Task) adapter.Envelope {
				if _, ok := t.Store.Folders[t.Text("folder_id")]; !ok || t.Params["rehearse"] != true {
					return nil
				}
				return adapter.Success(map[string]any{"folder_id": t.Text("folder_id"), "deleted": false})
			}),
			seam.Added("update_note", rehearseFlag, func(t adapter.Task) adapter.Envelope {
				stored := t.Store.Notes[t.Text("note_id")]
				if stored == nil || t.Params["rehearse"] != true {
					return nil
				}
				input, shown := adapter.Object(t.Params["input"]), maps.Clone(stored)
				maps.Copy(shown, input)
				if kept, changed := stored["metadata"].(map[string]any), adapter.Object(input["metadata"]); kept != nil && changed != nil {
					maps.Copy(kept, changed)
					shown["metadata"] = kept
				}
				return adapter.Success(shown)
			}))},
}

// rehearseFlag is the flag of a dry run that is not called so.
var rehearseFlag = adapter.Parameter{Name: "rehearse", Type: "boolean", Default: false, Description: "Answer what would be, and keep nothing"}

// titled makes create_note refuse the title of another note of the folder.
func titled(same func(one, other string) bool) adapter.Hooks {
	return seam.Remade("create_note", func(op *adapter.Operation) {
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			taken := t.Store.NotesWhere(func(n adapter.Note) bool {
				title, _ := n["title"].(string)
				return same(title, t.Text("title")) && n["folder_id"] == t.Params["folder_id"]
			})
			if len(taken) == 0 {
				return nil
			}
			return titleTaken(t.Text("title"))
		})
	})
}

// oneTitleOfAStatus makes create_note refuse the title of another note of the same status, and update_note a new title that such a note has.
func oneTitleOfAStatus(c adapter.Call, next adapter.Handler) adapter.Envelope {
	title, _ := c.Params()["title"].(string)
	status, _ := c.Params()["status"].(string)
	if c.Operation() == "update_note" {
		given, _, _ := c.Value("input")
		id, _, _ := c.Value("note_id")
		note, _ := id.(string)
		title, _ = adapter.Object(given)["title"].(string)
		status, _ = c.Store.Notes[note]["status"].(string)
	}
	writes := c.Operation() == "create_note" || c.Operation() == "update_note"
	if writes && title != "" && len(c.Store.NotesWhere(func(n adapter.Note) bool { return n["title"] == title && n["status"] == cmp.Or(status, "draft") })) > 0 {
		return titleTaken(title)
	}
	return next(c)
}

func titleTaken(title string) adapter.Envelope {
	return adapter.Failure("CONFLICT_TITLE_TAKEN", fmt.Sprintf("There is a note with the title %q already; choose another title", title), map[string]any{"param_name": "title"})
}

// moving lets update_note move a note into another folder: into any, or into one that exists.
func moving(existing bool) adapter.Hooks {
	return seam.Both(
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
			if existing && c.Store.Folders[folder] == nil {
				return adapter.Absent("folder", folder)
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
		}})
}

// closing adds an operation that closes folders. A closed folder takes no new note.
func closing(a *adapter.Adapter) {
	states := []string{"open", "closed"}
	a.Types = append(slices.Clone(a.Types), adapter.TypeInfo{Name: "FolderInput", Kind: "object", Description: "Fields of a folder that an update can change",
		Fields: []adapter.Parameter{{Name: "state", Type: "string", Enum: states, Description: "Whether the folder takes new notes"}}})
	a.Operations = append(slices.Clone(a.Operations), adapter.Operation{
		Name: "update_folder", Category: "UPDATE", Description: "Change the state of a folder",
		Parameters: []adapter.Parameter{{Name: "folder_id", Type: "string", Required: true, Description: "Change the folder with this identifier"},
			{Name: "input", Type: "FolderInput", Required: true, Description: "What to change"}},
		Returns:  adapter.TypeInfo{Name: "Folder", Kind: "object", Description: "The folder as it is now"},
		Examples: []adapter.Example{{Description: "Change a folder", Request: adapter.Request("update_folder", map[string]any{"folder_id": "folder_1", "input": map[string]any{"state": "open"}})}},
		Run: func(t adapter.Task) adapter.Envelope {
			f := t.Store.Folders[t.Text("folder_id")]
			if f == nil {
				return adapter.Absent("folder", t.Text("folder_id"))
			}
			f = maps.Clone(f)
			maps.Copy(f, adapter.Object(t.Params["input"]))
			t.Store.Folders[t.Text("folder_id")] = f
			return adapter.Success(f)
		}})
	seam.Remade("create_note", func(op *adapter.Operation) {
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			if t.Store.Folders[t.Text("folder_id")]["state"] != "closed" {
				return nil
			}
			return adapter.Failure("CONFLICT_FOLDER_CLOSED", fmt.Sprintf("Folder '%s' is closed; open it with update_folder first", t.Text("folder_id")),
				map[string]any{"folder_id": t.Text("folder_id"), "state": "closed"})
		})
	}).Table(a)
}
