package suites

import (
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// FuzzIntrospection plans a run for whatever an adapter says of itself: it may be any
// JSON, and must neither end nor hold up the checker.
func FuzzIntrospection(f *testing.F) {
	f.Add(`{"operations":[{"name":"get_x","semantic_category":"READ","endpoint":"aql","description":"Gets x."}]}`,
		`{"name":"get_x","parameters":[{"name":"x_id","type":"string","required":true,"pattern":"^(a+)+$"}],"returns":{"name":"X","kind":"object"}}`,
		`{"types":[{"name":"X","kind":"object"}]}`, `{"name":"X","kind":"object","fields":[{"name":"x","type":"X[]"}]}`)
	f.Add(`{"operations":{"get_x":{"category":"read"}},"_protocol":{"mode":7}}`, `{"name":"get_x","parameters":{"x":{"type":["string",null],"enum":{},"minimum":1e999}}}`,
		`{"types":[{"name":"X"},{"name":"X"},null,5]}`, `{"name":"X","kind":"union","members":["X","X"]}`)
	f.Add(`[]`, `null`, `{}`, `"X"`)
	f.Fuzz(func(t *testing.T, listing, record, types, kind string) {
		for _, said := range []string{listing, record, types, kind} {
			if !json.Valid([]byte(said)) {
				return
			}
		}
		d := described{listing: listing, types: types, records: map[string]string{"get_x": record}, kinds: map[string]string{"X": kind}}
		face := model.NewAdapter(t.Context(), d, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
		p, err := plan.New([]*model.Adapter{face}, plan.Selection{Checks: All()}, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Cases {
			c.Ask(t.Context(), d)
		}
	})
}
