package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
)

// compareFlags are those of check for one adapter, and what names the other.
type compareFlags struct {
	ToCmd  string   `group:"Second adapter" placeholder:"COMMAND" help:"start the second adapter with this command (stdio)"`
	ToURL  string   `name:"to-url" group:"Second adapter" placeholder:"URL" help:"connect to the second adapter at this address"`
	FailOn []string `group:"Difference" placeholder:"breaking|regression" help:"exit 1 on a difference of this kind (repeatable)"`
	Format string   `default:"text" group:"Difference" placeholder:"text|json|markdown" help:"output format (text)"`
	session.CheckFlags
}

// compare judges two live adapters, the second as the successor of the first, and says
// what is otherwise. Both are asked the same: the second with the seed of the first. It
// returns 4 when one of them cannot be judged.
func (f *compareFlags) compare(ctx context.Context, program []string, c console.Console) (int, error) {
	if err := f.comparable(); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "aql-conform-")
	if err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("a folder for the transcripts: %w", err)}
	}
	defer os.RemoveAll(folder)
	first := f.CheckFlags
	first.Transcript = filepath.Join(folder, "first.ndjson")
	o, err := first.Settle(program, c)
	if err != nil {
		return 0, err
	}
	second := f.other(o.Seed, filepath.Join(folder, "second.ndjson"))
	p, err := second.Settle(nil, c) // before anything is started
	if err != nil {
		return 0, err
	}
	for _, order := range []*session.Order{o, p} {
		var report bytes.Buffer
		code, err := order.Check(ctx, console.Console{Stdin: c.Stdin, Stdout: &report, Stderr: c.Stderr})
		switch {
		case err != nil:
			return 0, err
		case ctx.Err() != nil:
			return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
		case code == console.ExitTarget || code == console.ExitFault:
			_, err := report.WriteTo(c.Stdout) // it says why there is nothing to compare
			return code, err
		}
	}
	d := diffFlags{Old: first.Transcript, New: second.Transcript, Format: f.Format, FailOn: f.FailOn}
	return d.diff(ctx, c)
}

// comparable refuses what only one run can have.
func (f *compareFlags) comparable() error {
	switch {
	case (f.ToCmd == "") == (f.ToURL == ""):
		return console.Usage("compare needs --to-cmd or --to-url, one of them; for example: aql-conform compare --cmd ./my-adapter --to-cmd ./my-new-adapter")
	case len(f.Report) > 0, f.Transcript != "", f.Certify != "", f.Baseline != "":
		return console.Usage("compare prints differences; --report, --transcript, --certify and --baseline are for a single run; leave them out")
	case f.DryRun, f.FailFast:
		return console.Usage("compare needs complete runs; leave --dry-run and --fail-fast out")
	}
	return nil
}

// other are the flags for the second adapter: those of the first but for what names it,
// and for what its kind cannot take.
func (f *compareFlags) other(seed uint64, transcript string) *session.CheckFlags {
	to := f.CheckFlags
	to.Cmd, to.URL, to.MCPConfig, to.Server, to.AlsoCmd, to.AlsoURL = f.ToCmd, f.ToURL, "", "", "", ""
	to.Seed, to.Transcript = &seed, transcript
	if to.URL == "" {
		to.Header, to.TokenCmd, to.OAuth, to.OAuthClient = nil, "", "", ""
	} else {
		to.Env, to.Cwd = nil, ""
	}
	return &to
}
