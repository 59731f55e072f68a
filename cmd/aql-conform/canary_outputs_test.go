package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// attested has a run sealed, submitted, merged and certified, and one killed, and returns all that was
// written, by name.
func attested(t *testing.T, target ...string) map[string]string {
	t.Helper()
	folder, said := t.TempDir(), map[string]string{}
	at := func(name string) string { return filepath.Join(folder, name) }
	do := func(as string, args ...string) {
		began := time.Now()
		_, said[as] = obeyed(args...)
		t.Logf("%s: %s", as, time.Since(began))
	}
	with := func(args ...string) []string { return append(args, target...) }
	do("run", with("--run", "AQL-4.6-01", "--seed", "7", "--transcript", at("run.ndjson"), "--report", "json="+at("report.json"))...)
	do("seal", "seal", at("report.json"), "--transcript", at("run.ndjson"), "-o", at("sealed.json"))
	do("submit", "submit", at("registry"), "--report", at("report.json"), "--transcript", at("run.ndjson"), "--sealed", at("sealed.json"))
	for _, format := range []string{"markdown", "html", "json"} {
		do("registry "+format, "registry", at("registry"), "--format", format, "-o", at("table."+format))
	}
	var report struct{ Digests struct{ Adapter string } }
	must(t, json.Unmarshal([]byte(read(t, at("report.json"))), &report))
	do("challenge", "challenge", report.Digests.Adapter, "-o", at("challenge.json"))
	do("challenged", with("--run", "AQL-4.6-01", "--challenge", at("challenge.json"), "--transcript", at("challenged.ndjson"))...)
	do("first shard", with("--run", "AQL-4.*", "--phases", "none", "--seed", "7", "--shard", "1/2", "--report", "json="+at("first.json"))...)
	do("second shard", with("--run", "AQL-4.*", "--phases", "none", "--seed", "7", "--shard", "2/2", "--report", "json="+at("second.json"))...)
	do("merge", "merge", at("first.json"), at("second.json"), "-v", "--report", "json="+at("merged.json"), "--report", "html="+at("merged.html"))
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+givenText("--witness, the right") || r.URL.Query().Get("job") != givenText("--witness, the query") {
			t.Error("the witness is not asked with its query and the right")
		}
		_, _ = w.Write([]byte(`{"value":"e30.e30.AA"}`))
	}))
	defer service.Close()
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", givenText("--witness, the right"))
	do("certify", with("--certify", at("certificate"), "--max-time", "1s", "--max-examples", "1", "--max-wait", "1s", "--witness", service.URL+"/?job="+givenText("--witness, the query"))...)
	killed(t, do, target, at)
	for as, want := range map[string]string{ // what ends before its time shows nothing
		"registry markdown": "1.0.0-draft", "challenge": "challenge.json: seed ", "merge": "NOT ", "certify": "NO CLAIM", "cleanup": "in the ledger",
	} {
		if text := said[as]; !strings.Contains(text, want) && !(as == "registry markdown" && strings.Contains(read(t, at("table.markdown")), want)) {
			t.Errorf("%s: want %q in %.600s", as, want, text)
		}
	}
	const least = 20
	withFiles(t, said, folder, least)
	return said
}

// killed kills a run that has written for a while, and cleans up after it. What lies on disk then
// was never revised.
func killed(t *testing.T, do func(as string, args ...string), target []string, at func(string) string) {
	t.Helper()
	must(t, os.MkdirAll(at("killed/tmp"), 0o700))
	ledger, cleaned := at("killed/ledger"), slices.Clone(target)
	if i := slices.Index(target, "--ledger"); i >= 0 {
		ledger, cleaned = target[i+1], slices.Delete(cleaned, i, i+2)
	} else {
		target = append(slices.Clone(target), "--ledger", ledger)
	}
	cmd := exec.CommandContext(t.Context(), "aql-conform", append([]string{"-v", "--trace", "--seed", "7", "--transcript", at("killed/run.ndjson"), "--report", "ndjson=" + at("killed/report.ndjson")}, target...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+at("killed/tmp"))
	said, err := os.Create(at("killed/said"))
	must(t, err)
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	must(t, cmd.Start())
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(10 * time.Millisecond) {
		written, _ := os.ReadFile(ledger)
		if info, err := os.Stat(at("killed/run.ndjson")); len(written) > 0 && err == nil && info.Size() > 1<<20 {
			break
		}
	}
	must(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the run has ended before: %v", err)
	}
	if info, err := os.Stat(at("killed/run.ndjson")); err != nil || info.Size() < 1<<10 {
		t.Errorf("nothing lies on disk: %v", err)
	}
	if raw, err := os.ReadFile(ledger); err == nil {
		write(t, at("killed/ledger.copy"), raw)
	}
	do("cleanup", append([]string{"cleanup", ledger}, cleaned...)...)
}

// withFiles adds all files of a folder, unpacked, by name.
func withFiles(t *testing.T, said map[string]string, folder string, least int) {
	t.Helper()
	files := 0
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(folder, path)
			said[name], files = unpacked(t, path), files+1
		}
		return err
	}))
	if files < least {
		t.Fatalf("%d files are written", files)
	}
}
