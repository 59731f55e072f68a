package plan

import (
	"slices"
	"testing"
)

// A message that listed the allowed values without quotes counted as one that does not help.
func TestListedValuesAreRead(t *testing.T) {
	for text, want := range map[string][]string{
		"Parameter 'status' must be one of open, blocked, closed": {"open", "blocked", "closed"},
		"status: expected one of: [open|closed].":                 {"open", "closed"},
		"Use one of \"open\" or \"closed\"; see introspect":       {"open", "closed"},
		"status is not valid":                                     nil,
	} {
		if got := listedIn(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
