package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// The timestamp of a notification has a form of ISO 8601, and is a day and a time that exist.
func TestTimestampsOfNotifications(t *testing.T) {
	for stamp, want := range map[any]reports.Verdict{
		"2026-11-29T10:30:00Z": reports.Pass, "2026-11-29T10:30:00.5+05:30": reports.Pass, "20261129T103000Z": reports.Pass,
		"2026-11-29": reports.Pass, "2026-12-31T23:59:60Z": reports.Pass,
		"2026-13-41T25:61:00Z": reports.Fail, "2026-11-29T10:30:61Z": reports.Fail, "2026-02-30": reports.Fail,
		"2026-11-29 10:30:00": reports.Fail, "29.11.2026": reports.Fail, "": reports.Fail, 1795948200: reports.Fail,
	} {
		notice := probes.ValueOf(map[string]any{"type": "status", "message": "m", "timestamp": stamp})
		if got := wellFormed(notice); got.Verdict != want {
			t.Errorf("%v: %s (want %s, got %s), want %s", stamp, got.Verdict, got.Want, got.Got, want)
		}
	}
}
