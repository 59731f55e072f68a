package check

import "testing"

// A short description is no placeholder.
func TestPlaceholders(t *testing.T) {
	for text, want := range map[string]bool{
		"TODO": true, "Todo: write this": true, "n/a": true, "No description provided.": true, "No description": true, "No description provided. Similar to cancel.": true, "No description provided; similar to cancel": true, "No description provided - similar to cancel": true, "No description provided.\nSimilar to cancel": true,
		"TODO write this": true, "TODO: boxes": true, "todo - describe it": true, "todo add a text": true, "[TODO] describe": true, "TODO(kim): boxes": true, "FIXME later": true, "tbd by the team": true, "Lorem ipsum dolor": true,
		"Todo lo que se sabe de una caja.": false, "Todo entries on the boxes of a shelf, page by page.": false, "todo list of a user": false, "TODO LO QUE SE SABE": false, "Todo-Einträge einer Liste": false, "Todos of a list": false,
		"No summary. Only the full text is returned.": false, "Undocumented. Migrants without papers.": false, "No docs found. Returned by a search.": false, "Nothing is deleted. No description is changed.": false, "no documentation available yet": true,
		"TODO and FIXME notes that stick on a box, as texts.": false, "TODO and FIXME comments found on a box": false, "Todo - one thing that is to be done with a box.": false, "TODO: one entry of a list of tasks": false,
		"TODO: describe what a box holds": true, "TODO add text on what it does": true, "FIXME this is wrong since the second version": true, "TODO: boxes need a proper description here": true, "[TODO] the boxes of a shelf by page": true,
		"Todo - explain what is done with a box": true, "TODO(kim): the boxes of a shelf by page": true,
		"Description missing": true, "undocumented": true, "Not documented": true, "Add a description here": true, "<description>": true, "…": true, "...": true, "None": true, "": false,
		"Your description here": true, "Add a description": false, "Delete note": false, "No note is changed": false, "Description of a note": false, "Notes": false, "Add a note": false, "Write text": false,
		"Documentation of the store": false, "Lists what is missing": false, "Not archived notes": false, "读取笔记": false,
	} {
		if got := IsPlaceholder(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
