package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A selected member is left out where the item has a value of it. What is null may be left out, and another item in
// the same place tells nothing.
func TestLeftOut(t *testing.T) {
	selected := []string{"name", "open", "seats", "city"}
	for name, c := range map[string]struct{ whole, part, want string }{
		"kept":         {`{"name":"a","open":false,"seats":0,"city":"x"}`, `{"name":"a","open":false,"seats":0,"city":"x"}`, ""},
		"a flag":       {`{"name":"a","open":false,"seats":5,"city":"x"}`, `{"name":"a","seats":5,"city":"x"}`, "open"},
		"a null":       {`{"name":"a","open":null,"seats":5,"city":"x"}`, `{"name":"a","seats":5,"city":"x"}`, ""},
		"another item": {`{"name":"a","open":false,"seats":5,"city":"x"}`, `{"name":"b","seats":5,"city":"x"}`, ""},
		"hardly one":   {`{"name":"a","open":false,"seats":0,"city":""}`, `{"name":"a"}`, ""},
	} {
		whole, _ := probes.ParseValue([]byte(c.whole))
		part, _ := probes.ParseValue([]byte(c.part))
		if got := leftOut(whole, part, selected); got != c.want {
			t.Errorf("%s: %q is left out, want %q", name, got, c.want)
		}
	}
}
