// Package seal signs reports and proofs.
package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// SealFlags name what is sealed and by whose key.
type SealFlags struct {
	Report     string `arg:"" help:"JSON report, written by check or judge"`
	Transcript string `required:"" placeholder:"FILE" help:"transcript of the same run"`
	Selftest   string `placeholder:"FILE" help:"output of selftest --format json, from the same\nbuild of aql-conform"`
	Key        string `placeholder:"FILE" help:"ed25519 private key (PEM); without it the seal is\nunsigned"`
	Output     string `short:"o" default:"sealed.json" placeholder:"FILE" help:"file to write (sealed.json)"`
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
	payload, err := json.Marshal(statement.Stated(raw, r))
	if err != nil {
		return "", fmt.Errorf("the statement: %w", err)
	}
	return wrap(statement.PayloadType, payload, f.Key, f.Output)
}

// wrap writes an envelope around what is sealed, and says by whom it is signed. Without the file of
// a key it is unsigned.
func wrap(kind string, payload []byte, keyFile, output string) (signed string, err error) {
	e := statement.Envelope{PayloadType: kind, Payload: base64.StdEncoding.EncodeToString(payload), Signatures: []statement.Signature{}}
	if keyFile != "" {
		key, err := PrivateKey(keyFile)
		if err != nil {
			return "", console.Usage("--key %s: %w", keyFile, err)
		}
		id, err := KeyID(key.Public().(ed25519.PublicKey))
		if err != nil {
			return "", err
		}
		sig := ed25519.Sign(key, statement.PreAuthentication(kind, payload))
		e.Signatures = append(e.Signatures, statement.Signature{KeyID: id, Sig: base64.StdEncoding.EncodeToString(sig)})
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
	return "signed by key " + statement.Short(e.Signatures), nil
}

// readReport reads a JSON report and what a seal needs of it.
func readReport(path string) ([]byte, statement.Sealable, error) {
	var r statement.Sealable
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
