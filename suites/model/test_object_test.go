package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// The reference adapter shows changes at once, so tests need not wait.
func init() { SettleTime = 0 }

// A name inside input is a text like any other, unless the update finds the object by it.
func TestNameInsideInputIsAField(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	for identifier, want := range map[string]bool{"room_id": true, "name": false} {
		obj := TestObject{Subject: Subject{Adapter: f, Name: "update_room", Op: f.Operations[1]}, Maker: Subject{Adapter: f, Name: "create_room", Op: f.Operations[0]},
			IDs: map[string][]string{identifier: {"id"}}, Fields: []probes.Parameter{{Name: "name", Type: "string"}}}
		if p, ok := obj.TextField(); ok != want {
			t.Errorf("where %s identifies, the text is %q", identifier, p.Name)
		}
	}
}
