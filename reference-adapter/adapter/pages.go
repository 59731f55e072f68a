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
func (t Task) page(notes []Note) Envelope {
	t.sort(notes)
	answer := map[string]any{}
	if asked, ok := t.Params["aggregate"].(map[string]any); ok {
		summaries, problem := t.Aggregated(notes, asked)
		if problem != nil {
			return problem
		}
		answer["aggregations"] = summaries
		if t.Params["include_items"] != true {
			return Success(answer)
		}
	}
	problem := t.cut(notes, answer)
	if problem != nil {
		return problem
	}
	return Success(answer)
}

// cut puts the part of notes that first and after ask for into an answer, all of
// them where pages are not offered.
func (t Task) cut(notes []Note, answer map[string]any) (problem Envelope) {
	if !t.Has(Paging) {
		answer["items"], problem = t.selectEach(notes, "Note")
		return problem
	}
	start := 0
	if after := t.Text("after"); after != "" {
		id, ok := OpenCursor(after)
		if !ok {
			return Misvalued(t.Operation, "after", "a cursor taken from pageInfo of an earlier page")
		}
		start = t.following(notes, id)
		if start < 0 {
			return Misvalued(t.Operation, "after", "a cursor of a note that is still there; list from the beginning")
		}
	}
	end := min(start+Integer(t.Params["first"]), len(notes))
	answer["items"], problem = t.selectEach(notes[start:end], "Note")
	info := map[string]any{"hasNextPage": end < len(notes), "hasPreviousPage": start > 0, "totalCount": len(notes)}
	if start < end {
		info["startCursor"] = Cursor(notes[start]["note_id"].(string))
		info["endCursor"] = Cursor(notes[end-1]["note_id"].(string))
	}
	answer["pageInfo"] = info
	return problem
}

// sort puts notes into the order asked for; equal ones stay in order of creation.
func (t Task) sort(notes []Note) {
	order, _ := t.Params["sort"].(map[string]any)
	key, _ := order["field"].(string)
	if key == "" {
		return
	}
	slices.SortStableFunc(notes, func(a, b Note) int {
		if order["order"] == "desc" {
			a, b = b, a
		}
		return NotesOrdered(a, b, key)
	})
}

// NotesOrdered compares two notes by a field: numbers and times by what they mean.
func NotesOrdered(a, b Note, key string) int {
	left, _ := a[key].(string)
	right, _ := b[key].(string)
	from, _ := time.Parse(time.RFC3339, left)
	to, _ := time.Parse(time.RFC3339, right)
	return cmp.Or(cmp.Compare(Integer(a[key]), Integer(b[key])), from.Compare(to), cmp.Compare(left, right))
}

// following returns where the notes after the one with that id begin. In order
// of creation it is known even if that note is gone; otherwise it is -1 then.
func (t Task) following(notes []Note, id string) int {
	if t.Params["sort"] != nil {
		at := slices.IndexFunc(notes, func(n Note) bool { return n["note_id"] == id })
		if at < 0 {
			return at
		}
		return at + 1
	}
	start, found := slices.BinarySearchFunc(notes, id, func(n Note, id string) int { return older(n["note_id"].(string), id) })
	if found {
		start++
	}
	return start
}

// Cursor is opaque and carries a checksum, so that an invented cursor is refused
// instead of being taken for the beginning. It names a note, not a position:
// notes that come and go do not shift the pages.
func Cursor(id string) string {
	sum := sha256.Sum256([]byte("cursor of " + id))
	return base64.RawURLEncoding.EncodeToString(append([]byte(id+"."), sum[:6]...))
}

func OpenCursor(text string) (string, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	id, _, found := strings.Cut(string(raw), ".")
	return id, err == nil && found && Cursor(id) == text
}
