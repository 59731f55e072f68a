package faults

import (
	"slices"
	"testing"
)

// What a fault cannot leave alone is said of faults that there are.
func TestCollateralIsOfFaults(t *testing.T) {
	said := 0
	for _, f := range All() {
		if len(f.Also) > 0 {
			said++
		}
		if slices.Contains(f.Also, f.ID) {
			t.Errorf("%s.%s: its own requirement is no collateral", f.ID, f.Variant)
		}
	}
	if said != len(collateral) {
		t.Errorf("%d faults have collateral, %d are said to", said, len(collateral))
	}
}
