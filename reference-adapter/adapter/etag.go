package adapter

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// tagOf is the version tag of a note: it changes when what the note holds does, and a
// change that changes nothing keeps it (spec 9.3.2).
func tagOf(n note) string {
	held := maps.Clone(n)
	delete(held, "updated_at")
	sum := sha256.Sum256([]byte(printed(held)))
	return fmt.Sprintf(`W/"%x"`, sum[:6])
}

// tagged returns a resource with its version tag, where it has one.
func (a *Adapter) tagged(kind string, resource map[string]any) map[string]any {
	if kind != "Note" || !a.has(etags) {
		return resource
	}
	shown := maps.Clone(resource)
	shown["_etag"] = tagOf(resource)
	return shown
}

// stale answers an update whose precondition does not hold, nil for any other.
func (t task) stale(n note) envelope {
	wanted := t.text("if_match")
	if wanted == "" || wanted == tagOf(n) {
		return nil
	}
	return failure("CONFLICT_VERSION_MISMATCH",
		fmt.Sprintf("Note '%s' has changed since it was read; read it again and decide anew", n["note_id"]),
		map[string]any{"note_id": n["note_id"], "if_match": wanted, "current_etag": tagOf(n)})
}

// conditional lets updates of notes depend on their version tag.
func conditional(all []operation) []operation {
	for i, op := range all {
		if op.Name == "update_note" {
			all[i].Parameters = append(slices.Clone(op.Parameters), parameter{Name: "if_match", Type: "string", MinLength: ref(1),
				Description: "Version tag from _etag of the note; the update is refused if the note has another one by now"})
		}
	}
	return all
}

// versioned adds the version tag to the fields of a note.
func versioned(kinds []typeInfo) []typeInfo {
	for i, kind := range kinds {
		if kind.Name == "Note" {
			kinds[i].Fields = append(slices.Clone(kind.Fields), field("_etag", "string", false, "Version tag of the note, for if_match of an update"))
		}
	}
	return kinds
}
