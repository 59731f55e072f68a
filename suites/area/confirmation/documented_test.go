package confirmation

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// What is denied is not documented.
func TestTokensOutliveSessionsWhereThatIsSaid(t *testing.T) {
	for said, want := range map[string]bool{
		"Delete an item. A token stays valid across sessions for five minutes": true,
		"Tokens outlive their session":                                         true,
		"Tokens persist across sessions":                                       true,
		"Tokens do not persist across sessions":                                false,
		"A token ends with its session":                                        false,
		"Tokens survive the session that got one":                              true,
	} {
		o := probes.Operation{Summary: probes.ValueOf(map[string]any{"description": said})}
		if got := documents(o, outlivesSession); got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
}
