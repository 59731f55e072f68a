package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A selected member is left out where the item has a value of it. What is null may be left out, and another item in
// the same place tells nothing.
func TestLeftOut(t *testing.T) {
	selected := []string{"name", "open", "seats", "city"}
	for name, c := range map[string]struct {
		whole, part, want string
		same              bool
	}{
		"kept":         {`{"name":"a","open":false,"seats":0,"city":"x"}`, `{"name":"a","open":false,"seats":0,"city":"x"}`, "", true},
		"a flag":       {`{"name":"a","open":false,"seats":5,"city":"x"}`, `{"name":"a","seats":5,"city":"x"}`, "open", true},
		"a null":       {`{"name":"a","open":null,"seats":5,"city":"x"}`, `{"name":"a","seats":5,"city":"x"}`, "", true},
		"another item": {`{"name":"a","open":false,"seats":5,"city":"x"}`, `{"name":"b","seats":5,"city":"x"}`, "", false},
		"hardly one":   {`{"name":"a","open":false,"seats":0,"city":""}`, `{"name":"a"}`, "", false},
	} {
		whole, _ := probes.ParseValue([]byte(c.whole))
		part, _ := probes.ParseValue([]byte(c.part))
		if got, same := leftOut(whole, part, selected); got != c.want || same != c.same {
			t.Errorf("%s: %q is left out, want %q, and the item is the same: %v", name, got, c.want, same)
		}
	}
}
