package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// released runs the release script, for all platforms with a build cache of its own, which knows
// nothing of an earlier build.
func released(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "../../.ci/release", args...)
	if len(args) == 2 { // all platforms: the digests are compared with those of another build
		cmd.Env = append(os.Environ(), "GOCACHE="+t.TempDir())
	}
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

// A release for one platform is installed from its packages as a person installs it, without a
// network, and starts the program. The image has the same program and fits.
func TestReleaseIsInstalled(t *testing.T) {
	expensive(t)
	node, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not there")
	}
	folder, home := t.TempDir(), t.TempDir()
	if out, err := released(t, "1.2.3", folder, runtime.GOOS+"/"+runtime.GOARCH); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	must(t, err)
	do := func(name string, args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = home, append(os.Environ(), "npm_config_cache="+filepath.Join(home, "cache"))
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := do(node, append([]string{"install", "--offline", "--no-audit", "--no-fund"}, packages...)...); code != 0 || len(packages) != 2 {
		t.Fatalf("npm install of %v: %d, %s", packages, code, out)
	}
	for _, c := range []struct {
		says string
		code int
		args []string
	}{
		{"1.2.3", 0, []string{"version"}},
		{"exit code 5", 5, []string{"--cmd", "refadapter --mode all", "--run", "AQL-4.6-01", "--phases", "none"}},
		{"unknown flag", 3, []string{"--no-such-flag"}},
	} {
		if out, code := do("npx", append([]string{"--offline", "aql-conform"}, c.args...)...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("npx aql-conform %v: exit %d, want %d, and %q in\n%s", c.args, code, c.code, c.says, out)
		}
	}
	must(t, os.RemoveAll(filepath.Join(home, "node_modules", "@aql-conform")))
	if out, code := do("npx", "--offline", "aql-conform", "version"); code != 6 || !strings.Contains(out, "@aql-conform/") {
		t.Errorf("without the package of the platform: exit %d, %s", code, out)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		imageHolds(t, filepath.Join(folder, "aql-conform_1.2.3_image.tar"))
	}
}

// imageHolds reads an archive as "docker load" does.
func imageHolds(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	if info.Size() > 20<<20 {
		t.Errorf("the image has %d bytes", info.Size())
	}
	parts := map[string][]byte{}
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		parts[h.Name], err = io.ReadAll(r)
		must(t, err)
	}
	var manifest []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	must(t, json.Unmarshal(parts["manifest.json"], &manifest))
	var config struct {
		Architecture, OS string
		Config           struct {
			User       string
			Entrypoint []string
		}
	}
	must(t, json.Unmarshal(parts[manifest[0].Config], &config))
	if got := fmt.Sprint(config, manifest[0].RepoTags, len(manifest[0].Layers)); got != "{amd64 linux {65532:65532 [/aql-conform]}} [aql-conform:1.2.3] 1" {
		t.Errorf("the image is %s", got)
	}
	z, err := gzip.NewReader(bytes.NewReader(parts[manifest[0].Layers[0]]))
	must(t, err)
	var names []string
	root := t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		names = append(names, h.Name)
		if h.Name == "aql-conform" {
			program, err := io.ReadAll(r)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(root, h.Name), program, 0o755))
		}
	}
	if os.Getuid() == 0 { // as the container starts it: nothing but the image, and a user without rights
		out, err := exec.Command("chroot", "--userspec=65532:65532", root, "/aql-conform", "explain", "AQL-0-02").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "AQL-0-02") {
			t.Errorf("the program of the image: %v, %s", err, out)
		}
	}
	if got := strings.Join(names, " "); got != "aql-conform etc/ etc/ssl/ etc/ssl/certs/ etc/ssl/certs/ca-certificates.crt" {
		t.Errorf("the image has %s", got)
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
	if n := strings.Count(sums[0], "\n"); n != 14 || sums[0] != sums[1] {
		t.Errorf("%d files, and the digests\n%s\ndiffer from\n%s", n, sums[0], sums[1])
	}
}
