package attest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
)

// Whatever stands in the file of a witness, only the token that the issuer signed for this statement
// is believed. The keys of the issuer are read from a file too.
func FuzzWitness(f *testing.F) {
	_, private, err := ed25519.GenerateKey(strings.NewReader(strings.Repeat("seed", 8)))
	if err != nil {
		f.Fatal(err)
	}
	keys := keySet(f, private)
	sealed, ended := []byte("a sealed report"), time.Unix(1_700_000_000, 0)
	statement := fmt.Sprintf(`{"_type":%q,"subject":[{"name":"sealed.json","digest":{"sha256":"%x"}}],"predicateType":%q,"predicate":{"buildDefinition":{"buildType":"https://github.com/aql-conform/aql-conform/certificate/v1","externalParameters":{}},"runDetails":{"builder":{"id":"x"}}}}`,
		statement.StatementType, sha256.Sum256(sealed), seal.ProvenanceType)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	if err != nil {
		f.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(jwt.Claims{Issuer: "https://issuer.example", Subject: "repo:x", Audience: jwt.Audience{seal.Audience([]byte(statement))}, IssuedAt: jwt.NewNumericDate(ended)}).Serialize()
	if err != nil {
		f.Fatal(err)
	}
	genuine, err := json.Marshal(seal.Witness{Statement: base64.StdEncoding.EncodeToString([]byte(statement)), Token: token})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(genuine, keys)
	f.Add([]byte(strings.Replace(string(genuine), token, "eyJhbGciOiJub25lIn0.e30.", 1)), []byte(`{"keys":[{"kty":"oct","k":"AA"}]}`))
	f.Add([]byte(`{"statement":"e30=","token":"a.b.c"}`), []byte(`{"keys":[null]}`))
	f.Fuzz(func(t *testing.T, raw, set []byte) {
		file := filepath.Join(t.TempDir(), "keys.json")
		if err := os.WriteFile(file, set, 0o600); err != nil {
			t.Fatal(err)
		}
		if by, err := (IssuerFlags{Issuer: "https://issuer.example", IssuerKeys: file}).read(); err == nil {
			_, _ = by.witnessed(raw, sealed, ended)
		}
		by := &issuer{name: "https://issuer.example"}
		if err := json.Unmarshal(keys, &by.keys); err != nil {
			t.Fatal(err)
		}
		said, err := by.witnessed(raw, sealed, ended)
		var w seal.Witness
		_ = json.Unmarshal(raw, &w)
		stated, _ := base64.StdEncoding.DecodeString(w.Statement)
		if err == nil && string(stated) != statement || err != nil && string(raw) == string(genuine) {
			t.Errorf("%q: %s, %v", raw, said, err)
		}
	})
}

// keySet is the file of an issuer with one key.
func keySet(f *testing.F, private ed25519.PrivateKey) []byte {
	f.Helper()
	raw, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: private.Public(), KeyID: "1", Algorithm: "EdDSA", Use: "sig"}}})
	if err != nil {
		f.Fatal(err)
	}
	return raw
}

// Whatever stands in a challenge, it is refused, or its seed is that of its nonce.
func FuzzChallenge(f *testing.F) {
	const issued = `{"nonce":"6e6f6e63","seed":%d,"commitment":"` + "0000000000000000000000000000000000000000000000000000000000000000" + `","issued":"2026-11-25T00:00:00Z","expires":"2026-11-26T00:00:00Z"}`
	sum := sha256.Sum256([]byte("aql-conform challenge 6e6f6e63"))
	var seed uint64
	for _, b := range sum[:8] {
		seed = seed<<8 | uint64(b)
	}
	f.Add([]byte(fmt.Sprintf(issued, seed>>11)), seal.ChallengeType, []byte(`{"payloadType":"x","payload":"e30="}`))
	f.Add([]byte(fmt.Sprintf(issued, 7)), seal.ChallengeType, []byte(`{"payload":{}}`))
	f.Fuzz(func(t *testing.T, payload []byte, kind string, envelope []byte) {
		_, _ = seal.ChallengeIn(envelope)
		raw, err := json.Marshal(statement.Envelope{PayloadType: kind, Payload: base64.StdEncoding.EncodeToString(payload), Signatures: []statement.Signature{}})
		if err != nil {
			t.Fatal(err)
		}
		g, err := seal.ChallengeIn(raw)
		if err != nil {
			return
		}
		if again, err := seal.ChallengeIn(raw); err != nil || !g.Same(again) || g.Seed>>53 != 0 || !g.Expires.After(g.Issued) {
			t.Errorf("%q is read as %+v, then %v", payload, g, err)
		}
	})
}
