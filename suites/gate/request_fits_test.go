package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// Only a call that keeps to the documentation counts as the second try of an operation that did
// harm once.
func TestFits(t *testing.T) {
	op := operation("create_note", "CREATE", "title*:string", "priority:integer")
	for params, want := range map[string]bool{
		`{"title":"a"}`:                true,
		`{"title":"a","priority":3}`:   true,
		`{"title":{"a":1}}`:            false,
		`{"priority":3}`:               false,
		`{"title":"a","nobody":1}`:     false,
		`{"title":"a","priority":"x"}`: false,
	} {
		v, err := probes.ParseValue([]byte(params))
		if err != nil {
			t.Fatal(err)
		}
		if got := (&asked{call: call{params: v}, op: op}).fits(); got != want {
			t.Errorf("%s: %v, want %v", params, got, want)
		}
	}
}
