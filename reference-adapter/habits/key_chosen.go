package habits

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

const chosenPattern = "^[a-z][a-z0-9-]{1,39}$"

// chosenKeys has the client choose the key of a note when it creates it.
func chosenKeys() adapter.Hooks {
	form := keyForm{
		kind: "string",
		wire: func(a *adapter.Adapter, id string) any {
			if key, ok := seam.Aside(a).Chosen[id]; ok {
				return key
			}
			if strings.HasPrefix(id, "note_") { // one of the seeds
				return choose(a, id, "seed-"+strings.ToLower(strings.ReplaceAll(fmt.Sprint(a.Store.Notes[id]["title"]), " ", "-")))
			}
			return id
		},
		heart: knownKey,
	}
	chosen := adapter.Parameter{Name: "note_id", Type: "string", Required: true, Pattern: chosenPattern,
		Description: "Key of the new note, chosen by you: lower-case letters, digits and hyphens; no other note may have it"}
	return seam.Both(keyed(form), adapter.Hooks{Table: func(a *adapter.Adapter) {
		for i, op := range a.Operations {
			if op.Name != "create_note" {
				continue
			}
			work := op.Run
			a.Operations[i].Parameters = append([]adapter.Parameter{chosen}, op.Parameters...)
			a.Operations[i].Examples = withKeys(op.Examples)
			a.Operations[i].Run = func(t adapter.Task) adapter.Envelope { return createChosen(t, work) }
		}
	}})
}

func withKeys(examples []adapter.Example) []adapter.Example {
	examples = slices.Clone(examples)
	for i, e := range examples {
		params := maps.Clone(adapter.Object(e.Request["params"]))
		params["note_id"] = fmt.Sprintf("example-%d", i+1)
		examples[i].Request = adapter.Request("create_note", params)
	}
	return examples
}

func choose(a *adapter.Adapter, id, key string) string {
	seam.Aside(a).Chosen[id], seam.Aside(a).Keys[key] = key, id
	return key
}

// createChosen creates a note under the key that the client has chosen.
func createChosen(t adapter.Task, work func(adapter.Task) adapter.Envelope) adapter.Envelope {
	key := t.Text("note_id")
	if id, taken := seam.Aside(t.Adapter).Keys[key]; taken && t.Store.Notes[id] != nil {
		return conflict("note", "note_id", key)
	}
	delete(t.Params, "note_id")
	e := work(t)
	if id, ok := adapter.Object(e["data"])["note_id"].(string); ok && adapter.Succeeded(e) {
		choose(t.Adapter, id, key)
	}
	return e
}

// conflict refuses an object of which there is another with the same value.
func conflict(kind, name, value string) adapter.Envelope {
	return adapter.Failure("CONFLICT_ALREADY_EXISTS",
		fmt.Sprintf("There is a %s already whose '%s' is '%s'; choose another one", kind, name, value),
		map[string]any{"resource_type": kind, "param_name": name, "existing": value})
}
