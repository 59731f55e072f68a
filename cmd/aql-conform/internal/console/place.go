package console

import (
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reports"
)

// PlaceOf is where a registry keeps the submission of a run, below its root: the
// folders of specification, implementation and version. The last two are an adapter's
// own words. Deployments of one version are told apart by a name, which no other folder
// has, as @ is no part of one.
func PlaceOf(run reports.Run, deployment string) string {
	place := path.Join(FolderName(run.SpecVersion), FolderName(run.Implementation), FolderName(run.Version))
	if deployment != "" {
		place += "@" + FolderName(deployment)
	}
	return place
}

// ordinary matches names that are folders on every system, whatever the system makes
// of upper and lower case.
var ordinary = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]{0,62}$`)

// Devices matches names that Windows takes for devices, whatever stands behind a dot.
var Devices = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// apart sets off the digest in a folder name that is not the name itself.
const apart = "--"

// FolderName is a folder for any name. Different names have different folders: an
// ordinary one is its own, any other is what can be read of it with its digest, in a
// form that no ordinary name has.
func FolderName(name string) string {
	if ordinary.MatchString(name) && !Devices.MatchString(name) && !strings.Contains(name, apart) && !strings.HasSuffix(name, ".") {
		return name
	}
	const most = 32 // characters that are kept for a reader
	legible := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name[:min(len(name), most)]), "-")
	legible = strings.Trim(legible, "-")
	if legible == "" {
		legible = "unnamed"
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s%s%x", legible, apart, sum[:16])
}
