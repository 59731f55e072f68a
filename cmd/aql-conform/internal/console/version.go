package console

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// Home is where a fault of the checker is reported.
const Home = "https://github.com/aql-conform/aql-conform/issues"

// release is the version of a build that does not know its own.
const release = "0.1.0"

// stamped is the version that the release script gives a build.
var stamped string

// VersionFlags say how much of the build is told.
type VersionFlags struct {
	Format string `default:"text" placeholder:"text|cyclonedx" help:"cyclonedx lists the modules in this program (text)"`
}

// Version returns the version of this build: what the release script stamped on it
// or "go install" was asked for, else the release that the sources became.
func Version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return release
	}
	return cmp.Or(strings.TrimPrefix(info.Main.Version, "v"), release)
}

// Print says what this build is and what it judges by, or what it is made of.
func (f *VersionFlags) Print(w io.Writer) error {
	switch f.Format {
	case "text":
		return printVersion(w)
	case "cyclonedx":
		return printModules(w)
	}
	return Usage("--format %q: want text or cyclonedx", f.Format)
}

// printVersion says what this build is and what it judges by.
func printVersion(w io.Writer) error {
	checked := 0
	for _, r := range catalogue.All() {
		if r.State() == catalogue.Checked {
			checked++
		}
	}
	_, err := fmt.Fprintf(w, "aql-conform %s\nMCP-AQL %s: %d of %d requirements checked\nMCP %s\n%s %s/%s\n",
		Version(), catalogue.SpecVersion, checked, len(catalogue.All()), strings.Join(wire.Revisions, ", "),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
