package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/reports"
)

// certifyFlags ask for a certificate.
type certifyFlags struct {
	Certify   string `group:"Verdict" placeholder:"FOLDER" help:"run three times and write a certificate"`
	Challenge string `group:"Verdict" placeholder:"FILE" help:"challenge to answer; it sets the seed"`
	Witness   string `group:"Verdict" placeholder:"URL" help:"CI service that vouches for the certificate"`
	Key       string `group:"Verdict" placeholder:"FILE" help:"ed25519 private key (PEM) that signs it"`
}

// LeastRuns is how many runs a certificate rests on: what one of them sees broken and
// another does not is flaky.
const LeastRuns = 3

// The files of a certificate.
const (
	CertifiedReport     = "report.json"
	CertifiedTranscript = "transcript.ndjson.gz"
	CertifiedSeal       = "sealed.json"
	CertifiedWitness    = "witness.json"
)

// certifiable refuses what contradicts a certificate: it is of the whole, of several
// runs, and its files have their names.
func (f *CheckFlags) certifiable() error {
	if f.Certify == "" {
		if f.Witness != "" {
			return console.Usage("--witness vouches for a certificate; add --certify FOLDER")
		}
		if f.Key != "" {
			return console.Usage("--key signs a certificate; add --certify FOLDER, or sign a report with aql-conform seal")
		}
		return nil
	}
	for _, against := range []struct {
		flag, why string
		given     bool
	}{
		{"--run", "a certificate covers all requirements", len(f.Run) > 0},
		{"--skip", "a certificate covers all requirements", len(f.Skip) > 0},
		{"--subject", "a certificate covers all requirements", f.Subject != ""},
		{"--shard", "a certificate covers all requirements", f.Shard != ""},
		{"--dry-run", "a dry run judges nothing", f.DryRun},
		{"--phases", "a certificate needs all generated input", len(f.phases()) < len((&CheckFlags{}).phases())},
		{"--repeat", fmt.Sprintf("a certificate needs %d runs or more", LeastRuns), f.repeats() < LeastRuns},
		{"--transcript", "the certificate folder has it as " + CertifiedTranscript, f.Transcript != ""},
		{"--baseline", "a certificate accepts no known failures", f.Baseline != ""},
	} {
		if against.given {
			return console.Usage("--certify and %s contradict each other: %s; leave one out", against.flag, against.why)
		}
	}
	return nil
}

// challenged reads the challenge that the run answers; nil where there is none.
func (f *CheckFlags) challenged() (*seal.GivenChallenge, error) {
	if f.Challenge == "" {
		return nil, nil
	}
	if f.Seed != nil {
		return nil, console.Usage("--challenge and --seed contradict each other: the challenge sets the seed; leave --seed out")
	}
	if f.Transcript == "" && f.Certify == "" {
		return nil, console.Usage("--challenge is answered by a transcript; add --transcript FILE or --certify FOLDER")
	}
	g, err := seal.ReadChallenge(f.Challenge)
	switch {
	case err != nil:
		return nil, err
	case time.Now().After(g.Expires):
		return nil, console.Usage("--challenge %s: it expired at %s; ask for another", f.Challenge, g.Expires.Format(time.RFC3339))
	}
	return &g, nil
}

// prepareCertificate makes the folder and settles what a certificate asks for. A key
// that cannot be used is found now: three runs without a seal would be for nothing.
func (f *CheckFlags) prepareCertificate(hints told, command []string) error {
	if f.Certify == "" {
		return nil
	}
	if len(command) > 1 && filepath.Base(command[0]) == "go" && command[1] == "run" {
		return console.Usage("--certify records the digest of the adapter's program, and with go run that would be the program go; build the adapter first: go build -o adapter PACKAGE, then --cmd ./adapter")
	}
	if len(hints.Skip) > 0 {
		return console.Usage("--certify: %s has a skip, and a certificate covers all requirements; use --no-hints or another --hints FILE", hints.file)
	}
	if f.Key != "" {
		if _, err := seal.PrivateKey(f.Key); err != nil {
			return console.Usage("--key %s: %w", f.Key, err)
		}
	}
	if f.Witness != "" {
		if _, err := seal.WitnessAddress(f.Witness); err != nil {
			return err
		}
	}
	for _, name := range []string{CertifiedReport, CertifiedTranscript, CertifiedSeal, CertifiedWitness} {
		if _, err := os.Lstat(filepath.Join(f.Certify, name)); err == nil {
			return console.Usage("--certify %s: %s already exists; name another folder", f.Certify, name)
		}
	}
	if err := os.MkdirAll(f.Certify, 0o755); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--certify: %w", err)}
	}
	f.RequireProof = true
	f.Transcript = filepath.Join(f.Certify, CertifiedTranscript)
	f.Report = append(f.Report, "json="+filepath.Join(f.Certify, CertifiedReport))
	return nil
}

// certify seals the report and says what may be claimed, or why nothing may be.
func (f *CheckFlags) certify(ctx context.Context, c console.Console, r *reports.Report) error {
	at := func(name string) string { return filepath.Join(f.Certify, name) }
	sealing := seal.SealFlags{Report: at(CertifiedReport), Transcript: at(CertifiedTranscript), Key: f.Key, Output: at(CertifiedSeal)}
	signed, err := sealing.Write()
	if err != nil {
		return fmt.Errorf("--certify: %w", err)
	}
	witness := ""
	if f.Witness != "" {
		address, err := seal.WitnessAddress(f.Witness)
		if err != nil {
			return err
		}
		witness = at(CertifiedWitness)
		if err := sealing.Attest(ctx, address, witness); err != nil {
			return console.Failure{Code: console.ExitFault, Err: err}
		}
	}
	claim, why := r.Claim()
	verdict := "CERTIFIED  " + claim
	if claim == "" {
		verdict = "NO CLAIM  " + why
	}
	check := []string{"aql-conform", "verify", sealing.Output, "--transcript", sealing.Transcript}
	if f.Key != "" {
		check = append(check, "--key", "PUBLIC-KEY")
	}
	if witness != "" {
		check = append(check, "--witness", witness, "--issuer", "ISSUER", "--issuer-keys", "KEYS")
	}
	lines := []string{"", verdict}
	if claim == "" {
		lines = append(lines, missing(r.OpenMusts())...)
	}
	return console.Tell(c.Stdout, append(lines, "", "  "+sealing.Output+"  "+signed,
		"  to check it:  "+console.Joined(check), "", seal.Recomputed, seal.OnTrust(witness))...)
}

// missing says which MUSTs are not proven, and what would prove each.
func missing(open []reports.OpenMust) []string {
	if len(open) == 0 {
		return nil
	}
	lines := []string{"", "  not proven, and what would prove it:"}
	for _, must := range open {
		lines = append(lines, fmt.Sprintf("  %-14s  %s", must.Requirement, must.By))
		for line := range strings.Lines(must.Add) {
			lines = append(lines, "      "+strings.TrimRight(line, "\n"))
		}
	}
	return lines
}
