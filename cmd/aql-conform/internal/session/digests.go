package session

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// digests name what the verdict of the run rests on.
func (s *Session) digests() reports.Digests {
	return reports.Digests{
		Adapter: s.Identity(), Introspection: s.introspection, Catalogue: catalogue.CatalogueDigest(), Hints: s.hints.Digest(), Checker: OwnDigest(),
	}
}

// OwnDigest is the sha256 of this program; a checker that cannot read itself says
// nothing of itself.
func OwnDigest() string {
	own, err := os.Executable()
	if err != nil {
		return ""
	}
	digest, _ := digestOf(own)
	return digest
}

// Identity is what can be said of which adapter it was: the bytes of the program, as
// far as it is one file, or the address; and what it calls itself.
func (s *Session) Identity() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", s.run.Adapter, s.run.Implementation, s.run.Version)
	if len(s.Main.Command) > 0 {
		name := s.Main.Command[0]
		if filepath.Base(name) != name && !filepath.IsAbs(name) { // relative to where it is started
			name, _ = filepath.Abs(filepath.Join(s.Main.Dir, name)) // without a folder of our own nothing is found
		}
		if path, err := exec.LookPath(name); err == nil {
			sum, _ := digestOf(path)
			fmt.Fprintln(h, sum)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// digestOf is the sha256 of a file, in hexadecimal.
func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
