package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/mutation"
)

// selftestFlags say what of the checker is proven and where that is written.
type selftestFlags struct {
	Run    []string `placeholder:"PATTERN" help:"break only these: ids, globs of ids or areas"`
	Whole  bool     `help:"judge each fault by all requirements, not by its area alone"`
	Format string   `default:"text" placeholder:"text|json|markdown" help:"form of the table (text)"`
	Output string   `short:"o" placeholder:"FILE" help:"where the table goes (standard output)"`
}

// mostJobs bounds how many adapters are tried at once. There are more of them than of
// processors, since many wait for an answer that will not come.
const mostJobs = 16

// selftest breaks the reference adapter in every way it knows, in this process, and
// says whether each break was noticed for what it is.
func (f *selftestFlags) selftest(ctx context.Context, c console) (int, error) {
	return f.prove(ctx, c, matrix())
}

// prove returns 0 when all came out as it should, and 1 when something did not.
func (f *selftestFlags) prove(ctx context.Context, c console, m mutation.Matrix) (int, error) {
	if err := oneOf("--format", f.Format, []string{"text", "json", "markdown"}); err != nil {
		return 0, err
	}
	m.Run, m.AllRequirements, m.Jobs = f.Run, f.Whole, min(2*runtime.GOMAXPROCS(0), mostJobs)
	size, err := m.Size()
	if err != nil {
		return 0, usage("%w", err)
	}
	line := newProgress(c.stderr)
	line.what = "adapters"
	line.expect(size)
	m.OnResult = func() { line.judged(reports.Finding{}) }
	table := &reports.Selftest{Tool: ownName(), Checker: ownDigest()}
	m.Prove(ctx, table)
	line.erase()
	if err := f.publish(c, table); err != nil {
		return 0, err
	}
	switch {
	case table.Interrupted:
		return exitInterrupted, nil
	case !table.Perfect():
		return 1, nil
	}
	return 0, nil
}

// publish writes the table.
func (f *selftestFlags) publish(c console, table *reports.Selftest) error {
	write := map[string]func(io.Writer) error{"text": table.WriteText, "json": table.WriteJSON, "markdown": table.WriteMarkdown}[f.Format]
	if f.Output == "" {
		if err := write(c.stdout); err != nil {
			return failure{exitFault, fmt.Errorf("writing to standard output: %w", err)}
		}
		return nil
	}
	if err := reports.WriteFile(f.Output, write); err != nil {
		return failure{exitFault, fmt.Errorf("-o: %w", err)}
	}
	if err := table.WriteText(c.stdout); err != nil {
		return failure{exitFault, fmt.Errorf("writing to standard output: %w", err)}
	}
	return nil
}
