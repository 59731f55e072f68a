// Package attest verifies, submits and lists what was sealed.
package attest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// VerifyFlags name a sealed report and what it is held against.
type VerifyFlags struct {
	Sealed     string `arg:"" help:"sealed report, written by seal"`
	Transcript string `required:"" placeholder:"FILE" help:"transcript of the sealed run"`
	Selftest   string `placeholder:"FILE" help:"selftest output that was sealed with it"`
	Key        string `placeholder:"FILE" help:"ed25519 public key (PEM) of the signer"`
	Challenge  string `placeholder:"FILE" help:"challenge that the run must answer"`
	Witness    string `placeholder:"FILE" help:"witness file; needs --issuer and --issuer-keys"`
	IssuerFlags
}

// maxDifferences bounds how many differences are named; one is enough to refuse.
const maxDifferences = 20

// Verify holds a sealed report against its signature and against the verdict that
// the transcript gives here and now. It returns 0 when all fits, 1 when something
// does not.
func (f *VerifyFlags) Verify(ctx context.Context, c console.Console) (int, error) {
	by, err := f.witnessing()
	if err != nil {
		return 0, err
	}
	s, signed, err := f.opened()
	var broken *sealError
	if errors.As(err, &broken) {
		return 1, f.refute(c, broken.problem)
	}
	if err != nil {
		return 0, err
	}
	t, err := transcript.ReadTranscript(f.Transcript)
	if err != nil {
		return 0, err
	}
	problems, err := f.compare(ctx, t, s)
	if err != nil {
		return 0, err
	}
	answered, unanswered, err := f.answered(t, s)
	if err != nil {
		return 0, err
	}
	witness, unwitnessed, err := f.vouched(by, t)
	if err != nil {
		return 0, err
	}
	if problems = slices.Concat(problems, unanswered, unwitnessed); len(problems) > 0 {
		return 1, f.refute(c, problems[:min(len(problems), maxDifferences)]...)
	}
	return 0, console.Tell(c.Stdout, "VERIFIED  "+f.Sealed, "", "  signature   "+signed, "  transcript  gives the same verdict with aql-conform "+console.Version(),
		"  selftest    "+f.proven(s), "  challenge   "+answered, "  witness     "+cmp.Or(witness, "none"), "  grade       "+grade(witness, nil), "", seal.Recomputed, seal.OnTrust(witness))
}

// refute says why the sealed report is not believed; names in it are a stranger's.
func (f *VerifyFlags) refute(c console.Console, problems ...string) error {
	lines := []string{"NOT VERIFIED  " + f.Sealed, ""}
	for _, p := range problems {
		lines = append(lines, "  "+p)
	}
	return console.Tell(c.Stdout, lines...)
}

// A sealError says why a seal cannot be believed.
type sealError struct{ problem string }

func (e *sealError) Error() string { return e.problem }

// opened reads the envelope, checks its signature and returns the statement.
func (f *VerifyFlags) opened() (seal.Statement, string, error) {
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return seal.Statement{}, "", console.Usage("sealed report: %w; aql-conform seal writes one", err)
	}
	e, payload, err := enveloped(raw)
	if broken := (*sealError)(nil); err != nil && !errors.As(err, &broken) {
		return seal.Statement{}, "", console.Usage("sealed report %s: %w", f.Sealed, err)
	}
	if err != nil {
		return seal.Statement{}, "", err
	}
	signed, err := f.signed(e, payload)
	if err != nil {
		return seal.Statement{}, "", err
	}
	s, err := statementIn(payload)
	return s, signed, err
}

// enveloped reads an envelope and what it holds; a *sealError says that it holds
// something else than it should, any other error that it is no envelope.
func enveloped(raw []byte) (e seal.Envelope, payload []byte, err error) {
	if e, payload, err = seal.Unwrap(raw); err != nil {
		return e, nil, err
	}
	if e.PayloadType != seal.PayloadType {
		return e, nil, &sealError{fmt.Sprintf("payloadType: want %s, got %q", seal.PayloadType, e.PayloadType)}
	}
	return e, payload, nil
}

// statementIn reads the statement that an envelope holds.
func statementIn(payload []byte) (s seal.Statement, err error) {
	if err := transcript.Strictly(payload, &s); err != nil {
		return s, &sealError{"payload: not a statement of this version: " + err.Error()}
	}
	switch {
	case s.Type != seal.StatementType:
		return s, &sealError{fmt.Sprintf("_type: want %s, got %q", seal.StatementType, s.Type)}
	case s.PredicateType != seal.PredicateType:
		return s, &sealError{fmt.Sprintf("predicateType: want %s, got %q", seal.PredicateType, s.PredicateType)}
	}
	return s, nil
}

