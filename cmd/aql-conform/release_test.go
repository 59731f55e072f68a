package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// released runs the release script with a build cache of its own, which knows nothing
// of an earlier build.
func released(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "../../.ci/release", args...)
	cmd.Env = append(os.Environ(), "GOCACHE="+t.TempDir())
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// What cannot be a release is refused before anything is built.
func TestReleaseRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "left"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"want a version": {}, "want a version such": {"v1.2"}, "is not empty": {"1.2.3", full},
	} {
		if out, err := released(t, args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("release %v: %v, %s; want %q", args, err, out, want)
		}
	}
}

// Two builds of one commit, neither knowing of the other, have the same digests. It
// takes a quarter of an hour, so it is done with AQL_CONFORM_WHOLE=1.
func TestReleaseIsReproducible(t *testing.T) {
	if os.Getenv("AQL_CONFORM_WHOLE") == "" {
		t.Skip("AQL_CONFORM_WHOLE is not set")
	}
	var sums [2]string
	for i := range sums {
		folder := t.TempDir()
		if out, err := released(t, "1.2.3", folder); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
	}
	if n := strings.Count(sums[0], "\n"); n != 6 || sums[0] != sums[1] {
		t.Errorf("%d files, and the digests\n%s\ndiffer from\n%s", n, sums[0], sums[1])
	}
}
