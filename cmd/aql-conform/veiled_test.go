package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
)

var (
	ownLaunch   = regexp.MustCompile(`(?m)^ +(restart|low_rate): .*\n`)
	ownOperator = regexp.MustCompile(`go run ./reference-adapter operator ([\w-]+)`)
)

// besides has the author's commands ask the person beside this adapter.
func (v *vault) besides(t *testing.T, hints []byte) {
	t.Helper()
	text := ownLaunch.ReplaceAllString(string(hints), "")
	write(t, v.hints, []byte(ownOperator.ReplaceAllString(text, "operator "+filepath.Dir(v.hints)+" $1 "+v.notes)))
}

// What an adapter does wrong with its secrets is found under a veil as without: whoever
// judges the transcript gets the report of the run, to the byte. Codes that anybody can
// work out are no secret, and the report says that they stand there.
// (AQL_CONFORM_WHOLE=1: so for all faults of optional features.)
func TestVeilChangesNoVerdict(t *testing.T) {
	portion.Long(t)
	open := map[string]bool{"AQL-8.8.2-04.code-from-challenge-id": true, "AQL-8.8.2-04.code-from-clock": true}
	tried := 0
	for _, f := range faults.All() {
		name := f.ID + "." + f.Variant
		if f.Features == "" || f.Phase != "" || f.Mode != "" || f.Transport == "stdio" || !open[name] && os.Getenv("AQL_CONFORM_WHOLE") == "" {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			v, folder := newVault(t, name), t.TempDir()
			v.besides(t, f.HintsFile())
			at := func(name string) string { return filepath.Join(folder, name) }
			code, said := obeyed("--url", v.url, "--hints", v.hints, "--allow", "create,update,delete,execute", "--seed", "7", "--phases", "none",
				"--run", f.ID, "--transcript", at("run.ndjson"), "--report", "json="+at("report.json"))
			if code >= console.ExitUsage && code != 5 {
				t.Fatalf("the run ended with %d: %s", code, said)
			}
			if _, judged := obeyed("judge", at("run.ndjson"), "--report", "json="+at("judged.json")); strings.Contains(judged, "the run itself came to") {
				t.Errorf("judged: %s", judged)
			}
			if read(t, at("report.json")) != read(t, at("judged.json")) {
				t.Error("whoever judges the transcript gets another report")
			}
			if stays := strings.Contains(said, "are in the transcript unmasked"); stays != open[name] {
				t.Errorf("codes stay: %v\n%s", stays, said)
			}
			if open[name] && code != 1 {
				t.Errorf("the run ended with %d: %s", code, said)
			}
		})
	}
	if tried < len(open) {
		t.Errorf("%d faults were tried", tried)
	}
}
