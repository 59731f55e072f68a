package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine that shares nothing with the one of the run comes to the same verdict: this
// program built for another system and another processor, in a sandbox that holds the
// three files of the certificate and knows neither processes nor network.
func TestAnotherMachineComesToTheSameVerdict(t *testing.T) {
	if os.Getenv("AQL_CONFORM_WASM") == "" {
		t.Skip("building for WebAssembly takes a minute of a processor: AQL_CONFORM_WASM=1 has it done, and .ci/run does")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node here to run WebAssembly with; with Node 20 this is tried")
	}
	program := filepath.Join(t.TempDir(), "aql-conform.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	here, there := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(here, name) }
	keys(t, at("key.pem"), at("key.pub"))
	url, _ := serveUntil(t, "AQL-4.6-01.unknown-params-dropped", 0)
	if code, said := obeyed("--url", url, "--allow", "create,update,delete", "--no-hints", "--seed", "7", "--phases", "none", "--run", "AQL-4.*",
		"--transcript", at("run.ndjson.gz"), "--report", "json="+at("report.json")); code != 1 {
		t.Fatalf("the run ended with %d: %s", code, said)
	}
	if code, said := obeyed("seal", at("report.json"), "--transcript", at("run.ndjson.gz"), "--key", at("key.pem"), "-o", at("sealed.json")); code != 0 {
		t.Fatalf("not sealed: %s", said)
	}
	for _, name := range []string{"sealed.json", "run.ndjson.gz", "key.pub"} {
		write(t, filepath.Join(there, name), []byte(read(t, at(name))))
	}
	elsewhere := func(want int, args ...string) string {
		t.Helper()
		// Calls by the short way read memory that has moved where it has grown: Node ends
		// with a segmentation fault.
		run := exec.Command(node, append([]string{"--no-warnings", "--no-turbo-fast-api-calls", "testdata/wasi/start.mjs", program, there}, args...)...)
		out, err := run.CombinedOutput()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) || run.ProcessState.ExitCode() != want {
			t.Fatalf("%s ended with %v, want %d: %s", args[0], err, want, out)
		}
		return string(out)
	}
	if said := elsewhere(0, "verify", "sealed.json", "--transcript", "run.ndjson.gz", "--key", "key.pub"); !strings.HasPrefix(said, "VERIFIED") {
		t.Errorf("elsewhere: %s", said)
	}
	elsewhere(1, "judge", "run.ndjson.gz", "--report", "json=report.json")
	if read(t, filepath.Join(there, "report.json")) != read(t, at("report.json")) {
		t.Error("elsewhere it is another report")
	}
	if said := elsewhere(4, "--cmd", "./adapter", "--no-hints"); !strings.Contains(said, "not implemented on wasip1") && !strings.Contains(said, "Not implemented on wasip1") {
		t.Errorf("an adapter is started there: %s", said)
	}
}
