package adapter

import (
	"fmt"
	"slices"
	"strings"
)

func folderID(description string) Parameter {
	return Parameter{Name: "folder_id", Type: "string", Required: true, Description: description}
}

// FolderName begins with a letter, so that a name is never taken for a number.
const FolderName = "^[A-Za-z][A-Za-z0-9 _-]*$"

func ownerParameter(description string) Parameter {
	return Parameter{Name: "owner", Type: "string", Format: "email", Description: description}
}

func folderOperations() []Operation { return append(folderReads(), folderWrites()...) }

func folderReads() []Operation {
	return []Operation{
		{
			Name: "list_folders", Category: "READ",
			Description: "List folders, all of them unless a condition is given",
			Parameters: []Parameter{
				{Name: "name_prefix", Type: "string", MinLength: Ref(1), MaxLength: Ref(80), Pattern: FolderName, Description: "Return only folders whose name begins with this text"},
				ownerParameter("Return only folders kept by the person with this e-mail address"),
				fieldsParameter(),
			},
			Returns:  TypeInfo{Name: "FolderList", Kind: "object", Description: "All folders in order of creation"},
			Examples: []Example{{"List all folders", Request("list_folders", map[string]any{})}},
			Run:      listFolders,
		},
		{
			Name: "get_folder", Category: "READ",
			Description: "Get one folder by its identifier",
			Parameters:  []Parameter{folderID("Return the folder with this identifier"), fieldsParameter()},
			Returns:     TypeInfo{Name: "Folder", Kind: "object", Description: "The folder asked for"},
			Examples:    []Example{{"Read a folder", Request("get_folder", map[string]any{"folder_id": "folder_1"})}},
			Run:         getFolder,
		},
	}
}

func folderWrites() []Operation {
	return []Operation{
		{
			Name: "create_folder", Category: "CREATE",
			Description: "Create an empty folder",
			Parameters: []Parameter{
				{Name: "name", Type: "string", Required: true, MinLength: Ref(1), MaxLength: Ref(80), Pattern: FolderName,
					Description: "Name of the new folder: letters, digits, blanks, underscores and hyphens"},
				ownerParameter("E-mail address of the person who keeps the folder"),
			},
			Returns:  TypeInfo{Name: "Folder", Kind: "object", Description: "The new folder"},
			Examples: []Example{{"Create a folder", Request("create_folder", map[string]any{"name": "Travel"})}},
			Run:      func(t Task) Envelope { return Success(t.Store.addFolder(t.Params)) },
		},
		{
			Name: "delete_folder", Category: "DELETE",
			Description: "Delete an empty folder for good",
			Parameters:  []Parameter{folderID("Delete the folder with this identifier")},
			Returns:     TypeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []Example{{"Delete an empty folder", Request("delete_folder", map[string]any{"folder_id": "folder_3"})}},
			Run:         deleteFolder,
		},
	}
}

func listFolders(t Task) Envelope {
	found := slices.DeleteFunc(t.Store.FoldersInOrder(), func(f Folder) bool {
		return !strings.HasPrefix(f["name"].(string), t.Text("name_prefix")) || t.Text("owner") != "" && f["owner"] != t.Text("owner")
	})
	items, problem := t.selectEach(found, "Folder")
	if problem != nil {
		return problem
	}
	return Success(map[string]any{"items": items})
}

func getFolder(t Task) Envelope {
	found, ok := t.Store.Folders[t.Text("folder_id")]
	if !ok {
		return Absent("folder", t.Text("folder_id"))
	}
	return t.selected(found, "Folder")
}

// deleteFolder refuses a folder that still holds notes: one request shall not
// remove more than it names.
func deleteFolder(t Task) Envelope {
	id := t.Text("folder_id")
	if _, ok := t.Store.Folders[id]; !ok {
		return Absent("folder", id)
	}
	inside := len(t.Store.NotesWhere(func(n Note) bool { return n["folder_id"] == id }))
	if inside > 0 {
		return Failure("CONFLICT_FOLDER_NOT_EMPTY",
			fmt.Sprintf("Folder '%s' still holds %d notes; delete them with delete_note first", id, inside),
			map[string]any{"folder_id": id, "notes": inside})
	}
	delete(t.Store.Folders, id)
	return Success(map[string]any{"folder_id": id, "deleted": true})
}

func Absent(kind, id string) Envelope {
	return Failure("NOT_FOUND_RESOURCE",
		fmt.Sprintf("No %s with identifier '%s'; list the %ss to see which exist", kind, id, kind),
		map[string]any{"resource_type": kind, "resource_id": id})
}
