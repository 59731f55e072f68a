package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
)

// certified runs --certify against a reference adapter of which every MUST of its levels
// can be shown, and returns the folder, the exit code and what was said.
func certified(t *testing.T, adapterFlags string, flags ...string) (folder string, code int, said string) {
	t.Helper()
	state := t.TempDir()
	folder = filepath.Join(t.TempDir(), "made", "certificate")
	command := "refadapter --mode all --provable yes --state " + state
	hints := filepath.Join(state, "hints.yaml")
	write(t, hints, []byte(`version: 1
permissions: {allow: [execute], operations: {cancel_exports: deny, create_note: allow, update_note: allow}}
credentials: {operation: get_note, params: {note_id: forbidden_note}}
fault_trigger: {operation: get_note, params: {note_id: broken_note}}
big_response: {operation: get_note, params: {note_id: endless_note}}
launch:
  low_rate: `+command+` --rate 5
  reconfigure: operator `+state+` reconfigure
`))
	args := append([]string{"--cmd", command + strings.ReplaceAll(adapterFlags, "STATE", state), "--seed", "7", "--hints", hints,
		"--max-examples", "1", "--max-time", "1s", "--certify", folder}, flags...)
	code, said = obeyed(args...)
	return folder, code, said
}

// One command leaves all that a stranger needs to come to the same claim.
func TestCertificateVerifies(t *testing.T) {
	expensive(t)
	private, public := filepath.Join(t.TempDir(), "key.pem"), filepath.Join(t.TempDir(), "key.pub")
	keys(t, private, public)
	folder, code, said := certified(t, "", "--key", private)
	const claim = "MCP-AQL Level 2 Conformant (specification 1.0.0-draft; 13 of 14 operations called)" // the hints forbid one
	if code != 0 || !strings.Contains(said, "\nCERTIFIED  "+claim+"\n") || !strings.Contains(said, "signed by key ") {
		t.Fatalf("exit %d\n%.3000s", code, said)
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	if code, said := obeyed("verify", at("sealed.json"), "--transcript", at("transcript.ndjson.gz"), "--key", public); code != 0 {
		t.Errorf("verify: exit %d %s", code, said)
	}
	var report struct {
		Claim                 string
		Certify, RequireProof bool
	}
	if err := json.Unmarshal([]byte(read(t, at("report.json"))), &report); err != nil || report.Claim != claim || !report.Certify || !report.RequireProof {
		t.Errorf("%v %+v", err, report)
	}
	if n := strings.Count(strings.Join(linesOf(t, at("transcript.ndjson.gz")), "\n"), `"entry":{"kind":"again"`); n != session.LeastRuns-1 {
		t.Errorf("the transcript holds %d runs, want %d", n+1, session.LeastRuns)
	}
	// A forger who leaves out the run in which something failed makes another transcript.
	if code, said := obeyed("judge", at("transcript.ndjson.gz"), "--report", "json="+at("judged.json")); code != 0 || read(t, at("judged.json")) != read(t, at("report.json")) {
		t.Errorf("judge: exit %d %.600s", code, said)
	}
}

// What only one run of three saw broken is not certified, and the seal says so too.
func TestFlakyIsNotCertified(t *testing.T) {
	expensive(t)
	folder, code, said := certified(t, " --waver STATE")
	if code != 1 || strings.Contains(said, "CERTIFIED  MCP") || !strings.Contains(said, "NO CLAIM  ") || !strings.Contains(said, "flaky: broken in 1 of 3 runs") {
		t.Errorf("exit %d\n%.3000s", code, said)
	}
	code, said = obeyed("verify", filepath.Join(folder, "sealed.json"), "--transcript", filepath.Join(folder, "transcript.ndjson.gz"))
	if code != 0 || !strings.Contains(said, "unsigned") {
		t.Errorf("verify: exit %d %s", code, said)
	}
}
