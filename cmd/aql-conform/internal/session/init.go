package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// draftHead is what a drafted hints file begins with.
const draftHead = `# Hints for aql-conform about this adapter, drafted by "aql-conform init".
# The values below come from the adapter's answers. Fill in what is marked TODO.
# yaml-language-server: $schema=https://github.com/aql-conform/aql-conform/raw/main/schemas/hints-v1.schema.json
`

// InitFlags are the flags of init.
type InitFlags struct {
	TargetFlags
	LeaveFlags
	Output string `short:"o" group:"Output" placeholder:"FILE" help:"write to this file instead of standard output"`
	Force  bool   `group:"Output" help:"replace an existing file"`
}

// Draft looks at the adapter and writes a hints file for it.
func (f *InitFlags) Draft(ctx context.Context, program []string, c console.Console) error {
	if _, err := os.Lstat(f.Output); f.Output != "" && !f.Force && !errors.Is(err, fs.ErrNotExist) {
		return console.Usage("-o %s: the file exists; --force replaces it", f.Output)
	}
	if f.AlsoURL != "" {
		return console.Usage("--also-url: a hints file cannot hold it; use --also-cmd, which is written to launch.other")
	}
	// The draft is of the adapter, not of an older draft.
	check := CheckFlags{TargetFlags: f.TargetFlags, LeaveFlags: f.LeaveFlags, NoHints: true, Level: "1", Basis: "all", OutputFlags: console.OutputFlags{Color: "auto"},
		Phases: []string{"none"}, MaxTime: time.Second}
	o, err := check.Settle(program, c)
	if err != nil {
		return err
	}
	s := &Session{Order: o, nonce: Nonce(o.Seed), line: NewProgress(c.Stderr), run: reports.Run{Started: time.Now()}}
	if announced := s.announced(); announced != "" {
		fmt.Fprintf(c.Stderr, "aql-conform: %s\n", strings.TrimPrefix(announced, "; "))
	}
	defer s.ledger.close()
	lines, err := s.drafted(ctx)
	if err != nil {
		return err
	}
	for i, l := range lines { // what is one line must not be read as two
		lines[i] = reports.Inert(l)
	}
	for _, remark := range s.run.Remarks {
		if err := console.Tell(c.Stderr, "aql-conform: "+remark); err != nil {
			return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("writing to standard error: %w", err)}
		}
	}
	if f.AlsoCmd != "" {
		lines = append(lines, "", "launch:", "  other: "+export.YAMLText(s.withoutSecrets(f.AlsoCmd)))
	}
	return f.write(c.Stdout, draftHead+strings.Join(lines, "\n")+"\n")
}

// drafted asks the adapter what it is and removes what that made.
func (s *Session) drafted(ctx context.Context) ([]string, error) {
	s.recorder = wire.NewRecorder(s.hidden()...)
	s.engine = s.newEngine(s.recorder)
	defer s.line.Erase()
	defer s.leave()
	s.engine.OnAsked(s.line.Asked)
	if err := s.connect(ctx, "main", s.Main); err != nil {
		s.unreachable(s.Main, err)
		return nil, s.inVain()
	}
	f := model.NewAdapter(ctx, s.engine, "main", s.setting())
	judgeable := s.judgeable(f)
	var lines []string
	if judgeable {
		lines = export.Draft(f)
	}
	s.leftovers((&plan.Plan{Adapters: []*model.Adapter{f}}).CleanUp(ctx, s.engine))
	switch {
	case ctx.Err() != nil:
		return nil, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	case !judgeable:
		return nil, s.inVain()
	}
	return lines, nil
}

// inVain is the conclusion as an error.
func (s *Session) inVain() error {
	lines := append([]string{s.run.Conclusion}, s.run.Detail...)
	for i, l := range lines {
		lines[i] = reports.Inert(l)
	}
	return console.Failure{Code: console.ExitTarget, Err: errors.New(strings.Join(lines, "\n"))}
}

// write hands the draft over, once it is sure that it can be read back.
func (f *InitFlags) write(stdout io.Writer, text string) error {
	if _, err := fixtures.ReadHints(strings.NewReader(text), os.LookupEnv); err != nil {
		return fmt.Errorf("the drafted hints cannot be read back: %w", err)
	}
	put := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	if f.Output == "" {
		return put(stdout)
	}
	if err := reports.WriteFile(f.Output, put); err != nil {
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("-o: %w", err)}
	}
	return nil
}
