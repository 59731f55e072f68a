package attest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// RegistryFlags name a registry and the form of its table.
type RegistryFlags struct {
	TrustFlags
	Format string `default:"markdown" placeholder:"markdown|html|json|trust" help:"output format (markdown); trust: trust blocks with promotions"`
	Output string `short:"o" placeholder:"FILE" help:"file to write the table to (standard output)"`
}

// TrustFlags name a registry and whom its reader trusts.
type TrustFlags struct {
	Folder string   `arg:"" help:"registry folder, filled by submit"`
	Key    []string `sep:"none" placeholder:"FILE" help:"ed25519 public key (PEM) of a trusted submitter\n(repeatable)"`
	IssuerFlags
}

// Registry verifies every submission of a tree from its transcript and writes the table
// of what stands. It returns 1 when one could not be verified.
func (f *RegistryFlags) Registry(ctx context.Context, c console.Console) (int, error) {
	if err := console.OneOf("--format", f.Format, reports.RegistryFormats()); err != nil {
		return 0, err
	}
	table, err := f.Examine(ctx, "registry")
	if err != nil {
		return 0, err
	}
	if err := f.write(c, table); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: err}
	}
	if !table.Verified() {
		return 1, nil
	}
	return 0, nil
}

// Examine verifies every submission of the tree; errors begin with the name of the command.
func (f *TrustFlags) Examine(ctx context.Context, command string) (*reports.Registry, error) {
	keys, err := knownKeys(f.Key)
	if err != nil {
		return nil, err
	}
	by, err := f.IssuerFlags.read()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.Folder)
	if err != nil {
		return nil, console.Usage("%s: %w", command, err)
	}
	defer root.Close()
	tree, err := survey(root)
	switch {
	case err != nil:
		return nil, console.Usage("%s %s: %w", command, f.Folder, err)
	case len(tree.places) == 0:
		return nil, console.Usage("%s %s: it has no submission; aql-conform submit adds one%s", command, f.Folder, tree.firstStray())
	}
	table := &reports.Registry{Tool: "aql-conform " + console.Version(), Strays: tree.strays}
	for _, place := range tree.places {
		s := verified(ctx, root, place, place, keys)
		if s.Problem == "" {
			s.Grade, s.Uncounted = graded(ctx, root, s, tree.repeats[place], keys, by)
		}
		if ctx.Err() != nil {
			return nil, console.Failure{Code: console.ExitInterrupted, Err: fmt.Errorf("interrupted: %s and later submissions are not verified", place)}
		}
		table.Submissions = append(table.Submissions, s)
	}
	return table, nil
}

// Kept reads the files of a verified submission from which its verdict is recomputed, by name.
func (f *TrustFlags) Kept(s reports.Submission) (map[string][]byte, error) {
	root, err := os.OpenRoot(f.Folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files := map[string][]byte{}
	for name, most := range map[string]int64{ReportName: maxReport, s.Transcript: maxTranscript, SealedName: maxSealed} {
		if name == SealedName && !s.Sealed {
			continue
		}
		if files[name], err = contents(root, path.Join(s.Path, name), most); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Path, err)
		}
	}
	return files, nil
}

// Trusted are the public keys of --key, by their ids.
func (f *TrustFlags) Trusted() (map[string][]byte, error) {
	keys, err := knownKeys(f.Key)
	all := map[string][]byte{}
	for _, key := range keys {
		all[key.ID] = key.PublicKey
	}
	return all, err
}

// lies reports whether a submission has a file of that name.
func lies(root *os.Root, folder, name string) bool {
	_, err := root.Lstat(path.Join(folder, name))
	return !errors.Is(err, fs.ErrNotExist)
}

func (f *RegistryFlags) write(c console.Console, table *reports.Registry) error {
	write := func(w io.Writer) error { return reports.WriteRegistry(f.Format, w, table) }
	switch {
	case f.Output != "":
		return reports.WriteFile(f.Output, write)
	case f.Format == "json" || f.Format == "trust": // for a program, which would stumble over what GitHub is told
		return write(c.Stdout)
	}
	return console.Unheeded(c.Stdout, write)
}
