package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A submission is laid down whole or not at all, and the one before it stays until then.
func TestLayDownIsWhole(t *testing.T) {
	registry := filepath.Join(t.TempDir(), "registry")
	broken := map[string]func(io.Writer) error{
		attest.ReportName: text("half"),
		attest.SealedName: func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return errors.New("disk full") },
	}
	if err := console.LayDown(registry, "spec/adapter/1", broken, false); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
	if left := paths(t, registry); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	must(t, console.LayDown(registry, "spec/adapter/1", map[string]func(io.Writer) error{attest.ReportName: text("old"), attest.SealedName: text("old")}, false))
	if err := console.LayDown(registry, "spec/adapter/1", broken, true); err == nil {
		t.Error("no error")
	}
	if got, want := paths(t, registry), []string{"spec/adapter/1/report.json=old", "spec/adapter/1/sealed.json=old"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	must(t, console.LayDown(registry, "spec/adapter/1", map[string]func(io.Writer) error{attest.ReportName: text("new")}, true))
	if got, want := paths(t, registry), []string{"spec/adapter/1/report.json=new"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is in the way and is no submission is neither replaced nor followed.
func TestLayDownKeepsWhatIsInTheWay(t *testing.T) {
	for _, way := range []string{"spec", "spec/adapter", "spec/adapter/1"} {
		registry := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(registry, filepath.Dir(way)), 0o777))
		write(t, filepath.Join(registry, way), []byte("mine"))
		if err := console.LayDown(registry, "spec/adapter/1", map[string]func(io.Writer) error{attest.ReportName: text("new")}, true); err == nil {
			t.Errorf("%s: no error", way)
		}
		if got, want := paths(t, registry), []string{way + "=mine"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// paths lists the files of a folder with what is in them, and the empty folders.
func paths(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	must(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		if !d.IsDir() {
			all = append(all, filepath.ToSlash(name)+"="+read(t, path))
		} else if inside, _ := os.ReadDir(path); len(inside) == 0 {
			all = append(all, filepath.ToSlash(name))
		}
		return nil
	}))
	return all
}
