package reports

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// formats are the forms of a report, in the order of the help text.
var formats = []struct {
	name  string
	write func(*Report, io.Writer) error
}{
	{"text", func(r *Report, w io.Writer) error { return r.WriteText(w, TextOptions{Verbose: true}) }},
	{"json", (*Report).WriteJSON},
	{"junit", (*Report).WriteJUnit},
	{"markdown", (*Report).WriteMarkdown},
	{"sarif", (*Report).WriteSARIF},
	{"html", (*Report).WriteHTML},
	{"github", (*Report).WriteGitHub},
	{"tap", (*Report).WriteTAP},
	{"badge", (*Report).WriteBadge},
	{"ndjson", (*Report).WriteNDJSON},
	{"evidence", (*Report).WriteEvidence},
	{"agent", (*Report).WriteAgent},
	{"trust", (*Report).WriteTrust},
}

// Formats lists the formats that Write knows, in the order of the help text.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// Write writes the report in one of Formats; "text" is 80 columns wide and
// without colour. Another format is an error that names those there are.
func Write(format string, w io.Writer, r *Report) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(r, w)
		}
	}
	return fmt.Errorf("report format %q: one of %s is needed", format, strings.Join(Formats(), ", "))
}

// WriteFile writes a file whole or not at all: a reader meets the old content
// or the new, never half of it, and a failed write leaves no trace. A path that
// is there but is no regular file (a pipe, a device such as /dev/stdout, a link)
// is written to as it stands, since a rename would put a file in its place.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	if there, err := os.Lstat(path); err == nil && !there.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8]+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	renamed := false
	defer func() {
		if !renamed {
			f.Close()
			os.Remove(temp)
		}
	}()
	for _, step := range []func() error{
		func() error { return write(f) },
		f.Sync,
		f.Close,
		func() error { return os.Rename(temp, path) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("report %s: %w", path, err)
		}
	}
	renamed = true
	return nil
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("report %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	return nil
}
