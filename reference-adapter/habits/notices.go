package habits

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// noticeAxes are what an adapter says of its own parameters: which are on their way out, and
// where a refused value stands.
func noticeAxes() []Axis {
	return []Axis{
		{Name: "on its way out", Habits: []Habit{
			{Name: "nothing", Section: "introspection 8.2.4"},
			{Name: "a parameter, by a member", Section: "introspection 8.2.4 (no member is defined)", From: "a c", Hooks: seam.Both(
				seam.Documented("search_notes", "title_only", seam.Set("deprecated", map[string]any{"since": "1.2", "use": "filter"})), titleOnlyWarned("use a filter instead"))},
			{Name: "a parameter, by a sentence", Section: "introspection 8.2.4", Hooks: seam.Both(
				seam.Documented("search_notes", "title_only", seam.Set("description", "Look at titles only. Will be removed in version 2: call list_notes instead")), titleOnlyWarned("use 'query' instead"))},
			{Name: "a parameter without effect", Section: "introspection 8.2.4", From: "c",
				Hooks: seam.Documented("search_notes", "title_only", seam.Set("description", "Deprecated: has no effect any more, leave it out"))},
			{Name: "an operation", Section: "introspection 8.2.4 (of parameters)", Hooks: seam.Both(
				seam.Described("get_folder", seam.Set("description", "Deprecated: use list_folders. Get one folder by its identifier")),
				seam.Warning(seam.After(func(c adapter.Call, e adapter.Envelope) {
					if c.Operation() == "get_folder" {
						seam.Warned(e, "DEPRECATED_OPERATION", "Operation 'get_folder' is deprecated; use 'list_folders' and look for the folder_id")
					}
				})))},
			{Name: "other spellings", Section: "spec 4.2 (aliases may be taken)", Hooks: respelt()},
		}},
		{Name: "a value of the library", Habits: []Habit{
			{Name: "none", Section: ownKinds},
			{Name: "refused with its operation", Section: "operations 8.4", From: "a", Hooks: shelved("Invalid value for list_notes.shelf: no shelf of this name. Call list_folders for the shelves there are", nil)},
			{Name: "refused with its place in the request", Section: "operations 8.4", From: "c", Hooks: shelved("Invalid value for parameter 'shelf'. Call list_folders for the shelves there are", map[string]any{"path": "arguments.params.shelf"})},
			{Name: "refused for where it is looked for", Section: "operations 8.4", Hooks: shelved("Parameter 'shelf' must name one of the shelves within your account", nil)},
		}},
	}
}

// titleOnlyWarned warns where title_only is given.
func titleOnlyWarned(advice string) adapter.Hooks {
	return seam.Warning(seam.After(func(c adapter.Call, e adapter.Envelope) {
		if _, _, given := c.Value("title_only"); given && c.Operation() == "search_notes" {
			seam.Warned(e, "DEPRECATED_PARAM", "Parameter 'title_only' of operation 'search_notes' is deprecated; "+advice)
		}
	}))
}

// respelt takes documented names in camelCase as well, and warns.
func respelt() adapter.Hooks {
	return seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		op, ok := c.OperationNamed(c.Operation())
		if !ok {
			return next(c)
		}
		var used []string
		for _, p := range op.Parameters {
			alias := camelSpelling(p.Name)
			if value := c.Params()[alias]; alias != p.Name && value != nil && c.Params()[p.Name] == nil {
				c = c.Given(alias, nil).Given(p.Name, value)
				used = append(used, "The spelling '"+alias+"' is deprecated; write '"+p.Name+"'")
			}
		}
		e := next(c)
		for _, message := range used {
			seam.Warned(e, "DEPRECATED_PARAM", message)
		}
		return e
	}})
}

func camelSpelling(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// shelved has list_notes take the name of a shelf, of which none is known before.
func shelved(refusal string, more map[string]any) adapter.Hooks {
	return seam.Added("list_notes", adapter.Parameter{Name: "shelf", Type: "string", Description: "Return only notes on the shelf of this name"},
		func(t adapter.Task) adapter.Envelope {
			if t.Params["shelf"] == nil {
				return nil
			}
			details := map[string]any{"param_name": "shelf", "operation": "list_notes"}
			for name, value := range more {
				details[name] = value
			}
			return adapter.Failure("VALIDATION_INVALID_VALUE", refusal, details)
		})
}
