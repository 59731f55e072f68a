package adapter

import "strings"

// noticeAxes are what an adapter says of its own parameters: which are on their way out, and
// where a refused value stands.
func noticeAxes() []Axis {
	return []Axis{
		{Name: "on its way out", Habits: []Habit{
			{Name: "nothing", Section: "introspection 8.2.4"},
			{Name: "a parameter, by a member", Section: "introspection 8.2.4 (no member is defined)", From: "a c", hooks: both(
				documented("search_notes", "title_only", set("deprecated", map[string]any{"since": "1.2", "use": "filter"})), titleOnlyWarned("use a filter instead"))},
			{Name: "a parameter, by a sentence", Section: "introspection 8.2.4", hooks: both(
				documented("search_notes", "title_only", set("description", "Look at titles only. Will be removed in version 2: call list_notes instead")), titleOnlyWarned("use 'query' instead"))},
			{Name: "a parameter without effect", Section: "introspection 8.2.4", From: "c",
				hooks: documented("search_notes", "title_only", set("description", "Deprecated: has no effect any more, leave it out"))},
			{Name: "an operation", Section: "introspection 8.2.4 (of parameters)", hooks: both(
				described("get_folder", set("description", "Deprecated: use list_folders. Get one folder by its identifier")),
				warning(after(func(c call, e envelope) {
					if c.operation() == "get_folder" {
						warned(e, "DEPRECATED_OPERATION", "Operation 'get_folder' is deprecated; use 'list_folders' and look for the folder_id")
					}
				})))},
			{Name: "other spellings", Section: "spec 4.2 (aliases may be taken)", hooks: respelt()},
		}},
		{Name: "a value of the library", Habits: []Habit{
			{Name: "none", Section: ownKinds},
			{Name: "refused with its operation", Section: "operations 8.4", From: "a", hooks: shelved("Invalid value for list_notes.shelf: no shelf of this name. Call list_folders for the shelves there are", nil)},
			{Name: "refused with its place in the request", Section: "operations 8.4", From: "c", hooks: shelved("Invalid value for parameter 'shelf'. Call list_folders for the shelves there are", map[string]any{"path": "arguments.params.shelf"})},
			{Name: "refused for where it is looked for", Section: "operations 8.4", hooks: shelved("Parameter 'shelf' must name one of the shelves within your account", nil)},
		}},
	}
}

// titleOnlyWarned warns where title_only is given.
func titleOnlyWarned(advice string) hooks {
	return warning(after(func(c call, e envelope) {
		if _, _, given := c.value("title_only"); given && c.operation() == "search_notes" {
			warned(e, "DEPRECATED_PARAM", "Parameter 'title_only' of operation 'search_notes' is deprecated; "+advice)
		}
	}))
}

// respelt takes documented names in camelCase as well, and warns.
func respelt() hooks {
	return warning(hooks{item: func(c call, next handler) envelope {
		op, ok := c.operationNamed(c.operation())
		if !ok {
			return next(c)
		}
		var used []string
		for _, p := range op.Parameters {
			alias := camelSpelling(p.Name)
			if value := c.params()[alias]; alias != p.Name && value != nil && c.params()[p.Name] == nil {
				c = c.given(alias, nil).given(p.Name, value)
				used = append(used, "The spelling '"+alias+"' is deprecated; write '"+p.Name+"'")
			}
		}
		e := next(c)
		for _, message := range used {
			warned(e, "DEPRECATED_PARAM", message)
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
func shelved(refusal string, more map[string]any) hooks {
	return added("list_notes", parameter{Name: "shelf", Type: "string", Description: "Return only notes on the shelf of this name"},
		func(t task) envelope {
			if t.params["shelf"] == nil {
				return nil
			}
			details := map[string]any{"param_name": "shelf", "operation": "list_notes"}
			for name, value := range more {
				details[name] = value
			}
			return failure("VALIDATION_INVALID_VALUE", refusal, details)
		})
}
