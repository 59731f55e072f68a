// Package statement is the form of a sealed report, and says whether one holds.
package statement

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"

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

// A Statement says what was tested and what came of it. The whole report stands in
// the predicate, so that one file is enough to compare.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

type Resource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	Result        string          `json:"result"` // PASSED, WARNED or FAILED
	Configuration []Resource      `json:"configuration"`
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
	for _, c := range []Resource{
		{"introspection", Sum(d.Introspection)}, {"transcript", Sum(d.Transcript)}, {"catalogue", Sum(d.Catalogue)},
		{"hints", Sum(d.Hints)}, {"baseline", Sum(d.Baseline)}, {"checker", Sum(d.Checker)}, {"selftest", Sum(r.Selftest)},
	} {
		if c.Digest["sha256"] != "" {
			p.Configuration = append(p.Configuration, c)
		}
	}
	return Statement{StatementType, []Resource{{r.Adapter, Sum(d.Adapter)}}, PredicateType, p}
}

func Sum(digest string) map[string]string { return map[string]string{"sha256": digest} }

// PreAuthentication is what a DSSE signature covers.
func PreAuthentication(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

var HexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Selftest is the digest of the selftest that the statement names; empty for none.
func (s Statement) Selftest() string {
	for _, c := range s.Predicate.Configuration {
		if c.Name == "selftest" {
			return c.Digest["sha256"]
		}
	}
	return ""
}

// Short names the keys of signatures on a line.
func Short(signatures []Signature) string {
	if len(signatures) == 0 {
		return "none"
	}
	return signatures[0].KeyID[:min(16, len(signatures[0].KeyID))]
}
