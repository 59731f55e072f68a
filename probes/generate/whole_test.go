package generate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A new object that is taken whole carries the mark, and has only values that its fields allow.
func TestWholeObjectsAreMarkedAndAllowed(t *testing.T) {
	g := generator()
	g.Adapter.Types = append(g.Adapter.Types, registered("Book", `{"kind":"object","fields":[
		{"name":"form","type":"string","required":true,"enum":["paper","audio"]},
		{"name":"shelf","type":"string","required":true,"const":"A"},
		{"name":"title","type":"string","required":false}]}`))
	op := probes.Operation{Name: "create_book", Category: "CREATE"}
	p := parameter(t, `{"name":"book","type":"Book","required":true}`)
	got := g.Values(op, p)
	if want := `{"form":"paper","shelf":"A","title":"aqlc-k3f9x2ab"}`; len(got) == 0 || got[0].String() != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if op.Category = "READ"; g.Values(op, p)[0].Has("title") {
		t.Error("a read gets what is not demanded")
	}
}
