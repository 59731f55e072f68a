package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"
)

// stateAxes are what happens beside the client, and when.
func stateAxes() []Axis {
	return []Axis{
		{Name: "others", Habits: []Habit{
			{Name: "nobody", Section: "spec 1.4"},
			{Name: "write now and then", Section: "spec 2.3.4, 9.3.2 (state is shared)", hooks: othersWrite()},
		}},
		{Name: "made before", Habits: []Habit{
			{Name: "is made again", Section: "spec 8.1 (adds new state)"},
			{Name: "the note of that title is answered", Section: "spec 8.1 (CREATE does not overwrite; no rule for what exists)", Conflicts: []string{"unique: titles"}, hooks: madeBefore("title")},
			{Name: "the draft of the library is answered", Section: "spec 8.1 (CREATE does not overwrite; no rule for what exists)", Conflicts: []string{"unique: titles"}, hooks: madeBefore("status")},
		}},
		{Name: "pace", Habits: []Habit{
			{Name: "at once", Section: "spec 1.3 (implementation details)"},
			{Name: "some milliseconds", Section: "spec 1.3", hooks: slow(2 * time.Millisecond)},
			{Name: "lists lag", Section: "spec 1.3; 4.7.6 (no promise of when)", From: "c", hooks: laggingLists(80 * time.Millisecond)},
		}},
		{Name: "numbers", Habits: []Habit{
			{Name: "digit by digit", Section: "spec 4.7.3"},
			{Name: "doubles", Section: "spec 4.7.3 (numbers are doubles)", From: "a c", hooks: doubles()},
		}},
		{Name: "trouble", Habits: []Habit{
			{Name: "none", Section: "operations 8.3"},
			{Name: "now and then a call fails for a moment", Section: "operations 8.3 (INTERNAL_ERROR)", hooks: transient(41, "INTERNAL_ERROR", nil)},
			{Name: "now and then a call is one too many", Section: "operations 8.3 (RATE_LIMIT_EXCEEDED)", hooks: transient(41, "RATE_LIMIT_EXCEEDED", map[string]any{"retry_after_seconds": 0.01})},
			{Name: "now and then a call is one too many, in a word of its own", Section: "operations 8.3 (a table of standard codes, no closed list)", Announces: []string{"OPS-8.3-01"}, hooks: transient(41, "RATE_LIMITED", nil)},
			{Name: "now and then the store is away", Section: "operations 8.3 (a table of standard codes, no closed list)", Announces: []string{"OPS-8.3-01"}, hooks: transient(41, "SERVICE_UNAVAILABLE", nil)},
			{Name: "now and then a call is done and fails", Section: "operations 8.3 (INTERNAL_ERROR)", hooks: doneAndFailed(41)},
		}},
	}
}

// doubles takes each number for the double next to it and writes it in its shortest form, as
// an engine does that has no other numbers.
func doubles() hooks {
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
	return hooks{item: func(c call, next handler) envelope {
		c.body = object(rounded(plain(c.body)))
		return next(c)
	}}
}

// madeBefore answers a creation with the draft that has the same value in a field, if there is one.
func madeBefore(field string) hooks {
	return remade("create_note", func(op *operation) {
		op.tell("where there is a draft with the same " + field + ", it answers that one and makes none")
		op.first(func(t task) envelope {
			for _, n := range t.store.notesWhere(func(n note) bool { return n["status"] == "draft" && n[field] == t.params[field] }) {
				return success(t.tagged("Note", n))
			}
			return nil
		})
	})
}

// othersWrite has somebody else change notes of their own while the client works.
func othersWrite() hooks {
	return hooks{item: func(c call, next handler) envelope {
		if n := c.count("calls beside the others"); n%29 == 28 && c.operation() != "introspect" {
			c.writeAsOther(n / 29)
		}
		return next(c)
	}}
}

// writeAsOther adds a note of somebody else, changes it, and removes it, in turn.
func (a *Adapter) writeAsOther(turn int) {
	theirs := a.aside().theirs
	switch note := a.store.notes[theirs]; {
	case note == nil:
		made := a.store.addNote(map[string]any{"title": fmt.Sprintf("Note of a colleague, %d", turn), "folder_id": "folder_1", "priority": 5, "status": "draft", "pinned": false})
		a.store.notes[made["note_id"].(string)] = object(plain(made))
		a.aside().theirs = made["note_id"].(string)
	case note["status"] == "draft":
		changed := maps.Clone(note)
		changed["status"], changed["updated_at"] = "published", now()
		a.store.notes[theirs] = changed
	default:
		delete(a.store.notes, theirs)
	}
}

func slow(d time.Duration) hooks {
	return hooks{call: func(c call, next handler) envelope {
		time.Sleep(d)
		return next(c)
	}}
}

// laggingLists shows a new note in lists a moment after it was created.
func laggingLists(lag time.Duration) hooks {
	return hooks{item: func(c call, next handler) envelope {
		if c.operation() != "list_notes" && c.operation() != "search_notes" {
			before := maps.Clone(c.store.notes)
			e := next(c)
			for id := range c.store.notes {
				if before[id] == nil {
					c.aside().fresh[id] = time.Now()
				}
			}
			return e
		}
		hidden := map[string]note{}
		for id, at := range c.aside().fresh {
			if time.Since(at) >= lag {
				delete(c.aside().fresh, id)
			} else if n := c.store.notes[id]; n != nil {
				hidden[id] = n
				delete(c.store.notes, id)
			}
		}
		e := next(c)
		maps.Copy(c.store.notes, hidden)
		return e
	}}
}

// transient refuses one call in so many, before anything was done; asked again it works.
func transient(every int, code string, details map[string]any) hooks {
	return hooks{item: func(c call, next handler) envelope {
		if c.count("calls without trouble")%every == every-1 && c.operation() != "introspect" {
			return failure(code, "The store is busy; try the same call again", details)
		}
		return next(c)
	}}
}

// doneAndFailed carries out one call in so many and answers that it failed.
func doneAndFailed(every int) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if c.count("calls without trouble")%every == every-1 && c.operation() != "introspect" {
			return failure("INTERNAL_ERROR", "The store is busy; try the same call again", nil)
		}
		return e
	}}
}
