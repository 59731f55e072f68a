package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// bench runs selftest with mutants of one's own.
func bench(t *testing.T, ctx context.Context, m mutation.Matrix, patterns ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	f := attest.SelftestFlags{Run: patterns, Format: "text"}
	code, err := f.Prove(ctx, console.Console{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}, m)
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String()
}

func faultCalled(t *testing.T, name string) seam.Fault {
	t.Helper()
	for _, f := range faults.All() {
		if f.ID+"."+f.Variant == name {
			return f
		}
	}
	t.Fatalf("no fault %s", name)
	return seam.Fault{}
}

// A fault that nothing notices, as when its judge were blunt, and one that another
// requirement accuses, each end the selftest with 1 and their names.
func TestSelftestFails(t *testing.T) {
	portion.InTurn(t)
	fault := faultCalled(t, "AQL-6.2-04.execute-then-mismatch")
	healthy := seal.Mutant(seam.Fault{Variant: "usual features"})
	unnoticed := seal.Mutant(fault)
	unnoticed.Start = healthy.Start
	undeclared := seal.Mutant(faultCalled(t, "AQL-5.1-01.two-truths"))
	undeclared.Also = nil
	for name, c := range map[string]struct {
		m    mutation.Matrix
		want []string
	}{
		"missed":     {mutation.Matrix{Checks: suites.All(), Healthy: []mutation.Mutant{healthy}, Mutants: []mutation.Mutant{unnoticed}}, []string{"NOT PROVEN  0 of 1 fault ", "MISSED   AQL-6.2-04 execute-then-mismatch", "want  accused by AQL-6.2-04, AQL-6.2-06 alone", "got   accused by nothing"}},
		"others":     {mutation.Matrix{Checks: suites.All(), Healthy: []mutation.Mutant{healthy}, Mutants: []mutation.Mutant{undeclared}}, []string{"ACCUSED  AQL-5.1-01 two-truths", "want  accused by AQL-5.1-01 alone", "got   accused by AQL-5.1-01, AQL-5.1-11"}},
		"no control": {mutation.Matrix{Checks: suites.All(), Mutants: []mutation.Mutant{seal.Mutant(fault)}}, []string{"NOT PROVEN  1 of 1"}},
		"gap":        {mutation.Matrix{Checks: suites.All(), Healthy: []mutation.Mutant{healthy}}, []string{"NOT PROVEN  0 of 0", "GAP      AQL-6.2-04", "got   no fault breaks it"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, said := bench(t, t.Context(), c.m, "AQL-6.2-04", "AQL-5.1-01")
			for _, want := range c.want {
				if code != 1 || !strings.Contains(said, want) {
					t.Errorf("exit %d, want %q in\n%s", code, want, said)
				}
			}
		})
	}
}

// Ctrl-C leaves a table that does not pass for a whole one.
func TestSelftestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	m := seal.Matrix()
	begin := m.Mutants[0].Start
	m.Mutants[0].Start = func() (mutation.TestServer, error) { interrupt(); return begin() }
	m.Mutants = m.Mutants[:3]
	m.Healthy = m.Healthy[:1]
	code, said := bench(t, ctx, m, m.Mutants[0].Requirement)
	if code != console.ExitInterrupted || !strings.Contains(said, "INTERRUPTED  0 of 0 faults") || !strings.Contains(strings.Join(strings.Fields(said), " "), ": 0% of what was tried") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// A sealedProof is a run that is sealed with a selftest.
type sealedProof struct {
	sealedRun
	selftest, key string
}

// written puts a table into a file as selftest does it.
func written(t *testing.T, path string, s *reports.Selftest) {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.Bytes())
}

// perfect is the table of a whole selftest without a miss.
func perfect() *reports.Selftest {
	s := seal.Matrix().Expected()
	s.Tool, s.Checker = seal.OwnName(), session.OwnDigest()
	return s
}

func sealedWithProof(t *testing.T) sealedProof {
	t.Helper()
	folder := t.TempDir()
	p := sealedProof{sealedIn(t, folder, "--run", "AQL-4.6-01"), filepath.Join(folder, "selftest.json"), filepath.Join(folder, "key.pem")}
	written(t, p.selftest, perfect())
	if code, said := obeyed("seal", p.report, "--transcript", p.transcript, "--selftest", p.selftest, "-o", p.sealed); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	return p
}

