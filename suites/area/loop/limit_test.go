package loop

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A limit that the record of the parameter forbids shows nothing.
func TestLimitsKeepToTheRecord(t *testing.T) {
	for record, want := range map[string][]int{
		`{}`:                           {3, 6},
		`{"minimum":1,"maximum":1000}`: {3, 6},
		`{"minimum":5}`:                {5, 8},
		`{"minimum":4.5,"maximum":6}`:  {5, 6},
		`{"maximum":5}`:                {3, 5},
		`{"maximum":2}`:                {1, 2},
		`{"minimum":100}`:              {3, 6}, // nobody waits so long
	} {
		v, _ := probes.ParseValue([]byte(record))
		if got := limitsWithin(v); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", record, got, want)
		}
	}
}
