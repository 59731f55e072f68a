package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// What is too large is left out as a whole and named once; what is just within the limits stays.
func TestTooLargeIsLeftOut(t *testing.T) {
	long := strings.Repeat("a", maxName+1)
	f := &Adapter{Adapter: &probes.Adapter{
		Operations: []probes.Operation{
			{Name: "get_a", Parameters: make([]probes.Parameter, maxParameters)},
			{Name: "get_b", Parameters: make([]probes.Parameter, maxParameters+1)},
			{Name: "get_" + long},
			{Name: "get_c", Parameters: []probes.Parameter{{Name: "id"}, {Name: long}}},
			{Name: long[:maxName]},
		},
		Types: []probes.Type{{Name: "Note"}, {Name: long}},
	}}
	f.dropTooLarge()
	if len(f.Operations) != 2 || f.Operations[0].Name != "get_a" || f.Operations[1].Name != long[:maxName] || len(f.Types) != 1 {
		t.Errorf("%d operations and %d types stay", len(f.Operations), len(f.Types))
	}
	wants := []string{"at most 1000 parameters", "a name of at most 1024 bytes", "a parameter name of at most 1024 bytes", "a type name of at most 1024 bytes"}
	if len(f.TooLarge) != len(wants) {
		t.Fatalf("%d are named: %v", len(f.TooLarge), f.TooLarge)
	}
	for i, want := range wants {
		if got := f.TooLarge[i]; got.Want != want || len(got.Name) > 300 || !strings.Contains(got.Got, "too large to be judged") {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}
