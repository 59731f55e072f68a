package wire_test

import (
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Second, "Sun, 01 Mar 2026 12:00:03 GMT": 3 * time.Second, "Sun, 01 Mar 2026 11:59:00 GMT": 0,
		"": -1, "soon": -1, "-1": -1, "1.5": -1, "99999999999999999999": -1,
	} {
		if got, ok := wire.RetryAfter(value, now); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %v %v, want %v", value, got, ok, want)
		}
	}
}
