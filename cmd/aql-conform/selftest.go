package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites"
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
func (f *selftestFlags) prove(ctx context.Context, c console, m suites.Matrix) (int, error) {
	if err := oneOf("--format", f.Format, []string{"text", "json", "markdown"}); err != nil {
		return 0, err
	}
	m.Run, m.Whole, m.Jobs = f.Run, f.Whole, min(2*runtime.GOMAXPROCS(0), mostJobs)
	size, err := m.Size()
	if err != nil {
		return 0, usage("%w", err)
	}
	line := newProgress(c.stderr)
	line.what = "adapters"
	line.expect(size)
	m.Told = func() { line.judged(reports.Finding{}) }
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

// healthyAdapters break nothing, and offer what the faults are faults of.
func healthyAdapters() []suites.Mutant {
	var all []suites.Mutant
	for _, transport := range []string{"stdio", "http"} {
		all = append(all, mutant(adapter.Fault{Transport: transport, Variant: "usual features"}))
	}
	return append(all, mutant(adapter.Fault{Features: "all", Variant: "all features"}))
}

// mutants are the faults of the reference adapter, one adapter each.
func mutants() []suites.Mutant {
	var all []suites.Mutant
	for _, f := range adapter.Faults() {
		all = append(all, mutant(f))
	}
	return all
}

// mutant is an adapter that has the fault.
func mutant(f adapter.Fault) suites.Mutant {
	hints, err := fixtures.Say(f.HintsFile(), f.Hints)
	m := suites.Mutant{
		Requirement: f.ID, Fault: f.Variant, Also: f.Also, Phase: f.Phase, Transport: cmp.Or(f.Transport, "stdio"), Hints: hints,
	}
	cfg := adapter.Config{Mode: cmp.Or(f.Mode, "all"), Profile: f.Profile}
	if f.ID != "" {
		cfg.Fault = f.ID + "." + f.Variant
	} else {
		cfg.Features = f.Features
	}
	m.Begin = func() (suites.Stand, error) {
		if err != nil {
			return suites.Stand{}, err
		}
		return begun(cfg, m.Transport == "http")
	}
	return m
}

// begun is an adapter in this process, with what stands beside a real one.
func begun(cfg adapter.Config, overHTTP bool) (suites.Stand, error) {
	beside, err := adapter.NewStand(cfg)
	if err != nil {
		return suites.Stand{}, err
	}
	stand := suites.Stand{Command: beside.Command, Wait: beside.Wait, Close: beside.Close}
	for _, way := range []struct {
		to   *wire.Target
		open func(overHTTP bool) (adapter.Door, error)
	}{{&stand.Main, beside.Main}, {&stand.Restarted, beside.Restarted}, {&stand.Limited, beside.Limited}} {
		door, err := way.open(overHTTP)
		if err != nil {
			beside.Close()
			return suites.Stand{}, err
		}
		*way.to = wire.Target{URL: door.URL, Pipe: door.Pipe, StartTimeout: 5 * time.Second, Grace: time.Second}
	}
	return stand, nil
}
