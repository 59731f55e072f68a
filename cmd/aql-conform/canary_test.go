package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
)

// The canaries: one for each way in which a secret comes to a run. They hold what the
// codings write differently.
const (
	givenCanary     = `gvn-5f/1e+"<8>&é%`  // -e
	inheritedCanary = `inh-77/ab+"<1>&ü%`  // the checker's own environment
	sampleCanary    = `smp-c3/9d+"<4>&ö%`  // a hint for a parameter that is sensitive
	takenCanary     = `tkn-0b/2a+"<7>&ä%`  // a hint that is taken from the environment
	bearerCanary    = `brr-61/ff+"<5>&"%`  // a header with a scheme
	headerCanary    = `hdr-12/e0+"<2>&"%z` // a header without
	printedCanary   = `prt-4d/b8+"<6>&"%y` // a token that a command prints
)

// No secret stands in anything that is written, whatever an adapter makes of it.
func TestNoSecretIsWritten(t *testing.T) {
	expensive(t)
	folder := t.TempDir()
	t.Setenv("INHERITED_SECRET", inheritedCanary)
	t.Setenv("SIGN_IN_TOKEN", takenCanary)
	hints := filepath.Join(folder, "hints.yaml")
	write(t, hints, []byte("version: 1\npermissions: {allow: [execute]}\nsamples:\n  execute_export: {password: ['"+sampleCanary+"', '${SIGN_IN_TOKEN}']}\n"))
	started := []string{"--cmd", "heldadapter echo GIVEN", "-e", "GIVEN=" + givenCanary, "--hints", hints}
	printed := []string{"--url", echoingServer(t), "--token-cmd", printing(t, printedCanary), "--no-hints"}
	reached := []string{"--url", echoingServer(t), "--header", "Authorization: Bearer " + bearerCanary, "--header", "X-Pass: " + headerCanary, "--no-hints"}
	for name, target := range map[string][]string{"started": started, "reached": reached, "reached with a token command": printed} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			at := func(name string) string { return filepath.Join(folder, name) }
			said := map[string]string{}
			do := func(as string, args ...string) {
				_, said[as] = obeyed(args...)
			}
			every := []string{"-v", "--seed", "7", "--phases", "negative", "--max-time", "2s", "--transcript", at("run.ndjson")}
			for _, format := range reports.Formats() {
				every = append(every, "--report", format+"="+at("report."+format))
			}
			do("run", append(every, target...)...)
			do("packed run", append([]string{"--repeat", "2", "--run", "AQL-4.6-01", "--transcript", at("run.ndjson.gz")}, target...)...)
			do("judge", "judge", "-v", at("run.ndjson"), "--report", "json="+at("judged.json"))
			do("seal", "seal", at("report.json"), "--transcript", at("run.ndjson"), "-o", at("sealed.json"))
			do("verify", "verify", at("sealed.json"), "--transcript", at("run.ndjson"))
			do("dry run", append([]string{"--dry-run"}, target...)...)
			do("init", append([]string{"init", "-o", at("drafted.yaml")}, target[:4]...)...)
			do("no adapter", append([]string{"--timeout", "1ns", "--report", "json=" + at("nothing.json")}, target...)...)
			if !strings.Contains(said["verify"], "VERIFIED") || strings.Contains(said["verify"], "NOT VERIFIED") {
				t.Errorf("what was masked does not verify: %s", said["verify"])
			}
			files, err := os.ReadDir(folder)
			if err != nil || len(files) < len(reports.Formats())+5 {
				t.Fatalf("%d files are written: %v", len(files), err)
			}
			for _, f := range files {
				said[f.Name()] = unpacked(t, at(f.Name()))
			}
			for where, text := range said {
				leaks(t, where, text)
			}
			if !strings.Contains(said["run.ndjson"], "[masked]") {
				t.Error("the adapter told nothing that had to be masked")
			}
		})
	}
}

// unpacked returns a file, and what is packed in it: gzip, the payload of an envelope,
// replays.
func unpacked(t *testing.T, path string) string {
	t.Helper()
	raw := []byte(read(t, path))
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	text := string(raw)
	if payload := regexp.MustCompile(`"payload": "([^"]+)"`).FindStringSubmatch(text); payload != nil {
		inner, err := base64.StdEncoding.DecodeString(payload[1])
		if err != nil {
			t.Fatal(err)
		}
		text += string(inner)
	}
	for _, packed := range judge.ReplayText.FindAllString(text, -1) {
		if r, err := generated.ParseReplay(packed); err == nil && r.Script != nil {
			for _, step := range r.Script.Steps {
				raw, err := json.Marshal(step)
				if err != nil {
					t.Fatal(err)
				}
				text += string(raw)
			}
		}
	}
	return text
}

// leaks looks for every canary in every writing that is told apart from chance.
func leaks(t *testing.T, where, text string) {
	t.Helper()
	for _, canary := range []string{givenCanary, inheritedCanary, sampleCanary, takenCanary, bearerCanary, headerCanary, printedCanary} {
		for _, form := range wire.Forms(canary) {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s holds %q: …%.200q…", where, form, text[max(0, i-60):min(len(text), i+120)])
				break
			}
		}
	}
}
