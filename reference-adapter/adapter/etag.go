package adapter

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// TagOf is the version tag of a note: it changes when what the note holds does, and a
// change that changes nothing keeps it (spec 9.3.2).
func TagOf(n Note) string {
	held := maps.Clone(n)
	delete(held, "updated_at")
	sum := sha256.Sum256([]byte(Printed(held)))
	return fmt.Sprintf(`W/"%x"`, sum[:6])
}

// Tagged returns a resource with its version tag, where it has one.
func (a *Adapter) Tagged(kind string, resource map[string]any) map[string]any {
	if kind != "Note" || !a.Has(Etags) {
		return resource
	}
	shown := maps.Clone(resource)
	shown["_etag"] = TagOf(resource)
	return shown
}

// stale answers an update or a removal whose precondition does not hold, nil for any other.
func (t Task) stale(n Note) Envelope {
	wanted := t.Text("if_match")
	if wanted == "" || wanted == TagOf(n) {
		return nil
	}
	return Failure("CONFLICT_VERSION_MISMATCH",
		fmt.Sprintf("Note '%s' has changed since it was read; read it again and decide anew", n["note_id"]),
		map[string]any{"note_id": n["note_id"], "if_match": wanted, "current_etag": TagOf(n)})
}

// conditional lets updates and removals of notes depend on their version tag.
func conditional(all []Operation) []Operation {
	for i, op := range all {
		if what := map[string]string{"update_note": "update", "delete_note": "removal"}[op.Name]; what != "" {
			all[i].Parameters = append(slices.Clone(op.Parameters), Parameter{Name: "if_match", Type: "string", MinLength: Ref(1),
				Description: "Version tag from _etag of the note; the " + what + " is refused if the note has another one by now"})
		}
	}
	return all
}

// versioned adds the version tag to the fields of a note.
func versioned(kinds []TypeInfo) []TypeInfo {
	for i, kind := range kinds {
		if kind.Name == "Note" {
			kinds[i].Fields = append(slices.Clone(kind.Fields), Field("_etag", "string", false, "Version tag of the note, for if_match of an update"))
		}
	}
	return kinds
}
