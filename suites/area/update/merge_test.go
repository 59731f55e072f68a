package update

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// An adapter that answers an update with the new title and stores none was told to replace a scalar.
func TestLostUpdateIsSaidToBeLost(t *testing.T) {
	title := func(text string) probes.Value { return probes.ValueOf(map[string]any{"title": text}) }
	for name, c := range map[string]struct {
		answered, after string
		lost            bool
	}{
		"answered and not stored": {"new", "old", true},
		"answered as before":      {"old", "old", false},
		"stored otherwise":        {"new", "neither", false},
	} {
		r := notStored("update_ticket", "title", "new", title(c.answered), check.MergeStepResult{Before: title("old"), After: title(c.after)})
		if got := strings.HasPrefix(r.Fix, "store what update_ticket answers"); got != c.lost || !strings.Contains(r.Got, c.after) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
