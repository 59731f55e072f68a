package parameters

import (
	"slices"
	"testing"
)

// The texts of a message are those that begin with the mark, each to its end.
func TestTextsOfTheRunAreRead(t *testing.T) {
	for message, want := range map[string][]string{
		`{"title":"aqlc-x-1","body":"see aqlc-x-2"}`: {"aqlc-x-1"},
		`["aqlc-x-1","aqlc-x-10"]`:                   {"aqlc-x-1", "aqlc-x-10"},
		`{"title":"aqlc-x-1\n"}`:                     {"aqlc-x-1"},
		`{"title":"aqlc-x-1`:                         nil,
		`{"title":"plain"}`:                          nil,
	} {
		if got := ownTexts([]byte(message), "aqlc-x"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
