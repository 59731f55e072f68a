package gate

import (
	"testing"
)

// A row says that its object was removed, but not where the creation asked for what it says.
func TestBurials(t *testing.T) {
	for row, want := range map[string][2]bool{ // without the creation, and with it
		`{"id":1,"status":"archived"}`:                         {true, false},
		`{"id":1,"Status":"archived"}`:                         {true, false},
		`{"id":1,"status":"deleted"}`:                          {true, true},
		`{"id":1,"status":"archived","deleted":true}`:          {true, true},
		`{"id":1,"status":"archived","deleted":false}`:         {true, false},
		`{"id":1,"status":"draft","removed_at":"2026-01-01"}`:  {true, true},
		`{"id":1,"status":"draft"}`:                            {false, false},
		`{"id":1,"title":"what was deleted in a winter long"}`: {false, false},
	} {
		v, asked := value(row), value(`{"status":"archived","title":"x"}`)
		if got := [2]bool{buried(v), buried(v, asked)}; got != want {
			t.Errorf("%s: %v, want %v", row, got, want)
		}
	}
}
