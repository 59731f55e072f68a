package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// verifyFlags name a sealed report and what it is held against.
type verifyFlags struct {
	Sealed     string `arg:"" help:"what seal wrote"`
	Transcript string `required:"" placeholder:"FILE" help:"the transcript that the report claims to rest on"`
	Selftest   string `placeholder:"FILE" help:"the selftest that it claims was passed"`
	Key        string `placeholder:"FILE" help:"ed25519 public key of who sealed it, PEM"`
}

// maxDifferences bounds how many differences are named; one is enough to refuse.
const maxDifferences = 20

// verify holds a sealed report against its signature and against the verdict that
// the transcript gives here and now. It returns 0 when all fits, 1 when something
// does not.
func (f *verifyFlags) verify(ctx context.Context, c console) (int, error) {
	s, signed, err := f.opened()
	var broken *sealError
	if errors.As(err, &broken) {
		return 1, f.refute(c, broken.problem)
	}
	if err != nil {
		return 0, err
	}
	problems, err := f.compare(ctx, s)
	if err != nil {
		return 0, err
	}
	if len(problems) > 0 {
		return 1, f.refute(c, problems[:min(len(problems), maxDifferences)]...)
	}
	return 0, tell(c.stdout, "VERIFIED  "+f.Sealed, "", "  signature   "+signed, "  transcript  gives the same verdict here, with aql-conform "+version(), "  selftest    "+f.proven(s))
}

// refute says why the sealed report is not believed; names in it are a stranger's.
func (f *verifyFlags) refute(c console, problems ...string) error {
	lines := []string{"NOT VERIFIED  " + f.Sealed, ""}
	for _, p := range problems {
		lines = append(lines, "  "+p)
	}
	return tell(c.stdout, lines...)
}

// A sealError says why a seal cannot be believed.
type sealError struct{ problem string }

func (e *sealError) Error() string { return e.problem }

// opened reads the envelope, checks its signature and returns the statement.
func (f *verifyFlags) opened() (statement, string, error) {
	raw, err := os.ReadFile(f.Sealed)
	if err != nil {
		return statement{}, "", usage("sealed report: %w; aql-conform seal makes one", err)
	}
	e, payload, err := enveloped(raw)
	if broken := (*sealError)(nil); err != nil && !errors.As(err, &broken) {
		return statement{}, "", usage("sealed report %s: %w", f.Sealed, err)
	}
	if err != nil {
		return statement{}, "", err
	}
	signed, err := f.signed(e, payload)
	if err != nil {
		return statement{}, "", err
	}
	s, err := statementIn(payload)
	return s, signed, err
}

// enveloped reads an envelope and what it holds; a *sealError says that it holds
// something else than it should, any other error that it is no envelope.
func enveloped(raw []byte) (e envelope, payload []byte, err error) {
	if err := strictly(raw, &e); err != nil {
		return e, nil, fmt.Errorf("no DSSE envelope: %w", err)
	}
	if payload, err = base64.StdEncoding.DecodeString(e.Payload); err != nil {
		return e, nil, fmt.Errorf("payload: %w", err)
	}
	if e.PayloadType != payloadType {
		return e, nil, &sealError{fmt.Sprintf("payloadType: want %s, got %q", payloadType, e.PayloadType)}
	}
	return e, payload, nil
}

// statementIn reads the statement that an envelope holds.
func statementIn(payload []byte) (s statement, err error) {
	if err := strictly(payload, &s); err != nil {
		return s, &sealError{"payload: no statement of this version: " + err.Error()}
	}
	switch {
	case s.Type != statementType:
		return s, &sealError{fmt.Sprintf("_type: want %s, got %q", statementType, s.Type)}
	case s.PredicateType != predicateType:
		return s, &sealError{fmt.Sprintf("predicateType: want %s, got %q", predicateType, s.PredicateType)}
	}
	return s, nil
}

// signed says by whom the envelope is signed.
func (f *verifyFlags) signed(e envelope, payload []byte) (string, error) {
	switch {
	case len(e.Signatures) == 0 && f.Key == "":
		return "none: the report is unsigned, anybody can have made it", nil
	case len(e.Signatures) == 0:
		return "", &sealError{"signature: none, and --key asks for one"}
	case f.Key == "":
		return fmt.Sprintf("by key %s, not checked: --key FILE checks it", short(e.Signatures)), nil
	}
	key, err := publicKey(f.Key)
	if err != nil {
		return "", usage("--key %s: %w", f.Key, err)
	}
	id, err := keyID(key)
	if err != nil {
		return "", err
	}
	for _, s := range e.Signatures {
		sig, err := base64.StdEncoding.DecodeString(s.Sig)
		switch {
		case err != nil || !ed25519.Verify(key, preAuthentication(e.PayloadType, payload), sig):
		case s.KeyID != "" && s.KeyID != id:
			return "", &sealError{fmt.Sprintf("signature: it is that of key %.16s…, and the envelope names key %.16s…", id, s.KeyID)}
		default:
			return "by key " + short([]signature{{KeyID: id}}), nil
		}
	}
	return "", &sealError{"signature: it is not that of the key, or the payload was changed after it was signed"}
}

// compare names everything in which the sealed report departs from what the
// transcript gives.
func (f *verifyFlags) compare(ctx context.Context, s statement) ([]string, error) {
	t, err := readTranscript(f.Transcript)
	if err != nil {
		return nil, err
	}
	problems, report, err := t.departures(ctx, s.Predicate.Report)
	if err != nil || report == nil {
		return problems, err
	}
	unproven, err := f.unproven(s, &report.Run.Digests)
	return slices.Concat(problems, s.departures(), unproven), err
}

// departures names everything in which a report departs from what the transcript gives
// here and now, and returns what it gives; nil when the two cannot be compared.
func (t *recordedRun) departures(ctx context.Context, raw json.RawMessage) ([]string, *reports.Report, error) {
	var r sealable
	if err := json.Unmarshal(raw, &r); err != nil || r.Digests == nil {
		return []string{"report: it has no digests, so that it rests on nothing"}, nil, nil
	}
	if r.Digests.Transcript != t.digest {
		return []string{fmt.Sprintf("transcript: the report rests on %.12s…, this is %.12s…", r.Digests.Transcript, t.digest)}, nil, nil
	}
	if judged := r.Digests.Catalogue; judged != catalogue.CatalogueDigest() || t.head.Catalogue != judged {
		return []string{fmt.Sprintf("catalogue: judged by %.12s…, this program judges by %.12s…; judge says what that changes", judged, catalogue.CatalogueDigest())}, nil, nil
	}
	report, err := t.report(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	if part, err := reports.ReadJSON(bytes.NewReader(raw)); err == nil && part.Baseline != nil {
		report.Accept(*part.Baseline) // what was accepted stands in the report, for all to see
		report.Run.Digests.Baseline = r.Digests.Baseline
	}
	var anew bytes.Buffer
	if err := report.WriteJSON(&anew); err != nil {
		return nil, nil, err
	}
	return differences("report", parsed(raw), parsed(anew.Bytes())), report, nil
}

// departures names everything in which a statement departs from the report that it
// holds: it says the same in the words of others, and must not say more.
func (s statement) departures() []string {
	var r sealable
	if err := json.Unmarshal(s.Predicate.Report, &r); err != nil {
		return nil // the comparison of the report has said so
	}
	r.selftest = s.selftest()
	want, _ := json.Marshal(stated(s.Predicate.Report, r))
	got, _ := json.Marshal(s)
	return differences("statement", parsed(got), parsed(want))
}
