package attest

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
)

// Whatever stands in a seal, it is refused or sound. Nothing counts as signed by a key that did not
// sign this very statement.
func FuzzSeal(f *testing.F) {
	public, private, err := ed25519.GenerateKey(strings.NewReader(strings.Repeat("seed", 8)))
	if err != nil {
		f.Fatal(err)
	}
	id, err := seal.KeyID(public)
	if err != nil {
		f.Fatal(err)
	}
	report := []byte(`{"adapter":"x","exitCode":1,"digests":{"transcript":"ab","catalogue":"cd"},"findings":[{"requirement":"AQL-1","verdict":"FAIL"}]}`)
	var r statement.Sealable
	if err := json.Unmarshal(report, &r); err != nil {
		f.Fatal(err)
	}
	payload, err := json.Marshal(statement.Stated(report, r))
	if err != nil {
		f.Fatal(err)
	}
	sig := ed25519.Sign(private, statement.PreAuthentication(statement.PayloadType, payload))
	genuine := base64.StdEncoding.EncodeToString(sig)
	f.Add(payload, report, id, genuine)
	f.Add(payload, report, "", genuine)
	f.Add([]byte(strings.Replace(string(payload), "FAILED", "PASSED", 1)), report, id, genuine)
	f.Add([]byte(`{"_type":"x"}`), []byte(`{}`), id, "")
	f.Fuzz(func(t *testing.T, stated, report []byte, keyID, signature string) {
		e := statement.Envelope{PayloadType: statement.PayloadType, Payload: base64.StdEncoding.EncodeToString(stated), Signatures: []statement.Signature{{KeyID: keyID, Sig: signature}}}
		sealed, err := json.Marshal(e)
		if err != nil {
			return
		}
		_, _, _ = statement.Enveloped(stated)
		said, err := statement.On(sealed, report, []statement.Key{{PublicKey: public, ID: id}})
		if err == nil && strings.Contains(said, "signed by key "+id[:16]) && !strings.Contains(said, "not checked") && string(stated) != string(payload) {
			t.Errorf("%q passes for signed: %s", stated, said)
		}
	})
}
