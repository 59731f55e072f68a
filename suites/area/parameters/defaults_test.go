package parameters

import (
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The day of the call changes from day to day, in whatever time zone it is told; another day is the same each time.
func TestTheDayOfTheCallIsNoDefault(t *testing.T) {
	s := model.Subject{Adapter: &model.Adapter{Today: time.Date(2026, 11, 29, 6, 0, 0, 0, time.UTC)}}
	for text, want := range map[string]bool{"2026-11-29": true, "2026-11-29T06:00:01Z": true, "2026-11-30": true, "2026-01-01": false, "active": false, "": false} {
		if got := dayOfCall(s, probes.ValueOf(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