// signed says by whom the envelope is signed.
func (f *VerifyFlags) signed(e seal.Envelope, payload []byte) (string, error) {
	switch {
	case len(e.Signatures) == 0 && f.Key == "":
		return "none: the report is unsigned, so its author is unknown", nil
	case len(e.Signatures) == 0:
		return "", &sealError{"signature: none, but --key was given"}
	case f.Key == "":
		return fmt.Sprintf("by key %s, not checked; use --key FILE to check it", seal.Short(e.Signatures)), nil
	}
	key, err := seal.PublicKey(f.Key)
	if err != nil {
		return "", console.Usage("--key %s: %w", f.Key, err)
	}
	id, err := seal.KeyID(key)
	if err != nil {
		return "", err
	}
	for _, s := range e.Signatures {
		sig, err := base64.StdEncoding.DecodeString(s.Sig)
		switch {
		case err != nil || !ed25519.Verify(key, seal.PreAuthentication(e.PayloadType, payload), sig):
		case s.KeyID != "" && s.KeyID != id:
			return "", &sealError{fmt.Sprintf("signature: made by key %.16s…, but the envelope names key %.16s…", id, s.KeyID)}
		default:
			return "by key " + seal.Short([]seal.Signature{{KeyID: id}}), nil
		}
	}
	return "", &sealError{"signature: not made by this key, or the payload was changed after signing"}
}

// compare names everything in which the sealed report departs from what the
// transcript gives.
func (f *VerifyFlags) compare(ctx context.Context, t *transcript.RecordedRun, s seal.Statement) ([]string, error) {
	problems, report, err := departures(ctx, t, s.Predicate.Report)
	if err != nil || report == nil {
		return problems, err
	}
	unproven, err := f.unproven(s, &report.Run.Digests)
	return slices.Concat(problems, statementDepartures(s), unproven), err
}

// departures names everything in which a report departs from what the transcript gives
// here and now, and returns what it gives; nil when the two cannot be compared.
func departures(ctx context.Context, t *transcript.RecordedRun, raw json.RawMessage) ([]string, *reports.Report, error) {
	if err := transcript.Unambiguous(raw); err != nil {
		return []string{"report: " + err.Error()}, nil, nil
	}
	var r seal.Sealable
	if err := json.Unmarshal(raw, &r); err != nil || r.Digests == nil {
		return []string{"report: it has no digests, so it cannot be checked"}, nil, nil
	}
	if r.Digests.Transcript != t.Digest {
		return []string{fmt.Sprintf("transcript: the report belongs to %.12s…, this is %.12s…", r.Digests.Transcript, t.Digest)}, nil, nil
	}
	if judged := r.Digests.Catalogue; judged != catalogue.CatalogueDigest() || t.Head.Catalogue != judged {
		return []string{fmt.Sprintf("catalogue: the report used %.12s…, this version has %.12s…; judge shows what that changes", judged, catalogue.CatalogueDigest())}, nil, nil
	}
	report, err := session.Report(ctx, t, false)
	if err != nil {
		return nil, nil, err
	}
	part, unread := reports.ReadJSON(bytes.NewReader(raw))
	if unread == nil && part.Baseline != nil {
		report.Accept(*part.Baseline) // what was accepted stands in the report, for all to see
		report.Run.Digests.Baseline = r.Digests.Baseline
	}
	var anew bytes.Buffer
	if err := report.WriteJSON(&anew); err != nil {
		return nil, nil, err
	}
	return console.Differences("report", console.Parsed(raw), console.Parsed(anew.Bytes())), report, nil
}

// statementDepartures names everything in which a statement departs from the report that it
// holds: it says the same in the words of others, and must not say more.
func statementDepartures(s seal.Statement) []string {
	var r seal.Sealable
	if err := json.Unmarshal(s.Predicate.Report, &r); err != nil {
		return nil // the comparison of the report has said so
	}
	r.Selftest = s.Selftest()
	want, _ := json.Marshal(seal.Stated(s.Predicate.Report, r))
	got, _ := json.Marshal(s)
	return console.Differences("statement", console.Parsed(got), console.Parsed(want))
}
