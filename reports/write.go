package reports

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Formats lists the formats that Write knows, in the order of the help text.
func Formats() []string {
	return []string{"text", "json", "junit", "markdown", "sarif", "html", "badge"}
}

// Write writes the report in one of Formats; "text" is 80 columns wide and
// without colour. Another format is an error that names those there are.
func Write(format string, w io.Writer, r *Report) error {
	switch format {
	case "text":
		return r.WriteText(w, TextOptions{})
	case "json":
		return r.WriteJSON(w)
	case "junit":
		return r.WriteJUnit(w)
	case "markdown":
		return r.WriteMarkdown(w)
	case "badge":
		return r.WriteBadge(w)
	case "html":
		return r.WriteHTML(w)
	case "sarif":
		return r.WriteSARIF(w)
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
