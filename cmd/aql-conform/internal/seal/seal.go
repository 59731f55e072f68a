// Package seal signs reports and proofs.
package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
)

// The forms a sealed report has: an in-toto statement about a test result, in a
// DSSE envelope.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://in-toto.io/attestation/test-result/v0.1"
	PayloadType   = "application/vnd.in-toto+json"
)

// SealFlags name what is sealed and by whose key.
type SealFlags struct {
	Report     string `arg:"" help:"JSON report, written by check or judge"`
	Transcript string `required:"" placeholder:"FILE" help:"transcript of the same run"`
	Selftest   string `placeholder:"FILE" help:"output of selftest --format json, from the same\nbuild of aql-conform"`
	Key        string `placeholder:"FILE" help:"ed25519 private key (PEM); without it the seal is\nunsigned"`
	Output     string `short:"o" default:"sealed.json" placeholder:"FILE" help:"file to write (sealed.json)"`
}

// An Envelope is a DSSE envelope.
type Envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"` // base64
	Signatures  []Signature `json:"signatures"`
}

type Signature struct {
	KeyID string `json:"keyid"` // sha256 of the public key as DER
	Sig   string `json:"sig"`   // base64
}

// Recomputed says what whoever verifies a sealed report has found out, and nobody has to believe.
const Recomputed = "Recomputed by verify: every verdict, from the answers in the transcript."

// OnTrust says what nobody can find out from a transcript.
func OnTrust(witness string) string {
	if witness != "" {
		return "Taken on trust: that the adapter gave these answers. The witness vouches that it had the sealed report when the run ended. It does not vouch for what ran."
	}
	return "Taken on trust: that the adapter gave these answers. The transcript is the author's own record, made on the author's own machine."
}

// A Statement says what was tested and what came of it. The whole report stands in
// the predicate, so that one file is enough to compare.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

type resource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	Result        string          `json:"result"` // PASSED, WARNED or FAILED
	Configuration []resource      `json:"configuration"`
	PassedTests   []string        `json:"passedTests"`
	WarnedTests   []string        `json:"warnedTests"`
	FailedTests   []string        `json:"failedTests"`
	Report        json.RawMessage `json:"report"`
}

// A Sealable is what a seal needs of a report.
type Sealable struct {
	Adapter        string           `json:"adapter"`
	Implementation string           `json:"implementation"`
	ExitCode       int              `json:"exitCode"`
	Rechecked      []string         `json:"rechecked"`
	Digests        *reports.Digests `json:"digests"`
	Baseline       *struct {
		Known int `json:"known"`
	} `json:"baseline"`
	Findings []struct {
		Requirement, Verdict string
	} `json:"findings"`
	Selftest string // digest of the selftest that is sealed with it; empty for none
}

// Seal wraps a report so that nobody can change it unseen.
func (f *SealFlags) Seal(c console.Console) error {
	signed, err := f.Write()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: %s\n", f.Output, signed)
	return err
}

// Write writes the sealed report and returns by whom it is signed.
func (f *SealFlags) Write() (signed string, err error) {
	t, err := transcript.ReadTranscript(f.Transcript)
	if err != nil {
		return "", err
	}
	raw, r, err := readReport(f.Report)
	if err != nil {
		return "", err
	}
	if r.Digests.Transcript != t.Digest {
		return "", console.Usage("seal: the report %s and the transcript %s belong to different runs; name two files of one run", f.Report, f.Transcript)
	}
	if r.Selftest, err = f.proof(r.Digests); err != nil {
		return "", err
	}
	payload, err := json.Marshal(Stated(raw, r))
	if err != nil {
		return "", fmt.Errorf("the statement: %w", err)
	}
	return wrap(PayloadType, payload, f.Key, f.Output)
}