// A seal names the selftest, and verify believes it no more than it can see.
func TestSelftestIsSealed(t *testing.T) {
	portion.InTurn(t)
	p := sealedWithProof(t)
	verify := []string{"verify", p.sealed, "--transcript", p.transcript}
	if code, said := obeyed(append(verify, "--selftest", p.selftest)...); code != 0 || !strings.Contains(said, "selftest    is the one that was sealed") {
		t.Errorf("exit %d\n%s", code, said)
	}
	if code, said := obeyed(verify...); code != 0 || !strings.Contains(said, "is claimed; aql-conform selftest repeats it") {
		t.Errorf("exit %d\n%s", code, said)
	}
	// A statement that is edited and not signed is refuted by what a selftest comes to here.
	digest := perfect().Digest()
	for edit, want := range map[[2]string]string{
		{digest, strings.Repeat("0", 64)}:            "selftest: sealed 000000000000…",
		{digest, "none"}:                             `selftest: sealed "none", which is no digest`,
		{`"name":"selftest"`, `"name":"selfpraise"`}: "statement.predicate.configuration",
		{`{"name":"selftest"`, `{"name":"selftest","digest":{"sha256":"` + digest + `"}},{"name":"selftest"`}: "statement.predicate.configuration",
		{`{"sha256":"` + digest + `"}`, `{"sha512":"1","sha256":"` + digest + `"}`}:                           "statement.predicate.configuration",
	} {
		var e statement.Envelope
		if err := json.Unmarshal([]byte(read(t, p.sealed)), &e); err != nil {
			t.Fatal(err)
		}
		payload, _ := base64.StdEncoding.DecodeString(e.Payload)
		changed := strings.Replace(string(payload), edit[0], edit[1], 1)
		if changed == string(payload) {
			t.Fatalf("%q changes nothing", edit[0])
		}
		e.Payload = base64.StdEncoding.EncodeToString([]byte(changed))
		raw, _ := json.Marshal(e)
		path := filepath.Join(t.TempDir(), "sealed.json")
		write(t, path, raw)
		for _, more := range [][]string{nil, {"--selftest", p.selftest}} {
			code, said := obeyed(append([]string{"verify", path, "--transcript", p.transcript}, more...)...)
			if named := strings.Contains(said, want) || more != nil && strings.Contains(said, "selftest: "); code != 1 || !named {
				t.Errorf("%q: exit %d, want %q in\n%s", edit[1], code, want, said)
			}
		}
	}
}

// What is no proof is neither sealed nor taken for the one that was.
func TestSelftestIsNotBelieved(t *testing.T) {
	portion.Long(t)
	p := sealedWithProof(t)
	for name, c := range map[string]struct {
		edit func(s *reports.Selftest)
		want string
	}{
		"interrupted":       {func(s *reports.Selftest) { s.Interrupted = true }, "it is not complete"},
		"a part":            {func(s *reports.Selftest) { s.Selected = []string{"unknown"} }, "it is not complete"},
		"a miss":            {func(s *reports.Selftest) { s.Proofs[5].Caught = false }, "not every fault was caught"},
		"a gap":             {func(s *reports.Selftest) { s.Gaps = []reports.Gap{{Requirement: "AQL-4.6-01", Why: "x"}} }, "not every fault"},
		"a row less":        {func(s *reports.Selftest) { s.Proofs = append(s.Proofs[:7:7], s.Proofs[8:]...) }, "rows: the fault "},
		"a row changed":     {func(s *reports.Selftest) { s.Proofs[7].Want = []string{"AQL-4.6-01"} }, "rows: they are not those"},
		"another catalogue": {func(s *reports.Selftest) { s.Catalogue = strings.Repeat("0", 64) }, "catalogue: 000000000000…"},
		"another build":     {func(s *reports.Selftest) { s.Checker = strings.Repeat("0", 64) }, "checker: build 000000000000…"},
		"no build":          {func(s *reports.Selftest) { s.Checker = "" }, "checker: build "},
	} {
		table := perfect()
		c.edit(table)
		path := filepath.Join(t.TempDir(), "selftest.json")
		written(t, path, table)
		if code, said := obeyed("seal", p.report, "--transcript", p.transcript, "--selftest", path, "-o", path+".sealed"); code != console.ExitUsage || !strings.Contains(said, c.want) {
			t.Errorf("seal, %s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
		if code, said := obeyed("verify", p.sealed, "--transcript", p.transcript, "--selftest", path); code != 1 || !strings.Contains(said, c.want) {
			t.Errorf("verify, %s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
	}
	// Looked at with all requirements it is as good a proof, and another one.
	m := seal.Matrix()
	m.AllRequirements = true
	table := m.Expected()
	table.Tool, table.Checker = seal.OwnName(), session.OwnDigest()
	path := filepath.Join(t.TempDir(), "whole.json")
	written(t, path, table)
	if code, said := obeyed("verify", p.sealed, "--transcript", p.transcript, "--selftest", path); code != 1 || !strings.Contains(said, "selftest: sealed ") {
		t.Errorf("exit %d\n%s", code, said)
	}
	// A file that was edited by hand is no file to go by.
	write(t, path, []byte(strings.Replace(read(t, p.selftest), `"caught": true`, `"caught": false`, 1)))
	if code, said := obeyed("verify", p.sealed, "--transcript", p.transcript, "--selftest", path); code != console.ExitUsage || !strings.Contains(said, "digest: the file says") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// What ships proves itself, over both transports; the whole takes minutes and is for
// who asks for it.
func TestSelftestOfAreas(t *testing.T) {
	portion.Long(t)
	code, said := bench(t, t.Context(), seal.Matrix(), "warnings", "connection", "relationships")
	// In CI a line of progress stands before the verdict.
	if code != 0 || !strings.Contains("\n"+said, "\nPROVEN IN PART") || strings.Contains(said, " 0 over HTTP") || strings.Contains(said, ": 0 over stdio") {
		t.Errorf("exit %d\n%s", code, said)
	}
}
