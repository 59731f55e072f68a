package adapter

import (
	"fmt"
	"slices"
	"strings"
)

func folderID(description string) parameter {
	return parameter{Name: "folder_id", Type: "string", Required: true, Description: description}
}

// folderName begins with a letter, so that a name is never taken for a number.
const folderName = "^[A-Za-z][A-Za-z0-9 _-]*$"

func ownerParameter(description string) parameter {
	return parameter{Name: "owner", Type: "string", Format: "email", Description: description}
}

func folderOperations() []operation { return append(folderReads(), folderWrites()...) }

func folderReads() []operation {
	return []operation{
		{
			Name: "list_folders", Category: "READ",
			Description: "List folders, all of them unless a condition is given",
			Parameters: []parameter{
				{Name: "name_prefix", Type: "string", MinLength: ref(1), MaxLength: ref(80), Pattern: folderName, Description: "Return only folders whose name begins with this text"},
				ownerParameter("Return only folders kept by the person with this e-mail address"),
				fieldsParameter(),
			},
			Returns:  typeInfo{Name: "FolderList", Kind: "object", Description: "All folders in order of creation"},
			Examples: []example{{"List all folders", request("list_folders", map[string]any{})}},
			run:      listFolders,
		},
		{
			Name: "get_folder", Category: "READ",
			Description: "Get one folder by its identifier",
			Parameters:  []parameter{folderID("Return the folder with this identifier"), fieldsParameter()},
			Returns:     typeInfo{Name: "Folder", Kind: "object", Description: "The folder asked for"},
			Examples:    []example{{"Read a folder", request("get_folder", map[string]any{"folder_id": "folder_1"})}},
			run:         getFolder,
		},
	}
}

func folderWrites() []operation {
	return []operation{
		{
			Name: "create_folder", Category: "CREATE",
			Description: "Create an empty folder",
			Parameters: []parameter{
				{Name: "name", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(80), Pattern: folderName,
					Description: "Name of the new folder: letters, digits, blanks, underscores and hyphens"},
				ownerParameter("E-mail address of the person who keeps the folder"),
			},
			Returns:  typeInfo{Name: "Folder", Kind: "object", Description: "The new folder"},
			Examples: []example{{"Create a folder", request("create_folder", map[string]any{"name": "Travel"})}},
			run:      func(t task) envelope { return success(t.store.addFolder(t.params)) },
		},
		{
			Name: "delete_folder", Category: "DELETE",
			Description: "Delete an empty folder for good",
			Parameters:  []parameter{folderID("Delete the folder with this identifier")},
			Returns:     typeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []example{{"Delete an empty folder", request("delete_folder", map[string]any{"folder_id": "folder_3"})}},
			run:         deleteFolder,
		},
	}
}

func listFolders(t task) envelope {
	found := slices.DeleteFunc(t.store.foldersInOrder(), func(f folder) bool {
		return !strings.HasPrefix(f["name"].(string), t.text("name_prefix")) || t.text("owner") != "" && f["owner"] != t.text("owner")
	})
	items, problem := t.selectEach(found, "Folder")
	if problem != nil {
		return problem
	}
	return success(map[string]any{"items": items})
}

func getFolder(t task) envelope {
	found, ok := t.store.folders[t.text("folder_id")]
	if !ok {
		return absent("folder", t.text("folder_id"))
	}
	return t.selected(found, "Folder")
}

// deleteFolder refuses a folder that still holds notes: one request shall not
// remove more than it names.
func deleteFolder(t task) envelope {
	id := t.text("folder_id")
	if _, ok := t.store.folders[id]; !ok {
		return absent("folder", id)
	}
	inside := len(t.store.notesWhere(func(n note) bool { return n["folder_id"] == id }))
	if inside > 0 {
		return failure("CONFLICT_FOLDER_NOT_EMPTY",
			fmt.Sprintf("Folder '%s' still holds %d notes; delete them with delete_note first", id, inside),
			map[string]any{"folder_id": id, "notes": inside})
	}
	delete(t.store.folders, id)
	return success(map[string]any{"folder_id": id, "deleted": true})
}

func absent(kind, id string) envelope {
	return failure("NOT_FOUND_RESOURCE",
		fmt.Sprintf("No %s with identifier '%s'; list the %ss to see which exist", kind, id, kind),
		map[string]any{"resource_type": kind, "resource_id": id})
}
