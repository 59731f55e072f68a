package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// CleanupFlags are the flags of cleanup.
type CleanupFlags struct {
	File string `arg:"" name:"ledger" help:"ledger file; the first line of a run names it"`
	TargetFlags
	Allow   []string `group:"Permissions" placeholder:"KIND[:NAME]" help:"permit create, update, delete or execute, or\noperations of a kind by name or glob"`
	Hints   string   `group:"Input" placeholder:"FILE" help:"hints file (./aql-conform.yaml)"`
	NoHints bool     `group:"Input" help:"ignore hints files"`
}

// Clean removes what a ledger lists, each object after a read has shown it with the mark
// of the run. The exit code is 1 where something is left.
func (f *CleanupFlags) Clean(ctx context.Context, program []string, c console.Console) (int, error) {
	check := CheckFlags{TargetFlags: f.TargetFlags, LeaveFlags: LeaveFlags{Allow: append([]string{"create", "delete"}, f.Allow...)}, Hints: f.Hints, NoHints: f.NoHints,
		Level: "1", Basis: "all", OutputFlags: console.OutputFlags{Color: "auto"}, Phases: []string{"none"}, MaxTime: time.Second}
	o, err := check.Settle(program, c)
	if err != nil {
		return 0, err
	}
	l, entries, suspects, err := openLedger(f.File)
	if err != nil {
		return 0, err
	}
	defer l.close()
	s := &Session{Order: o, nonce: Nonce(o.Seed), line: NewProgress(c.Stderr), run: reports.Run{Started: time.Now()}, ledger: l}
	left, err := s.cleaned(ctx, entries, suspects)
	if err != nil {
		return 0, err
	}
	lines := []string{fmt.Sprintf("%s in the ledger, %d removed or gone, %d left", counted(len(entries), "object"), len(entries)-len(left), len(left))}
	for _, x := range left {
		lines = append(lines, reports.Inert(s.withoutSecrets(x.String())))
	}
	if err := console.Tell(c.Stdout, lines...); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard output: %w", err)}
	}
	if ctx.Err() != nil {
		return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	}
	if len(left) > 0 {
		return 1, nil
	}
	return 0, nil
}

// cleaned asks the adapter what it is and removes what the entries say.
func (s *Session) cleaned(ctx context.Context, entries []model.LedgerEntry, suspects []string) ([]model.Leftover, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	s.recorder = wire.NewRecorder(s.hidden()...)
	s.engine = s.newEngine(s.recorder)
	defer s.line.Erase()
	defer s.leave()
	if err := s.connect(ctx, "main", s.Main); err != nil {
		s.unreachable(s.Main, err)
		return nil, s.inVain()
	}
	a, left := plan.CleanUp(ctx, s.engine, "main", s.setting(), entries, suspects)
	if a.Introspect == "" {
		return nil, console.Failure{Code: console.ExitTarget, Err: errors.New("not an MCP-AQL adapter: no tool answers introspect")}
	}
	return left, nil
}
