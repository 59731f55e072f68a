package attest

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// RegistryFlags name a registry and the form of its table.
type RegistryFlags struct {
	Folder string   `arg:"" help:"registry folder, filled by submit"`
	Format string   `default:"markdown" placeholder:"markdown|html|json" help:"output format (markdown)"`
	Output string   `short:"o" placeholder:"FILE" help:"file to write the table to (standard output)"`
	Key    []string `sep:"none" placeholder:"FILE" help:"ed25519 public key (PEM) of a trusted submitter\n(repeatable)"`
	IssuerFlags
}

// Registry verifies every submission of a tree from its transcript and writes the table
// of what stands. It returns 1 when one could not be verified.
func (f *RegistryFlags) Registry(ctx context.Context, c console.Console) (int, error) {
	if err := console.OneOf("--format", f.Format, reports.RegistryFormats()); err != nil {
		return 0, err
	}
	keys, err := knownKeys(f.Key)
	if err != nil {
		return 0, err
	}
	by, err := f.IssuerFlags.read()
	if err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(f.Folder)
	if err != nil {
		return 0, console.Usage("registry: %w", err)
	}
	defer root.Close()
	tree, err := survey(root)
	switch {
	case err != nil:
		return 0, console.Usage("registry %s: %w", f.Folder, err)
	case len(tree.places) == 0:
		return 0, console.Usage("registry %s: it has no submission; aql-conform submit adds one%s", f.Folder, tree.firstStray())
	}
	table := &reports.Registry{Tool: "aql-conform " + console.Version(), Strays: tree.strays}
	for _, place := range tree.places {
		s := verified(ctx, root, place, place, keys)
		if s.Problem == "" {
			s.Grade, s.Uncounted = graded(ctx, root, s, tree.repeats[place], keys, by)
		}
		if ctx.Err() != nil {
			return 0, console.Failure{Code: console.ExitInterrupted, Err: fmt.Errorf("interrupted: %s and later submissions are not verified", place)}
		}
		table.Submissions = append(table.Submissions, s)
	}
	if err := f.write(c, table); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: err}
	}
	if !table.Verified() {
		return 1, nil
	}
	return 0, nil
}

func (f *RegistryFlags) write(c console.Console, table *reports.Registry) error {
	write := func(w io.Writer) error { return reports.WriteRegistry(f.Format, w, table) }
	switch {
	case f.Output != "":
		return reports.WriteFile(f.Output, write)
	case f.Format == "json": // for a program, which would stumble over what GitHub is told
		return write(c.Stdout)
	}
	return console.Unheeded(c.Stdout, write)
}
