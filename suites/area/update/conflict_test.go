package update

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A conflict that does not name the field says nothing of its bound.
func TestConflictIsNoRefusalOfAValue(t *testing.T) {
	w := wrongField{field: probes.Parameter{Name: "meta"}, member: "copies", because: aboveMaximum}
	for envelope, want := range map[string]bool{
		`{"code":"CONFLICT_QUOTA","message":"no room"}`:                                   true,
		`{"code":"CONFLICT_QUOTA","message":"too many copies"}`:                           false,
		`{"code":"VALIDATION_INVALID_VALUE","message":"not from 1 to 9"}`:                 false,
		`{"code":"CONFLICT_QUOTA","message":"no","details":{"param_name":"meta.copies"}}`: false,
	} {
		o := probes.Classify(probes.Call("main", "update", "update_note", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":` + envelope + `}}}`)}})
		if got := inConflict(o, w); got != want {
			t.Errorf("%s: %v, want %v", envelope, got, want)
		}
	}
}
