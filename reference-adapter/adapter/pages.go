package adapter

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

// page answers with the part of notes that first and after ask for, as a
// connection with pageInfo (operations 4.4.3).
func (t task) page(notes []note) envelope {
	t.sort(notes)
	answer := map[string]any{}
	if asked, ok := t.params["aggregate"].(map[string]any); ok {
		summaries, problem := t.aggregated(notes, asked)
		if problem != nil {
			return problem
		}
		answer["aggregations"] = summaries
		if t.params["include_items"] != true {
			return success(answer)
		}
	}
	problem := t.cut(notes, answer)
	if problem != nil {
		return problem
	}
	return success(answer)
}

// cut puts the part of notes that first and after ask for into an answer, all of
// them where pages are not offered.
func (t task) cut(notes []note, answer map[string]any) (problem envelope) {
	if !t.has(paging) {
		answer["items"], problem = t.selectEach(notes, "Note")
		return problem
	}
	start := 0
	if after := t.text("after"); after != "" {
		id, ok := openCursor(after)
		if !ok {
			return misvalued(t.operation, "after", "a cursor taken from pageInfo of an earlier page")
		}
		start = t.following(notes, id)
		if start < 0 {
			return misvalued(t.operation, "after", "a cursor of a note that is still there; list from the beginning")
		}
	}
	end := min(start+integer(t.params["first"]), len(notes))
	answer["items"], problem = t.selectEach(notes[start:end], "Note")
	info := map[string]any{"hasNextPage": end < len(notes), "hasPreviousPage": start > 0, "totalCount": len(notes)}
	if start < end {
		info["startCursor"] = cursor(notes[start]["note_id"].(string))
		info["endCursor"] = cursor(notes[end-1]["note_id"].(string))
	}
	answer["pageInfo"] = info
	return problem
}

// sort puts notes into the order asked for; equal ones stay in order of creation.
func (t task) sort(notes []note) {
	order, _ := t.params["sort"].(map[string]any)
	key, _ := order["field"].(string)
	if key == "" {
		return
	}
	slices.SortStableFunc(notes, func(a, b note) int {
		if order["order"] == "desc" {
			a, b = b, a
		}
		return notesOrdered(a, b, key)
	})
}

// notesOrdered compares two notes by a field: numbers and times by what they mean.
func notesOrdered(a, b note, key string) int {
	left, _ := a[key].(string)
	right, _ := b[key].(string)
	from, _ := time.Parse(time.RFC3339, left)
	to, _ := time.Parse(time.RFC3339, right)
	return cmp.Or(cmp.Compare(integer(a[key]), integer(b[key])), from.Compare(to), cmp.Compare(left, right))
}

// following returns where the notes after the one with that id begin. In order
// of creation it is known even if that note is gone; otherwise it is -1 then.
func (t task) following(notes []note, id string) int {
	if t.params["sort"] != nil {
		at := slices.IndexFunc(notes, func(n note) bool { return n["note_id"] == id })
		if at < 0 {
			return at
		}
		return at + 1
	}
	start, _ := slices.BinarySearchFunc(notes, number(id)+1, func(n note, want int) int {
		return number(n["note_id"].(string)) - want
	})
	return start
}

// cursor is opaque and carries a checksum, so that an invented cursor is refused
// instead of being taken for the beginning. It names a note, not a position:
// notes that come and go do not shift the pages.
func cursor(id string) string {
	sum := sha256.Sum256([]byte("cursor of " + id))
	return base64.RawURLEncoding.EncodeToString(append([]byte(id+"."), sum[:6]...))
}

func openCursor(text string) (string, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	id, _, found := strings.Cut(string(raw), ".")
	return id, err == nil && found && cursor(id) == text
}
