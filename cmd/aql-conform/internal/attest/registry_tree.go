package attest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// What a registry may hold: whoever can send a submission must not be able to fill the
// memory of who verifies it. In bytes, but for the last.
const (
	maxReport     = 64 << 20
	maxSealed     = 2 * maxReport
	maxWitness    = 1 << 20
	maxTranscript = 128 << 20
	maxUnpacked   = 512 << 20
	maxEntries    = 100_000 // files and folders
)

// A tree is what lies in a registry, by path.
type tree struct {
	places  []string            // folders of submissions
	repeats map[string][]string // folders of repetitions, by the submission that they repeat
	strays  []string            // what belongs to none
	seen    int
}

// submissionDepth is how many folders down a submission is: specification,
// implementation, version.
const submissionDepth = 3

// repeatDepth is how many folders down a repetition of a submission is: the submission, "repeated",
// and the key of who has repeated it.
const repeatDepth = submissionDepth + 2

// aboutAll are the files of the root that speak of all submissions.
var aboutAll = []string{ReadmeName, "index.html", "registry.json", FleetName, "LICENSE"}

// A fleet keeps what came of all of its adapters in a file of the root, and what came of each
// in a folder beside those of the specifications.
const (
	FleetName   = "fleet.json"
	FleetFolder = "fleet"
)

// survey lists what lies in a registry. It follows no link, out of it or inside.
func survey(root *os.Root) (*tree, error) {
	t := &tree{repeats: map[string][]string{}}
	return t, t.walk(root, ".", 0)
}

func (t *tree) walk(root *os.Root, folder string, depth int) error {
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return err
	}
	if t.seen += len(entries); t.seen > maxEntries {
		return fmt.Errorf("more than %d files and folders", maxEntries)
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		switch {
		case depth == 0 && (strings.HasPrefix(e.Name(), ".") || e.Type().IsRegular() && slices.Contains(aboutAll, e.Name()) || e.IsDir() && e.Name() == FleetFolder):
		case (depth == submissionDepth || depth == repeatDepth) && e.Type().IsRegular() && slices.Contains([]string{ReportName, PackedName, PlainName, SealedName, WitnessName, ReadmeName}, e.Name()):
		case depth == submissionDepth && e.IsDir() && e.Name() == RepeatedName, depth == repeatDepth-1 && e.IsDir() && !strings.HasPrefix(e.Name(), "."):
			if depth == repeatDepth-1 {
				t.repeats[path.Dir(folder)] = append(t.repeats[path.Dir(folder)], name)
			}
			if err := t.walk(root, name, depth+1); err != nil {
				return err
			}
		case depth >= submissionDepth, !e.IsDir(), strings.HasPrefix(e.Name(), "."):
			t.strays = append(t.strays, name)
		default:
			if depth+1 == submissionDepth {
				t.places = append(t.places, name)
			}
			if err := t.walk(root, name, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstStray says what there is where a submission was looked for.
func (t *tree) firstStray() string {
	if len(t.strays) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s is none", t.strays[0])
}

// opened opens a regular file of the tree that is not too long.
func opened(root *os.Root, name string, most int64) (*os.File, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is missing", path.Base(name))
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file but %s", path.Base(name), kindOf(info.Mode()))
	case info.Size() > most:
		return nil, fmt.Errorf("%s is longer than %d bytes", path.Base(name), most)
	}
	return root.Open(name)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsDir():
		return "a folder"
	}
	return "a device"
}

// contents reads a file of the tree.
func contents(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := opened(root, name, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(&transcript.Bounded{R: f, Left: most, Most: most})
}
