package generated

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A set may be kept in an order of its own: each value once and ascending. Another order, or another value, is no set of what was sent.
func TestListsThatAreKeptAsSets(t *testing.T) {
	for _, c := range []struct {
		sent, shown string
		free, set   bool
	}{
		{`["toxic","corrosive"]`, `["corrosive","toxic"]`, false, true},
		{`["toxic","corrosive","toxic"]`, `["toxic","corrosive"]`, false, true},
		{`[10,9]`, `[9,10]`, false, true},
		{`["a","b"]`, `["b","a"]`, false, false},
		{`["toxic"]`, `["corrosive","toxic"]`, false, false},
		{`["Toxic"]`, `["toxic"]`, false, false},
		{`["Toxic","Acid"]`, `["acid","toxic"]`, true, true},
	} {
		sent, _ := probes.ParseValue([]byte(c.sent))
		shown, _ := probes.ParseValue([]byte(c.shown))
		if got := asSet(sent, shown, c.free); got != c.set {
			t.Errorf("%v: %v", c, got)
		}
	}
}
