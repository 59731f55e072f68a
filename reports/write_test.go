package reports_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reports"
)

func TestWriteFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	content := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	for _, s := range []string{"first", "second"} {
		if err := reports.WriteFile(path, content(s)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != s {
			t.Errorf("content %q, want %q", got, s)
		}
	}
	broken := errors.New("out of ink")
	err := reports.WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		if got, _ := os.ReadFile(path); string(got) != "second" {
			t.Errorf("a reader sees %q while the report is written", got)
		}
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v names neither cause nor file", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "second" {
		t.Errorf("a failed write left %q", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteFileAfterPanicLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { recover() }()
		reports.WriteFile(filepath.Join(dir, "r"), func(io.Writer) error { panic("at the desk") })
	}()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteFileWithoutFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent", "report.json")
	if err := reports.WriteFile(path, func(io.Writer) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A report to a link must not turn the link into a file; /dev/stdout is one.
func TestWriteFileKeepsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("a longer old text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "new" {
		t.Errorf("target holds %q", got)
	}
	if at, err := os.Readlink(link); err != nil || at != target {
		t.Errorf("the link is gone: %v", err)
	}
}

func TestWriteKnowsItsFormats(t *testing.T) {
	r := concluded()
	for _, format := range reports.Formats() {
		var b strings.Builder
		if err := reports.Write(format, &b, r); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v, %d bytes", format, err, b.Len())
		}
	}
	if err := reports.Write("xml", io.Discard, r); err == nil || !strings.Contains(err.Error(), "text, json, junit, markdown") {
		t.Errorf("error %v does not name what there is", err)
	}
}

// No format lets through what acts on a terminal or a viewer, and each is UTF-8.
func TestEveryFormatIsInert(t *testing.T) {
	stopped := run()
	stopped.Conclusion, stopped.Detail, stopped.Remarks, stopped.Adapter = hostile, []string{hostile}, []string{hostile}, hostile
	stopped.Routing.Endpoints[0], stopped.Routing.Rows[0].Operation = hostile, hostile
	judged := stopped
	judged.Conclusion = ""
	many := map[string]*reports.Report{"not judged": reports.Conclude(stopped, rows(), nil), "judged": reports.Conclude(judged, rows(), findings())}
	many["judged"].Evidence = evidence()
	for _, v := range []reports.Verdict{reports.Fail, reports.Warn, reports.Pass, reports.NotProven, reports.Skipped, reports.NotApplicable, hostile} {
		many[string(v)] = everywhere(hostile, v)
	}
	for _, format := range reports.Formats() {
		for name, r := range many {
			var b strings.Builder
			if err := reports.Write(format, &b, r); err != nil {
				t.Fatal(err)
			}
			if !utf8.ValidString(b.String()) {
				t.Errorf("%s, %s: broken UTF-8", format, name)
			}
			for _, c := range b.String() {
				if c != '\n' && !unicode.IsPrint(c) {
					t.Errorf("%s, %s: %U in the report", format, name, c)
				}
			}
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreSeen(t *testing.T) {
	for _, format := range reports.Formats() {
		if err := reports.Write(format, full{}, concluded()); err == nil {
			t.Errorf("%s: a full disk goes unnoticed", format)
		}
	}
}
