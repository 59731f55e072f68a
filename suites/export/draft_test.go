package export

import (
	"strings"
	"testing"
)

// A key with nothing below it is null, and looks as if something were missing.
func TestEmptySectionIsAComment(t *testing.T) {
	for want, lines := range map[string][]string{
		"samples:":   {"  get_ticket:", "    ticket_id: \"t1\""},
		"# samples:": {"  # TODO no value for the parameter kind"},
		"# samples: nothing was found that the adapter does not say itself": nil,
	} {
		if got := section("samples", lines); got[0] != want || strings.Join(got[1:], "") != strings.Join(lines, "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
