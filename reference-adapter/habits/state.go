package habits

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// stateAxes are what happens beside the client, and when.
func stateAxes() []Axis {
	return []Axis{
		{Name: "others", Habits: []Habit{
			{Name: "nobody", Section: "spec 1.4"},
			{Name: "write now and then", Section: "spec 2.3.4, 9.3.2 (state is shared)", Hooks: othersWrite()},
		}},
		{Name: "made before", Habits: []Habit{
			{Name: "is made again", Section: "spec 8.1 (adds new state)"},
			{Name: "the note of that title is answered", Section: "spec 8.1 (CREATE does not overwrite; no rule for what exists)", Conflicts: []string{"unique: titles"}, Hooks: madeBefore("title")},
			{Name: "the draft of the library is answered", Section: "spec 8.1 (CREATE does not overwrite; no rule for what exists)", Conflicts: []string{"unique: titles"}, Hooks: madeBefore("status")},
		}},
		{Name: "pace", Habits: []Habit{
			{Name: "at once", Section: "spec 1.3 (implementation details)"},
			{Name: "some milliseconds", Section: "spec 1.3", Hooks: slow(2 * time.Millisecond)},
			{Name: "lists lag", Section: "spec 1.3; 4.7.6 (no promise of when)", From: "c", Hooks: laggingLists(80 * time.Millisecond)},
		}},
		{Name: "numbers", Habits: []Habit{
			{Name: "digit by digit", Section: "spec 4.7.3"},
			{Name: "doubles", Section: "spec 4.7.3 (numbers are doubles)", From: "a c", Hooks: doubles()},
		}},
		{Name: "trouble", Habits: []Habit{
			{Name: "none", Section: "operations 8.3"},
			{Name: "now and then a call fails for a moment", Section: "operations 8.3 (INTERNAL_ERROR)", Hooks: transient(41, "INTERNAL_ERROR", nil)},
			{Name: "now and then a call is one too many", Section: "operations 8.3 (RATE_LIMIT_EXCEEDED)", Hooks: transient(41, "RATE_LIMIT_EXCEEDED", map[string]any{"retry_after_seconds": 0.01})},
			{Name: "now and then a call is one too many, in a word of its own", Section: "operations 8.3 (a table of standard codes, no closed list)", Announces: []string{"OPS-8.3-01"}, Hooks: transient(41, "RATE_LIMITED", nil)},
			{Name: "now and then the store is away", Section: "operations 8.3 (a table of standard codes, no closed list)", Announces: []string{"OPS-8.3-01"}, Hooks: transient(41, "SERVICE_UNAVAILABLE", nil)},
			{Name: "now and then a call is done and fails", Section: "operations 8.3 (INTERNAL_ERROR)", Hooks: doneAndFailed(41)},
		}},
	}
}

// doubles takes each number for the double next to it and writes it in its shortest form, as
// an engine does that has no other numbers.
func doubles() adapter.Hooks {
	var rounded func(value any) any
	rounded = func(value any) any {
		switch value := value.(type) {
		case json.Number:
			if f, err := value.Float64(); err == nil {
				return json.Number(strconv.FormatFloat(f+0, 'f', -1, 64)) // -0 + 0 is 0
			}
		case map[string]any:
			for name, inner := range value {
				value[name] = rounded(inner)
			}
		case []any:
			for i, inner := range value {
				value[i] = rounded(inner)
			}
		}
		return value
	}
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		c.Body = adapter.Object(rounded(adapter.Plain(c.Body)))
		return next(c)
	}}
}

// madeBefore answers a creation with the draft that has the same value in a field, if there is one.
func madeBefore(field string) adapter.Hooks {
	return seam.Remade("create_note", func(op *adapter.Operation) {
		tell(op, "where there is a draft with the same "+field+", it answers that one and makes none")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			for _, n := range t.Store.NotesWhere(func(n adapter.Note) bool { return n["status"] == "draft" && n[field] == t.Params[field] }) {
				return adapter.Success(t.Tagged("Note", n))
			}
			return nil
		})
	})
}

// othersWrite has somebody else change notes of their own while the client works.
func othersWrite() adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if n := seam.Count(c.Adapter, "calls beside the others"); n%29 == 28 && c.Operation() != "introspect" {
			writeAsOther(c.Adapter, n/29)
		}
		return next(c)
	}}
}

// writeAsOther adds a note of somebody else, changes it, and removes it, in turn.
func writeAsOther(a *adapter.Adapter, turn int) {
	theirs := seam.Aside(a).Theirs
	switch note := a.Store.Notes[theirs]; {
	case note == nil:
		made := a.Store.AddNote(map[string]any{"title": fmt.Sprintf("Note of a colleague, %d", turn), "folder_id": "folder_1", "priority": 5, "status": "draft", "pinned": false})
		a.Store.Notes[made["note_id"].(string)] = adapter.Object(adapter.Plain(made))
		seam.Aside(a).Theirs = made["note_id"].(string)
	case note["status"] == "draft":
		changed := maps.Clone(note)
		changed["status"], changed["updated_at"] = "published", adapter.Now()
		a.Store.Notes[theirs] = changed
	default:
		delete(a.Store.Notes, theirs)
	}
}

func slow(d time.Duration) adapter.Hooks {
	return adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		time.Sleep(d)
		return next(c)
	}}
}

// laggingLists shows a new note in lists a moment after it was created.
func laggingLists(lag time.Duration) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() != "list_notes" && c.Operation() != "search_notes" {
			before := maps.Clone(c.Store.Notes)
			e := next(c)
			for id := range c.Store.Notes {
				if before[id] == nil {
					seam.Aside(c.Adapter).Fresh[id] = time.Now()
				}
			}
			return e
		}
		hidden := map[string]adapter.Note{}
		for id, at := range seam.Aside(c.Adapter).Fresh {
			if time.Since(at) >= lag {
				delete(seam.Aside(c.Adapter).Fresh, id)
			} else if n := c.Store.Notes[id]; n != nil {
				hidden[id] = n
				delete(c.Store.Notes, id)
			}
		}
		e := next(c)
		maps.Copy(c.Store.Notes, hidden)
		return e
	}}
}

// transient refuses one call in so many, before anything was done; asked again it works.
func transient(every int, code string, details map[string]any) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if seam.Count(c.Adapter, "calls without trouble")%every == every-1 && c.Operation() != "introspect" {
			return adapter.Failure(code, "The store is busy; try the same call again", details)
		}
		return next(c)
	}}
}

// doneAndFailed carries out one call in so many and answers that it failed.
func doneAndFailed(every int) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if seam.Count(c.Adapter, "calls without trouble")%every == every-1 && c.Operation() != "introspect" {
			return adapter.Failure("INTERNAL_ERROR", "The store is busy; try the same call again", nil)
		}
		return e
	}}
}
