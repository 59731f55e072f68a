package attest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// IssuerFlags name who issues the identities of witnesses.
type IssuerFlags struct {
	Issuer     string `placeholder:"URL" help:"issuer of the identity tokens of witnesses"`
	IssuerKeys string `placeholder:"FILE" help:"public keys of the issuer (JSON Web Key Set)"`
}

// An issuer issues identities. Its keys show which of them are genuine.
type issuer struct {
	name string
	keys jose.JSONWebKeySet
}

// read reads the keys of the issuer; nil where none is named.
func (f IssuerFlags) read() (*issuer, error) {
	switch {
	case f.Issuer == "" && f.IssuerKeys == "":
		return nil, nil
	case f.Issuer == "" || f.IssuerKeys == "":
		return nil, console.Usage("--issuer and --issuer-keys belong together; give both")
	}
	raw, err := os.ReadFile(f.IssuerKeys)
	if err != nil {
		return nil, console.Usage("--issuer-keys: %w", err)
	}
	by := &issuer{name: f.Issuer}
	if err := errors.Join(transcript.Unambiguous(raw), json.Unmarshal(raw, &by.keys)); err != nil || len(by.keys.Keys) == 0 {
		return nil, console.Usage("--issuer-keys %s: no JSON Web Key Set", f.IssuerKeys)
	}
	for _, k := range by.keys.Keys {
		if !k.IsPublic() {
			return nil, console.Usage("--issuer-keys %s: it holds a key that is not public", f.IssuerKeys)
		}
	}
	return by, nil
}

// signatures are the algorithms of tokens. None of them is symmetric, because whoever can check a
// token of that kind can make one.
var signatures = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.ES256, jose.ES384, jose.EdDSA}

// How far the clocks of the author and the issuer may differ, and how long after the run a witness
// may be asked.
const (
	clockSkew   = time.Minute
	witnessSpan = time.Hour
)

// witnessed says who vouches for a sealed report. An error says why the witness is not believed.
func (by *issuer) witnessed(raw, sealed []byte, ended time.Time) (string, error) {
	var w seal.Witness
	if err := transcript.Strictly(raw, &w); err != nil {
		return "", fmt.Errorf("no witness of this version: %w", err)
	}
	statement, err := base64.StdEncoding.DecodeString(w.Statement)
	if err != nil {
		return "", fmt.Errorf("statement: %w", err)
	}
	var p seal.Provenance
	if err := transcript.Strictly(statement, &p); err != nil {
		return "", fmt.Errorf("statement: %w", err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(sealed)); p.SubjectDigest() != want {
		return "", fmt.Errorf("statement: it is about a different sealed report than %.12s…", want)
	}
	token, err := jwt.ParseSigned(w.Token, signatures)
	if err != nil {
		return "", errors.New("token: no ID token with a signature that only its issuer can make")
	}
	var claims jwt.Claims
	if err := token.Claims(by.keys, &claims); err != nil {
		return "", errors.New("token: no key of the issuer has signed it")
	}
	said := claims.IssuedAt.Time()
	switch {
	case claims.Issuer != by.name:
		return "", fmt.Errorf("token: its issuer is %.100q", claims.Issuer)
	case len(claims.Audience) != 1 || claims.Audience[0] != seal.Audience(statement):
		return "", errors.New("token: it is not for this statement")
	case claims.Subject == "":
		return "", errors.New("token: it names no subject")
	case said.Before(ended.Add(-clockSkew)) || said.After(ended.Add(witnessSpan)):
		return "", fmt.Errorf("token: it was issued at %s, and the run ended at %s; want a token of the hour after the run", said.UTC().Format(time.RFC3339), ended.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("%s, by %s", claims.Subject, by.name), nil
}
