package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites"
)

// home is where a fault of the checker is reported.
const home = "https://github.com/aql-conform/aql-conform/issues"

// release is the version of a build that does not know its own.
const release = "0.1.0"

// version returns the version of this build: what "go install" was asked for,
// else the release that the sources became.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return release
	}
	return cmp.Or(strings.TrimPrefix(info.Main.Version, "v"), release)
}

// printVersion says what this build is and what it judges by.
func printVersion(w io.Writer) error {
	checked := 0
	for _, r := range suites.Catalogue {
		if r.State() == suites.Checked {
			checked++
		}
	}
	_, err := fmt.Fprintf(w, "aql-conform %s\nMCP-AQL %s: %d of %d requirements checked\nMCP %s\n%s %s/%s\n",
		version(), suites.SpecVersion, checked, len(suites.Catalogue), strings.Join(wire.Revisions, ", "),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
