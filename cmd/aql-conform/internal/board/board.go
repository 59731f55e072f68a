// Package board publishes a registry as a site of files.
package board

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// Flags name a registry and where its site is written.
type Flags struct {
	attest.TrustFlags
	Output string `short:"o" required:"" placeholder:"FOLDER" help:"folder of the site; replaced as a whole"`
	Judge  string `placeholder:"FILE" help:"judge.wasm.xz of a release, which recomputes verdicts\nin the browser of a reader; judge.js lies beside it"`
}

// The files of the program that judges in a browser.
const (
	judgeName = "judge.wasm.xz"
	glueName  = "judge.js"
)

// Publish verifies every submission and writes the site. It returns 1 when one could not be verified,
// as the table of registry does: the site says so then.
func (f *Flags) Publish(ctx context.Context, c console.Console) (int, error) {
	if err := f.replaceable(); err != nil {
		return 0, err
	}
	files, err := f.judge()
	if err != nil {
		return 0, err
	}
	table, err := f.Examine(ctx, "board")
	if err != nil {
		return 0, err
	}
	b := &reports.Board{Registry: table, Rows: catalogue.Rows()}
	if program, there := files[judgeName]; there {
		b.Judge = fmt.Sprintf("%x", sha256.Sum256(program))
	}
	failed := func(err error) (int, error) {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("board: %w", err)}
	}
	pages, err := b.Files()
	if err != nil {
		return failed(err)
	}
	maps.Copy(files, pages)
	if files["keys.json"], err = f.keys(); err != nil {
		return failed(err)
	}
	if err := f.publish(files, table); err != nil {
		return failed(err)
	}
	if err := console.Tell(c.Stdout, fmt.Sprintf("%s: %s", f.Output, table.Counted())); err != nil {
		return failed(err)
	}
	if !table.Verified() {
		return 1, nil
	}
	return 0, nil
}

// replaceable says why the folder must not be replaced: only a board is.
func (f *Flags) replaceable() error {
	entries, err := os.ReadDir(f.Output)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return console.Usage("-o: %w", err)
	}
	if _, err := os.Lstat(filepath.Join(f.Output, reports.BoardName)); err != nil {
		return console.Usage("-o %s: it holds files and is no board, so it is not replaced; name another folder", f.Output)
	}
	return nil
}

// judge reads the program that recomputes verdicts; nothing without the flag.
func (f *Flags) judge() (map[string][]byte, error) {
	files := map[string][]byte{}
	if f.Judge == "" {
		return files, nil
	}
	base, named := strings.CutSuffix(f.Judge, ".wasm.xz")
	if !named {
		return nil, console.Usage("--judge %s: want a file whose name ends with .wasm.xz, built by .ci/judge", f.Judge)
	}
	for name, from := range map[string]string{judgeName: f.Judge, glueName: base + ".js"} {
		raw, err := os.ReadFile(from)
		if err != nil {
			return nil, console.Usage("--judge: %w", err)
		}
		files[name] = raw
	}
	return files, nil
}

// keys are the trusted keys, for the browser.
func (f *Flags) keys() ([]byte, error) {
	trusted, err := f.Trusted()
	type key struct {
		ID  string `json:"id"`
		Key []byte `json:"key"`
	}
	all := []key{}
	for _, id := range slices.Sorted(maps.Keys(trusted)) {
		all = append(all, key{id, trusted[id]})
	}
	raw, unwritten := json.Marshal(all)
	return append(raw, '\n'), cmp.Or(err, unwritten)
}

// publish writes everything beside the folder and gives it the name: a reader meets the old board
// or the new one.
func (f *Flags) publish(files map[string][]byte, table *reports.Registry) (err error) {
	out, err := filepath.Abs(f.Output)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := os.Chmod(temp, 0o755); err != nil { // a web server reads it
		return err
	}
	for name, content := range files {
		if err := put(temp, name, content); err != nil {
			return err
		}
	}
	for _, s := range table.Submissions {
		if s.Problem != "" {
			continue // nothing that it claims is published
		}
		kept, err := f.Kept(s)
		if err != nil {
			return err
		}
		for name, content := range kept {
			if err := put(temp, reports.BoardRun(s)+name, content); err != nil {
				return err
			}
		}
	}
	return exchange(temp, out)
}

func put(folder, name string, content []byte) error {
	at := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, content, 0o644)
}

// aside gives a folder its name where the system cannot exchange two: what had the name comes back
// if that fails. A reader may meet no folder for a moment.
func aside(temp, out string) error {
	old := temp + ".old"
	if err := os.Rename(out, old); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(temp, out)
	} else if err != nil {
		return err
	}
	if err := os.Rename(temp, out); err != nil {
		return errors.Join(err, os.Rename(old, out))
	}
	return os.RemoveAll(old)
}