// wrap writes an envelope around what is sealed, and says by whom it is signed. Without the file of
// a key it is unsigned.
func wrap(kind string, payload []byte, keyFile, output string) (signed string, err error) {
	e := Envelope{kind, base64.StdEncoding.EncodeToString(payload), []Signature{}}
	if keyFile != "" {
		key, err := PrivateKey(keyFile)
		if err != nil {
			return "", console.Usage("--key %s: %w", keyFile, err)
		}
		id, err := KeyID(key.Public().(ed25519.PublicKey))
		if err != nil {
			return "", err
		}
		sig := ed25519.Sign(key, PreAuthentication(kind, payload))
		e.Signatures = append(e.Signatures, Signature{id, base64.StdEncoding.EncodeToString(sig)})
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return "", fmt.Errorf("the envelope: %w", err)
	}
	if err := os.WriteFile(output, append(text, '\n'), 0o644); err != nil {
		return "", console.Failure{Code: console.ExitFault, Err: fmt.Errorf("-o: %w", err)}
	}
	if len(e.Signatures) == 0 {
		return "unsigned: anyone who edits it can seal it again", nil
	}
	return "signed by key " + Short(e.Signatures), nil
}

// Unwrap reads an envelope and what it holds, of whatever type that is.
func Unwrap(raw []byte) (e Envelope, payload []byte, err error) {
	if err := transcript.Strictly(raw, &e); err != nil {
		return e, nil, fmt.Errorf("not a DSSE envelope: %w", err)
	}
	if payload, err = base64.StdEncoding.DecodeString(e.Payload); err != nil {
		return e, nil, fmt.Errorf("payload: %w", err)
	}
	return e, payload, nil
}

// readReport reads a JSON report and what a seal needs of it.
func readReport(path string) ([]byte, Sealable, error) {
	var r Sealable
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, r, console.Usage("report: %w; a run with --report json=FILE writes one", err)
	}
	if err := transcript.Unambiguous(raw); err != nil {
		return nil, r, console.Usage("report %s: %w", path, err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, r, console.Usage("report %s: %w", path, err)
	}
	if r.Digests == nil || r.Digests.Transcript == "" {
		return nil, r, console.Usage("report %s: it names no transcript; run with --transcript FILE and --report json=FILE", path)
	}
	return raw, r, nil
}

// Stated makes the statement about a report.
func Stated(raw []byte, r Sealable) Statement {
	worst := map[string]string{}
	var order []string
	rank := map[string]int{"FAIL": 3, "WARN": 2, "PASS": 1}
	for _, f := range r.Findings {
		if _, seen := worst[f.Requirement]; !seen {
			order = append(order, f.Requirement)
		}
		if rank[f.Verdict] > rank[worst[f.Requirement]] || worst[f.Requirement] == "" {
			worst[f.Requirement] = f.Verdict
		}
	}
	p := predicate{Result: "PASSED", PassedTests: []string{}, WarnedTests: []string{}, FailedTests: []string{}, Report: raw}
	for _, id := range order {
		switch worst[id] {
		case "PASS":
			p.PassedTests = append(p.PassedTests, id)
		case "WARN":
			p.WarnedTests = append(p.WarnedTests, id)
		case "FAIL":
			p.FailedTests = append(p.FailedTests, id)
		}
	}
	switch {
	case r.ExitCode != 0 && r.ExitCode != 2, len(r.Rechecked) > 0, r.Baseline != nil && r.Baseline.Known > 0: // what is known has failed
		p.Result = "FAILED"
	case len(p.WarnedTests) > 0:
		p.Result = "WARNED"
	}
	d := r.Digests
	for _, c := range []resource{
		{"introspection", sum(d.Introspection)}, {"transcript", sum(d.Transcript)}, {"catalogue", sum(d.Catalogue)},
		{"hints", sum(d.Hints)}, {"baseline", sum(d.Baseline)}, {"checker", sum(d.Checker)}, {"selftest", sum(r.Selftest)},
	} {
		if c.Digest["sha256"] != "" {
			p.Configuration = append(p.Configuration, c)
		}
	}
	return Statement{StatementType, []resource{{r.Adapter, sum(d.Adapter)}}, PredicateType, p}
}

func sum(digest string) map[string]string { return map[string]string{"sha256": digest} }

// PreAuthentication is what a DSSE signature covers.
func PreAuthentication(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}
