package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A day may follow from that of the call, such as the end of a loan.
func TestADayIsNoDefault(t *testing.T) {
	for text, want := range map[string]bool{"2026-11-29": true, "2026-12-13T06:00:01Z": true, "2026-13-01": false, "active": false, "": false} {
		if got := aDay(probes.ValueOf(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
