package seal

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
)

// ProvenanceType is the type of the predicate by which a witness vouches for a sealed report
// (SLSA provenance, version 1).
const ProvenanceType = "https://slsa.dev/provenance/v1"

// certificateBuild is the type of build that makes a certificate.
const certificateBuild = "https://github.com/aql-conform/aql-conform/certificate/v1"

// A Witness is a statement about a sealed report and the token that vouches for it. The audience of
// the token is the digest of the statement, so the token vouches for nothing else.
type Witness struct {
	Statement string `json:"statement"` // base64
	Token     string `json:"token"`     // an OpenID Connect ID token
}

// A Provenance is the statement: which sealed report it was, and who was asked.
type Provenance struct {
	Type          string               `json:"_type"`
	Subject       []statement.Resource `json:"subject"`
	PredicateType string               `json:"predicateType"`
	Predicate     provenance           `json:"predicate"`
}

type provenance struct {
	BuildDefinition struct {
		BuildType          string            `json:"buildType"`
		ExternalParameters map[string]string `json:"externalParameters"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

// SubjectDigest is the digest of the sealed report that the statement is about; "" if it is about
// anything else.
func (p Provenance) SubjectDigest() string {
	if len(p.Subject) != 1 || p.Type != statement.StatementType || p.PredicateType != ProvenanceType || p.Predicate.BuildDefinition.BuildType != certificateBuild {
		return ""
	}
	return p.Subject[0].Digest["sha256"]
}

// Audience is for which statement a token vouches.
func Audience(statement []byte) string {
	return fmt.Sprintf("aql-conform:sha256:%x", sha256.Sum256(statement))
}

// Bounds of the conversation with a witness.
const (
	witnessTime  = 30 * time.Second
	witnessBytes = 64 << 10
)

// WitnessAddress reads the address of a witness. No error shows it, because it may hold a secret.
func WitnessAddress(address string) (*url.URL, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" {
		return nil, console.Usage("--witness: want an http or https address that gives identity tokens, as $ACTIONS_ID_TOKEN_REQUEST_URL is")
	}
	return at, nil
}

// Attest asks a witness to vouch for a sealed report, and writes down what it gave. A CI job is its
// own witness: the service that runs it gives the token.
func (f *SealFlags) Attest(ctx context.Context, at *url.URL, output string) error {
	sealed := f.Output
	raw, err := os.ReadFile(sealed)
	if err != nil {
		return err
	}
	p := Provenance{Type: statement.StatementType, Subject: []statement.Resource{{Name: filepath.Base(sealed), Digest: statement.Sum(fmt.Sprintf("%x", sha256.Sum256(raw)))}}, PredicateType: ProvenanceType}
	p.Predicate.BuildDefinition.BuildType = certificateBuild
	p.Predicate.BuildDefinition.ExternalParameters = map[string]string{}
	p.Predicate.RunDetails.Builder.ID = (&url.URL{Scheme: at.Scheme, Host: at.Host}).String()
	statement, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("the statement: %w", err)
	}
	token, err := identity(ctx, at, Audience(statement))
	if err != nil {
		return fmt.Errorf("--witness: %w", err)
	}
	text, err := json.MarshalIndent(Witness{base64.StdEncoding.EncodeToString(statement), token}, "", "  ")
	if err != nil {
		return fmt.Errorf("the witness: %w", err)
	}
	return os.WriteFile(output, append(text, '\n'), 0o644)
}

// identity asks for an identity token. No error shows the address. A job of GitHub Actions finds the
// right to ask in its environment; no adapter inherits it.
func identity(ctx context.Context, at *url.URL, audience string) (string, error) {
	asked := *at
	query := asked.Query()
	query.Set("audience", audience)
	asked.RawQuery = query.Encode()
	ctx, stop := context.WithTimeout(ctx, witnessTime)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.String(), nil)
	if err != nil {
		return "", fmt.Errorf("%s cannot be asked", at.Host)
	}
	if right := os.Getenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN"); right != "" {
		request.Header.Set("Authorization", "Bearer "+right)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("%s does not answer", at.Host)
	}
	defer response.Body.Close()
	var given struct {
		Value string `json:"value"`
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, witnessBytes))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: the answer is cut off", at.Host)
	case response.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s answers with status %d; a job of GitHub Actions needs the permission id-token: write", at.Host, response.StatusCode)
	case json.Unmarshal(raw, &given) != nil || given.Value == "":
		return "", fmt.Errorf("%s gives no identity token", at.Host)
	}
	return given.Value, nil
}
