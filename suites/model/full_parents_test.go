package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A folder that held forty notes refused each further creation, so that 11 of 44 requirements of a stranger
// were not proven for that alone, and which of them depended on how often an error had passed before.
func TestFullParents(t *testing.T) {
	for code, want := range map[string]bool{
		"CONFLICT_LIMIT_REACHED": true, "CONFLICT_QUOTA": true, "CONFLICT_FOLDER_FULL": true,
		"CONFLICT_ALREADY_EXISTS": false, "CONFLICT_DELIMITER": false, "RATE_LIMIT_EXCEEDED": false, "VALIDATION_LIMIT": false,
	} {
		body := `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":false,"error":{"code":"` + code + `","message":"m"}}}}`
		o := probes.Classify(probes.Call("main", "create", "create_note", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(body)}})
		if got := full(o); got != want {
			t.Errorf("%s: %t, want %t", code, got, want)
		}
	}
}
