// Package attest verifies, submits and lists what was sealed.
package attest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
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
	var broken *statement.Error
	if errors.As(err, &broken) {
		return 1, f.refute(c, broken.Problem)
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

// opened reads the envelope, checks its signature and returns the statement.
func (f *VerifyFlags) opened() (statement.Statement, string, error) {
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return statement.Statement{}, "", console.Usage("sealed report: %w; aql-conform seal writes one", err)
	}
	e, payload, err := statement.Enveloped(raw)
	if broken := (*statement.Error)(nil); err != nil && !errors.As(err, &broken) {
		return statement.Statement{}, "", console.Usage("sealed report %s: %w", f.Sealed, err)
	}
	if err != nil {
		return statement.Statement{}, "", err
	}
	signed, err := f.signed(e, payload)
	if err != nil {
		return statement.Statement{}, "", err
	}
	s, err := statement.In(payload)
	return s, signed, err
}

// signed says by whom the envelope is signed.
func (f *VerifyFlags) signed(e statement.Envelope, payload []byte) (string, error) {
	switch {
	case len(e.Signatures) == 0 && f.Key == "":
		return "none: the report is unsigned, so its author is unknown", nil
	case len(e.Signatures) == 0:
		return "", &statement.Error{Problem: "signature: none, but --key was given"}
	case f.Key == "":
		return fmt.Sprintf("by key %s, not checked; use --key FILE to check it", statement.Short(e.Signatures)), nil
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
		case err != nil || !ed25519.Verify(key, statement.PreAuthentication(e.PayloadType, payload), sig):
		case s.KeyID != "" && s.KeyID != id:
			return "", &statement.Error{Problem: fmt.Sprintf("signature: made by key %.16s…, but the envelope names key %.16s…", id, s.KeyID)}
		default:
			return "by key " + statement.Short([]statement.Signature{{KeyID: id}}), nil
		}
	}
	return "", &statement.Error{Problem: "signature: not made by this key, or the payload was changed after signing"}
}

// compare names everything in which the sealed report departs from what the
// transcript gives.
func (f *VerifyFlags) compare(ctx context.Context, t *transcript.RecordedRun, s statement.Statement) ([]string, error) {
	problems, report, err := judge.Departures(ctx, t, s.Predicate.Report)
	if err != nil || report == nil {
		return problems, err
	}
	unproven, err := f.unproven(s, &report.Run.Digests)
	return slices.Concat(problems, statement.Departures(s), unproven), err
}
