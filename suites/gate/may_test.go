package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// The op of a condition is no operation: the READ documents it with its values. Every other one might be.
func TestComparisonsAreNoOperations(t *testing.T) {
	where := probes.Parameter{Name: "where", Type: "array", Raw: value(`{"items":{"type":"object","fields":[{"name":"field","type":"string"},{"name":"op","type":"string","enum":["eq","in"]}]}}`)}
	rules := rulesOf(everything, probes.Operation{Name: "search_notes", Category: "READ", Parameters: []probes.Parameter{where}},
		probes.Operation{Name: "prune_notes", Category: "DELETE", Parameters: []probes.Parameter{where}})
	for _, c := range []struct {
		operation, word string
		want            bool
	}{{"search_notes", "eq", true}, {"search_notes", "wipe", false}, {"prune_notes", "eq", false}, {"find_notes", "eq", false}} {
		if got := rules.comparison(c.operation, c.word); got != c.want {
			t.Errorf("%s of %s: %v, want %v", c.word, c.operation, got, c.want)
		}
	}
}
