package probes

import (
	"strings"
	"testing"
)

// A name is mentioned where it stands as a whole, not where another word has its letters.
func TestMentions(t *testing.T) {
	for _, c := range []struct {
		name, message string
		want          bool
	}{
		{"id", "Validation failed.", false}, {"id", "shelf_id is missing", false}, {"id", "shelfId is missing", false},
		{"id", "`id` is missing", true}, {"id", "The ID is missing.", true}, {"id", "params.id", true}, {"id", "缺少参数id。", true},
		{"maxItems", "max_items is missing", true}, {"max_items", "maxItems is missing", true}, {"max_items", "Max items: required", true},
		{"max_items", "items", false}, {"größe", "vergrößern", false}, {"$top", "$top is missing", true}, {"名前", "名前が必要です", true},
		{"B-0002", "no box 'b-0002'", true}, {"B-0002", "no box B-00021", false}, {"_", "_ is missing", true}, {strings.Repeat("x", 300), "x", false},
	} {
		if got := mention(c.name)(c.message); got != c.want {
			t.Errorf("%s in %q: %t", c.name, c.message, got)
		}
	}
}
