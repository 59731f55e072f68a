package attest

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// SelftestFlags say what of the checker is proven and where that is written.
type SelftestFlags struct {
	Run    []string `placeholder:"PATTERN" help:"only faults of these ids, globs or areas"`
	Whole  bool     `help:"check each fault against all requirements, not\nonly those of its area"`
	Format string   `default:"text" placeholder:"text|json|markdown" help:"output format (text)"`
	Output string   `short:"o" placeholder:"FILE" help:"file to write the table to (standard output)"`

	Zoo ZooFlags `embed:""`
}

// mostJobs bounds how many adapters are tried at once. There are more of them than of
// processors, since many wait for an answer that will not come.
const mostJobs = 16

// Selftest breaks the reference adapter in every way it knows, in this process, and
// says whether each break was noticed for what it is.
func (f *SelftestFlags) Selftest(ctx context.Context, c console.Console) (int, error) {
	if f.Zoo.Seeds != "" {
		return f.Zoo.visit(ctx, c)
	}
	return f.Prove(ctx, c, seal.Matrix())
}

// Prove returns 0 when all came out as it should, and 1 when something did not.
func (f *SelftestFlags) Prove(ctx context.Context, c console.Console, m mutation.Matrix) (int, error) {
	if err := console.OneOf("--format", f.Format, []string{"text", "json", "markdown"}); err != nil {
		return 0, err
	}
	m.Run, m.AllRequirements, m.Jobs = f.Run, f.Whole, min(2*runtime.GOMAXPROCS(0), mostJobs)
	size, err := m.Size()
	if err != nil {
		return 0, console.Usage("%w", err)
	}
	line := session.NewProgress(c.Stderr)
	line.What = "adapters"
	line.Expect(size)
	m.OnResult = func() { line.Judged(reports.Finding{}) }
	table := &reports.Selftest{Tool: seal.OwnName(), Checker: session.OwnDigest()}
	m.Prove(ctx, table)
	line.Erase()
	if err := f.publish(c, table); err != nil {
		return 0, err
	}
	switch {
	case table.Interrupted:
		return console.ExitInterrupted, nil
	case !table.Perfect():
		return 1, nil
	}
	return 0, nil
}

// publish writes the table.
func (f *SelftestFlags) publish(c console.Console, table *reports.Selftest) error {
	write := map[string]func(io.Writer) error{"text": table.WriteText, "json": table.WriteJSON, "markdown": table.WriteMarkdown}[f.Format]
	if f.Output == "" {
		if err := write(c.Stdout); err != nil {
			return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
		}
		return nil
	}
	if err := reports.WriteFile(f.Output, write); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("-o: %w", err)}
	}
	if err := table.WriteText(c.Stdout); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	return nil
}
