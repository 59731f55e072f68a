package objects

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// Seeded defects are faults that hide from whoever asks about a parameter once or
// twice: they need a value that few would think of, two parameters at once, or a
// second call. What finds them shows what generated input is worth.

// seeded marks faults with the kind of generated input that reaches them.
func seeded(phase string, faults []seam.Fault) []seam.Fault {
	marked := slices.Clone(faults)
	for i := range marked {
		marked[i].Phase = phase
	}
	return marked
}

// balks has an operation refuse what validation lets pass.
func balks(name string, at func(t adapter.Task) adapter.Envelope) adapter.Hooks {
	return seam.Remade(name, func(op *adapter.Operation) { seam.First(op, at) })
}

// balksAtInput has update_note refuse what validation lets pass in its input.
func balksAtInput(at func(input map[string]any) adapter.Envelope) adapter.Hooks {
	return balks("update_note", func(t adapter.Task) adapter.Envelope { return at(adapter.Object(t.Params["input"])) })
}

// stores has update_note take values of one field that it should refuse: the
// healthy code is shown a fitting one, the note keeps what was given.
func stores(field string, pick func(value any) bool, fitting any) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		input := seam.Copied(c.Params()["input"])
		value, given := input[field]
		if c.Operation() != "update_note" || !given || !pick(value) {
			return next(c)
		}
		input[field] = fitting
		e := next(c.Given("input", input))
		if data := adapter.Object(e["data"]); adapter.Succeeded(e) {
			data[field] = value
			c.Store.Notes[data["note_id"].(string)] = adapter.Object(adapter.Plain(data))
		}
		return e
	}}
}

// restore gives one field the value that it had, or none.
func restore(name string, old, now map[string]any) {
	delete(now, name)
	if value, had := old[name]; had {
		now[name] = value
	}
}

// near says whether a name is one slip of the finger away from another: a letter
// too many, too few or wrong, or two of them exchanged.
func near(a, b string) bool {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	switch {
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	case a == "" || len(a) != len(b):
		return false
	}
	exchanged := len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
	return exchanged || a[1:] == b[1:]
}
