package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/aql-conform/aql-conform/reports"
)

// certifyFlags ask for a certificate.
type certifyFlags struct {
	Certify string `group:"Verdict" placeholder:"FOLDER" help:"three runs, all proof; what verify wants there"`
	Key     string `group:"Verdict" placeholder:"FILE" help:"sign it by this ed25519 key"`
}

// leastRuns is how many runs a certificate rests on: what one of them sees broken and
// another does not is flaky.
const leastRuns = 3

// The files of a certificate.
const (
	certifiedReport     = "report.json"
	certifiedTranscript = "transcript.ndjson.gz"
	certifiedSeal       = "sealed.json"
)

// certifiable refuses what contradicts a certificate: it is of the whole, of several
// runs, and its files have their names.
func (f *checkFlags) certifiable() error {
	if f.Certify == "" {
		if f.Key != "" {
			return usage("--key signs a certificate; add --certify FOLDER, or sign a report with aql-conform seal")
		}
		return nil
	}
	for _, against := range []struct {
		flag, why string
		given     bool
	}{
		{"--run", "a part is not certified", len(f.Run) > 0},
		{"--skip", "what is left out is not certified", len(f.Skip) > 0},
		{"--subject", "a part is not certified", f.Subject != ""},
		{"--shard", "a part is not certified", f.Shard != ""},
		{"--dry-run", "it judges nothing", f.DryRun},
		{"--phases", "a certificate rests on all generated input", len(f.phases()) < len((&checkFlags{}).phases())},
		{"--repeat", fmt.Sprintf("a certificate rests on %d runs or more", leastRuns), f.repeats() < leastRuns},
		{"--transcript", "it stands in the folder as " + certifiedTranscript, f.Transcript != ""},
		{"--baseline", "what is accepted is not certified", f.Baseline != ""},
	} {
		if against.given {
			return usage("--certify and %s contradict each other: %s; leave one out", against.flag, against.why)
		}
	}
	return nil
}

// prepareCertificate makes the folder and settles what a certificate asks for. A key
// that cannot be used is found now: three runs without a seal would be for nothing.
func (f *checkFlags) prepareCertificate(hints told) error {
	if f.Certify == "" {
		return nil
	}
	if len(hints.Skip) > 0 {
		return usage("--certify: %s has a skip, and what is left out is not certified; --no-hints or --hints FILE names others", hints.file)
	}
	if f.Key != "" {
		if _, err := privateKey(f.Key); err != nil {
			return usage("--key %s: %w", f.Key, err)
		}
	}
	for _, name := range []string{certifiedReport, certifiedTranscript, certifiedSeal} {
		if _, err := os.Lstat(filepath.Join(f.Certify, name)); err == nil {
			return usage("--certify %s: there is a %s already; name another folder", f.Certify, name)
		}
	}
	if err := os.MkdirAll(f.Certify, 0o755); err != nil {
		return failure{exitFault, fmt.Errorf("--certify: %w", err)}
	}
	f.RequireProof = true
	f.Transcript = filepath.Join(f.Certify, certifiedTranscript)
	f.Report = append(f.Report, "json="+filepath.Join(f.Certify, certifiedReport))
	return nil
}

// certify seals the report and says what may be claimed, or why nothing may be.
func (f *checkFlags) certify(c console, r *reports.Report) error {
	at := func(name string) string { return filepath.Join(f.Certify, name) }
	seal := sealFlags{Report: at(certifiedReport), Transcript: at(certifiedTranscript), Key: f.Key, Output: at(certifiedSeal)}
	signed, err := seal.write()
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
	return tell(c.stdout, "", verdict, "", "  "+seal.Output+"  "+signed,
		"  whoever doubts it:  "+joined(check))
}
