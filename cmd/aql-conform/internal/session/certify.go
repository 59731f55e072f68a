package session

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/reports"
)

// certifyFlags ask for a certificate.
type certifyFlags struct {
	Certify string `group:"Verdict" placeholder:"FOLDER" help:"run three times and write a certificate"`
	Key     string `group:"Verdict" placeholder:"FILE" help:"ed25519 private key (PEM) that signs it"`
}

// LeastRuns is how many runs a certificate rests on: what one of them sees broken and
// another does not is flaky.
const LeastRuns = 3

// The files of a certificate.
const (
	CertifiedReport     = "report.json"
	CertifiedTranscript = "transcript.ndjson.gz"
	CertifiedSeal       = "sealed.json"
)

// certifiable refuses what contradicts a certificate: it is of the whole, of several
// runs, and its files have their names.
func (f *CheckFlags) certifiable() error {
	if f.Certify == "" {
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

// prepareCertificate makes the folder and settles what a certificate asks for. A key
// that cannot be used is found now: three runs without a seal would be for nothing.
func (f *CheckFlags) prepareCertificate(hints told) error {
	if f.Certify == "" {
		return nil
	}
	if len(hints.Skip) > 0 {
		return console.Usage("--certify: %s has a skip, and a certificate covers all requirements; use --no-hints or another --hints FILE", hints.file)
	}
	if f.Key != "" {
		if _, err := seal.PrivateKey(f.Key); err != nil {
			return console.Usage("--key %s: %w", f.Key, err)
		}
	}
	for _, name := range []string{CertifiedReport, CertifiedTranscript, CertifiedSeal} {
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
func (f *CheckFlags) certify(c console.Console, r *reports.Report) error {
	at := func(name string) string { return filepath.Join(f.Certify, name) }
	seal := seal.SealFlags{Report: at(CertifiedReport), Transcript: at(CertifiedTranscript), Key: f.Key, Output: at(CertifiedSeal)}
	signed, err := seal.Write()
	if err != nil {
		return fmt.Errorf("--certify: %w", err)
	}
	claim, why := r.Claim()
	verdict := "CERTIFIED  " + claim
	if claim == "" {
		verdict = "NO CLAIM  " + why
	}
	check := []string{"aql-conform", "verify", seal.Output, "--transcript", seal.Transcript}
	if f.Key != "" {
		check = append(check, "--key", "PUBLIC-KEY")
	}
	return console.Tell(c.Stdout, "", verdict, "", "  "+seal.Output+"  "+signed,
		"  whoever doubts it:  "+console.Joined(check))
}
