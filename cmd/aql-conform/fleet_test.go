package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// A fleet of strangers has the same outcome, byte for byte, whether it is judged in one go,
// interrupted twice and resumed, or judged in four parts, with errors that pass and others who
// write among them. The fifty of the whole run are the seeds 1 to 50.
func TestFleetIsTheSameInParts(t *testing.T) {
	expensive(t)
	n := 6
	if portion.Whole() {
		n = 50
	}
	folder, strangers := t.TempDir(), built(t, "../../reference-adapter")
	list := "version: 1\nadapters:\n"
	for seed := 1; seed <= n; seed++ {
		document, err := exec.CommandContext(t.Context(), strangers, "--zoo", fmt.Sprint(seed), "--document").Output() // to draw it takes a second
		must(t, err)
		write(t, filepath.Join(folder, fmt.Sprintf("%d.json", seed)), document)
		list += fmt.Sprintf("  - {name: zoo-%d, cmd: %s --description %d.json, run: [AQL-*, INT-*], read_only: true, start_timeout: 2m, timeout: 1m}\n", seed, strangers, seed)
	}
	write(t, filepath.Join(folder, "fleet.yaml"), []byte(list))
	outcome := func(out string) (string, []string) {
		return read(t, filepath.Join(folder, out, "fleet.json")), filesBelow(t, filepath.Join(folder, out))
	}

	fleetOf(t, folder, 0, "--out", "whole")
	want, files := outcome("whole")
	if strings.Contains(want, `"problem"`) || strings.Count(want, `"place"`) != n {
		t.Fatal(want)
	}

	fleetOf(t, folder, n/3, "--out", "resumed")
	fleetOf(t, folder, 2*n/3, "--out", "resumed")
	said := fleetOf(t, folder, 0, "--out", "resumed")
	if fresh := strings.Count(said, ": fresh"); fresh < 2*n/3 || fresh == n {
		t.Errorf("%d of %d were fresh after the second interruption\n%s", fresh, n, said)
	}
	for i := 1; i <= 4; i++ {
		fleetOf(t, folder, 0, "--out", "parts", "--shard", fmt.Sprintf("%d/4", i), "--jobs", "3")
	}
	if said := fleetOf(t, folder, 0, "--out", "parts"); strings.Count(said, ": fresh") != n {
		t.Errorf("the run over all parts judges again\n%s", said)
	}
	for _, out := range []string{"resumed", "parts"} {
		got, there := outcome(out)
		if got != want {
			t.Errorf("%s: another outcome\n%s\nwhole:\n%s", out, got, want)
		}
		if !slices.Equal(there, files) {
			t.Errorf("%s: other files\n%v\nwhole:\n%v", out, there, files)
		}
	}
}

// fleetOf runs a fleet and returns what it says on standard error. It is interrupted when so
// many entries have a result, unless that is 0.
func fleetOf(t *testing.T, folder string, interruptAt int, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aql-conform", append([]string{"fleet", "fleet.yaml"}, args...)...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &said, &said
	must(t, cmd.Start())
	for interruptAt > 0 && ctx.Err() == nil {
		if done, _ := os.ReadDir(filepath.Join(folder, args[1], "fleet")); len(done) >= interruptAt {
			must(t, cmd.Process.Signal(os.Interrupt))
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	code, err := codeOf(cmd.Wait())
	if interrupted := code == 130; err != nil || code == 3 || code == 6 || interrupted != (interruptAt > 0) {
		t.Fatalf("%v: exit code %d (%v)\n%s", args, code, err, said.String())
	}
	return said.String()
}

// filesBelow lists the files below a folder.
func filesBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	must(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	}))
	return names
}
