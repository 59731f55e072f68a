package classification

import (
	"slices"
	"testing"
)

// Random keys have no common beginning. Then that of two listed ones is asked for, or else a letter, which no short
// form is.
func TestTextsOfRandomKeys(t *testing.T) {
	random := [2]string{"a94f80ec-23a5", "e49aba45-a94d"}
	for name, c := range map[string]struct {
		couple couple
		asked  string
		not    string
	}{
		"keys that begin alike":     {couple{keys: [2]string{"note_12345678", "note_9876543"}}, "note_", "n"},
		"random keys":               {couple{keys: random}, "a", ""},
		"random keys, others known": {couple{keys: random, listed: "8c"}, "8c", "a"},
		"short keys":                {couple{keys: [2]string{"ab", "cd"}}, "%", "a"},
	} {
		texts := c.couple.texts()
		if !slices.Contains(texts, c.asked) || slices.Contains(texts, c.not) {
			t.Errorf("%s: %q, want %q and not %q", name, texts, c.asked, c.not)
		}
	}
}
