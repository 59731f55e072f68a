package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
)

// A component is a module or program in a CycloneDX bill of materials.
type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"` // package URL
}

func goComponent(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{kind, purl, path, version, purl}
}

// A bill is a CycloneDX 1.6 bill of materials. It has no serial number and no time, so
// that the same build has the same bill.
type bill struct {
	Format      string `json:"bomFormat"`
	SpecVersion string `json:"specVersion"`
	Version     int    `json:"version"`
	Metadata    struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

// printModules lists the modules that are linked into this program, and the Go it was
// built with, as a CycloneDX document.
func printModules(w io.Writer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Failure{ExitFault, errors.New("this build does not list its modules; build it with modules")}
	}
	b := bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1}
	b.Metadata.Component = goComponent("application", info.Main.Path, "v"+Version())
	b.Components = []component{{"platform", "go", "go", info.GoVersion, "pkg:generic/go@" + info.GoVersion}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, goComponent("library", m.Path, m.Version))
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return fmt.Errorf("the bill of materials: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
