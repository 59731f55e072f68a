package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures"
)

// entry judges one adapter and lays the sealed result down. Nothing is kept of a run that is
// interrupted: the next one begins it again.
func (f *Flags) entry(ctx context.Context, c console.Console, list fixtures.Fleet) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, c.Stdin)
		cancel()
	}()
	i := slices.IndexFunc(list.Adapters, func(e fixtures.FleetEntry) bool { return e.Name == f.Entry })
	if i < 0 {
		return 0, console.Usage("%s has no adapter %s", f.File, f.Entry)
	}
	e := list.Adapters[i]
	folder, err := os.MkdirTemp("", "aql-conform-fleet-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	o, err := f.judged(ctx, c, e, folder)
	if err != nil && ctx.Err() == nil {
		o.ExitCode, o.Problem = console.ExitFault, err.Error()
		var known console.Failure
		if errors.As(err, &known) {
			o.ExitCode = known.Code
		}
	}
	if ctx.Err() != nil || o.ExitCode == console.ExitInterrupted {
		return console.ExitInterrupted, nil
	}
	if err := f.keep(e, o); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: err}
	}
	return o.ExitCode, nil
}

// judged runs the check of an entry, seals its report and submits it.
func (f *Flags) judged(ctx context.Context, c console.Console, e fixtures.FleetEntry, folder string) (o outcome, err error) {
	at := func(name string) string { return filepath.Join(folder, name) }
	flags, err := f.check(e)
	if err != nil {
		return o, err
	}
	flags.Transcript, flags.Report = at(attest.PackedName), []string{"json=" + at(attest.ReportName)}
	quiet := console.Console{Stdin: bytes.NewReader(nil), Stdout: io.Discard, Stderr: c.Stderr, Agent: true}
	order, err := flags.Settle(nil, quiet)
	if err != nil {
		return o, err
	}
	if o.ExitCode, err = order.Check(ctx, quiet); err != nil {
		return o, err
	}
	report := order.Report()
	if o.Problem = report.Run.Conclusion; o.Problem != "" || report.Run.Interrupted {
		return o, nil
	}
	if o.ExitCode == console.ExitFault {
		o.Problem = "the checker failed"
		return o, nil
	}
	sealing := seal.SealFlags{Report: at(attest.ReportName), Transcript: at(attest.PackedName), Key: f.Key, Output: at(attest.SealedName)}
	if _, err := sealing.Write(); err != nil {
		return o, err
	}
	submission := attest.SubmitFlags{Folder: f.Out, Report: at(attest.ReportName), Transcript: at(attest.PackedName), Sealed: at(attest.SealedName), As: e.Name, Force: true}
	if err := submission.Submit(ctx, quiet); err != nil { // no fault of the list, and the folder has another name each time
		return o, errors.New(strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), ""))
	}
	o.Place, o.Level, o.Digest, o.Failing = console.PlaceOf(report.Run, e.Name), report.ConformanceLevel, report.Digest, report.Failing()
	return o, nil
}

// check are the flags of check that an entry stands for, with its own permissions and hints
// and no other's.
func (f *Flags) check(e fixtures.FleetEntry) (*session.CheckFlags, error) {
	flags := &session.CheckFlags{}
	if err := kong.ApplyDefaults(flags); err != nil {
		return nil, fmt.Errorf("internal error in the command line: %w", err)
	}
	seed := uint64(e.Seed)
	if seed == 0 {
		seed = seedOf(e.Name)
	}
	flags.Cmd, flags.URL, flags.Cwd, flags.TokenCmd, flags.Seed = e.Cmd, e.URL, e.Cwd, e.TokenCmd, &seed
	if f.Wrap != "" && e.Cmd != "" {
		flags.Cmd = f.Wrap + " " + e.Cmd
	}
	var err error
	expand := func(text string) string {
		return os.Expand(text, func(name string) string {
			value, set := os.LookupEnv(name)
			if !set && err == nil {
				err = console.Usage("%s: the environment variable %s is not set", e.Name, name)
			}
			return value
		})
	}
	for _, name := range slices.Sorted(maps.Keys(e.Env)) {
		flags.Env = append(flags.Env, name+"="+expand(e.Env[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		flags.Header = append(flags.Header, name+": "+expand(e.Header[name]))
	}
	flags.Hints, flags.NoHints = e.Hints, e.Hints == ""
	flags.Allow, flags.ReadOnly, flags.Run, flags.Phases = e.Allow, e.ReadOnly, e.Run, e.Phases
	flags.MaxRequests, flags.MaxWrites, flags.RateLimit = e.MaxRequests, e.MaxWrites, float64(e.RateLimit)
	if e.Level > 0 {
		flags.Level = fmt.Sprint(e.Level)
	}
	flags.MaxTime, flags.Timeout = cmp.Or(e.MaxTime, flags.MaxTime), cmp.Or(e.Timeout, flags.Timeout)
	flags.StartTimeout = cmp.Or(e.StartTimeout, flags.StartTimeout)
	return flags, err
}

// seedOf is the seed of an entry that names none. It is another for each name, because the
// objects of two runs against one backend have to be told apart, and the same in each run.
func seedOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return h.Sum64()%1_000_000_000 + 1
}

// tail keeps what a process says, as far as somebody wants to read it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const most = 64 << 10
	if t.Len() > most {
		return len(p), nil
	}
	return t.Buffer.Write(p)
}
